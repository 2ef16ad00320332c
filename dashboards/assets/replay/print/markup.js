// @ts-check
// Elements as markup without a browser: their attributes, with custom properties replaced by the colours of a scheme.

import { escaped } from "../drawing/markup.js";

/** @typedef {import("./dom.js").Element} Element */
/** Values that an element inherits: custom properties and paint attributes. @typedef {Record<string, string>} Inherited */

const SHAPES = new Set(["path", "line", "polyline", "polygon", "rect", "circle", "ellipse"]);
const DROPPED = new Set(["style", "role", "tabindex", "aria-hidden", "aria-label", "display", "color", "text-transform"]);
const SCALED = /calc\((\S+)px \* (\S+)\)/g;
/** Properties that the boards set as styles, because they change often. */
const STYLED = new Set(["transform", "font-size"]);
const CLEAR = new Set(["none", "transparent"]);

/** @param {string} text @param {Inherited} inherited */
export function resolved(text, inherited) {
  const put = text.replace(/var\((--[\w-]+)(?:, ([^()]+))?\)/g, (_, name, fallback) => {
    const value = inherited[name] ?? fallback;
    if (value === undefined) throw new Error(`no scheme has the property ${name}`);
    return value;
  });
  const scaled = put.replace(SCALED, (_, length, scale) => String(Number((Number(length) * Number(scale)).toFixed(3))));
  return scaled === "currentColor" ? inherited.color : scaled;
}

/** Values that an element's children inherit. @param {Element} element @param {Inherited} inherited @returns {Inherited} */
export function within(element, inherited) {
  const own = { ...inherited };
  for (const [name, value] of element.style.declared()) if (name.startsWith("--")) own[name] = resolved(value, own);
  const seat = element.classNames.find((name) => /^seat-\d$/.test(name));
  if (seat) own["--seat"] = resolved(`var(--${seat})`, own);
  for (const name of ["color", "fill", "stroke", "text-transform"]) {
    const value = element.getAttribute(name);
    if (value !== null) own[name] = resolved(value, own);
  }
  return own;
}

/** An element and its content as markup; `place` has attributes that replace the element's own. @param {Element} element @param {Inherited} inherited @param {string} [place] @returns {string} */
export function markup(element, inherited, place = "") {
  const name = element.tagName;
  if (element.getAttribute("display") === "none") return "";
  const own = within(element, inherited);
  const isClear = CLEAR.has(own.stroke) && (name === "line" || CLEAR.has(own.fill));
  if (SHAPES.has(name) && (isClear || (name === "path" && !element.getAttribute("d")))) return "";
  let written = place;
  // Renderers such as resvg and WeasyPrint do not inherit this attribute.
  if (name === "text" && !element.getAttribute("dominant-baseline")) written += ' dominant-baseline="central"';
  for (const [attribute, value] of place ? [] : element.given) {
    if (!DROPPED.has(attribute)) written += ` ${attribute}="${escaped(resolved(value, own))}"`;
  }
  for (const [property, value] of element.style.declared()) {
    if (STYLED.has(property)) written += ` ${property}="${escaped(value.replaceAll("px", ""))}"`;
  }
  const isUpper = own["text-transform"] === "uppercase";
  const inside = element.childNodes
    .map((child) => ("data" in child ? escaped(isUpper ? child.data.toUpperCase() : child.data) : markup(child, own)))
    .join("");
  return name === "clipPath" && !inside ? "" : `<${name}${written}>${inside}</${name}>`;
}
