// @ts-check
// Positions of the pawns on the fields of a track: climbers first, then each seat's Sherpas as a stack, next to each
// other and in rows.

import { OUTLINES, PLAIN_TOP } from "./shapes.js";

/** @typedef {import("../scene.js").TrackFrame} Frame */
/** `count` is the number of Sherpas in a stack; the letter of the one on `top` is visible. @typedef {{field: number, x: number, y: number, count: number, top: boolean}} Spot */
/** @typedef {{seat: number, pawns: number[]}} Heap */

const CLIMBER = 27;
const SHERPA = 19;
const FAN = 4;
/** Distance from a row to the row above it: for a row of only Sherpas, and for a row with a climber. */
const ROWS = { sherpas: 22, climber: 31 };
const BROAD = 94;
const BESIDE = 17;

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

/** @param {Heap[]} heaps */
function rowsOf(heaps) {
  /** @type {Heap[][]} */
  const rows = [[]];
  for (const heap of heaps) {
    const row = rows[rows.length - 1];
    if (row.length && breadth(row) + widthOf(heap) > BROAD) rows.push([heap]);
    else row.push(heap);
  }
  return rows;
}

/**
 * Places of each seat's climber and four Sherpas: above a field, or left (-1) or right (1) of it as `aside` says.
 * @param {import("../scene.js").Field[]} nodes
 * @param {Frame} frame
 * @param {number[]} aside
 */
export function standing(nodes, frame, aside) {
  /** @type {Spot[][]} */
  const found = frame.c.map(() => []);
  for (const [field, heaps] of byField(frame)) {
    const top = OUTLINES[nodes[field].kind]?.top ?? PLAIN_TOP;
    let up = 0;
    for (const row of rowsOf(heaps)) {
      const broad = breadth(row);
      let x = aside[field] * (BESIDE + broad / 2) - broad / 2;
      const y = (aside[field] ? 0 : top - 9) - up;
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
