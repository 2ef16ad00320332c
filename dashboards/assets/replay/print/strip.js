// @ts-check
// The strip next to the board in a picture: caption, standings with the expected ending, legend.
// Text is measured by counting letters; the estimate is generous, so text is cut early rather than late.

import { svg } from "../drawing/dom.js";
import { addLooks } from "../drawing/looks.js";
import { seatPath } from "../drawing/shapes.js";
import { verdictOf } from "../drawing/verdict.js";
import { LETTER, legend, rowsOf } from "./legend.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("./print.js").Room} Room */

const SMALL = { fill: "var(--muted)", "font-size": 12 };
addLooks({
  caption: { fill: "var(--text)", "font-size": 15, "font-weight": 600 },
  "strip-head": { ...SMALL, "font-weight": 500, "text-anchor": "middle" },
  "strip-rule": { stroke: "var(--grid)" },
  "strip-name": { fill: "var(--text)", "font-size": 14, "font-weight": 700 },
  "strip-player": SMALL,
  "key-name": SMALL,
  "strip-figure": { fill: "var(--text)", "font-size": 15, "font-weight": 600, "text-anchor": "middle" },
  "strip-win": { fill: "var(--good)", "font-size": 12, "font-weight": 600 },
  "strip-out": { fill: "var(--bad)", "font-size": 12, "font-weight": 600 },
  "strip-ending": { fill: "var(--text)", "font-size": 12.5 },
});

const COLUMN = 304;
const BROAD = 560;
const HEAD = 22;
const ROW = { least: 26, most: 50 };
const FIGURE = 54;
const TWO_LINES = 38;
const LINE = 16;
const LEGEND = 20;
const SEAT = 26;
const MOST_LINES = 7;
const SIZE = { caption: 15, name: 14, player: 12, ending: 12.5 };

/** Width of the standings to the right of a board, 0 if they are below it. @param {number} width @param {number} height */
export const columnOf = (width, height) => (width >= Math.max(BROAD, 1.25 * height) ? Math.min(COLUMN, width * 0.36) : 0);

/** Height of the standings if they are below a board. @param {Scene} scene */
export const rowsBelow = ({ seats }) => HEAD + seats.length * ROW.least + 4 * LINE + 3 * LEGEND;

/**
 * Break a text into at most `lines` lines of about `width`, with an ellipsis if it is cut.
 * @param {string} text @param {number} width @param {number} size @param {number} lines
 */
export function wrapped(text, width, size, lines) {
  const most = Math.max(4, Math.floor(width / (size * LETTER)));
  const found = [""];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = `${found[found.length - 1]} ${word}`.trim();
    if ([...longer].length <= most || !found[found.length - 1]) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found.slice(0, lines).map((line, index) => {
    const letters = [...line];
    const cut = index === lines - 1 && found.length > lines;
    if (letters.length <= most && !cut) return line;
    const start = letters.slice(0, most - 1).join("");
    return `${letters.length <= most ? start.replace(/[ .,]+$/, "") : start}…`;
  });
}

/** @param {string} look @param {string | number} words @param {number} x @param {number} y */
const written = (look, words, x, y) => svg("text", { class: look, x, y }, String(words));

/** @param {string} text @param {Room} room */
export const caption = (text, { x, y, width, height }) =>
  written("caption", wrapped(text, width, SIZE.caption, 1)[0], x, y + height / 2);

/**
 * The standings, the expected ending, and the legend.
 * @param {Scene} scene @param {HTMLElement[]} keys @param {Room} room
 */
export function strip(scene, keys, { x, y, width, height }) {
  const { seats, measures, endings, frames } = scene;
  const ending = endings[frames[0].e];
  const explained = rowsOf(keys, width);
  const free = height - HEAD - 6 * LINE - explained.length * LEGEND;
  const row = Math.min(ROW.most, Math.max(ROW.least, free / seats.length));
  const columns = measures.map((_, index) => x + width - (measures.length - index - 0.5) * FIGURE);
  const below = y + HEAD + row * seats.length + LINE;
  const most = Math.min(MOST_LINES, Math.max(1, Math.floor((y + height - below) / LINE)));
  const lines = wrapped(`${ending.head}: ${ending.text}`, width, SIZE.ending, most);
  const end = below + lines.length * LINE;
  return svg(
    "g",
    { class: "strip" },
    ...measures.map(({ short }, index) => written("strip-head", short, columns[index], y + HEAD / 2)),
    ...seats.map((_, seat) => seatRow(scene, seat, { x, y: y + HEAD + seat * row, width: columns[0] - FIGURE / 2 - x, height: row }, columns)),
    ...lines.map((line, index) => written("strip-ending", line, x, below + index * LINE)),
    legend(explained, { x, y: end, width, height: y + height - end }, LEGEND),
  );
}

/** A seat's row: shape, name, player, expected result, and measures. @param {Scene} scene @param {number} seat @param {Room} room @param {number[]} columns */
function seatRow(scene, seat, { x, y, width, height }, columns) {
  const { name, player } = scene.seats[seat];
  const { how, text: verdict } = verdictOf(scene.endings[scene.frames[0].e], seat);
  const right = columns[columns.length - 1] + FIGURE / 2;
  const taken = SEAT + verdict.length * SIZE.player * LETTER;
  const [middle, start] = [y + height / 2, x + SEAT];
  const isHigh = height >= TWO_LINES; // high rows have player and result on a second line, over the whole width
  const figures = isHigh ? middle - 8 : middle;
  const [called] = wrapped(name, width - (isHigh ? SEAT : taken), SIZE.name, 1);
  const [by] = wrapped(player, right - x - taken, SIZE.player, 1);
  const fate = verdict ? [[`strip-${how}`, verdict]] : [];
  const lines = isHigh
    ? [line(start, figures, [["strip-name", called]]), line(start, middle + 10, [["strip-player", by], ...fate])]
    : [line(start, middle, [["strip-name", called], ...fate])];
  return svg(
    "g",
    { class: "seat", "data-seat": seat },
    svg("line", { class: "strip-rule", x1: x, y1: y, x2: right, y2: y }),
    svg("path", { class: `seat-fill seat-${seat}`, d: seatPath(seat, 8), transform: `translate(${x + 10} ${middle.toFixed(1)})` }),
    ...lines,
    ...scene.frames[0].f[seat].map((value, index) => written("strip-figure", value, columns[index], figures)),
  );
}

/** One line of texts with different looks. @param {number} x @param {number} y @param {string[][]} parts */
const line = (x, y, parts) =>
  svg("text", { x, y }, ...parts.map(([look, words], index) => svg("tspan", { class: look, dx: index ? 8 : null }, words)));
