// @ts-check
// Starts the replay when its page opens, and removes it when another page opens. Dash loads this file on every page;
// the player itself (assets/replay/) only if there is a match to show.

import { takeBack } from "./replay/player/state.js";

/** @type {HTMLElement | null} */
let shown = null;
/** @type {(() => void) | null} */
let leave = null;

async function look() {
  const place = document.getElementById("replay-place");
  if (place === shown) return;
  leave?.();
  leave = null;
  shown = place;
  if (!place) return;
  const { show } = await import("./replay/player/pages.js");
  if (shown !== place) return;
  const { root, unmount } = show(place);
  const forget = takeFiles(root, unmount);
  leave = () => {
    forget();
    unmount();
  };
}

/**
 * Show a log that is dropped here in place of the match.
 * @param {HTMLElement} root
 * @param {() => void} unmount
 */
function takeFiles(root, unmount) {
  const leaving = new AbortController();
  const status = Object.assign(document.createElement("div"), { className: "replay-note", role: "status" });
  const upload = Object.assign(document.createElement("div"), { className: "replay", hidden: true });
  const note = Object.assign(document.createElement("p"), { className: "replay-note meta" });
  const back = Object.assign(document.createElement("a"), { textContent: `Back to ${root.dataset.match}` });
  note.append("This log is replayed from your disk; it is not stored here. ", back);
  const opening = () => {
    unmount();
    back.href = window.location.href;
  };
  const parts = { input: document.createElement("input"), status, root: upload, signal: leaving.signal, opening };
  void import("./replay/player/pages.js").then(({ listenForFiles }) => {
    if (leaving.signal.aborted) return;
    root.before(status);
    root.after(upload, note);
    listenForFiles(root, parts);
  });
  return () => {
    leaving.abort();
    for (const each of [status, upload, note]) each.remove();
  };
}

/** Remove the early player if Dash shows another page in its place. */
async function giveWay() {
  if (!document.querySelector(".replay-early") || !document.querySelector("#_pages_content > *")) return;
  if (!document.getElementById("replay-place")) (await import("./replay/player/pages.js")).dismiss();
}

takeBack(() => document.getElementById("replay"));
const watch = () => void look().then(giveWay);
new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
void look();
