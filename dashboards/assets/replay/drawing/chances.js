// @ts-check
// Chances of winning in words and figures.

const WHOLE = Array.from({ length: 101 }, (_, percent) => String(percent));
const LEAST = 0.005;

/** A chance in whole per cent; only certain outcomes show as 0 or 100. @param {number} chance */
export function inPercent(chance) {
  if (chance > 0 && chance < LEAST) return "<1";
  if (chance < 1 && chance >= 1 - LEAST) return ">99";
  return WHOLE[Math.round(100 * chance)];
}

/** A whole number with its sign. @param {number} points */
const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

/** A fraction in whole percentage points, with its sign. @param {number} part */
export const signedPoints = (part) => signed(Math.round(100 * part));

/** The difference of two chances in points: that of the whole per cents shown next to it. @param {number} from @param {number} to */
export const pointsBetween = (from, to) => signed(Math.round(100 * to) - Math.round(100 * from));

/**
 * Margin of error of the chances in a frame, in a sentence.
 * @param {import("../parts.js").Chances} chances
 * @param {number} at
 */
export function trustIn({ error, playedOut }, at) {
  return playedOut && at >= playedOut.from
    ? `Played out ${playedOut.samples} times by the players of the match; standard error at most ${playedOut.error} points.`
    : `By the model, off by ${error} points on average.`;
}

/** The name of a decision in the address. @param {{seq: number, seat: number}} decision */
export const nameOf = ({ seq, seat }) => `${seq}.${seat + 1}`;
