// @ts-check
// The caravans on a map, and the trails of this round behind them.

import { attributeOf, shower, svg } from "../drawing/dom.js";
import { seatPath } from "../drawing/shapes.js";
import { standing } from "./markers.js";

/** @typedef {import("../scene.js").MapScene} Scene */
/** @typedef {import("../scene.js").MapFrame} Frame */
/** @typedef {{x: number, y: number}} Point */

const LANE = 5;
const GAP = 20;

/**
 * The path of a piece's trail, offset from the roads so that several trails stay visible.
 * @param {Map<number, Point>} points
 * @param {number[]} way
 * @param {number} side offset from the road
 * @param {number} gap distance kept from places
 */
function trailPath(points, way, side, gap) {
  let path = "";
  for (let i = 1; i < way.length; i += 1) {
    const from = points.get(way[i - 1]);
    const to = points.get(way[i]);
    if (!from || !to) continue;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const turn = way[i - 1] < way[i] ? side : -side;
    const [nx, ny] = [-uy * turn, ux * turn];
    path += `M${(from.x + ux * gap + nx).toFixed(1)} ${(from.y + uy * gap + ny).toFixed(1)}`;
    path += `L${(to.x - ux * gap + nx).toFixed(1)} ${(to.y - uy * gap + ny).toFixed(1)}`;
  }
  return path;
}

/**
 * The caravans, next to each other if several are at one place.
 * @param {Scene} scene
 * @param {Map<number, Point>} points
 * @param {number[]} tops height of each place
 */
export function createCaravans(scene, points, tops) {
  const pieces = scene.seats.map((seat, index) => {
    const ring = svg("circle", { r: 14, class: "piece-ring", display: "none" });
    const body = svg("path", { d: seatPath(index, 9.5), class: `piece seat-fill seat-${index}` });
    const group = svg("g", { display: "none", "data-seat": index }, svg("title", {}, `Caravan of ${seat.name}`), ring, body);
    return { group, show: shower(group), ring: shower(ring), node: attributeOf(group, "data-at"), at: "" };
  });
  const element = svg("g", { class: "pieces" }, ...pieces.map((piece) => piece.group));
  /** @param {Frame} frame @param {number} scale */
  const draw = (frame, scale) => {
    const spots = frame.c.map((_, seat) => standing(frame, seat, points, scale));
    frame.c.forEach((n, seat) => {
      const piece = pieces[seat];
      piece.show(n > 0);
      const { key, point, onWay } = spots[seat];
      if (!point) return;
      piece.node(key);
      const together = spots.reduce((sum, other) => sum + Number(other.key === key), 0);
      const before = spots.reduce((sum, other, index) => sum + Number(other.key === key && index < seat), 0);
      const x = point.x + (before - (together - 1) / 2) * 21 * scale;
      const y = point.y + (onWay ? 0 : tops[n - 1] - 9) * scale;
      const at = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) scale(${scale})`;
      if (at !== piece.at) {
        piece.at = at;
        piece.group.style.transform = at;
      }
      piece.ring(frame.a === seat && frame.x > 0);
    });
  };
  return { element, draw };
}

/** The trails of this round. @param {Scene} scene @param {Map<number, Point>} points */
export function createTrails(scene, points) {
  const trails = scene.seats.map((_, seat) => {
    const casing = svg("path", { class: "trail-casing" });
    const line = svg("path", { class: `trail seat-line-${seat}`, "data-seat": seat });
    return { casing, line, drawCasing: attributeOf(casing, "d"), drawLine: attributeOf(line, "d"), shown: "" };
  });
  const element = svg("g", { class: "trails" }, ...trails.flatMap((trail) => [trail.casing, trail.line]));
  /** @param {Frame} frame @param {number} scale */
  const draw = (frame, scale) => {
    trails.forEach((trail, seat) => {
      const key = frame.t[seat].join();
      if (key === trail.shown) return;
      trail.shown = key;
      const side = (seat - (scene.seats.length - 1) / 2) * LANE * scale;
      const path = trailPath(points, frame.t[seat], side, GAP * scale);
      trail.drawCasing(path);
      trail.drawLine(path);
    });
  };
  const forget = () => {
    for (const trail of trails) trail.shown = "";
  };
  return { element, draw, forget };
}
