// @ts-check
// Starts the replay in a file of its own: scene and review lie in the page. Offers the other colour scheme.

import { mount } from "./player.js";
import { fromHere } from "./source.js";
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
  const kept = document.getElementById(part);
  if (!kept) return null;
  const bytes = Uint8Array.from(window.atob(kept.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (kept.textContent = await new Response(text).text());
}

/**
 * A study and its matches: the address names the chapter, the first one where it names none.
 * @param {string} read @param {string} packed
 */
function studied(read, packed) {
  /** @type {import("../panels/study-server.js").Study} */
  const study = JSON.parse(read);
  /** @type {Record<string, {scene: import("../scene.js").Scene, review: import("../scene.js").Review | null}>} */
  const matches = JSON.parse(packed);
  const asked = new URLSearchParams(window.location.search);
  const first = study.chapters.findIndex((chapter) => chapter.match in matches);
  const match = asked.get("match") ?? study.chapters[first].match;
  if (!asked.has("study")) {
    const { ply } = study.chapters[first];
    window.location.search = String(new URLSearchParams({ match, ply: ply ?? "0", study: study.id, chapter: String(first + 1), panel: "study" }));
  }
  const { scene, review } = matches[match];
  return { ...fromHere(scene, review, true), study: async () => study };
}

offerScheme();
const [, , study, matches] = await Promise.all(["replay-scene", "replay-review", "replay-study", "replay-matches"].map(unpack));
const root = /** @type {HTMLElement} */ (document.getElementById("replay"));
takeBack(() => root);
mount(root, study && matches ? studied(study, matches) : undefined);
