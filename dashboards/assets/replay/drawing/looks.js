// @ts-check
// The look of drawings: attributes that each element gets with its class. This file has the classes that boards share;
// each kind of board adds its own. Hovering, picking and traffic are in style sheets, which override attributes.
// Colours are custom properties of the page; a picture drawn without a browser replaces them by values
// (print/markup.js).

/** @typedef {Record<string, string | number>} Look */

/** A length that grows with the map on a narrow screen. @param {number} length */
export const scaled = (length) => `calc(${length}px * var(--map-scale, 1))`;

/** If an element has several classes, the one listed later here wins. @type {Record<string, Look>} */
const LOOKS = {
  trail: { fill: "none", "stroke-width": scaled(4), "stroke-linecap": "round" },
  "trail-casing": { fill: "none", stroke: "var(--road-casing)", "stroke-width": scaled(7), "stroke-linecap": "round" },
  "piece-ring": { fill: "none", stroke: "var(--accent)", "stroke-width": 2.6 },
  "link-hit": { fill: "none", stroke: "transparent", "stroke-width": 16, "stroke-linecap": "round" },
  "picked-ring": { display: "none", fill: "none", stroke: "var(--accent)", "stroke-width": 3.4, "stroke-dasharray": "8 3.5" },
  "link-picked": { stroke: "var(--accent)", "stroke-width": scaled(17), "stroke-dasharray": `${scaled(8)} ${scaled(3.5)}`, fill: "none" },
  count: { display: "none" },
  "link-traffic": { display: "none" },
  "count-name": { fill: "var(--text)", "font-size": 11.5, "font-weight": 600, "paint-order": "stroke", stroke: "var(--land-1)", "stroke-width": 4, "stroke-linejoin": "round" },
  "legend-pawn": { fill: "var(--muted)", stroke: "var(--text)", "stroke-width": 1.4, "stroke-linejoin": "round" },
  "seat-line-0": { stroke: "var(--seat-0)" },
  "seat-line-1": { stroke: "var(--seat-1)" },
  "seat-line-2": { stroke: "var(--seat-2)" },
  "seat-line-3": { stroke: "var(--seat-3)" },
  "seat-line-4": { stroke: "var(--seat-4)" },
  "seat-line-5": { stroke: "var(--seat-5)" },
  "ink-0": { fill: "var(--ink-0)" },
  "ink-1": { fill: "var(--ink-1)" },
  "ink-2": { fill: "var(--ink-2)" },
  "ink-3": { fill: "var(--ink-3)" },
  "ink-4": { fill: "var(--ink-4)" },
  "ink-5": { fill: "var(--ink-5)" },
  "seat-fill": { fill: "var(--seat)", stroke: "var(--seat-line)", "stroke-linejoin": "round" },
  "glyph-line": { fill: "none", stroke: "currentColor", "stroke-width": 1.7, "stroke-linecap": "round", "stroke-linejoin": "round" },
  "glyph-solid": { fill: "currentColor" },
  "glyph-keyboard": { "stroke-width": 1.4 },
  "glyph-soil": { stroke: "var(--road-soil)", "stroke-width": 3, "stroke-linecap": "butt" },
  "glyph-stone": { stroke: "var(--road-stone)", "stroke-width": 3, "stroke-linecap": "butt", "stroke-dasharray": "4 1.5" },
  "glyph-ice": { stroke: "var(--road-ice)", "stroke-width": 3.2, "stroke-linecap": "round", "stroke-dasharray": "0 5" },
};

/** Add looks of further classes; call this before they are drawn. @param {Record<string, Look>} looks */
export const addLooks = (looks) => void Object.assign(LOOKS, looks);

/** @type {Map<string, [string, string][]>} */
const cached = new Map();

/** The attributes of an element with these classes. @param {string} classes @returns {[string, string][]} */
export function lookOf(classes) {
  const before = cached.get(classes);
  if (before) return before;
  const names = new Set(classes.split(" "));
  const merged = Object.assign({}, ...Object.entries(LOOKS).flatMap(([name, look]) => (names.has(name) ? [look] : [])));
  const found = Object.entries(merged).map(([name, value]) => /** @type {[string, string]} */ ([name, String(value)]));
  cached.set(classes, found);
  return found;
}

/** Cache: the attributes to set and remove, by the new and the former classes. @type {Map<string, {set: [string, string][], gone: string[]}>} */
const changes = new Map();

/** @param {string} classes @param {string} former */
function changesOf(classes, former) {
  const key = `${former}\n${classes}`;
  const before = changes.get(key);
  if (before) return before;
  const [had, has] = [new Map(lookOf(former)), new Map(lookOf(classes))];
  const set = [...has].filter(([name, value]) => had.get(name) !== value);
  const found = { set, gone: [...had.keys()].filter((name) => !has.has(name)) };
  changes.set(key, found);
  return found;
}

/** Set the attributes of an element's classes, and remove those of its former classes. @param {Element} element @param {string} classes @param {string} [former] */
export function dress(element, classes, former = "") {
  const { set, gone } = changesOf(classes, former);
  for (const name of gone) element.removeAttribute(name);
  for (const [name, value] of set) element.setAttribute(name, value);
}
