// @ts-check
// Shows the page in the address: one recording, or the form for a new one.

import { html } from "../drawing/dom.js";
import { showRecording } from "./recording.js";
import { showSetUp } from "./setup.js";

/**
 * Show a recording session in a place of the page; return a function that removes it.
 * @param {HTMLElement} place
 */
export function show(place) {
  const { draft, games } = place.dataset;
  const root = html("div", { class: draft ? "replay record" : "replay record record-new", id: "record" });
  place.replaceChildren(root);
  const leave = draft ? showRecording(root, draft) : showSetUp(root, JSON.parse(games ?? "[]"));
  return () => {
    leave();
    root.remove();
  };
}
