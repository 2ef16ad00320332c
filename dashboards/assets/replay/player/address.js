// @ts-check
// Positions of the match in a link: `ply=57` is the position after ply 57, `ply=57.3` after its third event.

/** @param {number[]} plies the ply of each frame */
export function plyNames(plies) {
  let first = 0;
  return plies.map((ply, frame) => {
    if (frame === 0 || plies[frame - 1] !== ply) first = frame;
    return plies[frame + 1] === ply ? `${ply}.${frame - first + 1}` : `${ply}`;
  });
}

const NAME = /^(\d{1,9})(?:\.(\d{1,9}))?$/;

/**
 * The frame for a ply in an address: the last frame for a ply beyond the end, the first for invalid text.
 * @param {string | null} text
 * @param {number[]} plies
 */
export function frameAt(text, plies) {
  const [, ply, event] = (NAME.exec(text ?? "") ?? []).map(Number);
  if (ply === undefined) return 0;
  const first = plies.findIndex((each) => each >= ply);
  if (first < 0) return plies.length - 1;
  let last = first;
  while (plies[last + 1] === plies[first]) last += 1;
  return event > 0 ? Math.min(first + event - 1, last) : last;
}

/**
 * A message on an invalid ply in an address, which names the frame shown instead; null if the ply is valid.
 * @param {string | null} text
 * @param {number[]} plies
 */
export function wrongPly(text, plies) {
  if (text === null) return null;
  const [, ply, event] = (NAME.exec(text) ?? []).map(Number);
  if (ply === undefined) return `“${text}” is not the number of a ply, so the start of the match is shown.`;
  const last = plies[plies.length - 1];
  if (ply > last) return `There is no ply ${ply}: ply ${last}, the last one, is shown.`;
  const events = plies.filter((each) => each === ply).length;
  return event > events ? `Ply ${ply} has no event ${event}: its last one is shown.` : null;
}
