// @ts-check
// Create elements once, and update them only if something changed.

import { dress, lookOf } from "./looks.js";

const SVG = "http://www.w3.org/2000/svg";
const SHARE = 40;

/**
 * The address of a page or route of this server, below its path prefix.
 * @param {string} path
 */
export const urlOf = (path) => (document.documentElement.dataset.prefix ?? "") + path;

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {(Node | string | null)[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(tag, attributes = {}, ...children) {
  return /** @type {HTMLElementTagNameMap[K]} */ (filled(document.createElement(tag), attributes, children));
}

/**
 * An SVG element, with the look of its classes; attributes given here override it.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  if (attributes.class) for (const [name, value] of lookOf(String(attributes.class))) element.setAttribute(name, value);
  return /** @type {SVGElementTagNameMap[K]} */ (filled(element, attributes, children));
}

const TEXT = 3; // Node.TEXT_NODE, which the drawing for print lacks

/**
 * Return a setter for an element's text that writes only changes. It keeps no text node: a browser that translates the
 * page replaces them.
 * @param {Element} element
 */
export function textOf(element) {
  let shown = "";
  /** @param {string | number} value */
  return (value) => {
    const text = String(value);
    if (text === shown) return;
    shown = text;
    const only = element.firstChild === element.lastChild ? element.firstChild : null;
    if (only?.nodeType === TEXT) only.nodeValue = text; // costs far less than a new node, which rules and observers see
    else element.textContent = text;
  };
}

/**
 * Return a setter for an attribute that writes only changes; `null` removes the attribute.
 * @param {Element} element
 * @param {string} name
 */
export function attributeOf(element, name) {
  /** @type {string | null} */
  let shown = element.getAttribute(name);
  /** @param {string | number | null} value */
  return (value) => {
    const text = value === null ? null : String(value);
    if (text === shown) return;
    if (name === "class" && element instanceof SVGElement) dress(element, text ?? "", shown ?? "");
    shown = text;
    if (text === null) element.removeAttribute(name);
    else element.setAttribute(name, text);
  };
}

/** Return a function that shows or hides a part of a drawing. @param {SVGElement} element */
export const shower = (element) => {
  const set = attributeOf(element, "display");
  return (/** @type {boolean} */ yes) => set(yes ? null : "none");
};

/**
 * Return a function that runs at most once in this many milliseconds, and once more after the last call. If it takes
 * long, it runs less often, so that it takes no more than one `SHARE`th of the time.
 * @param {number} milliseconds
 * @param {() => void} run
 */
export function atMostEvery(milliseconds, run) {
  let next = -Infinity;
  let timer = 0;
  const now = () => {
    timer = 0;
    const start = performance.now();
    run();
    const end = performance.now();
    next = start + Math.max(milliseconds, SHARE * (end - start));
  };
  return {
    ask() {
      if (timer) return;
      timer = window.setTimeout(now, Math.max(0, next - performance.now()));
    },
    stop: () => window.clearTimeout(timer),
  };
}

/**
 * Return a function that runs once it has not been called for this many milliseconds. A call only notes the time; the
 * timer is set again when it ends.
 * @param {number} milliseconds
 * @param {() => void} run
 */
export function afterQuiet(milliseconds, run) {
  let since = 0;
  let timer = 0;
  const look = () => {
    const rest = since + milliseconds - performance.now();
    timer = rest > 0 ? window.setTimeout(look, rest) : 0;
    if (!timer) run();
  };
  return {
    ask() {
      since = performance.now();
      timer ||= window.setTimeout(look, milliseconds);
    },
    stop: () => window.clearTimeout(timer),
  };
}

/** Keys without a letter, as on a keyboard with Latin letters. @type {Record<string, string>} */
const SIGNS = { BracketLeft: "[", BracketRight: "]", "Shift+Slash": "?" };

/**
 * The pressed key: letters in lower case. If the keyboard layout has other letters than Latin ones, such as Cyrillic or
 * Hebrew, the key with the same place on a Latin keyboard.
 * @param {KeyboardEvent} event
 */
export function keyOf({ key, code, shiftKey }) {
  const isOther = /[^\x00-\x7f]/.test(key) && !/^\p{Script=Latin}+$/u.test(key);
  const placed = isOther || (key === "'" && code === "KeyW"); // the W of a Hebrew keyboard is an apostrophe
  const latin = placed ? (/^Key([A-Z])$/.exec(code)?.[1] ?? SIGNS[shiftKey ? `Shift+${code}` : code] ?? key) : key;
  return latin.length === 1 ? latin.toLowerCase() : latin;
}

/** Storage of this browser; if the browser forbids it, nothing is remembered. */
export const memory = {
  /** @param {string} key @param {string} fallback */
  read(key, fallback) {
    try {
      return window.localStorage.getItem(`himalaya.${key}`) ?? fallback;
    } catch {
      return fallback;
    }
  },
  /** @param {string} key @param {string} value */
  write(key, value) {
    try {
      window.localStorage.setItem(`himalaya.${key}`, value);
    } catch {
      // stored values are only a convenience, so nothing is lost
    }
  },
};

/** A text of this tab that survives a reload; if the browser has no storage, it lasts until the page is closed. @param {string} key */
export function tabMemory(key) {
  let value = "";
  const name = `himalaya.${key}`;
  return {
    read() {
      try {
        return window.sessionStorage.getItem(name) ?? value;
      } catch {
        return value;
      }
    },
    /** @param {string} next "" removes it */
    write(next) {
      value = next;
      try {
        if (next) window.sessionStorage.setItem(name, next);
        else window.sessionStorage.removeItem(name);
      } catch {
        // it stays in `value`
      }
    },
  };
}
