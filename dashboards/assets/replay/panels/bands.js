// @ts-check
// Chances of winning on the timeline: one band per seat, in the order of the standings. Together they fill the height.
// They are drawn once, and again when resized.

import { svg } from "../drawing/dom.js";

/** @typedef {import("../parts.js").Chances} Chances */

/** Height below which a band has no room for a seat's shape. */
const LEAST = 5;

/**
 * @param {import("../scene.js").Scene} scene
 * @param {(frame: number) => number} x
 * @param {{top: number, height: number}} room
 */
export function createBands(scene, x, { top, height }) {
  const last = scene.frames.length - 1;
  const fills = scene.seats.map((_, seat) => svg("path", { class: `chance-band seat-${seat}` }));
  const edges = svg("path", { class: "chance-edges" });
  /** Line at which chances from playouts begin. */
  const seam = svg("path", { class: "chance-seam" });
  const element = svg("g", { class: "chances" }, ...fills, edges, seam);
  /** @type {Chances | null} */
  let chances = null;

  /** Vertical position of the lower edge of a seat's band. @param {number} frame @param {number} seat */
  function edge(frame, seat) {
    let sum = 0;
    for (let above = 0; above <= seat; above += 1) sum += /** @type {Chances} */ (chances).of(frame, above);
    return top + height * Math.min(sum, 1);
  }
  /** The lower edge of a seat's band from the first frame to the last, as steps. @param {number} seat */
  function steps(seat) {
    let [path, before] = [`${x(0).toFixed(1)} ${edge(0, seat).toFixed(1)}`, edge(0, seat)];
    for (let frame = 1; frame <= last; frame += 1) {
      const now = edge(frame, seat);
      if (now === before) continue;
      path += `H${x(frame).toFixed(1)}V${now.toFixed(1)}`;
      before = now;
    }
    return `${path}H${x(last).toFixed(1)}`;
  }
  return {
    element,
    /** @param {Chances | null} next */
    of: (next) => (chances = next),
    draw() {
      if (!chances) return;
      const lower = scene.seats.map((_, seat) => steps(seat));
      // Each band is drawn down to the bottom; the bands below it cover the rest.
      fills.forEach((fill, seat) => {
        const from = seat ? `M${lower[seat - 1]}` : `M${x(0).toFixed(1)} ${top}H${x(last).toFixed(1)}`;
        fill.setAttribute("d", `${from}V${top + height}H${x(0).toFixed(1)}Z`);
      });
      edges.setAttribute("d", lower.slice(0, -1).map((path) => `M${path}`).join(""));
      const { playedOut } = chances;
      seam.setAttribute("d", playedOut ? `M${x(playedOut.from).toFixed(1)} ${top}v${height}` : "");
    },
    /** Middle of a seat's band; -1 if the band is too low to mark. @param {number} frame @param {number} seat */
    middle(frame, seat) {
      const part = height * /** @type {Chances} */ (chances).of(frame, seat);
      return part < LEAST ? -1 : edge(frame, seat) - part / 2;
    },
  };
}
