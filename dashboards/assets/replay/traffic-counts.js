// @ts-check
// Counting arrivals in a window of time, and how large and how strong a count is drawn.

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./renderer.js").Traffic} Traffic */
/** @typedef {{from: number, to: number}} Span frames, both ends within */

const STEPS = 5;
const SMALLEST = 12;
const LARGEST = 27;
const THINNEST = 2;
const WIDEST = 15;

/**
 * Arrivals at each node and over each link.
 * @param {Scene} scene
 * @param {Span} span
 * @param {number} seat -1: all
 * @returns {Traffic}
 */
export function countTraffic(scene, { from, to }, seat) {
  const nodes = scene.board.nodes.map(() => 0);
  const links = scene.board.links.map(() => 0);
  const place = new Map(scene.board.nodes.map((node, index) => [node.n, index]));
  for (const [frame, who, node, link] of scene.visits) {
    if (frame < from || frame > to || (seat >= 0 && who !== seat)) continue;
    const index = place.get(node);
    if (index !== undefined) nodes[index] += 1;
    if (link >= 0) links[link] += 1;
  }
  return { nodes, links };
}

/** @param {number[]} counts */
const ends = (counts) => ({ least: Math.min(...counts), most: Math.max(0, ...counts) });

/** The step of the colours and the radius for a count among others. @param {number} count @param {number[]} all */
export function sizeOf(count, all) {
  const { least, most } = ends(all);
  const step = most ? Math.floor(((count - least) * STEPS) / (most - least + 1)) : 0;
  const radius = most ? SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(count / most) : SMALLEST;
  return { step, radius: Number(radius.toFixed(1)) };
}

/** The width of a line and how strong its colour is. @param {number} count @param {number[]} all */
export function strengthOf(count, all) {
  const { most } = ends(all);
  if (!count || !most) return { width: THINNEST, strength: 0 };
  const width = THINNEST + ((WIDEST - THINNEST) * count) / most;
  return { width: Number(width.toFixed(1)), strength: Number((0.35 + (0.65 * count) / most).toFixed(2)) };
}

/** @param {number} count */
export const visitsInWords = (count) => (count === 1 ? "1 visit" : `${count} visits`);
