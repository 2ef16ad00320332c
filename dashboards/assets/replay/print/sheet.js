// @ts-check
// The page's style sheets where there is no browser: their rules, nested ones too, and what they make of an element. What
// stands in a condition (@media and its like) is left out: a drawing that stands alone is neither small nor printed.

import { selectors, split, weightOf } from "./selectors.js";
import { resolved, substituted } from "./values.js";

/** @typedef {import("./dom.js").Element} Element */
/** @typedef {import("./selectors.js").Selector} Selector */
/** @typedef {{list: Selector[], declared: [string, string][], place: number}} Rule */

/** What selectors ask of elements besides their tag and classes. @type {Set<string>} */
const ASKED = new Set();
const COMMENT = /\/\*[^]*?\*\//g;
const FONT = /^(?:(\d+) )?(\S+?)(?:\/\S+)? (.+)$/;

/** What a property is unless it is said, and whether an element has it from the one above. @type {Record<string, [string, boolean]>} */
const PROPERTIES = {
  fill: ["#000000", true],
  "fill-opacity": ["1", true],
  stroke: ["none", true],
  "stroke-opacity": ["1", true],
  "stroke-width": ["1", true],
  "stroke-linecap": ["butt", true],
  "stroke-linejoin": ["miter", true],
  "stroke-dasharray": ["none", true],
  "paint-order": ["normal", true],
  "font-family": ["sans-serif", true],
  "font-size": ["16", true],
  "font-weight": ["400", true],
  "letter-spacing": ["normal", true],
  "text-anchor": ["start", true],
  "text-transform": ["none", true],
  "dominant-baseline": ["auto", true],
  color: ["#000000", true],
  display: ["inline", false],
  opacity: ["1", false],
  transform: ["none", false],
  "clip-path": ["none", false],
  "text-decoration-line": ["none", false],
  "background-color": ["transparent", false],
  "border-color": ["none", false],
  "border-radius": ["0", false],
  r: ["0", false],
  cx: ["0", false],
  cy: ["0", false],
  width: ["auto", false],
  height: ["auto", false],
};

/** Rules by a class or tag that their last part must have, "" if it need have none. @type {Map<string, Rule[]>} */
const rules = new Map();
let count = 0;

/** @param {string[]} sheets */
export function readSheets(sheets) {
  for (const sheet of sheets) block(sheet.replace(COMMENT, ""), "");
}

/** The declarations and rules of a block. @param {string} text @param {string} parent the selector it is of */
function block(text, parent) {
  /** @type {[string, string][]} */
  const declared = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === ";") {
      declared.push(...declaration(text.slice(from, at)));
      from = at + 1;
    } else if (text[at] === "{") {
      const end = closing(text, at);
      const head = text.slice(from, at).trim();
      if (head[0] !== "@") block(text.slice(at + 1, end), within(head, parent));
      at = end;
      from = end + 1;
    } else if (text[at] === "(") at = text.indexOf(")", at); // data: addresses have a ";"
  }
  declared.push(...declaration(text.slice(from)));
  if (declared.length && parent) add(parent, declared);
}

/** @param {string} text @param {number} from */
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}" && (depth -= 1) === 0) return at;
  }
  throw new Error("a block of a style sheet is open");
}

/** A selector inside of another's block. @param {string} head @param {string} parent */
function within(head, parent) {
  if (!parent) return head;
  const above = split(parent, ",").length > 1 ? `:is(${parent})` : parent;
  return split(head, ",").map((each) => (each.includes("&") ? each.replaceAll("&", above) : `${above} ${each}`)).join(", ");
}

/** @param {string} text @returns {[string, string][]} */
function declaration(text) {
  const colon = text.indexOf(":");
  if (colon < 0) return [];
  return longhands(text.slice(0, colon).trim(), text.slice(colon + 1).trim());
}

/** A declaration as those it is short for, of those that matter here. @param {string} name @param {string} value @returns {[string, string][]} */
function longhands(name, value) {
  if (name === "background") return [["background-color", value]];
  if (name === "text-decoration") return [["text-decoration-line", value.split(" ")[0]]];
  if (name === "border") return [["border-color", /solid (.+)$/.exec(value)?.[1] ?? "none"]];
  const font = name === "font" ? FONT.exec(value) : null;
  if (!font) return name in PROPERTIES || name.startsWith("--") ? [[name, value]] : [];
  return [["font-weight", font[1] ?? "400"], ["font-size", font[2]], ["font-family", font[3]]];
}

/** @param {string} text @param {[string, string][]} declared */
function add(text, declared) {
  count += 1;
  for (const each of selectors(text)) {
    const [last] = each.parts;
    for (const part of each.parts) for (const [name] of part.attributes) ASKED.add(name);
    if (!last || last.never) continue;
    for (const key of keysOf(last)) rules.set(key, [...(rules.get(key) ?? []), { list: [each], declared, place: count }]);
  }
}

/** A class or tag that an element must have, or one of them; "" if it need have none. @param {import("./selectors.js").Compound} last @returns {string[]} */
function keysOf({ classes, tag, any }) {
  if (classes.length) return [`.${classes[0]}`];
  if (tag) return [tag];
  return any.length ? [...new Set(any[0].flatMap(({ parts: [first] }) => keysOf(first)))] : [""];
}

/**
 * What the rules declare of elements like this one in elements like those around it: found once, for all drawings.
 * @typedef {{declared: [string, string][], inside: Map<string, Likes>}} Likes
 */
/** @type {Likes} */
const outermost = { declared: [], inside: new Map() };
const MOST_LIKES = 5000;
let likes = 0;

/** @param {Element} element @returns {[string, string][]} */
function ruled(element) {
  /** @type {(Rule & {weight: number})[]} */
  const found = [];
  for (const key of ["", element.tagName, ...element.classNames.map((name) => `.${name}`)]) {
    for (const rule of rules.get(key) ?? []) {
      const weight = weightOf(element, rule.list);
      if (weight >= 0) found.push({ ...rule, weight });
    }
  }
  found.sort((a, b) => a.weight - b.weight || a.place - b.place);
  return found.flatMap((rule) => rule.declared);
}

/** @param {Element} element @param {Likes} around @returns {Likes} */
function likesOf(element, around) {
  let key = `${element.tagName}.${element.classNames.join(".")}`;
  for (const [name, value] of element.given) if (ASKED.has(name)) key += `|${name}=${value}`;
  if (element.parentElement?.firstElementChild === element) key += "|first";
  const known = around.inside.get(key);
  if (known) return known;
  if (likes >= MOST_LIKES) {
    outermost.inside.clear();
    likes = 0;
  }
  likes += 1;
  const made = { declared: ruled(element), inside: new Map() };
  around.inside.set(key, made);
  return made;
}

/** A value, the style that declares it, and what it comes to once that is asked. @typedef {{text: string, of: Style, known: string}} Value */

/** What the style sheets make of an element. */
export class Style {
  /** @param {Element} element */
  constructor(element) {
    /** @type {Style | null} */
    const above = element.parentElement ? styleOf(element.parentElement) : null;
    /** @type {Style | null} */
    this.above = above;
    this.likes = likesOf(element, above?.likes ?? outermost);
    /** @type {Record<string, string>} custom properties, those from above too */
    this.custom = Object.create(above?.custom ?? null);
    /** @type {Record<string, Value>} what is declared, and what of that is inherited from above */
    this.declared = Object.create(above?.passed ?? null);
    /** @type {Record<string, Value>} */
    this.passed = Object.create(above?.passed ?? null);
    for (const [name, value] of element.given) if (name in PROPERTIES) this.declare(name, value);
    for (const [name, value] of this.likes.declared) this.declare(name, value);
    const written = element.getAttribute("style");
    for (const [name, value] of written ? split(written, ";").flatMap(declaration) : []) this.declare(name, value);
    for (const [name, value] of element.style.declared()) this.declare(name, value);
    for (const name of Object.keys(this.custom)) this.custom[name] = substituted(this.custom[name], this.custom);
  }

  /** @param {string} name @param {string} text */
  declare(name, text) {
    if (name.startsWith("--")) this.custom[name] = text;
    else if (text === "inherit") {
      delete this.declared[name];
      delete this.passed[name];
    } else {
      const value = { text, of: this, known: "" };
      this.declared[name] = value;
      if (PROPERTIES[name]?.[1]) this.passed[name] = value;
    }
  }

  /** @param {string} name @returns {string} */
  getPropertyValue(name) {
    if (name.startsWith("--")) return this.custom[name] ?? "";
    const value = this.declared[name];
    if (value === undefined) return PROPERTIES[name]?.[0] ?? "";
    return (value.known ||= value.of.computed(name, value.text));
  }

  /** @param {string} name @param {string} text @returns {string} */
  computed(name, text) {
    if (text.toLowerCase() === "currentcolor") return this.getPropertyValue("color");
    const size = () => (name === "font-size" ? this.above : this)?.getPropertyValue("font-size") ?? "16";
    return resolved(substituted(text, this.custom), size);
  }

  get display() {
    return this.getPropertyValue("display");
  }
  get fill() {
    return this.getPropertyValue("fill");
  }
  get stroke() {
    return this.getPropertyValue("stroke");
  }
  get backgroundColor() {
    return this.getPropertyValue("background-color");
  }
  get textTransform() {
    return this.getPropertyValue("text-transform");
  }
}

/** @type {WeakMap<Element, Style>} */
const styles = new WeakMap();

/** The style of an element as it is when it is first asked for. @param {Element} element @returns {Style} */
export function styleOf(element) {
  const style = styles.get(element) ?? new Style(element);
  styles.set(element, style);
  return style;
}
