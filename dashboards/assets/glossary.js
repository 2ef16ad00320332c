// The glossary: shows the entries that contain all search words, and marks the entry in the address.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  function find(text) {
    const words = (text || "").toLowerCase().split(/\s+/).filter(Boolean);
    const place = document.getElementById("glossary-entries");
    let shown = 0;
    place.querySelectorAll(".entry").forEach(function (entry) {
      const held = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => held.includes(word));
      shown += entry.hidden ? 0 : 1;
      document.querySelector('.glossary-contents a[href="#' + entry.id + '"]').parentElement.hidden = entry.hidden;
    });
    const empty = (each, inside) => !each.querySelector(inside + ":not([hidden])");
    place.querySelectorAll(".glossary-section").forEach((each) => { each.hidden = empty(each, ".entry"); });
    document.querySelectorAll(".glossary-contents nav > ul > li").forEach((each) => { each.hidden = empty(each, "ul li"); });
    document.querySelectorAll(".glossary-reading").forEach((each) => { each.hidden = words.length > 0; });
    document.getElementById("glossary-count").textContent =
      shown === 0 ? "No metric contains these words. Try fewer." : shown + (shown === 1 ? " metric" : " metrics");
    window.dash_clientside.shell.keepInAddress(words.length ? "?find=" + encodeURIComponent(text.trim()) : "", "/glossary");
    mark();
    return window.dash_clientside.no_update;
  }

  // CSS :target does not work here: it matches only elements that exist when the address changes.
  function mark() {
    const name = decodeURIComponent(window.location.hash.slice(1));
    document.querySelectorAll(".entry").forEach((entry) => entry.classList.toggle("entry-named", entry.id === name));
  }
  window.addEventListener("hashchange", mark);

  window.dash_clientside.glossary = { find };
})();
