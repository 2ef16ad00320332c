// @ts-check
// Selectors of the style sheets: read once, then asked whether they match an element. What only a browser can know, such
// as where the pointer is, matches nothing.

/** @typedef {import("./dom.js").Element} Element */
/**
 * `tag`, classes, attributes, and conditions that are selectors themselves; `never`: it matches nothing.
 * @typedef {{
 *   tag: string, classes: string[], attributes: [string, string | null][], any: Selector[][], none: Selector[][],
 *   root: boolean, first: boolean, never: boolean, weight: number
 * }} Compound
 */
/** Compounds from the last to the first; `how` each is reached from the one before: " " or ">". @typedef {{parts: Compound[], how: string[], weight: number}} Selector */

const CLASS = 1000;
const ID = 1000000;
const TOKEN = /::?[\w-]+|\.[\w-]+|#[\w-]+|\[[^\]]*\]|\*|[a-zA-Z][\w-]*/y;

/** Split at a sign that stands in no bracket. @param {string} text @param {string} sign */
export function split(text, sign) {
  const found = [""];
  let depth = 0;
  for (const letter of text) {
    if (letter === "(" || letter === "[") depth += 1;
    else if (letter === ")" || letter === "]") depth -= 1;
    if (letter === sign && depth === 0) found.push("");
    else found[found.length - 1] += letter;
  }
  return found.map((part) => part.trim()).filter(Boolean);
}

/** Where the bracket that opens at a place closes. @param {string} text @param {number} from */
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error(`a bracket is open in ${text}`);
}

/** @param {string} text */
export const selectors = (text) => split(text, ",").map(selector);

/** @param {Selector[]} list */
const heaviest = (list) => Math.max(0, ...list.map((each) => each.weight));

/** @param {string} text @returns {Compound} */
function compound(text) {
  /** @type {Compound} */
  const made = { tag: "", classes: [], attributes: [], any: [], none: [], root: false, first: false, never: false, weight: 0 };
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (!token) throw new Error(`a selector is not understood: ${text}`);
    at += token.length;
    let inside = "";
    if (token[0] === ":" && text[at] === "(") {
      const end = closing(text, at);
      inside = text.slice(at + 1, end);
      at = end + 1;
    }
    if (token === "*") continue;
    made.weight += token[0] === "#" ? ID : /^[.[:]/.test(token) && !inside ? CLASS : inside ? 0 : 1;
    if (token[0] === ".") made.classes.push(token.slice(1));
    else if (token[0] === "#") made.attributes.push(["id", token.slice(1)]);
    else if (token[0] === "[") {
      const [name, value] = token.slice(1, -1).split("=");
      made.attributes.push([name, value === undefined ? null : value.replace(/["']/g, "")]);
      made.never ||= /[~^$*|]$/.test(name);
    } else if (token === ":is" || token === ":not") {
      const list = selectors(inside);
      (token === ":is" ? made.any : made.none).push(list);
      made.weight += heaviest(list);
    } else if (token === ":root") made.root = true;
    else if (token === ":first-child") made.first = true;
    else if (token[0] === ":") made.never = true;
    else made.tag = token;
  }
  return made;
}

/** @param {string} text @returns {Selector} */
function selector(text) {
  const words = split(text.replace(/\s*([>+~])\s*/g, " $1 "), " ");
  /** @type {Selector} */
  const made = { parts: [], how: [], weight: 0 };
  let how = " ";
  for (const word of words) {
    if (/^[>+~]$/.test(word)) how = word;
    else {
      const part = compound(word);
      part.never ||= how === "+" || how === "~";
      made.parts.unshift(part);
      made.how.unshift(how);
      made.weight += part.weight;
      how = " ";
    }
  }
  return made;
}

/** @param {Compound} part @param {Element} element @returns {boolean} */
function fits(part, element) {
  if (part.never || (part.tag && part.tag !== element.tagName)) return false;
  if (part.root && element.parentElement) return false;
  if (part.first && element.parentElement?.firstElementChild !== element) return false;
  for (const name of part.classes) if (!element.classNames.includes(name)) return false;
  for (const [name, value] of part.attributes) {
    const has = element.getAttribute(name);
    if (has === null || (value !== null && has !== value)) return false;
  }
  for (const list of part.any) if (!matches(element, list)) return false;
  for (const list of part.none) if (matches(element, list)) return false;
  return true;
}

/** @param {Selector} selector @param {Element} element @param {number} at @returns {boolean} */
function reached(selector, element, at) {
  if (!fits(selector.parts[at], element)) return false;
  if (at + 1 === selector.parts.length) return true;
  for (let above = element.parentElement; above; above = above.parentElement) {
    if (reached(selector, above, at + 1)) return true;
    if (selector.how[at] === ">") return false;
  }
  return false;
}

/** The weight of the heaviest selector that matches an element, -1 for none. @param {Element} element @param {Selector[]} list */
export function weightOf(element, list) {
  let most = -1;
  for (const each of list) if (each.weight > most && reached(each, element, 0)) most = each.weight;
  return most;
}

/** @param {Element} element @param {Selector[]} list */
const matches = (element, list) => weightOf(element, list) >= 0;
