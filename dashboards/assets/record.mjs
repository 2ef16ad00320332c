// @ts-check
// Shows the recording of a match while its page is open, and removes it when another page opens. Dash loads this file
// on every page; the modules of a recording (assets/replay/record/) load only there.

/** @type {HTMLElement | null} */
let shown = null;
/** @type {(() => void) | null} */
let leave = null;

async function look() {
  const place = document.getElementById("record-place");
  if (place === shown) return;
  leave?.();
  leave = null;
  shown = place;
  if (!place) return;
  const { show } = await import("./replay/record/pages.js");
  if (shown === place) leave = show(place);
}

new MutationObserver(() => void look()).observe(document.body, { childList: true, subtree: true });
void look();
