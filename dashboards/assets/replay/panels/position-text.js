// @ts-check
// The position as text: what lies where, for whoever cannot or would rather not look at the board.

import { html } from "../drawing/dom.js";
import { KINDS } from "../kinds.js";

/** @param {import("../scene.js").Scene} scene */
export function createPositionText(scene) {
  const tables = KINDS[scene.board.kind].tables(scene);
  const look = { class: "position-words", id: "replay-words", tabindex: 0, role: "region", "aria-label": "Position as text", hidden: true };
  return { element: html("div", look, ...tables.elements), draw: tables.draw };
}
