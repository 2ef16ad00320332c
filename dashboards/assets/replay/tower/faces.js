// @ts-check
// The visible faces of a tower, in painting order. No block overhangs, so every column is solid, and painting row by
// row from back to front covers everything correctly. Faces are as large as this order allows. A side facing x is one
// face, since it is in front of its whole row. Sides facing y and tops are split by row; a seam hides the line between
// two parts of a face.

/** @typedef {import("../scene.js").Laying} Laying */
/** @typedef {import("../scene.js").TowerScene} Scene */
/** @typedef {import("../scene.js").TowerFrame} Frame */

/** A column: its height, and the blocks in it from the bottom. @typedef {{height: number, stack: [number, number, number][]}} Column `stack`: block, from, to */
/**
 * The structure: columns by square, the square of each block's places, and how the blocks lie.
 * @typedef {{columns: Map<number, Column>, lies: (Laying | undefined)[], tops: Map<number, number>}} Structure `tops`: the place that each square belongs to, named by its first square
 */
/** @typedef {[number, number, number]} Point */
/**
 * A thing to paint: a block's face, a seam or shadow on a face, or the pieces standing on a square.
 * @typedef {{kind: "top" | "x" | "y", block: number, letter: string, rings: Point[][], mark: Point[], place: number} |
 *   {kind: "seam", side: "top" | "x" | "y", letter: string, ends: [Point, Point]} | {kind: "shade", rings: Point[][]} |
 *   {kind: "stands", at: Point, square: number}} Face `mark`: place of its letter, as its corner and its two edges
 */

const SIDE = 1024;
/** Width in squares of the shadow that a higher block casts on a top in front of it. */
const SHADE = 0.2;

/** The number of a square, unique for tables of any size. @param {number} x @param {number} y */
export const squareOf = (x, y) => y * SIDE + x;

/** The blocks after a number of layings. @param {Scene} scene @param {number} count */
export function lying(scene, count) {
  /** @type {(Laying | undefined)[]} */
  const lies = [];
  for (const laying of scene.layings.slice(0, count)) lies[laying[0]] = laying;
  return lies;
}

/** @param {Scene} scene @param {number} count @returns {Structure} */
export function structure(scene, count) {
  const lies = lying(scene, count);
  /** @type {Map<number, Column>} */
  const columns = new Map();
  const placed = lies.filter((laying) => laying !== undefined).sort((a, b) => a[3] - b[3]);
  for (const [block, x, y, z, dx, dy, dz] of placed) {
    for (let right = x; right < x + dx; right += 1) {
      for (let back = y; back < y + dy; back += 1) {
        const square = squareOf(right, back);
        const column = columns.get(square) ?? { height: 0, stack: [] };
        column.stack.push([block, z, z + dz]);
        column.height = z + dz;
        columns.set(square, column);
      }
    }
  }
  return { columns, lies, tops: places(columns) };
}

/** The block on top of a column. @param {Column | undefined} column */
const topOf = (column) => (column ? column.stack[column.stack.length - 1][0] : -1);

/** The place that each square belongs to: the first square, row by row, of the connected part of a block's top. @param {Map<number, Column>} columns */
function places(columns) {
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const first of [...columns.keys()].sort((a, b) => a - b)) {
    if (found.has(first)) continue;
    const block = topOf(columns.get(first));
    const waiting = [first];
    for (let square = waiting.pop(); square !== undefined; square = waiting.pop()) {
      if (found.has(square) || topOf(columns.get(square)) !== block) continue;
      found.set(square, first);
      waiting.push(square + 1, square - 1, square + SIDE, square - SIDE);
    }
  }
  return found;
}

/** `count` numbers from `from` on, ascending or descending by `way`. @param {number} from @param {number} count @param {number} way */
const row = (from, count, way) => Array.from({ length: count }, (_, i) => (way > 0 ? from + i : from + count - 1 - i));

/**
 * The faces in the order they are painted; `front` is the direction of the front along x and along y, -1 or 1 each.
 * @param {Structure} structure
 * @param {import("../scene.js").Room} room
 * @param {[number, number]} front
 * @returns {Face[]}
 */
export function faces({ columns, lies, tops }, room, [sx, sy]) {
  /** @type {Face[]} */
  const found = [];
  const lettered = new Set();
  /** @param {number} square @param {number} neighbour @returns {[number, number, number][]} visible part of a column */
  const shown = (square, neighbour) => {
    const low = columns.get(neighbour)?.height ?? 0;
    const stack = columns.get(square)?.stack ?? [];
    return stack.filter(([, , to]) => to > low).map(([block, from, to]) => [block, Math.max(from, low), to]);
  };
  /** Place the letter of a block's side, once. @param {string} side @param {number} block @param {Point[]} mark */
  const once = (side, block, mark) => {
    const key = `${side}${block}`;
    if (lettered.has(key)) return [];
    lettered.add(key);
    return mark;
  };
  /** @param {"top" | "x" | "y"} side @param {string} letter @param {Point} from @param {Point} to */
  const seam = (side, letter, from, to) => found.push({ kind: "seam", side, letter, ends: [from, to] });
  for (const x of row(room.x, room.dx, sx)) {
    const [at, rear, behind] = sx > 0 ? [x + 1, x, x - 1] : [x, x + 1, x + 1];
    /** @type {Map<number, {rings: Point[][], mark: Point[]}>} */
    const sides = new Map();
    const squares = row(room.y, room.dy, sy);
    squares.forEach((y, index) => {
      const square = squareOf(x, y);
      const column = columns.get(square);
      if (!column) return;
      const { height } = column;
      const place = tops.get(square) ?? -1;
      const before = index ? squareOf(x, squares[index - 1]) : -1;
      if (tops.get(before) !== place) {
        let last = index;
        while (last + 1 < squares.length && tops.get(squareOf(x, squares[last + 1])) === place) last += 1;
        const [low, high] = [Math.min(y, squares[last]), Math.max(y, squares[last]) + 1];
        const block = topOf(column);
        /** @type {Point[]} */
        const ring = [[x, low, height], [x + 1, low, height], [x + 1, high, height], [x, high, height]];
        const mark = once("t", place, upright(x + 0.5, y + 0.5, height, sx, sy));
        const letter = lies[block]?.[7][0] ?? "";
        found.push({ kind: "top", block, letter, rings: [ring], mark, place });
        for (const [from, to] of stretches(low, high, (each) => tops.get(squareOf(behind, each)) === place)) {
          seam("top", letter, [rear, from, height], [rear, to, height]);
        }
        const shades = squares.slice(index, last + 1).flatMap((each) => shadesOf(columns, x, each, height, [sx, sy]));
        if (shades.length) found.push({ kind: "shade", rings: shades });
      }
      found.push({ kind: "stands", at: [x + 0.5, y + 0.5, height], square });
      const edge = sy > 0 ? y + 1 : y;
      const levelsBehind = new Map(shown(squareOf(behind, y), squareOf(behind, y + sy)).map(([block, ...levels]) => [block, levels]));
      for (const [block, from, to] of shown(square, squareOf(x, y + sy))) {
        /** @type {Point[]} */
        const ring = [[x, edge, from], [x + 1, edge, from], [x + 1, edge, to], [x, edge, to]];
        const [left, right] = sy < 0 ? [x, x + 1] : [x + 1, x];
        const mark = once("y", block, [[left, edge, to - 1], [right, edge, to - 1], [left, edge, to]]);
        const letter = lies[block]?.[7][sy > 0 ? 3 : 4] ?? "";
        found.push({ kind: "y", block, letter, rings: [ring], mark, place: -1 });
        const [low, high] = levelsBehind.get(block) ?? [to, to];
        if (low < to) seam("y", letter, [rear, edge, Math.max(from, low)], [rear, edge, Math.min(to, high)]);
      }
      for (const [block, from, to] of shown(square, squareOf(x + sx, y))) {
        /** @type {Point[]} */
        const ring = [[at, y, from], [at, y + 1, from], [at, y + 1, to], [at, y, to]];
        const [left, right] = sx > 0 ? [y, y + 1] : [y + 1, y];
        const side = sides.get(block) ?? { rings: [], mark: [[at, left, to - 1], [at, right, to - 1], [at, left, to]] };
        side.rings.push(ring);
        sides.set(block, side);
      }
    });
    for (const [block, { rings, mark }] of sides) {
      const letter = lies[block]?.[7][sx > 0 ? 1 : 2] ?? "";
      const parts = joined(rings);
      found.push({ kind: "x", block, letter, rings: parts, mark, place: -1 });
      parts.slice(1).forEach(([[, y, from], , [, , to]], before) => {
        const [, [, end, low], [, , high]] = parts[before];
        if (end === y) seam("x", letter, [at, y, Math.max(from, low)], [at, y, Math.min(to, high)]);
      });
    }
  }
  return found;
}

/**
 * Shadows on a square: strips along the foot of higher blocks behind it.
 * @param {Map<number, Column>} columns @param {number} x @param {number} y @param {number} z @param {[number, number]} front
 */
function shadesOf(columns, x, y, z, [sx, sy]) {
  /** @type {Point[][]} */
  const found = [];
  /** @param {number} x1 @param {number} x2 @param {number} y1 @param {number} y2 */
  const strip = (x1, x2, y1, y2) => found.push([[x1, y1, z], [x2, y1, z], [x2, y2, z], [x1, y2, z]]);
  const [left, low] = [sx > 0 ? x : x + 1 - SHADE, sy > 0 ? y : y + 1 - SHADE];
  if ((columns.get(squareOf(x - sx, y))?.height ?? 0) > z) strip(left, left + SHADE, y, y + 1);
  if ((columns.get(squareOf(x, y - sy))?.height ?? 0) > z) strip(x, x + 1, low, low + SHADE);
  return found;
}

/** A block's top and its front sides, each as one face. @param {Laying} laying @param {[number, number]} front @returns {Point[][]} */
export function sidesOf([, x, y, z, dx, dy, dz], [sx, sy]) {
  const [right, back, high] = [x + dx, y + dy, z + dz];
  const [at, edge] = [sx > 0 ? right : x, sy > 0 ? back : y];
  return [
    [[x, y, high], [right, y, high], [right, back, high], [x, back, high]],
    [[at, y, z], [at, back, z], [at, back, high], [at, y, high]],
    [[x, edge, z], [right, edge, z], [right, edge, high], [x, edge, high]],
  ];
}

/**
 * Place of a letter on a square around a point, so that it is upright when seen from the front.
 * @param {number} x @param {number} y @param {number} z @param {number} sx @param {number} sy
 * @returns {Point[]}
 */
function upright(x, y, z, sx, sy) {
  const [right, back] = [(sx - sy) / 2, (sx + sy) / 2];
  const [left, low] = [x - (right - back) / 2, y - (back + right) / 2];
  return [[left, low, z], [left + right, low + back, z], [left - back, low + right, z]];
}

/**
 * Ranges between two numbers in which all numbers belong, each as its start and its end (exclusive).
 * @param {number} low @param {number} high @param {(each: number) => boolean} belongs
 */
function stretches(low, high, belongs) {
  /** @type {[number, number][]} */
  const found = [];
  for (let each = low; each < high; each += 1) {
    if (!belongs(each)) continue;
    const last = found[found.length - 1];
    if (last?.[1] === each) last[1] = each + 1;
    else found.push([each, each + 1]);
  }
  return found;
}

/** Merge neighbouring sides between the same heights into one. @param {Point[][]} rings */
function joined(rings) {
  /** @type {Point[][]} */
  const found = [];
  for (const ring of [...rings].sort((a, b) => a[0][1] - b[0][1])) {
    const last = found[found.length - 1];
    if (last && last[1][1] === ring[0][1] && last[0][2] === ring[0][2] && last[2][2] === ring[2][2]) {
      [last[1], last[2]] = [ring[1], ring[2]];
    } else found.push(ring);
  }
  return found;
}
