// @ts-check
// Values of style sheets worked out: custom properties, lengths, products, mixed colours. Colours are #rrggbb, lengths
// are numbers of pixels.

import { split } from "./selectors.js";

const FUNCTION = /\b(calc|color-mix)\(/;
const LENGTH = /(-?\d*\.?\d+)(px|em)\b/g;
const FACTOR = /^(-?\d*\.?\d+)(px|%)?$/;

/** @param {number} value */
const short = (value) => String(Number(value.toFixed(3)));

/** Where the bracket that opens at a place closes. @param {string} text @param {number} from */
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")" && (depth -= 1) === 0) return at;
  }
  throw new Error(`a bracket is open in ${text}`);
}

/** A value with custom properties in their places. @param {string} value @param {Record<string, string>} custom @returns {string} */
export function substituted(value, custom) {
  const at = value.indexOf("var(");
  if (at < 0) return value;
  const end = closing(value, at + 3);
  const [name, ...otherwise] = split(value.slice(at + 4, end), ",");
  const found = custom[name] ?? substituted(otherwise.join(", "), custom);
  return substituted(value.slice(0, at) + found + value.slice(end + 1), custom);
}

/** A value without functions and units. @param {string} value @param {() => string} size how large an em is @returns {string} */
export function resolved(value, size) {
  const found = FUNCTION.exec(value);
  if (found) {
    const open = found.index + found[0].length - 1;
    const end = closing(value, open);
    const inside = resolved(value.slice(open + 1, end), size);
    const made = found[1] === "calc" ? product(inside) : mixed(inside);
    return resolved(value.slice(0, found.index) + made + value.slice(end + 1), size);
  }
  return value.replace(LENGTH, (_, number, unit) => (unit === "em" ? short(Number(number) * Number(size())) : number));
}

/** The only sums there are in drawings are products. @param {string} text */
function product(text) {
  const factors = split(text, "*").map((part) => FACTOR.exec(part));
  if (factors.includes(null)) throw new Error(`calc(${text}) is not understood`);
  const value = factors.reduce((all, factor) => all * Number(factor?.[1]), 1);
  return short(value) + (factors.some((factor) => factor?.[2] === "%") ? "%" : "");
}

/** @param {string} colour @returns {[number, number, number, number]} red, green, blue, opacity */
function channels(colour) {
  if (colour === "transparent") return [0, 0, 0, 0];
  const digits = /^#([0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!digits) throw new Error(`the colour ${colour} is not understood`);
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  return [red, green, blue, 1];
}

/** `in srgb, <colour> 45%, <colour>` @param {string} text */
function mixed(text) {
  const [space, first, second] = split(text, ",");
  const [colour, share] = split(first, " ");
  if (space !== "in srgb" || !share || !second) throw new Error(`color-mix(${text}) is not understood`);
  const part = Number.parseFloat(share) / 100;
  const [a, b] = [channels(colour), channels(second)];
  const opacity = a[3] * part + b[3] * (1 - part);
  const [red, green, blue] = [0, 1, 2].map((at) =>
    opacity ? Math.round((a[at] * a[3] * part + b[at] * b[3] * (1 - part)) / opacity) : 0,
  );
  if (opacity < 1) return `rgba(${red}, ${green}, ${blue}, ${short(opacity)})`;
  return `#${[red, green, blue].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
