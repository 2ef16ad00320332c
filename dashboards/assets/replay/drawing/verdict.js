// @ts-check
// Result of a seat in a few words; for a live match, the result if it ended now.

/**
 * @param {import("../scene.js").Ending} ending
 * @param {number} seat
 * @returns {{how: "out" | "win" | "", text: string}}
 */
export function verdictOf({ over, out, win }, seat) {
  const gone = out.find(([each]) => each === seat);
  if (gone) return { how: "out", text: over ? `out: ${gone[1]}` : "would be out" };
  if (!win.includes(seat)) return { how: "", text: "" };
  if (win.length > 1) return { how: "win", text: over ? "shared the win" : "would share" };
  return { how: "win", text: over ? "won" : "would win" };
}
