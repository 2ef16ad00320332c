// @ts-check
// Drawn elements as markup, with their computed styles written out.

/** Properties that an element inherits from its parent by default. */
const INHERITED = [
  ...["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-linecap", "stroke-linejoin"],
  ...["stroke-dasharray", "paint-order", "font-family", "font-size", "font-weight", "letter-spacing", "text-anchor"],
  "dominant-baseline",
];
/** Properties that are not inherited, and their defaults. @type {Record<string, string>} */
const OWN = { opacity: "1", transform: "none", "clip-path": "none", "text-decoration-line": "none" };
const SHAPES = new Set(["path", "line", "polyline", "polygon", "rect", "circle", "ellipse"]);
const KEPT = /^(?!(class|style|role|tabindex|aria-.*|display|transform|color|opacity|text-decoration|text-transform)$)/;
export const CLEAR = /^(none|transparent|rgba\(.*, 0\)|color\(.* \/ 0\))$/;

const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** @param {string} text */
export const escaped = (text) => text.replace(NOT_XML, "\ufffd").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A computed value in a form that SVG programs read: `rgb()`, not the `color()` that browsers use for mixed colours. @param {string} value */
export function resolved(value) {
  if (!value.startsWith("color(")) return value;
  const mixture = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(value);
  if (!mixture) return value;
  const [red, green, blue] = mixture.slice(1, 4).map((part) => Math.round(Number(part) * 255));
  return mixture[4] ? `rgba(${red}, ${green}, ${blue}, ${mixture[4]})` : `rgb(${red}, ${green}, ${blue})`;
}

/** @param {Element} element @param {CSSStyleDeclaration} style */
const unseen = (element, style) =>
  style.display === "none" ||
  (SHAPES.has(element.tagName) && CLEAR.test(style.stroke) && (element.tagName === "line" || CLEAR.test(style.fill))) ||
  (element.tagName === "path" && !element.getAttribute("d"));

/**
 * An element and its content as markup, with computed styles written out. `place`: attributes that replace the
 * element's own.
 * @param {Element} element
 * @param {Record<string, string>} above inherited properties
 * @param {{place?: string}} [how]
 * @returns {string}
 */
export function inlined(element, above, { place = "" } = {}) {
  const name = element.tagName;
  if (name === "title") return `<title>${escaped(element.textContent ?? "")}</title>`;
  const style = window.getComputedStyle(element);
  if (name !== "clipPath" && unseen(element, style)) return "";
  const own = { ...above };
  let written = place;
  for (const property of INHERITED) {
    own[property] = resolved(style.getPropertyValue(property));
    if (own[property] !== above[property]) written += ` ${property}="${escaped(own[property])}"`;
  }
  for (const [property, usual] of Object.entries(OWN)) {
    const value = resolved(style.getPropertyValue(property));
    const attribute = property === "text-decoration-line" ? "text-decoration" : property;
    if (value !== usual && !(place && property === "transform")) written += ` ${attribute}="${escaped(value)}"`;
  }
  const given = place ? [] : [...element.attributes].filter((attribute) => KEPT.test(attribute.name));
  for (const attribute of given) {
    if (attribute.name in own) continue;
    const placed = name === "circle" && /^(r|cx|cy)$/.test(attribute.name);
    const value = placed ? style.getPropertyValue(attribute.name) : attribute.value;
    written += ` ${attribute.name}="${escaped(value)}"`;
  }
  const inside = [...element.childNodes]
    .map((child) => {
      if (child instanceof Element) return inlined(child, own);
      const text = child.nodeType === Node.TEXT_NODE ? (child.textContent ?? "") : "";
      return escaped(style.textTransform === "uppercase" ? text.toUpperCase() : text);
    })
    .join("");
  if (name === "clipPath" && !inside) return "";
  return `<${name}${written}>${inside}</${name}>`;
}
