// @ts-check
// A plan that is being made: a dashed way with numbered steps, and a ghost of the caravan at its end. A step that would
// have no effect is crossed out.

import { svg } from "../drawing/dom.js";
import { seatPath } from "../drawing/shapes.js";
import { standing } from "./markers.js";

/** @typedef {import("../scene.js").MapFrame} Frame */
/** @typedef {import("../renderer.js").Step} Step */
/** @typedef {{x: number, y: number}} Point */
/** A frame with the plan of one seat. @typedef {Frame & {planned?: {seat: number, steps: Step[]}}} PlannedFrame */

const [RADIUS, APART, RIGHT, UP, BETWEEN] = [9, 17, 30, 2, 21];
/** @type {Record<string, string | number>} */
const LINE = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };

/**
 * @param {Map<number, Point>} points @param {number[]} tops height of each place
 */
export function createPlanned(points, tops) {
  const [land, element] = [svg("g"), svg("g", { class: "planned" })];
  /** Number and mark of a step. @param {number} number @param {Point} point @param {number} scale @param {number} seat @param {boolean} isVoid */
  function badge(number, { x, y }, scale, seat, isVoid) {
    return svg(
      "g",
      { class: isVoid ? "planned-step planned-void" : "planned-step", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale})` },
      svg("circle", { r: RADIUS, class: `seat-line-${seat}`, fill: "var(--card)", "stroke-width": 1.8, "stroke-dasharray": isVoid ? "3 2" : null }),
      svg("text", { y: 0.5, "text-anchor": "middle", "font-size": 12, "font-weight": 700, fill: isVoid ? "var(--muted)" : "var(--text)" }, String(number)),
      isVoid ? svg("path", { d: "M-7 7L7-7", stroke: "var(--text)", "stroke-width": 1.8 }) : null,
    );
  }
  /** @param {PlannedFrame} frame @param {number} scale */
  function draw(frame, scale) {
    const { seat, steps } = frame.planned ?? { seat: 0, steps: [] };
    if (!steps.length) return void [land, element].forEach((each) => each.childElementCount && each.replaceChildren());
    /** Position of the caravan at a step. @param {number} at @param {number} ahead */
    const spot = (at, ahead) => standing({ ...frame, c: frame.c.with(seat, at), w: frame.c.map(() => ahead) }, seat, points, scale);
    let last = spot(frame.c[seat], frame.w?.[seat] ?? 0);
    let way = last.point ? `M${last.point.x.toFixed(1)} ${last.point.y.toFixed(1)}` : "";
    /** Number of badges at each place. @type {Map<string, number>} */
    const taken = new Map();
    const badges = steps.map(({ at, ahead, is_void: isVoid }, i) => {
      const next = spot(at, ahead);
      const [from, to] = [last.point, next.point];
      const moved = next.key !== last.key;
      const key = moved ? [last.key, next.key].sort().join() : next.key;
      const before = taken.get(key) ?? 0;
      taken.set(key, before + 1);
      last = next;
      if (!from || !to) return null;
      if (moved) way += `L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
      const place = moved
        ? { x: (from.x + to.x) / 2 + before * APART * scale, y: (from.y + to.y) / 2 }
        : { x: to.x + (RIGHT + before * APART) * scale, y: to.y - UP * scale };
      return badge(i + 1, place, scale, seat, isVoid);
    });
    const { at } = steps[steps.length - 1];
    const end = last.point;
    const others = frame.c.filter((place, other) => other !== seat && place === at).length;
    const x = (end?.x ?? 0) + (others ? ((others + 1) / 2) * BETWEEN * scale : 0);
    const ghost = end && svg("path", { d: seatPath(seat, 9.5), class: `piece seat-fill seat-${seat}`, opacity: 0.6, "stroke-dasharray": "3 2", transform: `translate(${x.toFixed(1)} ${(end.y + (last.onWay ? 0 : tops[at - 1] - 9) * scale).toFixed(1)}) scale(${scale})` });
    land.replaceChildren(
      svg("path", { ...LINE, d: way, stroke: "var(--road-casing)", "stroke-width": 6 * scale }),
      svg("path", { ...LINE, d: way, class: `seat-line-${seat}`, "stroke-width": 3 * scale, "stroke-dasharray": `${6 * scale} ${7 * scale}` }),
    );
    element.replaceChildren(...[ghost, ...badges].flatMap((each) => each ?? []));
  }
  return { land, element, draw };
}
