// @ts-check
// The next entry that is expected, in words and in the notation of the table; texts in which the notation is marked.

import { html } from "../drawing/dom.js";

const LONG = 60;
/** How one kind of action is written: in words, and by its pattern. @typedef {{hint: string, pattern: string}} Way */

/**
 * The ways to write the next entry, from a sentence of the server: the seat to choose, then hints,
 * each with its pattern between backticks.
 * @param {string} expected
 * @returns {Way[]}
 */
export function waysOf(expected) {
  const notations = expected.slice(expected.indexOf(": ") + 2);
  return notations.split(/(?<=`), or /).map((part) => {
    const found = /^(.*?)\s*`([^`]*)`$/s.exec(part);
    return found ? { hint: found[1], pattern: found[2] } : { hint: part, pattern: "" };
  });
}

/** A text with its notation between backticks. @param {string} text */
export const marked = (text) => text.split("`").map((part, i) => (i % 2 ? html("code", {}, part) : part));

/** A text without the backticks around its notation, for screen readers. @param {string} text */
export const unmarked = (text) => text.replaceAll("`", "");

/** @param {string} text */
export const tidy = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

/** The first entry in the field, without its seat and the entries after it. @param {string} text */
export const firstOf = (text) => tidy(text.split(";")[0].replace(/^\s*\d\s*:/, ""));

/** True if the words typed are the starts of words of a text, in the same order; numbers must match whole. @param {string} typed @param {string} text */
function inOrder(typed, text) {
  const [query, there] = [typed, text].map((each) => each.toLowerCase().split(/[^\p{L}\p{N}?]+/u).filter(Boolean));
  let from = 0;
  return query.every((word) => {
    const found = there.findIndex((other, i) => i >= from && (/^\d+$/.test(word) ? other === word : other.startsWith(word)));
    from = found + 1;
    return found >= 0;
  });
}

/** True if a choice still fits the text in the field. @param {string} typed @param {import("../panels/branch-server.js").Choice} choice */
export function fits(typed, { written, text, after }) {
  const first = firstOf(typed);
  if (after) return first !== "" && inOrder(first.split(" ").slice(after).join(" "), written ?? "");
  return !first || (written !== undefined && firstOf(written).startsWith(first)) || inOrder(first, text);
}

/** True if a choice is exactly the text in the field. @param {string} typed @param {import("../panels/branch-server.js").Choice} choice */
export const isExactly = (typed, { written }) => written !== undefined && firstOf(written) === firstOf(typed);

/** A text for screen readers; a very long one, such as a tower of blocks, is cut. @param {string} text */
export const short = (text) => (text.length > LONG ? `${text.slice(0, LONG)} …` : text);

/** @param {number} count @param {string} one @param {string} many */
export const counted = (count, one, many) => `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** A date and time such as "3 Nov, 14:05 CET". @param {string} at */
export const momentOf = (at) =>
  new Date(at).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
