// @ts-check
// Markers: pieces that lie on a link or at a place of the map for a while; each seat has one of each kind. Only one
// marker of a kind is on the map at a time, so each kind has one drawing. Outline, icon and letter distinguish the
// kinds.

import { attributeOf, html, shower, svg } from "../drawing/dom.js";
import { glyph, iconClass, iconPath, seatPath } from "../drawing/shapes.js";

/** @typedef {import("../scene.js").MapScene} Scene */
/** @typedef {import("../scene.js").MapFrame} Frame */
/** @typedef {{x: number, y: number}} Point */

const BESIDE = 41;
const BESIDE_SHORT = 50;
const ABOVE = 22;
const SHORT = 110;

/** @type {Record<string, string>} */
const OUTLINES = {
  yeti: "M-9-12H9A12 12 0 0 1 9 12H-9A12 12 0 0 1-9-12Z",
  snowstorm: "M-13-12H13L21 0 13 12H-13L-21 0Z",
  market: "M-20-7 -16-13H16L20-7V12H-20Z",
};

/** The middle between two points. @param {Point} a @param {Point} b */
const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/**
 * Position of a marker: in the middle of its link, or next to a short link to leave room for pieces there.
 * @param {Point} a
 * @param {Point} b
 * @param {number} scale
 */
function markerSpot(a, b, scale) {
  const { x, y } = middle(a, b);
  return a === b ? { x: x + BESIDE * scale, y } : isShort(a, b, scale) ? { x: x + BESIDE_SHORT * scale, y } : { x, y };
}

/** @param {Point} a @param {Point} b @param {number} scale */
const isShort = (a, b, scale) => Math.hypot(a.x - b.x, a.y - b.y) < SHORT * scale;

/**
 * Position of a seat's piece: at a place, or in the middle of a link but clear of a marker there.
 * @param {Frame} frame
 * @param {number} seat
 * @param {Map<number, Point>} points
 * @param {number} scale
 * @returns {{key: string, point: Point | undefined, onWay: boolean}}
 */
export function standing(frame, seat, points, scale) {
  const [here, ahead] = [frame.c[seat], frame.w?.[seat] ?? 0];
  const [from, to] = [points.get(here), points.get(ahead)];
  if (!from || !to) return { key: String(here), point: from, onWay: false };
  const { x, y } = middle(from, to);
  const point = { x, y: isShort(from, to, scale) ? y : y - ABOVE * scale };
  return { key: [here, ahead].sort((a, b) => a - b).join("-"), point, onWay: true };
}

/** @param {Scene} scene @param {Map<number, Point>} points */
export function createMarkers(scene, points) {
  const drawings = (scene.markers ?? []).map((marker) => {
    const owner = svg("path", { transform: "translate(-17 -12)" });
    const icon = svg("path", { d: iconPath(marker.icon), class: iconClass(marker.icon) });
    const group = svg(
      "g",
      { class: "marker", display: "none", "data-marker": marker.letter },
      svg("path", { d: OUTLINES[marker.icon] ?? OUTLINES.yeti, class: "marker-back" }),
      svg("g", { transform: "translate(-15 -8.5) scale(0.85)" }, icon),
      svg("text", { x: 9, y: 0.5, class: "marker-letter" }, marker.letter),
      owner,
    );
    const set = {
      at: attributeOf(group, "transform"),
      node: attributeOf(group, "data-at"),
      seat: attributeOf(group, "data-seat"),
      show: shower(group),
    };
    return { group, ...set, owner: attributeOf(owner, "class"), shape: attributeOf(owner, "d") };
  });
  const element = svg("g", { class: "markers" }, ...drawings.map((each) => each.group));
  /** @param {Frame} frame @param {number} scale */
  const draw = (frame, scale) => {
    drawings.forEach((drawing, index) => {
      const placed = frame.k?.find(([kind]) => kind === index);
      drawing.show(placed !== undefined);
      if (!placed) return;
      const [, seat, a, b] = placed;
      const [from, to] = [points.get(a), points.get(b)];
      if (!from || !to) return;
      const { x, y } = markerSpot(from, to, scale);
      drawing.at(`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale})`);
      drawing.node(a === b ? String(a) : `${a}-${b}`);
      drawing.seat(seat);
      drawing.owner(`seat-fill seat-${seat}`);
      drawing.shape(seatPath(seat, 6));
    });
  };
  return { element, draw };
}

/** The markers that a seat still has; used ones are faded. @param {Scene} scene @param {number} seat */
export function createMarkersLeft(scene, seat) {
  const markers = scene.markers ?? [];
  const icons = markers.map((marker) => glyph(marker.icon, 12));
  const classes = icons.map((icon) => attributeOf(icon, "class"));
  const element = html("span", { class: "markers-left", role: "img" }, ...icons);
  const title = attributeOf(element, "title");
  const label = attributeOf(element, "aria-label");
  let shown = "";
  /** @param {Frame} frame */
  const draw = (frame) => {
    const letters = frame.q?.[seat] ?? "";
    if (letters === shown && element.title) return;
    shown = letters;
    const words = leftInWords(scene, letters);
    title(`tokens left: ${words}`);
    label(`Tokens left: ${words}`);
    markers.forEach((marker, i) => classes[i](letters.includes(marker.letter) ? "glyph" : "glyph marker-used"));
  };
  return { element, draw };
}

/** @param {Scene} scene @param {string} letters */
export const leftInWords = (scene, letters) =>
  (scene.markers ?? [])
    .filter((marker) => letters.includes(marker.letter))
    .map((marker) => marker.name)
    .join(", ") || "none";
