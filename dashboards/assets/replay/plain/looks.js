// @ts-check
// The look of a position as text.

/** @type {Record<string, import("../drawing/looks.js").Look>} */
export const PLAIN_LOOKS = {
  "plain-line": { fill: "var(--text)", "font-family": "var(--font-mono)", "text-anchor": "start" },
};
