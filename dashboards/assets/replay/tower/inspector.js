// @ts-check
// State of a target of a tower: the way a block lies, the climbers on its top, the place of a climber or a disc.

import { joined } from "../drawing/visits.js";
import { squareOf, structure } from "./faces.js";
import { colourOf, discInWords, laddersInWords } from "./holdings.js";

/** @typedef {import("../scene.js").TowerScene} Scene */
/** @typedef {import("../scene.js").TowerFrame} Frame */

/** @param {number} level */
const onLevel = (level) => (level ? `on level ${level}` : "on the table");

/** The block that is on top of a square. @param {import("./faces.js").Structure} built @param {number[]} cell */
export function blockUnder(built, [x, y]) {
  const stack = built.columns.get(squareOf(x, y))?.stack ?? [];
  return stack.length ? stack[stack.length - 1][0] : -1;
}

/** How a block lies and what is on it. @param {Scene} scene @param {Frame} frame @param {number} block */
function describeBlock(scene, frame, block) {
  const built = structure(scene, frame.b);
  const laying = built.lies[block];
  if (!laying) return "Not laid yet.";
  const [, x, y, z, dx, dy, dz, letters] = laying;
  let free = 0;
  for (let right = x; right < x + dx; right += 1) {
    for (let back = y; back < y + dy; back += 1) free += Number(blockUnder(built, [right, back]) === block);
  }
  const top = `Lies ${onLevel(z)}, ${scene.board.colours[letters[0]]} on top, level ${z + dz}`;
  const shows = free === dx * dy ? `${free} squares free of blocks` : free ? `${free} of ${dx * dy} squares free of blocks` : "covered by blocks";
  const here = frame.c.flatMap((cell, seat) => (cell.length && blockUnder(built, cell) === block ? [`the climber of ${scene.seats[seat].name}`] : []));
  const discs = frame.d.flatMap(([under], seat) => (under === block ? [`the disc of ${scene.seats[seat].name}`] : []));
  const all = [...here, ...discs];
  const banned = frame.o === block ? " It may not be moved in this turn." : "";
  return `${top}; ${shows}.${all.length ? ` Here now: ${joined(all)}.` : ""}${banned}`;
}

/** @param {Scene} scene @param {Frame} frame @param {number} seat */
function describeClimber(scene, frame, seat) {
  const built = structure(scene, frame.b);
  const cell = frame.c[seat];
  const where = cell.length ? `On the top of ${scene.names[`b${blockUnder(built, cell)}`].toLowerCase()}, level ${frame.f[seat][0]}` : "On the table";
  const colour = colourOf(scene, frame, seat);
  const enters = colour ? ` Can enter ${colour} and neutral tops.` : "";
  const places = scene.reaches[frame.r[seat]];
  const { side } = scene.board;
  const levels = places.map((n) => built.columns.get(squareOf(n % side, Math.floor(n / side)))?.height ?? 0);
  const reach = places.length ? ` Can get to ${places.length === 1 ? "1 place" : `${places.length} places`} by itself, up to level ${Math.max(...levels)}.` : " Cannot get anywhere by itself.";
  return `${where}; ladders left: ${laddersInWords(frame, seat)}.${enters}${reach}`;
}

/**
 * @param {Scene} scene
 * @param {string} target
 * @returns {(at: number, hidesFuture: boolean) => string}
 */
export function describeTower(scene, target) {
  const number = Number(target.slice(1));
  switch (target[0]) {
    case "c":
      return (at) => describeClimber(scene, scene.frames[at], number);
    case "d":
      return (at) => `${discInWords(scene, scene.frames[at], number).replace(/^./, (letter) => letter.toUpperCase())}.`;
    default:
      return (at) => describeBlock(scene, scene.frames[at], number);
  }
}
