// @ts-check
// The view of a tower: turned, tilted, or from above, and the seat to show the reach of. All towers of a page share one
// view, so that two matches next to each other turn together and a picture shows the same as the page. The address
// stores it: `angle=73.5`, `tilt=50`, `seen=above`, `reach=2` (the second seat), `opens=on`.

import { afterQuiet } from "../drawing/dom.js";

/**
 * `turn` and `tilt` in degrees: 0 is from the front of the table, 90 from above; `reach` is a seat, or -1 for none.
 * `opens`: also show what one block move would open to that seat. `hides`: the future is hidden, so the size of the
 * drawing must not reveal how the tower grows.
 * @typedef {{turn: number, tilt: number, above: boolean, reach: number, opens: boolean, hides: boolean}} View
 */

/** @type {View} */
const USUAL = { turn: 28, tilt: 34, above: false, reach: -1, opens: false, hides: false };
let shown = USUAL;
/** @typedef {import("../parts.js").State} State */
/** @typedef {import("../scene.js").TowerScene} Scene */

/** @type {Set<() => void>} */
const listeners = new Set();
/**
 * A tower: the number of its layings that are done, and the size of its drawing.
 * @typedef {{scene: Scene, count: number, width: number, height: number}} Tower
 */
/** The towers next to each other on the page; they share one scale. @type {Set<Tower>} */
export const TOWERS = new Set();
const TILTS = { least: 12, most: 84 };
const EDGE = 14;
/** How far the ground extends beyond the tower, in squares. */
const RIM = 0.5;
/** Free room in pixels above and below; `tools` replaces `above` if the tools take the whole width. */
const FREE = { above: 14, tools: 46, below: 30 };
const NARROW = 700;
/** Height of a climber, in squares. */
const CLIMBER = 1;
const KEYS = ["angle", "tilt", "seen", "reach", "opens", "spoilers"];
/** If the future is hidden, the room grows by steps of this many squares and levels. */
const GROWS = 4;
const QUIET = 150;

export const viewed = () => shown;

/** Repaint all towers of the page. */
export const repaint = () => listeners.forEach((run) => run());

/** @param {Partial<View>} changes */
export function look(changes) {
  const next = { ...shown, ...changes };
  next.turn = (Math.round((((next.turn % 360) + 360) % 360) * 10) / 10) % 360;
  next.tilt = Math.min(TILTS.most, Math.max(TILTS.least, Math.round(next.tilt * 10) / 10));
  shown = next;
  repaint();
}

/** Call a function on changes; return a function that stops that. @param {() => void} run */
export function onLook(run) {
  listeners.add(run);
  return () => listeners.delete(run);
}

/** The view of a tower in an address, for a number of seats. @param {State} state @param {number} seats @returns {View} */
function asAddressed(state, seats) {
  /** @param {string} key @param {number} usual @param {number} least @param {number} most */
  const number = (key, usual, least, most) => {
    const value = Number.parseFloat(state.get(key) ?? "");
    return value >= least && value <= most ? value : usual;
  };
  const [turn, tilt] = [number("angle", USUAL.turn, 0, 360), number("tilt", USUAL.tilt, TILTS.least, TILTS.most)];
  const reach = Math.trunc(number("reach", 0, 1, seats)) - 1;
  const opens = state.get("opens") === "on";
  return { turn, tilt, above: state.get("seen") === "above", reach, opens, hides: state.get("spoilers") === "off" };
}

/**
 * Set the view of towers from the address, and update the address on changes. A choice adds a step for Back, turning
 * does not. Returns a function that stops this.
 * @param {State} state @param {number} seats
 */
export function keepInAddress(state, seats) {
  const read = () => look(asAddressed(state, seats));
  /** @param {"push" | "replace"} how */
  const write = (how) => {
    /** @param {keyof View} key @param {string} text */
    const unlessUsual = (key, text) => (shown[key] === USUAL[key] ? null : text);
    const { turn, tilt, reach } = shown;
    const view = { angle: unlessUsual("turn", String(turn)), tilt: unlessUsual("tilt", String(tilt)) };
    const chosen = { seen: unlessUsual("above", "above"), reach: unlessUsual("reach", String(reach + 1)) };
    state.set({ ...view, ...chosen, opens: unlessUsual("opens", "on") }, how);
  };
  const settled = afterQuiet(QUIET, () => write("replace"));
  for (const key of KEYS) state.on(key, read);
  read();
  const leave = onLook(() => {
    const { above, reach, opens } = asAddressed(state, seats);
    if (above !== shown.above || reach !== shown.reach || opens !== shown.opens) write("push");
    else settled.ask();
  });
  return () => {
    leave();
    settled.stop();
  };
}

/**
 * The projection of points of the tower on a drawing: its scale, the front sides of x and y, and the extent of the
 * ground under it, in squares from the middle of the room.
 * @typedef {{
 *   scale: number, sine: number, front: [number, number], ground: {middle: import("./faces.js").Point, radius: number},
 *   project: (point: import("./faces.js").Point) => [number, number]
 * }} Projection
 */

/**
 * A larger room that contains the given one, so that its exact size is not revealed.
 * @param {import("../scene.js").Room} room @returns {import("../scene.js").Room}
 */
export function roomAround({ x, y, dx, dy, height }) {
  const [left, front] = [x, y].map((low) => GROWS * Math.floor(low / GROWS));
  const [right, back, top] = [x + dx, y + dy, height].map((high) => GROWS * Math.ceil(high / GROWS));
  return { x: left, y: front, dx: right - left, dy: back - front, height: top };
}

/**
 * The room shown: the largest of the match; if the future is hidden, the room needed after `count` layings.
 * @param {Scene} scene @param {number} count
 * @returns {import("../scene.js").Room}
 */
export function shownRoom({ layings, board: { room, side } }, count) {
  if (!shown.hides) return room;
  const middle = side / 2;
  let [left, right, front, back, height] = count ? [side, 0, side, 0, 0] : [middle, middle, middle, middle, 1];
  for (const [, x, y, z, dx, dy, dz] of layings.slice(0, count)) {
    [left, right, front, back] = [Math.min(left, x), Math.max(right, x + dx), Math.min(front, y), Math.max(back, y + dy)];
    height = Math.max(height, z + dz);
  }
  return roomAround({ x: left, y: front, dx: Math.max(1, right - left), dy: Math.max(1, back - front), height });
}

/**
 * What towers next to each other share: a room that contains those of all, and the smallest size of a drawing.
 * @param {Iterable<Tower>} towers @returns {{towers: Tower[], room: import("../scene.js").Room, width: number, height: number}}
 */
export function sharedBy(towers) {
  const all = [...towers].filter(({ width }) => width);
  const rooms = all.map(({ scene, count }) => shownRoom(scene, count));
  const [x, y] = [Math.min(...rooms.map((room) => room.x)), Math.min(...rooms.map((room) => room.y))];
  const room = {
    ...{ x, y, dx: Math.max(...rooms.map((room) => room.x + room.dx)) - x, dy: Math.max(...rooms.map((room) => room.y + room.dy)) - y },
    height: Math.max(...rooms.map((room) => room.height)),
  };
  return { towers: all, room, width: Math.min(...all.map(({ width }) => width)), height: Math.min(...all.map(({ height }) => height)) };
}

/** True if a square is in a room. @param {import("../scene.js").Room} room @param {number} x @param {number} y */
export const holds = (room, x, y) => x >= room.x && x < room.x + room.dx && y >= room.y && y < room.y + room.dy;

/**
 * How far towers extend from the middle of their foot, however they are turned: to the sides, and for a tilt upwards and
 * downwards.
 * @param {Tower[]} towers @param {import("../scene.js").Room} room @param {number} sine @param {number} cosine
 */
function extent(towers, room, sine, cosine) {
  const found = { sideways: 4, above: 4, below: 4 };
  const [x0, y0] = [room.x + room.dx / 2, room.y + room.dy / 2];
  /** @type {import("../scene.js").Laying} */
  const whole = [-1, room.x, room.y, 0, room.dx, room.dy, room.height, ""];
  for (const [, x, y, z, dx, dy, dz] of shown.hides ? [whole] : towers.flatMap(({ scene }) => scene.layings)) {
    const away = Math.hypot(Math.max(x0 - x, x + dx - x0), Math.max(y0 - y, y + dy - y0));
    found.sideways = Math.max(found.sideways, away);
    found.above = Math.max(found.above, away * sine + (z + dz + CLIMBER) * cosine);
    found.below = Math.max(found.below, away * sine - z * cosine);
  }
  return found;
}

/**
 * The projection of a tower of the given size; all `towers` get the same scale.
 * @param {Iterable<Tower>} towers @param {{width: number, height: number}} size @param {{turn: number, tilt: number}} from
 * @returns {Projection}
 */
export function projection(towers, { width, height }, { turn, tilt }) {
  const shared = sharedBy(towers);
  const { room } = shared;
  const [angle, rise] = [(turn * Math.PI) / 180, (tilt * Math.PI) / 180];
  const [cos, sin, sine, cosine] = [Math.cos(angle), Math.sin(angle), Math.sin(rise), Math.cos(rise)];
  const { sideways, above, below } = extent(shared.towers, room, sine, cosine);
  const top = shared.width < NARROW ? FREE.tools : FREE.above;
  const free = top + FREE.below;
  const scale = Math.max(1, Math.min((shared.width / 2 - EDGE) / sideways, (shared.height - free) / (above + below)));
  const [x0, y0] = [room.x + room.dx / 2, room.y + room.dy / 2];
  const foot = top + (height - free) / 2 + ((above - below) * scale) / 2;
  return {
    scale,
    sine,
    front: [sin >= 0 ? 1 : -1, cos > 0 ? -1 : 1],
    ground: { middle: [x0, y0, 0], radius: sideways + RIM },
    project([x, y, z]) {
      const [right, back] = [x - x0, y - y0];
      const near = right * sin - back * cos;
      return [width / 2 + scale * (right * cos + back * sin), foot + scale * (near * sine - z * cosine)];
    },
  };
}
