// @ts-check
// Split the changes of each seat's chances by cause and round.

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../review.js").Review} Review */
/** @typedef {import("../review.js").Alternative} Alternative */

/** The causes: their names in a review (`of`), a short name, and a full name. @type {{of: string[], short: string, name: string}[]} */
const COLUMNS = [
  { of: ["own plan", "own move"], short: "own", name: "Own plans, and own moves in the set-up" },
  { of: ["a rival's plan", "a rival's move"], short: "rivals", name: "Rivals' plans, and their moves in the set-up" },
  { of: ["a trade"], short: "trades", name: "Trades, and the rewards chosen for them" },
  { of: ["dice"], short: "dice", name: "What the dice decided" },
  { of: ["drift"], short: "drift", name: "The change if every seat had played like the reference player (planner)" },
];

/** A fraction in percentage points, with sign and one decimal. @param {number} part */
export function signed(part) {
  const points = (100 * Math.abs(part)).toFixed(1);
  return points === "0.0" ? points : `${part > 0 ? "+" : "−"}${points}`;
}

/**
 * The rounds of a review: each round's end, its changes, and what plans cost by the knowledge of the time.
 * @param {Scene} scene
 * @param {Review} review
 */
export function splitByRound(scene, review) {
  const causes = COLUMNS.filter(({ of }) => review.split.some((share) => of.some((cause) => cause in share.causes)));
  const numbers = [...new Set(review.split.map((share) => share.round))].sort((a, b) => a - b);
  const rounds = numbers.map((round) => ({
    round,
    at: scene.rounds.indexOf(round),
    end: scene.rounds.lastIndexOf(round),
    /** Changes by seat and cause. */
    changes: scene.seats.map((_, seat) => {
      const share = review.split.find((each) => each.round === round && each.seat === seat);
      return causes.map(({ of }) => of.reduce((sum, cause) => sum + (share?.causes[cause] ?? 0), 0));
    }),
    judged: scene.seats.map((_, seat) => review.judgements.find((each) => each.round === round && each.seat === seat) ?? null),
  }));
  return { causes, start: review.chances[0].chances, rounds };
}

/** Number of rounds that are over in a frame. @param {{end: number}[]} rounds @param {number} frame */
export function roundsOver(rounds, frame) {
  let over = 0;
  while (over < rounds.length && rounds[over].end <= frame) over += 1;
  return over;
}

/**
 * A seat's changes by cause, summed over rounds.
 * @param {ReturnType<typeof splitByRound>["rounds"]} rounds
 * @param {number} seat
 * @param {number} causes how many there are
 */
export function summed(rounds, seat, causes) {
  return Array.from({ length: causes }, (_, cause) => rounds.reduce((sum, { changes }) => sum + changes[seat][cause], 0));
}
