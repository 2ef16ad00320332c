// The shell: marks the page one is on, tells the colour scheme, draws SVG made by the server, keeps filters in the address.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  function markCurrentPage(pathname) {
    document.querySelectorAll("#navigation a").forEach(function (link) {
      if (link.getAttribute("href") === pathname) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
  }

  // Mantine writes the scheme here, whether chosen on the page or by the system; figures are drawn for it.
  function scheme() {
    return document.documentElement.getAttribute("data-mantine-color-scheme") === "dark" ? "dark" : "light";
  }
  new MutationObserver(function () {
    window.dash_clientside.set_props("drawn-scheme", { data: scheme() });
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-mantine-color-scheme"] });

  // Filters change the address without a new page; Back leaves the page, it does not undo filters one by one. A page may
  // still be in sight when the address is that of another already, which is then left as it is.
  function keepInAddress(search, pathname) {
    const here = window.location;
    if (typeof search !== "string" || here.pathname !== pathname || here.search === search) return;
    window.history.replaceState(window.history.state, "", pathname + search + here.hash);
  }
  function keepTraffic(search) {
    keepInAddress(search, "/traffic");
  }
  function keepOutcomes(search) {
    keepInAddress(search, "/outcomes");
  }

  // The address may hold filters that the router does not know of, so a link to the same page loads it anew.
  document.addEventListener("click", function (event) {
    const link = event.target.closest && event.target.closest("header a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    if (link.pathname === window.location.pathname && window.location.search && !link.hash) {
      event.preventDefault();
      event.stopPropagation();
      window.location.assign(link.href);
    }
  }, true);

  function drawSvg(svg, id) {
    const place = document.getElementById(id);
    if (place && typeof svg === "string") place.innerHTML = svg;
  }

  // Says what went wrong, where every page shows it.
  function report(text) {
    const place = document.getElementById("problem");
    if (place) place.textContent = text;
  }

  window.dash_clientside.shell = { scheme, markCurrentPage, keepInAddress, keepTraffic, keepOutcomes, drawSvg, report };
})();
