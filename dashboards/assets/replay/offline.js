// @ts-check
// Starts the replay in a file of its own: the scene and the log lie in the page. Offers the log for saving, and the
// other colour scheme.

import { mount } from "./player.js";

const SCHEME = "data-mantine-color-scheme";

/** The log in the page, if there is one: its name, and its gzipped bytes in base 64. */
function keptLog() {
  const kept = document.getElementById("replay-log")?.textContent;
  return kept ? /** @type {{name: string, gzip: string}} */ (JSON.parse(kept)) : null;
}

function offerLog() {
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById("offline-log"));
  const log = keptLog();
  if (!log) return;
  link.href = `data:application/gzip;base64,${log.gzip}`;
  link.download = log.name;
  link.setAttribute("aria-label", "Download the log");
  link.hidden = false;
}

function offerScheme() {
  const root = document.documentElement;
  document.getElementById("offline-scheme")?.addEventListener("click", () => {
    const next = root.getAttribute(SCHEME) === "dark" ? "light" : "dark";
    root.setAttribute(SCHEME, next);
    try {
      window.localStorage.setItem("mantine-color-scheme-value", next);
    } catch {
      // not every browser remembers anything for a page from disk
    }
  });
}

/** Unpack the scene where it stands, as the player expects it. */
async function unpackScene() {
  const kept = /** @type {HTMLElement} */ (document.getElementById("replay-scene"));
  const bytes = Uint8Array.from(window.atob(JSON.parse(kept.textContent ?? "")), (letter) => letter.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  kept.textContent = await new Response(text).text();
}

offerLog();
offerScheme();
await unpackScene();
mount(/** @type {HTMLElement} */ (document.getElementById("replay")));
