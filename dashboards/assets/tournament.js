// The cross-table: the cell that is pointed at or has the focus says below the table all that it knows.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  function point() {
    const place = document.getElementById("tournament-cross");
    if (!place || place.dataset.heard) return;
    place.dataset.heard = "true";
    const say = function (event) {
      const cell = event.target.closest && event.target.closest("[data-said]");
      const said = place.querySelector(".cross-said");
      if (said) said.textContent = cell ? cell.dataset.said : "";
    };
    place.addEventListener("mouseover", say);
    place.addEventListener("focusin", say);
    place.addEventListener("mouseleave", say);
    place.addEventListener("focusout", say);
  }

  window.dash_clientside.tournament = { point };
})();
