// @ts-check
// The legend of a map.

import { html, svg } from "../drawing/dom.js";
import { dress } from "../drawing/looks.js";
import { glyph, letterIcon, placeIcon } from "../drawing/shapes.js";

/** @typedef {import("../scene.js").MapScene} Scene */

/** A cube with its letter. @param {string} key @param {string} letter */
function cube(key, letter) {
  const icon = letterIcon(14, svg("rect", { class: "cube-box", x: 0.5, y: 0.5, width: 13, height: 13, rx: 3 }), "cube-letter", 9.5, letter);
  dress(icon, `glyph cube-${key}`);
  return icon;
}

/** @param {Scene} scene */
export function mapLegend(scene) {
  const styles = [...new Set(scene.board.links.map((link) => link.style))];
  const levels = scene.board.levels.map((level) =>
    html("span", { class: "key", title: level.name }, placeIcon(level.icon, 20), level.short),
  );
  const roads = styles.map((style) => html("span", { class: "key" }, glyph(style, 22), style));
  const tokens = scene.tokens.map((token) =>
    html("span", { class: "key" }, cube(token.key, token.letter), token.name),
  );
  const coin = svg("circle", { class: "order-coin", cx: 8, cy: 8, r: 8 });
  const yaks = html("span", { class: "key" }, letterIcon(16, coin, "order-pays", 10.5, "5"), "yaks");
  const majority = html("span", { class: "key" }, glyph("crown", 14), "majority");
  const markers = (scene.markers ?? []).map((marker) =>
    html("span", { class: "key" }, glyph(marker.icon, 15), html("b", {}, marker.letter), marker.name),
  );
  return [...levels, ...roads, ...tokens, yaks, majority, ...markers];
}
