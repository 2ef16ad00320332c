// @ts-check
// The outlines of what is drawn on a tower.

import { seatPath } from "../drawing/shapes.js";

/** Letters as strokes on a square of size 1, from its lower left corner; each stroke is x and y of both ends. @type {Record<string, [number, number, number, number][]>} */
export const STROKES = {
  T: [[0.32, 0.72, 0.68, 0.72], [0.5, 0.72, 0.5, 0.28]],
  U: [[0.34, 0.72, 0.34, 0.4], [0.34, 0.4, 0.44, 0.28], [0.44, 0.28, 0.56, 0.28], [0.56, 0.28, 0.66, 0.4], [0.66, 0.4, 0.66, 0.72]],
  Y: [[0.32, 0.72, 0.5, 0.5], [0.68, 0.72, 0.5, 0.5], [0.5, 0.5, 0.5, 0.28]],
  R: [[0.36, 0.28, 0.36, 0.72], [0.36, 0.72, 0.58, 0.72], [0.58, 0.72, 0.66, 0.62], [0.66, 0.62, 0.58, 0.5], [0.58, 0.5, 0.36, 0.5], [0.5, 0.5, 0.66, 0.28]],
  I: [[0.5, 0.28, 0.5, 0.72], [0.4, 0.72, 0.6, 0.72], [0.4, 0.28, 0.6, 0.28]],
  N: [[0.35, 0.28, 0.35, 0.72], [0.35, 0.72, 0.65, 0.28], [0.65, 0.28, 0.65, 0.72]],
};
/** A climber standing at 0 0, for squares 24 wide; the seat's shape is its head. */
export const STAND = "M-7.500 0H7.500L3-11H-3Z";
export const HEAD = { y: -17, r: 8 };
export const UNIT = 24;
/** Points of a climber that decide whether a block covers it. @type {[number, number][]} */
export const OUTLINE = [[0, -23], [-6, -17], [0, -17], [6, -17], [0, -9], [-5, -2], [5, -2]];
/** The shadow at the foot of a climber, on the ground. */
export const FOOT = "M-10 0A10 10 0 1 0 10 0A10 10 0 1 0 -10 0Z";
const DISC = 10;

/** A disc with its seat's shape as a hole; the path of the hole runs in the opposite direction. @param {number} seat */
export const discPath = (seat) => `M${-DISC} 0A${DISC} ${DISC} 0 1 0 ${DISC} 0A${DISC} ${DISC} 0 1 0 ${-DISC} 0Z${seatPath(seat, 5)}`;
