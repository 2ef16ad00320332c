// @ts-check
// Name the round of a frame.

/**
 * The name of a frame's round; "" in a game without rounds.
 * @param {import("../scene.js").Scene} scene
 * @returns {(frame: number) => string}
 */
export function roundOf({ rounds, terms }) {
  const before = rounds.some(Boolean) ? "Set-up" : "";
  return (frame) => (rounds[frame] ? `${terms.round} ${rounds[frame]}` : before);
}
