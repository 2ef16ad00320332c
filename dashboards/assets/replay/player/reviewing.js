// @ts-check
// The review of a match: it is asked for when the first board is there, and told to whoever listens. Chances are laid out
// frame by frame once, so that a frame costs no more than reading them.

import { inPercent, nameOf } from "../drawing/chances.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../scene.js").Review} Review */
/** @typedef {import("../scene.js").KeyMoment} KeyMoment */
/** @typedef {import("../scene.js").Alternative} Alternative */
/** @typedef {import("./source.js").Source} Source */
/** @typedef {import("../parts.js").Chances} Chances */
/** @typedef {import("../parts.js").Reviewing} Reviewing */

/**
 * Chances by frame and seat. A decision's are known with its last frame; before the first there are those of the start.
 * @param {Scene} scene
 * @param {Review["chances"]} decided
 */
function byFrame(scene, decided) {
  const seats = scene.seats.length;
  const all = new Float64Array(scene.frames.length * seats);
  let next = 0;
  for (let frame = 0; frame < scene.frames.length; frame += 1) {
    while (next + 1 < decided.length && decided[next + 1].seq <= frame) next += 1;
    all.set(decided[next].chances, frame * seats);
  }
  return all;
}

/**
 * Whether an alternative is worth naming: better by more than the model's error, and in all but a few samples.
 * @param {Alternative} found
 * @param {number} error
 */
const isClear = ({ cost, low }, error) => low > 0 && cost >= error;

/** @param {Scene} scene @param {Review} review @returns {Chances | null} */
function laidOut(scene, review) {
  if (!review.model || !review.chances.length) return null;
  const seats = scene.seats.length;
  const error = review.model.quality.calibration_error;
  const all = byFrame(scene, review.chances);
  const percents = Array.from(all, inPercent);
  const moments = review.moments.map((moment) => {
    const { alternative } = moment;
    return { ...moment, alternative: alternative && isClear(alternative, error) ? alternative : null };
  });
  const clear = review.judgements.filter((judged) => isClear(judged, error));
  const better = new Map(clear.map((judged) => [nameOf(judged), judged]));
  return {
    review,
    of: (frame, seat) => all[frame * seats + seat],
    percent: (frame, seat) => percents[frame * seats + seat],
    error: (100 * error).toFixed(1),
    moments,
    better,
  };
}

/** What was known last of the match of a source: one that goes on has it until its next review. @type {WeakMap<Source, {view: string | null, review: Review}>} */
const earlier = new WeakMap();

/**
 * @param {Scene} scene
 * @param {Source} source
 * @param {{view: string | null, at: () => number, hidesFuture: () => boolean}} player
 * @param {AbortSignal} leaving
 * @returns {Reviewing}
 */
export function createReviewing(scene, source, { view, at, hidesFuture }, leaving) {
  const load = source.review;
  const known = earlier.get(source);
  /** @type {(() => void)[]} */
  const listening = [];
  let found = known?.view === view ? laidOut(scene, known.review) : null;
  let why = "Chances are being worked out …";

  /** @param {NonNullable<typeof load>} load */
  async function ask(load) {
    try {
      const review = await load(view, leaving);
      earlier.set(source, { view, review });
      found = laidOut(scene, review);
      why = `Chances not valued: ${review.not_valued}.`;
    } catch (error) {
      why = `No chances: ${/** @type {Error} */ (error).message}`;
    }
    if (!leaving.aborted) for (const run of listening) run();
  }
  // Two frames later the board has been painted.
  const painted = (/** @type {() => void} */ run) => window.requestAnimationFrame(() => window.requestAnimationFrame(run));
  if (scene.review && load) painted(() => leaving.aborted || ask(load));
  return {
    offered: Boolean(scene.review && load),
    found: () => found,
    why: () => why,
    stop: ({ since, seq, by }) => (by < 0 || hidesFuture() ? seq : since),
    told: ({ seq }) => !hidesFuture() || seq <= at(),
    better(name) {
      const better = found?.better.get(name ?? "");
      return better && (!hidesFuture() || better.shown <= at()) ? better : null;
    },
    on: (run) => listening.push(run),
  };
}
