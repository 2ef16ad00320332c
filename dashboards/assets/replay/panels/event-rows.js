// @ts-check
// The rows of the list of events: a heading for each round, and the moments that pass the filter.

/** @typedef {import("../scene.js").Scene} Scene */
/** `index` is the row's index in the list, `place` counts moments from 1; a heading has moment -1. @typedef {{index: number, moment: number, round: number, place: number, top: number, height: number}} Row */
/** `kinds` is null for all kinds. @typedef {{kinds: Set<string> | null, onlyKey: boolean, seat: number, text: string}} Filter */

export const ONE_LINE = 27;
export const HEADING = 26;
const MORE_LINE = 16;
const MOST_LINES = 3;
const EDGE = 4;
/** Width of a row that is not text, and of an average letter. */
const ROW_REST = 76;
const LETTER = 6.6;

/** Number of letters in a line of a list of this width. @param {number} width */
export const lettersIn = (width) => Math.max(20, Math.floor((width - ROW_REST) / LETTER));

/** @param {import("../scene.js").Moment} moment @param {Filter} filter */
function fits(moment, { kinds, onlyKey, seat, text }) {
  return (
    (!onlyKey || moment.key) &&
    (!kinds || kinds.has(moment.kind)) &&
    (seat < 0 || moment.seat === seat) &&
    (!text || moment.text.toLowerCase().includes(text))
  );
}

/**
 * @param {Scene} scene
 * @param {Filter} filter
 * @param {number} letters how many fit a line
 */
export function rowsOf(scene, filter, letters) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {Row[]} */
  const moments = [];
  let top = EDGE;
  let round = -1;
  scene.moments.forEach((moment, index) => {
    if (!fits(moment, filter)) return;
    const now = scene.rounds[moment.at];
    if (now !== round) {
      rows.push({ index: rows.length, moment: -1, round: now, place: 0, top, height: HEADING });
      top += HEADING;
      round = now;
    }
    const lines = Math.min(Math.ceil(moment.text.length / letters), MOST_LINES);
    const height = ONE_LINE + (lines - 1) * MORE_LINE;
    const row = { index: rows.length, moment: index, round: now, place: moments.length + 1, top, height };
    rows.push(row);
    moments.push(row);
    top += height;
  });
  return { rows, moments };
}

/** The index of the last item that is at most a value; -1 if there is none. Items are sorted. @template T @param {T[]} items @param {(item: T) => number} of @param {number} value */
export function lastUpTo(items, of, value) {
  let low = -1;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (of(items[middle]) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Height of the list if it ends with a row. @param {Row | undefined} row */
export const heightTo = (row) => (row ? row.top + row.height + EDGE : 0);
