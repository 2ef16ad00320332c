// @ts-check
// How the parts of a board look, by class: attributes that each element gets with its class. What the pointer does, what
// is picked and traffic are in style sheets, which go before attributes. Colours are the properties of the page's
// schemes; a picture that is drawn without a browser puts them in (print/markup.js).

/** @typedef {Record<string, string | number>} Look */

/** A length that grows with the map on a narrow screen. @param {number} length */
const scaled = (length) => `calc(${length}px * var(--map-scale, 1))`;

/** Of several classes of an element, the later one here is asked first. @type {Record<string, Look>} */
export const LOOKS = {
  // The map
  area: { stroke: "var(--land-line)", "stroke-width": 1, "stroke-linejoin": "round" },
  "area-0": { fill: "var(--land-1)" },
  "area-1": { fill: "var(--land-2)" },
  "link-casing": { stroke: "var(--road-casing)", "stroke-width": scaled(9), "stroke-linecap": "round" },
  link: { "stroke-width": scaled(4.4), fill: "none" },
  "link-soil": { stroke: "var(--road-soil)" },
  "link-stone": { stroke: "var(--road-stone)", "stroke-dasharray": `${scaled(11)} ${scaled(6)}` },
  "link-ice": { stroke: "var(--road-ice)", "stroke-width": scaled(5), "stroke-linecap": "round", "stroke-dasharray": `0 ${scaled(9.5)}` },
  trail: { fill: "none", "stroke-width": scaled(4), "stroke-linecap": "round" },
  "trail-casing": { fill: "none", stroke: "var(--road-casing)", "stroke-width": scaled(7), "stroke-linecap": "round" },
  "village-wall": { fill: "var(--village)", stroke: "var(--village-line)", "stroke-width": 1.7, "stroke-linejoin": "round" },
  "village-rim": { fill: "none", stroke: "var(--village-line)", "stroke-width": 1.3 },
  "village-number": { fill: "var(--village-line)", "font-size": 13.5, "font-weight": 700 },
  stupa: { "stroke-width": 1.4 },
  "cube-box": { stroke: "var(--cube-line)", "stroke-width": 1 },
  "cube-salt": { fill: "var(--salt)", color: "var(--cube-text)" },
  "cube-barley": { fill: "var(--barley)", color: "var(--cube-text)" },
  "cube-tea": { fill: "var(--tea)", color: "#ffffff" },
  "cube-jade": { fill: "var(--jade)", color: "var(--cube-text)" },
  "cube-gold": { fill: "var(--gold)", color: "var(--cube-text)" },
  "cube-letter": { "font-size": 10, "font-weight": 700, fill: "currentColor" },
  "order-pill": { fill: "var(--card)", stroke: "var(--village-line)", "stroke-width": 1.2 },
  "order-coin": { fill: "var(--village-line)" },
  "order-pays": { fill: "var(--village)", "font-size": 12, "font-weight": 700 },
  "area-name": { fill: "var(--land-text)", "font-size": 11.5, "font-weight": 600, "letter-spacing": 0.69, "text-transform": "uppercase" },
  badge: { "stroke-width": 1.3 },
  "badge-count": { "font-size": 12, "font-weight": 700 },
  "badge-crown": { fill: "var(--text)", stroke: "var(--land-1)", "stroke-width": 1, "paint-order": "stroke" },
  "marker-back": { fill: "var(--card)", stroke: "var(--village-line)", "stroke-width": 1.4, "stroke-linejoin": "round" },
  marker: { color: "var(--text)" },
  "marker-letter": { "font-size": 13, "font-weight": 750, fill: "var(--text)" },
  piece: { "stroke-width": 1.8 },
  "piece-ring": { fill: "none", stroke: "var(--accent)", "stroke-width": 2.6 },
  "link-hit": { fill: "none", stroke: "transparent", "stroke-width": 16, "stroke-linecap": "round" },
  "picked-ring": { display: "none", fill: "none", stroke: "var(--accent)", "stroke-width": 3.4, "stroke-dasharray": "8 3.5" },
  "link-picked": { stroke: "var(--accent)", "stroke-width": scaled(17), "stroke-dasharray": `${scaled(8)} ${scaled(3.5)}`, fill: "none" },
  "link-picked-casing": { stroke: "var(--road-casing)", "stroke-width": scaled(10.5), fill: "none" },
  count: { display: "none" },
  "link-traffic": { display: "none" },
  "count-name": { fill: "var(--text)", "font-size": 11.5, "font-weight": 600, "paint-order": "stroke", stroke: "var(--land-1)", "stroke-width": 4, "stroke-linejoin": "round" },
  // The track
  sky: { fill: "var(--sky)" },
  sun: { fill: "var(--sun)" },
  "far-range": { fill: "var(--range-far)" },
  "near-range": { fill: "var(--range-near)" },
  cloud: { fill: "var(--cloud)" },
  firs: { fill: "var(--fir)" },
  rock: { stroke: "var(--rock-line)", "stroke-width": 1, "stroke-linejoin": "round" },
  "rock-0": { fill: "var(--rock-0)" },
  "rock-1": { fill: "var(--rock-1)" },
  "rock-2": { fill: "var(--rock-2)" },
  "rock-3": { fill: "var(--rock-3)" },
  "rock-snow": { fill: "var(--rock-snow)" },
  "rock-shade": { fill: "var(--rock-shade)", "fill-opacity": 0.1 },
  "route-casing": { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", stroke: "var(--route-casing)", "stroke-width": scaled(15) },
  route: { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", stroke: "var(--route)", "stroke-width": scaled(2.2), "stroke-dasharray": `${scaled(1)} ${scaled(7)}` },
  "slide-casing": { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", stroke: "var(--route-casing)", "stroke-width": scaled(8) },
  slide: { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", "stroke-width": scaled(3.6) },
  "field-rim": { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", stroke: "var(--village-line)", "stroke-width": 1.3 },
  "field-flake": { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", stroke: "var(--avalanche)", "stroke-width": 2.4 },
  "card-mark": { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", stroke: "var(--muted)", "stroke-width": 1 },
  "slide-landslide": { stroke: "var(--landslide)", "stroke-dasharray": `${scaled(9)} ${scaled(6)}` },
  "slide-avalanche": { stroke: "var(--avalanche)", "stroke-width": scaled(4.6), "stroke-dasharray": `0 ${scaled(8)}` },
  "slide-head": { stroke: "var(--route-casing)", "stroke-width": 1 },
  "head-landslide": { fill: "var(--landslide)" },
  "head-avalanche": { fill: "var(--avalanche)" },
  "field-back": { fill: "var(--village)", stroke: "var(--village-line)", "stroke-width": 1.5, "stroke-linejoin": "round" },
  "field-landslide": { stroke: "var(--landslide)", "stroke-width": 3.2, "stroke-dasharray": "5 3" },
  "field-avalanche": { stroke: "var(--avalanche)", "stroke-width": 3.4, "stroke-dasharray": "1.5 4", "stroke-linecap": "round" },
  "field-snow": { fill: "var(--snowfield)" },
  "field-summit": { fill: "var(--snowfield)" },
  "field-cave": { fill: "var(--cave)" },
  "field-camp": { fill: "var(--tent)" },
  "field-base": { fill: "var(--tent)" },
  "field-number": { fill: "var(--village-line)", "font-size": 12.5, "font-weight": 700 },
  "on-cave": { fill: "var(--on-cave)" },
  "field-name": { fill: "var(--text)", "font-size": 11, "font-weight": 650, stroke: "var(--route-casing)", "stroke-width": 3.5, "stroke-linejoin": "round", "paint-order": "stroke" },
  "summit-flag": { fill: "var(--accent)", stroke: "var(--route-casing)", "stroke-width": 1.2, "stroke-linejoin": "round" },
  "trail-back": { "stroke-dasharray": `${scaled(2)} ${scaled(7)}` },
  pawn: { "stroke-width": 1.6 },
  "climber-letter": { "font-size": 13, "font-weight": 750 },
  "sherpa-letter": { "font-size": 9.5, "font-weight": 700 },
  "yeti-body": { fill: "var(--yeti)", stroke: "var(--yeti-line)", "stroke-width": 1.7, "stroke-linejoin": "round" },
  "yeti-face": { fill: "var(--yeti-line)" },
  "table-back": { fill: "var(--card)", "fill-opacity": 0.9, stroke: "var(--border)", "stroke-width": 1 },
  "table-head": { fill: "var(--text)", "font-size": 12, "font-weight": 650 },
  "table-foot": { fill: "var(--muted)", "font-size": 11, "font-weight": 500 },
  "die-back": { fill: "var(--village)", stroke: "var(--village-line)", "stroke-width": 1.5 },
  "die-taken": { fill: "none", stroke: "var(--muted)", "stroke-width": 1, "stroke-dasharray": "3 2.5" },
  "die-pips": { fill: "var(--village-line)" },
  "die-gone": { fill: "var(--muted)", "fill-opacity": 0.45 },
  "card-face": { fill: "var(--village)", stroke: "var(--village-line)", "stroke-width": 1.3 },
  "card-back": { fill: "var(--raised)", stroke: "var(--muted)", "stroke-width": 1, "stroke-dasharray": "3 2.5" },
  "card-arrow": { fill: "var(--accent)" },
  "card-number": { fill: "var(--village-line)", "font-size": 12, "font-weight": 700 },
  "weather-cloud": { fill: "var(--storm)", stroke: "var(--village-line)", "stroke-width": 0.3, "stroke-linejoin": "round" },
  "weather-bolt": { fill: "var(--gold)", stroke: "var(--village-line)", "stroke-width": 0.3, "stroke-linejoin": "round" },
  "card-cloud": { fill: "var(--muted)", stroke: "var(--village-line)", "stroke-width": 1.3, "stroke-linejoin": "round" },
  "field-count": { display: "none" },
  "legend-pawn": { fill: "var(--muted)", stroke: "var(--text)", "stroke-width": 1.4, "stroke-linejoin": "round" },
  // The tower
  face: { stroke: "var(--face-line)", "stroke-width": 1, "stroke-linejoin": "round", "stroke-linecap": "round" },
  "face-T": { fill: "var(--face-t)" },
  "face-x-T": { fill: "var(--face-x-t)" },
  "face-y-T": { fill: "var(--face-y-t)" },
  "face-U": { fill: "var(--face-u)" },
  "face-x-U": { fill: "var(--face-x-u)" },
  "face-y-U": { fill: "var(--face-y-u)" },
  "face-Y": { fill: "var(--face-y)" },
  "face-x-Y": { fill: "var(--face-x-y)" },
  "face-y-Y": { fill: "var(--face-y-y)" },
  "face-R": { fill: "var(--face-r)" },
  "face-x-R": { fill: "var(--face-x-r)" },
  "face-y-R": { fill: "var(--face-y-r)" },
  "face-I": { fill: "var(--face-i)" },
  "face-x-I": { fill: "var(--face-x-i)" },
  "face-y-I": { fill: "var(--face-y-i)" },
  "face-N": { fill: "var(--face-n)" },
  "face-x-N": { fill: "var(--face-x-n)" },
  "face-y-N": { fill: "var(--face-y-n)" },
  "tower-ground": { fill: "var(--tower-ground)", stroke: "var(--tower-rim)", "stroke-width": 1.5 },
  "tower-shadow": { fill: "#0b0c12", stroke: "#0b0c12", "stroke-linejoin": "round", opacity: 0.11 },
  "shadow-far": { "stroke-width": 20 },
  "shadow-near": { "stroke-width": 12 },
  "shadow-foot": { "stroke-width": 5 },
  "tower-shade": { fill: "#0b0c12", "fill-opacity": 0.2 },
  "tower-foot": { fill: "#0b0c12", "fill-opacity": 0.32 },
  "tower-climber": { "stroke-width": 1.5 },
  "tower-disc": { "stroke-width": 1.5 },
  "above-seat": { "stroke-width": 1 },
  "tower-ghost": { fill: "var(--seat)", "fill-opacity": 0.24, stroke: "var(--seat)", "stroke-width": 1.9, "stroke-dasharray": "3.4 2.2", "stroke-linejoin": "round" },
  "tower-ghost-casing": { fill: "none", stroke: "var(--face-line)", "stroke-width": 3.6, "stroke-linejoin": "round" },
  "tower-reach-casing": { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round", stroke: "var(--face-line)", "stroke-width": 5.4 },
  "tower-reach": { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round", "stroke-width": 3.2 },
  "tower-step-casing": { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round", stroke: "var(--road-casing)", "stroke-width": 6 },
  "tower-step": { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round", "stroke-width": 3, "stroke-dasharray": "2 6" },
  "tower-moved": { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round", stroke: "var(--accent)", "stroke-width": 2.4 },
  "tower-was": { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round", stroke: "var(--accent)", "stroke-width": 2, "stroke-dasharray": "5 4" },
  "tower-picked": { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round", stroke: "var(--accent)", "stroke-width": 3.4, "stroke-dasharray": "8 3.5" },
  "tower-opened": { "stroke-width": 2, "stroke-dasharray": "5 4" },
  "tower-opened-casing": { "stroke-width": 3.4 },
  "tower-words": { fill: "var(--text)", "font-size": 13, "font-weight": 600, "text-anchor": "start" },
  "above-ground": { fill: "var(--land-2)" },
  "above-quiet": { fill: "var(--land-1)" },
  "above-height": { fill: "#1b1c25", "font-size": 8.5, "font-weight": 650 },
  "above-within": { "text-decoration": "underline", "font-weight": 800 },
  "above-border": { fill: "none", stroke: "var(--face-line)", "stroke-width": 1 },
  // Seats
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
  // Icons
  "glyph-line": { fill: "none", stroke: "currentColor", "stroke-width": 1.7, "stroke-linecap": "round", "stroke-linejoin": "round" },
  "glyph-solid": { fill: "currentColor" },
  "glyph-keyboard": { "stroke-width": 1.4 },
  "glyph-soil": { stroke: "var(--road-soil)", "stroke-width": 3, "stroke-linecap": "butt" },
  "glyph-stone": { stroke: "var(--road-stone)", "stroke-width": 3, "stroke-linecap": "butt", "stroke-dasharray": "4 1.5" },
  "glyph-ice": { stroke: "var(--road-ice)", "stroke-width": 3.2, "stroke-linecap": "round", "stroke-dasharray": "0 5" },
  // Positions as text
  "plain-line": { fill: "var(--text)", "font-family": "var(--font-mono)", "text-anchor": "start" },
};

/** @type {Map<string, [string, string][]>} */
const known = new Map();

/** The attributes of an element with these classes. @param {string} classes @returns {[string, string][]} */
export function lookOf(classes) {
  const before = known.get(classes);
  if (before) return before;
  const names = new Set(classes.split(" "));
  const merged = Object.assign({}, ...Object.entries(LOOKS).flatMap(([name, look]) => (names.has(name) ? [look] : [])));
  const found = Object.entries(merged).map(([name, value]) => /** @type {[string, string]} */ ([name, String(value)]));
  known.set(classes, found);
  return found;
}

/** What is set and what is gone where classes take the place of others, by both. @type {Map<string, {set: [string, string][], gone: string[]}>} */
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

/** Give an element the attributes of its classes, and take away those of the classes that it had. @param {Element} element @param {string} classes @param {string} [former] */
export function dress(element, classes, former = "") {
  const { set, gone } = changesOf(classes, former);
  for (const name of gone) element.removeAttribute(name);
  for (const [name, value] of set) element.setAttribute(name, value);
}
