// @ts-check
// Names of moments of a match by their round.

/**
 * The name of a frame's round; "" in a game that counts none.
 * @param {import("../scene.js").Scene} scene
 * @returns {(frame: number) => string}
 */
export function roundOf({ rounds, terms }) {
  const before = rounds.some(Boolean) ? "Set-up" : "";
  return (frame) => (rounds[frame] ? `${terms.round} ${rounds[frame]}` : before);
}
