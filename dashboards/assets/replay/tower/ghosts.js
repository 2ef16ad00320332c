// @ts-check
// Outlines of climbers hidden behind blocks: a climber is hidden if faces painted after it cover it.

import { seatPath } from "../drawing/shapes.js";
import { squareOf } from "./faces.js";
import { HEAD, OUTLINE, STAND, UNIT } from "./shapes.js";

/** @typedef {import("../scene.js").TowerFrame} Frame */
/** @typedef {import("./view.js").Projection} Projection */
/** @typedef {{seat: number, foot: [number, number], points: [number, number][], hidden: boolean}} Standing */

/** True if a point is in a polygon. @param {[number, number]} point @param {[number, number][]} ring */
export function contains([x, y], ring) {
  let inside = false;
  ring.forEach(([x1, y1], place) => {
    const [x2, y2] = ring[place ? place - 1 : ring.length - 1];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  });
  return inside;
}

/**
 * Call `stand` and `cover` in painting order.
 * @param {Frame} frame @param {Projection} projection
 */
export function createGhosts(frame, { scale, project }) {
  const size = scale / UNIT;
  /** @type {Standing[]} */
  const standing = [];
  return {
    /** Note a climber that is painted on a square. @param {{square: number, at: import("./faces.js").Point}} face */
    stand({ square, at }) {
      frame.c.forEach(([x, y], seat) => {
        if (x === undefined || squareOf(x, y) !== square) return;
        const foot = project(at);
        const points = OUTLINE.map(([right, down]) => /** @type {[number, number]} */ ([foot[0] + right * size, foot[1] + down * size]));
        standing.push({ seat, foot, points, hidden: false });
      });
    },
    /** Note which painted climbers these faces cover. @param {[number, number][][]} rings */
    cover(rings) {
      for (const each of standing) each.hidden ||= each.points.some((point) => rings.some((ring) => contains(point, ring)));
    },
    /** Outlines of climbers that are covered, wholly or in part. @returns {import("./paint.js").Stroke[]} */
    strokes() {
      return standing.flatMap(({ seat, foot: [x, y], hidden }) => {
        if (!hidden) return [];
        /** @param {string} d @param {number} lower */
        const lines = (d, lower) =>
          ["tower-ghost-casing", `tower-ghost seat-${seat}`].map((look) => {
            const move = `translate(${x.toFixed(1)} ${(y + lower * size).toFixed(1)}) scale(${size.toFixed(3)})`;
            return { d, look, target: `c${seat}`, seat, at: move };
          });
        return [...lines(STAND, 0), ...lines(seatPath(seat, HEAD.r), HEAD.y)];
      });
    },
  };
}
