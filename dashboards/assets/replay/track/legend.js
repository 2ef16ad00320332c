// @ts-check
// The legend of a track.

import { html, svg } from "../drawing/dom.js";
import { seatPath } from "../drawing/shapes.js";
import { ARROW, FLAKE, OUTLINES, PENNANT, YETI, YETI_FACE } from "./shapes.js";

/** @typedef {import("../scene.js").TrackScene} Scene */

/** @param {string} box @param {number} width @param {SVGElement[]} parts */
const sample = (box, width, ...parts) =>
  svg("svg", { viewBox: box, width, height: 18, "aria-hidden": "true", class: "glyph legend-sample" }, ...parts);

/** @param {Scene} scene */
export function trackLegend(scene) {
  const styles = [...new Set(scene.board.links.map((link) => link.style))];
  const pawn = (/** @type {string} */ d) => svg("path", { d, class: "legend-pawn" });
  const climber = sample("-16 -27 32 42", 16, pawn(PENNANT), pawn(seatPath(0, 12)));
  const sherpa = sample("-12 -12 24 24", 14, pawn(seatPath(0, 8.4)));
  const slides = styles.map((style) => {
    const line = svg("path", { d: "M2 9H20", class: `slide slide-${style}` });
    const head = svg("path", { d: ARROW, transform: "translate(26 9)", class: `slide-head head-${style}` });
    return html("span", { class: "key" }, sample("0 0 32 18", 30, line, head), style);
  });
  const snow = sample("-26 -26 52 52", 18, svg("path", { d: FLAKE, class: "field-flake" }));
  const camp = sample("-28 -31 56 48", 18, svg("path", { d: OUTLINES.camp.path, class: "field-back field-camp" }), svg("path", { d: OUTLINES.camp.rim, class: "field-rim" }));
  const yeti = sample("-20 -22 40 42", 18, svg("path", { d: YETI, class: "yeti-body" }), svg("path", { d: YETI_FACE, class: "yeti-face" }));
  const hasSnow = scene.board.nodes.some((node) => node.kind === "snow");
  return [
    html("span", { class: "key" }, climber, "climber"),
    html("span", { class: "key" }, sherpa, "Sherpa"),
    html("span", { class: "key", title: "The Yeti chases no Sherpa here; two Sherpas may take a supply card back" }, camp, "camp"),
    ...slides,
    ...(hasSnow ? [html("span", { class: "key", title: "No supply card may end a move here" }, snow, "snowfield")] : []),
    html("span", { class: "key" }, yeti, "Yeti"),
  ];
}
