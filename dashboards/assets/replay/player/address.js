// @ts-check
// Where in the match a link points: `ply=57` is the position after ply 57, `ply=57.3` after the third event of it.

/** @param {number[]} plies the ply of each frame */
export function plyNames(plies) {
  let first = 0;
  return plies.map((ply, frame) => {
    if (frame === 0 || plies[frame - 1] !== ply) first = frame;
    return plies[frame + 1] === ply ? `${ply}.${frame - first + 1}` : `${ply}`;
  });
}

/**
 * The frame that a ply of an address means; beyond the last ply, the end.
 * @param {string | null} text
 * @param {number[]} plies
 */
export function frameAt(text, plies) {
  const [ply, event] = (text ?? "").split(".").map((part) => Number.parseInt(part, 10));
  if (!Number.isFinite(ply) || ply < 0) return 0;
  const first = plies.findIndex((each) => each >= ply);
  if (first < 0) return plies.length - 1;
  let last = first;
  while (plies[last + 1] === plies[first]) last += 1;
  return Number.isFinite(event) && event > 0 ? Math.min(first + event - 1, last) : last;
}
