// @ts-check
// Starts the replay when its page is shown, and takes it away when another page is. Dash loads this file on every page;
// the player itself (assets/replay/) only where there is a match to show.

const ROOT = "replay";
const player = import.meta.resolve("./replay/player.js");

/** @type {HTMLElement | null} */
let shown = null;
/** @type {(() => void) | null} */
let leave = null;

/** @type {{match: string, answer: Promise<Response>} | null} */
let early = null;
const asked = new URL(window.location.href);
if (asked.pathname === "/replay" && asked.searchParams.get("match")) {
  const match = asked.searchParams.get("match") ?? "";
  early = { match, answer: fetch(`/api/replay/${encodeURIComponent(match)}`) };
  early.answer.catch(() => undefined);
  void import(player);
}

async function look() {
  const root = document.getElementById(ROOT);
  if (root === shown) return;
  leave?.();
  leave = null;
  shown = root;
  if (!root) return;
  const { mount } = await import(player);
  if (shown !== root) return;
  const answer = early?.match === root.dataset.match ? early?.answer : undefined;
  early = null;
  leave = mount(root, answer);
}

new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
void look();
