// @ts-check
// The layout of a route in the available room. It winds up a mountain in rows that get shorter towards the top, with
// equal distances between fields. The number of rows is chosen so that neither fields nor rows are too close. It is
// always odd: otherwise a small change in height could reverse the whole route. Lengths are in pixels.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {ReturnType<typeof layOut>} Route */

const SIDE = 50;
const TOP = 66;
const BOTTOM = 42;
/** Side of the square that a field needs if everything is drawn at full size. */
const FIELD = 115;
/** How much narrower the mountain is at the top than at the foot, as a fraction. */
export const TAPER = 0.84;
const SLANT = 0.34;
const LAST_RISE = 0.92;
const BULGE = 0.26;
const WAVE = 0.05;
const STEPS = 16;
const MOST_ROWS = 60;
/** Range (sideways, and from … to … vertically) in which another field takes the room of a name. */
const BELOW = [40, -64, -4];
/**
 * Places for the pawns of a field, best first: above it (0), or next to it on the outer (1) or inner side (-1) of the
 * mountain; the breadth of their rows, and how far they reach up.
 */
const PLACES = [
  [0, 94, 56], [0, 64, 56], [1, 94, 34], [-1, 94, 34], [1, 64, 40], [-1, 64, 40],
  [0, 38, 56], [1, 38, 56], [-1, 38, 56], [0, 64, 34], [1, 38, 34], [-1, 38, 34],
];
/** Distance from the middle of a field to the pawns next to it. */
export const BESIDE = 17;
/** Room for the number of a field, sideways and vertically. */
const NUMBER = [8, 6];

/** @param {Point} a @param {Point} b */
const distance = (a, b) => Math.hypot(b.x - a.x, b.y - a.y);

/** @param {Point[]} line */
const lengthOf = (line) => line.reduce((sum, point, i) => (i ? sum + distance(line[i - 1], point) : 0), 0);

/**
 * The line of the route: rows that rise a little, and turns between them.
 * @param {number} rows @param {number} gap @param {number} middle @param {number} half @param {number} base @param {number} top
 */
function lineOf(rows, gap, middle, half, base, top) {
  const reach = (/** @type {number} */ y) => half * (1 - (TAPER * (base - y)) / (base - top));
  /** @type {Point[]} */
  const points = [];
  for (let row = 0; row < rows; row += 1) {
    const last = row === rows - 1;
    const side = row % 2 ? 1 : -1;
    const low = base - row * gap;
    const high = last ? top : low - SLANT * gap;
    const start = middle + side * reach(low);
    const end = last ? middle : middle - side * reach(high);
    for (let step = 0; step <= STEPS; step += 1) {
      const part = step / STEPS;
      const wave = Math.sin(part * 2 * Math.PI) * WAVE * gap;
      points.push({ x: start + (end - start) * part, y: low + (high - low) * part + wave });
    }
    if (last) break;
    const following = base - (row + 1) * gap;
    const onward = middle - side * reach(following);
    for (let step = 1; step < STEPS / 2; step += 1) {
      const part = step / (STEPS / 2);
      const bulge = -side * Math.sin(part * Math.PI) * BULGE * gap;
      points.push({ x: end + (onward - end) * part + bulge, y: high + (following - high) * part });
    }
  }
  return points;
}

/** Points at equal distances on a line, the first and last at its ends. @param {Point[]} line @param {number} count */
function spread(line, count) {
  const apart = lengthOf(line) / (count - 1);
  const found = [line[0]];
  let gone = 0;
  for (let i = 1; i < line.length; i += 1) {
    const [a, b] = [line[i - 1], line[i]];
    const length = distance(a, b);
    while (found.length < count - 1 && gone + length >= found.length * apart) {
      const part = (found.length * apart - gone) / length;
      found.push({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part });
    }
    gone += length;
  }
  return [...found.slice(0, count - 1), line[line.length - 1]];
}

/**
 * Place of each field for its pawns, without the number of any field if there is one.
 * @param {Point[]} points @param {number} scale @param {number} width
 */
function placesOf(points, scale, width) {
  const [wide, tall] = NUMBER;
  return points.map(({ x, y }) => {
    const outer = x < width / 2 ? -1 : 1;
    const places = PLACES.map(([side, broad, high]) => ({ side: side * outer, broad, high }));
    const isFree = (/** @type {typeof places[0]} */ { side, broad, high }) => {
      const middle = x / scale + side * (BESIDE + broad / 2);
      if (middle < broad / 2 || middle > width / scale - broad / 2) return false;
      const low = side ? 10 : -10;
      return points.every((other) => {
        const up = (y - other.y) / scale;
        return Math.abs(other.x / scale - middle) > broad / 2 + wide || up > high + tall || up < -low - tall;
      });
    };
    return places.find(isFree) ?? places[0];
  });
}

/**
 * Side of each field for its name: the usual one (0), or left (-1) or right (1) if another field takes that room.
 * @param {Point[]} points @param {number} scale @param {number} width
 */
function namedOf(points, scale, width) {
  const [side, low, high] = BELOW.map((length) => length * scale);
  return points.map(({ x, y }) => {
    const near = points.some((other) => Math.abs(other.x - x) < side && y - other.y > low && y - other.y < high);
    return near ? (x < width / 2 ? -1 : 1) : 0;
  });
}

/** Lay out the fields of a route in a room. @param {number} count @param {number} width @param {number} height */
export function layOut(count, width, height) {
  const scale = Math.min(1.25, Math.max(0.3, Math.sqrt((width * height) / count) / FIELD));
  const [half, base, top] = [width / 2 - SIDE * scale, height - BOTTOM * scale, TOP * scale];
  /** @type {Point[]} */
  let line = [];
  let most = -1;
  for (let rows = 1; rows < MOST_ROWS; rows += 2) {
    const gap = (base - top) / (rows - 1 + LAST_RISE);
    const next = lineOf(rows, gap, width / 2, half, base, top);
    const room = Math.min(lengthOf(next) / (count - 1), gap);
    if (room <= most) break;
    [line, most] = [next, room];
  }
  const points = spread(line, count);
  const [places, named] = [placesOf(points, scale, width), namedOf(points, scale, width)];
  return { points, line, scale, width, height, half, base, top, places, named };
}

/** @param {Point} a @param {Point} b @param {number} by */
function towards(a, b, by) {
  const length = distance(a, b) || 1;
  return { x: a.x + ((b.x - a.x) / length) * by, y: a.y + ((b.y - a.y) / length) * by };
}

/**
 * A curve from a point to another, bent down (1) or up (-1) the page, both ends `trim` away from the points; and the
 * place of an arrow head at its end.
 * @param {Point} a @param {Point} b @param {number} scale @param {1 | -1} side @param {number} trim
 */
export function bow(a, b, scale, side, trim) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const [across, down] = [-dy / length, dx / length];
  const turn = down * side > 0 || (down === 0 && across > 0) ? 1 : -1;
  const far = Math.min(Math.max(26 * scale, 0.34 * length), 64 * scale) * turn;
  const control = { x: (a.x + b.x) / 2 + across * far, y: (a.y + b.y) / 2 + down * far };
  const [start, end] = [towards(a, control, trim), towards(b, control, trim)];
  const angle = (Math.atan2(end.y - control.y, end.x - control.x) * 180) / Math.PI;
  const at = (/** @type {Point} */ { x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return {
    curve: `M${at(start)}Q${at(control)} ${at(end)}`,
    head: `translate(${at(end)}) rotate(${angle.toFixed(2)}) scale(${scale.toFixed(2)})`,
  };
}
