// The cross-table: the cell under the pointer or with the focus shows its details below the table.
(function () {
  "use strict";

  function say(event) {
    const line = document.querySelector("#tournament-cross .cross-said");
    if (!line) return;
    const cell = event.target.closest && event.target.closest("#tournament-cross [data-said]");
    line.textContent = cell && event.type !== "focusout" ? cell.dataset.said : "";
  }

  ["mouseover", "focusin", "focusout"].forEach((kind) => document.addEventListener(kind, say));
})();
