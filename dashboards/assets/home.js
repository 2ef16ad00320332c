// Home: show the pictures of matches in the page's theme, and show or hide who won.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  // Readers who hide winners see the board at the turning point of the match instead of the final one.
  function show(hides, scheme) {
    const home = document.getElementById("home");
    if (!home) return window.dash_clientside.no_update;
    home.querySelectorAll(".worth").forEach(function (card) {
      const place = card.querySelector(".worth-picture");
      const { match, ply, last } = place.dataset;
      const link = card.querySelector(".worth-link");
      const from = new URL(link.href); // the position of a headline such as "won from a chance of 1%" would tell who
      from.searchParams.set("ply", hides ? 0 : ply);
      link.setAttribute("href", from.pathname + from.search);
      const query = new URLSearchParams({ part: "board", ply: hides ? ply : last });
      query.set("theme", scheme || window.dash_clientside.shell.scheme());
      const picture = place.querySelector("img") || place.appendChild(document.createElement("img"));
      const address = window.dash_clientside.shell.urlOf("/api/replay/" + encodeURIComponent(match) + "/board.svg?" + query);
      if (picture.getAttribute("src") !== address) {
        Object.assign(picture, { loading: "lazy", decoding: "async", width: 640, height: 400 });
        picture.alt = (hides ? "The board of " : "The final board of ") + match;
        picture.src = address;
      }
    });
    return window.dash_clientside.no_update;
  }

  window.dash_clientside.home = { show };
})();
