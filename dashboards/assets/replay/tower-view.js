// @ts-check
// From where a tower is looked at: turned, tilted, or from above, and whose reach is shown. All towers of a page are looked
// at alike, so that two matches beside each other turn together and a picture shows what the page shows.

/**
 * `turn` and `tilt` in degrees: 0 is from the front of the table, 90 from above; `reach` is a seat, -1: nobody's.
 * @typedef {{turn: number, tilt: number, above: boolean, reach: number}} View
 */

/** @type {View} */
let shown = { turn: 28, tilt: 34, above: false, reach: -1 };
/** @type {Set<() => void>} */
const listeners = new Set();
const TILTS = { least: 12, most: 84 };
const EDGE = 14;
const ABOVE = 44;
const BELOW = 36;
/** How high a climber is, in squares. */
const CLIMBER = 1;

export const viewed = () => shown;

/** @param {Partial<View>} changes */
export function look(changes) {
  const next = { ...shown, ...changes };
  next.turn = ((next.turn % 360) + 360) % 360;
  next.tilt = Math.min(TILTS.most, Math.max(TILTS.least, next.tilt));
  shown = next;
  for (const run of listeners) run();
}

/** Hear of changes; what is returned ends it. @param {() => void} run */
export function onLook(run) {
  listeners.add(run);
  return () => listeners.delete(run);
}

/**
 * How points of the tower are projected on a drawing: its scale, and to which sides of x and y the front is.
 * @typedef {{
 *   scale: number, sine: number, front: [number, number], project: (point: import("./tower-faces.js").Point) => [number, number]
 * }} Projection
 */

/**
 * @param {import("./scene.js").Room} room
 * @param {number} width
 * @param {number} height
 * @param {{turn: number, tilt: number}} from
 * @returns {Projection}
 */
export function projection(room, width, height, { turn, tilt }) {
  const [angle, rise] = [(turn * Math.PI) / 180, (tilt * Math.PI) / 180];
  const [cos, sin, sine, cosine] = [Math.cos(angle), Math.sin(angle), Math.sin(rise), Math.cos(rise)];
  const across = Math.hypot(room.dx, room.dy);
  const high = across * sine + (room.height + CLIMBER) * cosine;
  const scale = Math.max(1, Math.min((width - 2 * EDGE) / across, (height - ABOVE - BELOW) / high));
  const [x0, y0, z0] = [room.x + room.dx / 2, room.y + room.dy / 2, (room.height + CLIMBER) / 2];
  const middle = (height + ABOVE - BELOW) / 2;
  return {
    scale,
    sine,
    front: [sin >= 0 ? 1 : -1, cos > 0 ? -1 : 1],
    project([x, y, z]) {
      const [right, back] = [x - x0, y - y0];
      const near = right * sin - back * cos;
      return [width / 2 + scale * (right * cos + back * sin), middle + scale * (near * sine - (z - z0) * cosine)];
    },
  };
}
