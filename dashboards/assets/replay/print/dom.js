// @ts-check
// A replacement for those parts of the DOM with which boards are drawn. Elements have no size until `resize` sets one.

export class Text {
  /** @param {string} data */
  constructor(data) {
    this.data = data;
  }
  get textContent() {
    return this.data;
  }
}

/** The replacement for `element.style`: the properties that were set, by their JavaScript names. */
class Inline {
  /** @param {string} name @param {string} value */
  setProperty(name, value) {
    Object.assign(this, { [name]: value });
  }
  /** @param {string} name */
  removeProperty(name) {
    Reflect.deleteProperty(this, name);
  }
  /** @returns {[string, string][]} */
  declared() {
    return Object.entries(this).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), String(value)]);
  }
}

export class Element {
  clientWidth = 0;
  clientHeight = 0;
  style = new Inline();
  /** @type {string[]} */
  classNames = [];
  /** @type {Element | null} */
  parentElement = null;
  /** @type {(Element | Text)[]} */
  childNodes = [];
  /** @type {Map<string, string>} */
  given = new Map();

  /** @param {string} tag */
  constructor(tag) {
    this.tagName = tag;
  }
  get children() {
    return this.childNodes.filter((child) => child instanceof Element);
  }
  /** @returns {string} */
  get textContent() {
    return this.childNodes.map((child) => child.textContent).join("");
  }
  set textContent(text) {
    this.childNodes = [new Text(text)];
  }
  get classList() {
    return {
      add: (/** @type {string} */ name) => this.setAttribute("class", [...this.classNames, name].join(" ")),
      toggle: (/** @type {string} */ name, /** @type {boolean} */ on) => {
        const others = this.classNames.filter((each) => each !== name);
        this.setAttribute("class", (on ? [...others, name] : others).join(" "));
      },
    };
  }
  /** @param {string} name */
  getAttribute(name) {
    return this.given.get(name) ?? null;
  }
  /** @param {string} name @param {unknown} value */
  setAttribute(name, value) {
    const text = String(value);
    this.given.set(name, text);
    if (name === "class") this.classNames = text.split(" ").filter(Boolean);
  }
  /** @param {string} name */
  removeAttribute(name) {
    this.given.delete(name);
  }
  /** @param {string} name @param {boolean} on */
  toggleAttribute(name, on) {
    if (on) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }
  /** @param {...(Element | Text | string)} children */
  append(...children) {
    for (const child of children) {
      if (child instanceof Element) child.parentElement = this;
      this.childNodes.push(typeof child === "string" ? new Text(child) : child);
    }
  }
}

/** @type {WeakMap<Element, () => void>} */
const watchers = new WeakMap();

class ResizeObserver {
  /** @param {() => void} run */
  constructor(run) {
    this.run = run;
  }
  /** @param {Element} element */
  observe(element) {
    watchers.set(element, this.run);
  }
  disconnect() {}
}

/** Set the size of an element, and notify its observers. @param {Element} element @param {number} width @param {number} height */
export function resize(element, width, height) {
  element.clientWidth = width;
  element.clientHeight = height;
  watchers.get(element)?.();
}

const make = (/** @type {string} */ tag) => new Element(tag);

Object.assign(globalThis, {
  Element,
  ResizeObserver,
  document: { createElement: make, createElementNS: (/** @type {string} */ _, /** @type {string} */ tag) => make(tag) },
  matchMedia: () => ({ matches: false }),
  SVGElement: Element,
  window: { cancelAnimationFrame() {} },
});
