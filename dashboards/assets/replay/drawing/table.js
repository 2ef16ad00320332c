// @ts-check
// Create a table with fixed row names and changing values.

import { html, textOf } from "./dom.js";

/**
 * @param {string} caption
 * @param {string[]} heads
 * @param {string[]} names
 */
export function table(caption, heads, names) {
  /** @type {((text: string) => void)[][]} */
  const cells = [];
  const rows = names.map((name) => {
    const row = html("tr", {}, html("th", { scope: "row" }, name));
    cells.push(
      heads.slice(1).map(() => {
        const cell = html("td");
        row.append(cell);
        return textOf(cell);
      }),
    );
    return row;
  });
  const element = html(
    "table",
    {},
    html("caption", {}, caption),
    html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
    html("tbody", {}, ...rows),
  );
  return { element, cells };
}
