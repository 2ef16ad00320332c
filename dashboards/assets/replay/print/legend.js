// @ts-check
// Draw the page's legend in a picture: its HTML keys become SVG, in rows at the bottom of a room.

import { svg } from "../drawing/dom.js";

/** @typedef {import("./print.js").Room} Room */
/** Part of a key: a drawing or words. @typedef {{element: SVGElement, width: number}} Part */
/** @typedef {{x: number, parts: Part[]}} Key */

/** Width of an average letter, as a fraction of the font size. */
export const LETTER = 0.6;
const WIDE = 0.85;
const SIZE = 12;
const GAP = 5;
const APART = 12;

/** @param {string} text @param {number} [letter] @returns {Part} */
const words = (text, letter = LETTER) => ({ element: svg("text", { class: "key-name" }, text), width: text.length * SIZE * letter });

/** @param {ChildNode} child @returns {Part} */
function part(child) {
  if (!(child instanceof Element)) return words(child.textContent ?? "");
  if (child.tagName === "svg") {
    const [width, height] = ["width", "height"].map((name) => Number(child.getAttribute(name)));
    child.setAttribute("y", String(-height / 2));
    return { element: /** @type {SVGElement} */ (child), width };
  }
  return words(child.textContent ?? "", WIDE);
}

/** The keys in as many rows as they need. @param {HTMLElement[]} keys @param {number} room maximum width of a row */
export function rowsOf(keys, room) {
  /** @type {Key[][]} */
  const rows = [];
  let x = 0;
  for (const key of keys) {
    const parts = [...key.childNodes].map(part);
    const width = parts.reduce((sum, each) => sum + each.width + GAP, APART - GAP);
    if (!rows.length || x + width - APART > room) {
      rows.push([]);
      x = 0;
    }
    rows[rows.length - 1].push({ x, parts });
    x += width;
  }
  return rows;
}

/** The rows at the bottom of a room; none if the room is too small for all rows. @param {Key[][]} rows @param {Room} room @param {number} line height of a row */
export function legend(rows, { x: left, y: top, height }, line) {
  const shown = rows.length * line <= height ? rows : [];
  const first = top + height - (shown.length - 0.5) * line;
  const keys = shown.flatMap((row, index) =>
    row.map(({ x, parts }) => {
      let at = 0;
      for (const { element, width } of parts) {
        if (element.tagName === "g") element.setAttribute("transform", `translate(${at.toFixed(1)} 0)`);
        else element.setAttribute("x", at.toFixed(1));
        at += width + GAP;
      }
      const place = `translate(${(left + x).toFixed(1)} ${(first + index * line).toFixed(1)})`;
      return svg("g", { transform: place }, ...parts.map((each) => each.element));
    }),
  );
  return svg("g", { class: "legend", color: "var(--muted)" }, ...keys);
}
