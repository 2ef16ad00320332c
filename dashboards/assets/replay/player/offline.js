// @ts-check
// Starts the replay in a file of its own: scene and review lie in the page. Offers the other colour scheme.

import { mount } from "./player.js";
import { takeBack } from "./state.js";

const SCHEME = "data-mantine-color-scheme";

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

/** Unpack a part of the match where it stands, as the player expects it. @param {string} part */
async function unpack(part) {
  const kept = /** @type {HTMLElement} */ (document.getElementById(part));
  const bytes = Uint8Array.from(window.atob(kept.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  kept.textContent = await new Response(text).text();
}

offerScheme();
await Promise.all(["replay-scene", "replay-review"].map(unpack));
const root = /** @type {HTMLElement} */ (document.getElementById("replay"));
takeBack(() => root);
mount(root);
