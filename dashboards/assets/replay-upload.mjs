// @ts-check
// Lets readers open a log from disk on the page where they choose a match: adds the file input, and loads the player's
// script that handles it.

/** @type {HTMLElement | null} */
let shown = null;
let leaving = new AbortController();

async function look() {
  const landing = document.getElementById("replay-landing");
  if (landing === shown) return;
  leaving.abort();
  shown = landing;
  if (!landing) return;
  leaving = new AbortController();
  const { signal } = leaving;
  const { listenForFiles } = await import("./replay/player/pages.js");
  if (signal.aborted) return;
  const input = document.createElement("input");
  Object.assign(input, { type: "file", id: "replay-file", accept: ".jsonl,.gz,.zst" });
  const status = /** @type {HTMLElement} */ (document.getElementById("replay-told"));
  const root = /** @type {HTMLElement} */ (document.getElementById("replay-uploaded"));
  listenForFiles(landing, { input, status, root, signal });
  document.getElementById("replay-file-place")?.replaceChildren(input);
}

new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
void look();
