// @ts-check
// What the legend of a map explains.

import { html } from "../drawing/dom.js";
import { glyph, placeIcon } from "../drawing/shapes.js";

/** @typedef {import("../scene.js").MapScene} Scene */

/** @param {Scene} scene */
export function mapLegend(scene) {
  const styles = [...new Set(scene.board.links.map((link) => link.style))];
  const levels = scene.board.levels.map((level) =>
    html("span", { class: "key", title: level.name }, placeIcon(level.icon, 20), level.short),
  );
  const roads = styles.map((style) => html("span", { class: "key" }, glyph(style, 22), style));
  const tokens = scene.tokens.map((token) =>
    html("span", { class: "key" }, html("span", { class: `chip-cube back-${token.key}` }, token.letter), token.name),
  );
  const yaks = html("span", { class: "key" }, html("span", { class: "coin" }, "5"), "yaks");
  const majority = html("span", { class: "key" }, glyph("crown", 14), "majority");
  const markers = (scene.markers ?? []).map((marker) =>
    html("span", { class: "key" }, glyph(marker.icon, 15), html("b", {}, marker.letter), marker.name),
  );
  return [...levels, ...roads, ...tokens, yaks, majority, ...markers];
}
