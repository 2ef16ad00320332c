// @ts-check
// Starts the replay when its page is shown, and takes it away when another page is. Dash loads this file on every page;
// the player itself (assets/replay/) only where there is a match to show.

/** @type {HTMLElement | null} */
let shown = null;
/** @type {(() => void) | null} */
let leave = null;

async function look() {
  const root = document.getElementById("replay");
  if (root === shown) return;
  leave?.();
  leave = null;
  shown = root;
  if (!root) return;
  const { mount } = await import("./replay/player.js");
  if (shown === root) leave = mount(root);
}

new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
void look();
