// @ts-check
// What changed each seat's chances, by cause, round after round.

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../scene.js").Review} Review */
/** @typedef {import("../scene.js").Alternative} Alternative */

/** What causes are called, in their order: in few letters, and in full. @type {Record<string, [string, string]>} */
export const CAUSES = {
  "own move": ["own", "Own moves"],
  "a rival's move": ["rivals", "Rivals' moves"],
  "own plan": ["own", "Own plans"],
  "a rival's plan": ["rivals", "Rivals' plans"],
  "a trade": ["trades", "Trades that came to nothing, or that others made first"],
  dice: ["dice", "Dice"],
  drift: ["drift", "Drift: what the round changes if everybody plays as the reference player does"],
};

/** A part of one in points with one digit, and its sign. @param {number} part */
export function signed(part) {
  const points = (100 * Math.abs(part)).toFixed(1);
  return points === "0.0" ? points : `${part > 0 ? "+" : "−"}${points}`;
}

/**
 * The rounds of a review: when each is over, what it changed, and what plans cost as they could be judged then.
 * @param {Scene} scene
 * @param {Review} review
 */
export function splitByRound(scene, review) {
  const causes = Object.keys(CAUSES).filter((cause) => review.split.some((share) => cause in share.causes));
  const rounds = scene.summaries.map(({ round, at, end }) => ({
    round,
    at,
    end,
    /** By seat and cause. */
    changes: scene.seats.map((_, seat) => {
      const shares = review.split.filter((share) => share.round === round && share.seat === seat);
      return causes.map((cause) => shares.reduce((sum, share) => sum + (share.causes[cause] ?? 0), 0));
    }),
    judged: scene.seats.map((_, seat) => review.judgements.find((each) => each.round === round && each.seat === seat) ?? null),
  }));
  return { causes, start: review.chances[0].chances, rounds: rounds.filter(({ round }) => review.split.some((share) => share.round === round)) };
}

/** How many rounds are over in a frame. @param {{end: number}[]} rounds @param {number} frame */
export function roundsOver(rounds, frame) {
  let over = 0;
  while (over < rounds.length && rounds[over].end <= frame) over += 1;
  return over;
}

/**
 * What each cause changed for a seat in some rounds.
 * @param {ReturnType<typeof splitByRound>["rounds"]} rounds
 * @param {number} seat
 * @param {number} causes how many there are
 */
export function summed(rounds, seat, causes) {
  return Array.from({ length: causes }, (_, cause) => rounds.reduce((sum, { changes }) => sum + changes[seat][cause], 0));
}
