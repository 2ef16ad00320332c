// @ts-check
// The legend of a tower.

import { html, svg } from "../drawing/dom.js";
import { letterIcon, seatPath } from "../drawing/shapes.js";
import { HEAD, STAND, discPath } from "./shapes.js";

/** @typedef {import("../scene.js").TowerScene} Scene */

/** @param {string} box @param {number} width @param {SVGElement[]} parts */
const sample = (box, width, ...parts) =>
  svg("svg", { viewBox: box, width, height: 18, "aria-hidden": "true", class: "glyph legend-sample" }, ...parts);

/** @param {string} letter of a colour */
const block = (letter) => svg("rect", { class: `face face-${letter}`, x: 0.5, y: 0.5, width: 17, height: 17, rx: 4 });

/** @param {Scene} scene */
export function towerLegend(scene) {
  const colours = Object.entries(scene.board.colours).map(([letter, name]) =>
    html("span", { class: "key" }, letterIcon(18, block(letter), "above-height", 11, letter), name),
  );
  const shape = (/** @type {string} */ d, /** @type {string | null} */ move = null) => svg("path", { d, class: "legend-pawn", transform: move });
  const climber = sample("-12 -28 24 30", 15, shape(STAND), shape(seatPath(0, HEAD.r), `translate(0 ${HEAD.y})`));
  const disc = sample("-12 -12 24 24", 16, shape(discPath(0)));
  return [
    ...colours,
    html("span", { class: "key" }, climber, "climber"),
    html("span", { class: "key", title: "A block with a disc on it may not be moved, entered or passed" }, disc, "disc"),
  ];
}
