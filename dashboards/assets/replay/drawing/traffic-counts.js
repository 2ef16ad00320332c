// @ts-check
// Count arrivals in a time window, and draw each count as a disc or a line on the board.

import { attributeOf, svg, textOf } from "./dom.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../renderer.js").Traffic} Traffic */
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

/** Colour step and radius for a count, compared with all counts. @param {number} count @param {number[]} all */
export function sizeOf(count, all) {
  const { least, most } = ends(all);
  const step = most ? Math.floor(((count - least) * STEPS) / (most - least + 1)) : 0;
  const radius = most ? SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(count / most) : SMALLEST;
  return { step, radius: Number(radius.toFixed(1)) };
}

/** Line width and colour strength for a count, compared with all counts. @param {number} count @param {number[]} all */
export function strengthOf(count, all) {
  const { most } = ends(all);
  if (!count || !most) return { width: THINNEST, strength: 0 };
  const width = THINNEST + ((WIDEST - THINNEST) * count) / most;
  return { width: Number(width.toFixed(1)), strength: Number((0.35 + (0.65 * count) / most).toFixed(2)) };
}

/** @param {number} count */
export const visitsInWords = (count) => (count === 1 ? "1 visit" : `${count} visits`);

/**
 * The drawing of traffic at a place: a disc, larger and darker for more arrivals. Its number is above all discs; the
 * place's name is below or above the disc.
 * @param {{name: string, n: number}} node on a small screen only its number is shown
 * @param {(words: string) => void} say
 */
export function createCount({ name, n }, say) {
  const disc = svg("circle", { class: "count-disc" });
  const number = svg("text", { y: 0.5, class: "count-number" });
  const kind = name.endsWith(` ${n}`) ? name.slice(0, -String(n).length) : "";
  const label = svg("text", { class: "count-name" }, svg("tspan", {}, kind), svg("tspan", {}, name.slice(kind.length)));
  const group = svg("g", { class: "count" }, disc);
  const words = svg("g", { class: "count" }, label, number);
  const set = {
    classes: [group, words].map((each) => attributeOf(each, "class")),
    radius: attributeOf(disc, "r"),
    number: textOf(number),
    labelX: attributeOf(label, "x"),
    labelY: attributeOf(label, "y"),
  };
  /** @param {number} count @param {number[]} all @param {number} labelAt @param {number} side 0: the label is below */
  const draw = (count, all, labelAt, side = 0) => {
    const { step, radius } = sizeOf(count, all);
    for (const setClass of set.classes) setClass(count ? `count heat-${step}` : "count count-none");
    set.radius(radius);
    set.number(count);
    set.labelX(side * labelAt);
    set.labelY(side ? 0.5 : labelAt);
    say(`${name}: ${visitsInWords(count)}`);
  };
  return { group, words, draw, radius: (/** @type {number} */ count, /** @type {number[]} */ all) => sizeOf(count, all).radius };
}
