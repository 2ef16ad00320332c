// @ts-check
// Starts the replay in an offline file, which contains scene and review. Adds a button for the colour scheme.

import { pageOf } from "../panels/study.js";
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
      // some browsers have no storage for a page from disk
    }
  });
}

/** Unpack an embedded part of the match in place, where the player reads it. @param {string} part */
async function unpack(part) {
  const element = document.getElementById(part);
  if (!element) return null;
  const bytes = Uint8Array.from(window.atob(element.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (element.textContent = await new Response(text).text());
}

/**
 * A study, its matches and its branches: the address names the chapter; by default the first one is shown.
 * @param {string} read @param {string} packed @param {string} tried
 */
function studied(read, packed, tried) {
  /** @type {import("../panels/study-server.js").Study} */
  const study = JSON.parse(read);
  /** @type {Record<string, {scene: import("../scene.js").Scene, review: import("../review.js").Review | null, playouts: import("../review.js").Playouts | null}>} */
  const matches = JSON.parse(packed);
  /** @type {Record<string, import("../panels/branch-server.js").Answer>} */
  const branches = JSON.parse(tried);
  const query = new URLSearchParams(window.location.search);
  const first = study.chapters.findIndex((chapter) => Object.hasOwn(matches, chapter.match));
  const match = query.get("match") ?? study.chapters[first].match;
  if (!query.has("study")) window.location.search = pageOf("", study.id, study.chapters[first], first + 1);
  const { scene, review, playouts } = matches[match];
  /** @param {string} id */
  async function branch(id) {
    if (!Object.hasOwn(branches, id)) throw new Error("This branch is not in the file: the server did not have it when the file was made.");
    return branches[id];
  }
  return { ...fromHere(scene, review, playouts, true), study: async () => study, branch };
}

offerScheme();
const [, , , study, matches, branches] = await Promise.all(["replay-scene", "replay-review", "replay-playouts", "replay-study", "replay-matches", "replay-branches"].map(unpack));
const root = /** @type {HTMLElement} */ (document.getElementById("replay"));
takeBack(() => root);
mount(root, study && matches && branches ? studied(study, matches, branches) : undefined);
