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
function createTables(player) {
  const { scene } = player;
  const tables = KINDS[scene.board.kind].tables(scene);
  const chances = createChances(player);
  return {
    elements: [...tables.elements, ...chances.elements],
    /** @param {number} at */
    draw(at) {
      tables.draw(scene.frames[at]);
      chances.draw(at);
    },
  };
}

/** @param {import("../parts.js").Player} player */
export function createPositionText(player) {
  const own = createTables(player);
  const heading = html("h2", { hidden: true }, "In the match");
  const below = html("div", {});
  const look = { class: "position-words", id: "replay-words", tabindex: 0, role: "region", "aria-label": "Position as text", hidden: true };
  const element = html("div", look, heading, ...own.elements, below);
  /** @type {(() => void) | null} */
  let drawBranch = null;
  /** @param {number} at */
  function draw(at) {
    own.draw(at);
    drawBranch?.();
  }
  return {
    element,
    draw,
    /** Show the position of a branch below that of the match; null closes it. @param {import("../parts.js").Player | null} branch */
    branch(branch) {
      const tables = branch && createTables(branch);
      heading.hidden = !tables;
      below.replaceChildren(...(tables ? [html("h2", {}, "In the branch"), ...tables.elements] : []));
      drawBranch = branch && tables && (() => tables.draw(branch.at()));
      if (!element.hidden) draw(player.at());
    },
  };
}
