// @ts-check
// Positions of the pawns on the fields of a track: climbers first, then each seat's Sherpas as a stack, next to each
// other and in rows.

import { BESIDE } from "./route.js";
import { OUTLINES, PLAIN_TOP } from "./shapes.js";

/** @typedef {import("../scene.js").TrackFrame} Frame */
/** `count` is the number of Sherpas in a stack; the letter of the one on `top` is visible. @typedef {{field: number, x: number, y: number, count: number, top: boolean}} Spot */
/** @typedef {{seat: number, pawns: number[]}} Heap */

const CLIMBER = 27;
const SHERPA = 19;
const FAN = 4;
/** Distance from a row to the row above it: for a row of only Sherpas, and for a row with a climber. */
const ROWS = { sherpas: 22, climber: 31 };

/** @param {Heap} heap */
const widthOf = ({ pawns }) => (pawns[0] === 0 ? CLIMBER : SHERPA + FAN * (pawns.length - 1));
/** @param {Heap[]} row */
const breadth = (row) => row.reduce((sum, heap) => sum + widthOf(heap), 0);

/** @param {Frame} frame */
function byField(frame) {
  /** @type {Map<number, Heap[]>} */
  const here = new Map();
  const put = (/** @type {number} */ field, /** @type {Heap} */ heap) => here.set(field, [...(here.get(field) ?? []), heap]);
  frame.c.forEach((field, seat) => put(field, { seat, pawns: [0] }));
  frame.s.forEach((row, seat) => {
    for (const field of new Set(row)) put(field, { seat, pawns: row.flatMap((at, i) => (at === field ? [i + 1] : [])) });
  });
  return here;
}

/** @param {Heap[]} heaps @param {number} most */
function rowsOf(heaps, most) {
  /** @type {Heap[][]} */
  const rows = [[]];
  for (const heap of heaps) {
    const row = rows[rows.length - 1];
    if (row.length && breadth(row) + widthOf(heap) > most) rows.push([heap]);
    else row.push(heap);
  }
  return rows;
}

/**
 * Positions of each seat's climber and four Sherpas at the places that the route has for the pawns of its fields.
 * @param {import("../scene.js").Field[]} nodes
 * @param {Frame} frame
 * @param {import("./route.js").Route["places"]} places
 */
export function standing(nodes, frame, places) {
  /** @type {Spot[][]} */
  const found = frame.c.map(() => []);
  for (const [field, heaps] of byField(frame)) {
    const top = OUTLINES[nodes[field].kind]?.top ?? PLAIN_TOP;
    const { side, broad: most } = places[field];
    let up = 0;
    for (const row of rowsOf(heaps, most)) {
      const broad = breadth(row);
      let x = side * (BESIDE + broad / 2) - broad / 2;
      const y = (side ? 0 : top - 9) - up;
      up += row.some(({ pawns }) => pawns[0] === 0) ? ROWS.climber : ROWS.sherpas;
      for (const { seat, pawns } of row) {
        const width = widthOf({ seat, pawns });
        const first = x + (width - FAN * (pawns.length - 1)) / 2;
        pawns.forEach((pawn, place) => {
          found[seat][pawn] = { field, x: first + place * FAN, y, count: pawns.length, top: place === pawns.length - 1 };
        });
        x += width;
      }
    }
  }
  return found;
}
