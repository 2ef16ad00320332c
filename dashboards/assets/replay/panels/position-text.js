// @ts-check
// The position as text: where everything is and who is winning, for readers who cannot see the board or prefer text.

import { trustIn } from "../drawing/chances.js";
import { html } from "../drawing/dom.js";
import { participant } from "../drawing/shapes.js";
import { table } from "../drawing/table.js";
import { KINDS } from "../kinds.js";

/**
 * Each seat's chance of winning, and its margin of error.
 * @param {import("../parts.js").Player} player
 */
function createChances({ scene, reviewing }) {
  const names = scene.seats.map(participant);
  const { element, cells } = table("Chances of winning", ["Seat", "Per cent"], names);
  const trust = html("p", { class: "meta" });
  return {
    elements: reviewing.offered ? [element, trust] : [],
    /** @param {number} at */
    draw(at) {
      const chances = reviewing.found();
      element.hidden = !chances;
      trust.textContent = chances ? trustIn(chances, at) : reviewing.why();
      if (chances) cells.forEach(([write], seat) => write(chances.percent(at, seat)));
    },
  };
}

/** @param {import("../parts.js").Player} player */
export function createPositionText(player) {
  const { scene } = player;
  const tables = KINDS[scene.board.kind].tables(scene);
  const chances = createChances(player);
  const look = { class: "position-words", id: "replay-words", tabindex: 0, role: "region", "aria-label": "Position as text", hidden: true };
  return {
    element: html("div", look, ...tables.elements, ...chances.elements),
    /** @param {number} at */
    draw(at) {
      tables.draw(scene.frames[at]);
      chances.draw(at);
    },
  };
}
