// @ts-check
// The outlines behind a route: distant ranges, the mountain, its lighter upper parts with the snow on top, its shadow.

import { TAPER } from "./route.js";

/** @typedef {import("./route.js").Route} Route */
/** @typedef {import("./route.js").Point} Point */

const EDGES = 12;
const JAGS = [0.1, 0.9, -0.4, 0.6, -0.8, 0.5, -0.2, 0.8, -0.6, 0.3, -0.5, 0.4, 0];
const RIDGE = [0, 0.6, -0.5, 0.7, -0.3, 0.9, -0.6, 0.4, 0];
/** Heights at which lighter tones of the rock begin, as fractions; snow begins below the first snowfield. */
const TIERS = [0.2, 0.42, 0.62];
const NO_SNOW = 0.84;
const FAR_RANGE = [[0, 0.5], [0.08, 0.36], [0.17, 0.47], [0.27, 0.3], [0.38, 0.45], [0.6, 0.4], [0.7, 0.28], [0.8, 0.42], [0.9, 0.33], [1, 0.44]];
const FIRS = [
  ...[[0.2, 3], [0.225, 9], [0.47, 5], [0.495, 14], [0.52, 4], [0.72, 12], [0.745, 22], [0.77, 7], [0.79, 15]],
  ...[[0.89, 26], [0.915, 11], [0.94, 20], [0.965, 7]],
];
const CLOUDS = [[0.2, 0.36, 1], [0.87, 0.44, 0.8], [0.3, 0.2, 0.6]];
const PUFFS = [[9, 2, -18], [13, 25, -3], [10, 15, 7], [7, -1, 14]];
const FIR = [[6, 8], [-2.5, 0], [5, 8], [-17, 0], [5, -8], [-2.5, 0]];
const NEAR_RANGE = [[0, 0.6], [0.1, 0.7], [0.2, 0.55], [0.3, 0.68], [0.66, 0.66], [0.76, 0.54], [0.88, 0.67], [1, 0.57]];

/** @param {number[][]} shape @param {Route} laid */
function rangeOf(shape, { width, height }) {
  return [...shape.map(([x, y]) => ({ x: x * width, y: y * height })), { x: width, y: height }, { x: 0, y: height }];
}

/** @param {number} x @param {number} y @param {number} size */
function cloud(x, y, size) {
  const of = (/** @type {number[]} */ ...lengths) => lengths.map((length) => (length * size).toFixed(1)).join(" ");
  return `M${x.toFixed(1)} ${y.toFixed(1)}${PUFFS.map(([radius, dx, dy]) => `a${of(radius, radius)} 0 0 1 ${of(dx, dy)}`).join("")}Z`;
}

/** @param {number} x @param {number} y @param {number} size */
function fir(x, y, size) {
  const steps = FIR.map(([dx, dy]) => `l${(dx * size).toFixed(1)} ${(dy * size).toFixed(1)}`);
  return `M${x.toFixed(1)} ${(y - 16 * size).toFixed(1)}${steps.join("")}Z`;
}

/** The left (-1) or right (1) edge of the mountain, from its foot to just below the peak. @param {Route} laid @param {1 | -1} side */
function edgeOf({ width, half, base, top, scale }, side) {
  return Array.from({ length: EDGES + 1 }, (_, step) => {
    const up = (step / EDGES) * 1.14 - 0.16;
    const flank = half * (1 - TAPER * up) + (34 * (1 - up) + 42) * scale;
    const steep = 16 * scale + (1 - up) * (base - top) * 2.6;
    const jag = JAGS[side < 0 ? step : EDGES - step] * 14 * scale * (1 - up / 2);
    return { x: width / 2 + side * (Math.min(flank, steep) + jag), y: base - up * (base - top) };
  });
}

/** @param {Point[]} edge @param {number} y */
function atHeight(edge, y) {
  for (let i = 1; i < edge.length; i += 1) {
    const [a, b] = [edge[i - 1], edge[i]];
    if (a.y >= y && y >= b.y) return a.x + ((b.x - a.x) * (a.y - y)) / (a.y - b.y);
  }
  return edge[edge.length - 1].x;
}

/**
 * The part of the mountain above a height; its lower edge is ragged.
 * @param {Route} laid @param {Point[]} left @param {Point[]} right @param {Point} peak @param {number} up
 */
function tierOf({ base, top, scale }, left, right, peak, up) {
  const y = base - up * (base - top);
  const [west, east] = [atHeight(left, y), atHeight(right, y)];
  const teeth = Math.max(3, Math.floor((east - west) / (64 * scale))) * 2;
  const ragged = Array.from({ length: teeth - 1 }, (_, i) => {
    const tooth = i + 1;
    const jag = ((tooth % 2 ? 17 : -9) + 9 * JAGS[tooth % JAGS.length]) * scale;
    return { x: east + ((west - east) * tooth) / teeth, y: y + jag };
  });
  const above = (/** @type {Point[]} */ edge) => edge.filter((point) => point.y < y);
  return [{ x: west, y }, ...above(left), peak, ...above([...right].reverse()), { x: east, y }, ...ragged];
}

/** @param {Route} laid @param {number[]} snow the snowfields, which lie above the snow line */
export function mountain(laid, snow) {
  const { width, height, base, top, scale, points } = laid;
  const [left, right] = [edgeOf(laid, -1), edgeOf(laid, 1)];
  const peak = { x: width / 2, y: top - 20 * scale };
  const heights = snow.map((field) => (base - points[field].y) / (base - top));
  const line = (heights.length ? Math.min(...heights) : NO_SNOW) - 0.05;
  const tiers = [...TIERS.filter((tier) => tier < line - 0.08), line];
  const foot = height + 30 * scale;
  const shade = RIDGE.map((jag, step) => ({
    x: width / 2 + (step / 8) * 0.1 * width + jag * 20 * scale,
    y: peak.y + ((foot - peak.y) * step) / 8,
  }));
  return {
    far: rangeOf(FAR_RANGE, laid),
    near: rangeOf(NEAR_RANGE, laid),
    clouds: CLOUDS.map(([x, y, size]) => cloud(x * width, y * height, size * scale)).join(""),
    firs: FIRS.map(([x, y]) => fir(x * width, height - y * scale, scale)).join(""),
    whole: [...left, peak, ...[...right].reverse()],
    tiers: tiers.map((tier) => tierOf(laid, left, right, peak, tier)),
    shade: [...shade, ...right, peak],
  };
}
