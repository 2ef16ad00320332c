// @ts-check
// The review of a match. It is loaded after the first board is drawn, chances first if they are available alone, and
// listeners are called. Chances are stored by frame, so that drawing a frame only reads them.

import { inPercent, nameOf } from "../drawing/chances.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../review.js").Review} Review */
/** @typedef {import("../review.js").Alternative} Alternative */
/** @typedef {import("./source.js").Source} Source */
/** @typedef {import("../review.js").Playouts} Playouts */
/** @typedef {import("../review.js").Confirmation} Confirmation */
/** @typedef {import("../parts.js").Chances} Chances */
/** @typedef {import("../parts.js").Reviewing} Reviewing */

/**
 * Chances by frame and seat. Chances after a decision apply from its last frame on; initial chances apply before the
 * first decision.
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
 * True if an alternative is clearly better: by at least the model's error, and in all but a few samples.
 * @param {Alternative} found
 * @param {number} error
 */
const isClear = ({ cost, low }, error) => low > 0 && cost >= error;

/** A review without causes of changes. @param {import("../review.js").ChancesAlone} found @returns {Review} */
function without({ not_valued, model, chances }) {
  const named = model && { name: model.name, quality: { calibration_error: model.calibration_error } };
  return { not_valued, model: named, chances, moments: [], changes: [], split: [], judgements: [], story: null };
}

/** An error's sentence without its full stop, to be continued. @param {unknown} error */
const plain = (error) => /** @type {Error} */ (error).message.replace(/\.$/, "");

/**
 * The chances of a branch by the model: those of its match up to where it leaves, then its own. Null if either has none.
 * @param {import("../panels/branch-server.js").Answer} answer @param {Chances | null} match @returns {Chances | null}
 */
export function chancesOfBranch({ scene, from, chances }, match) {
  if (!match || !chances.length) return null;
  const before = match.review.chances.filter(({ seq }) => seq <= from);
  const review = { ...match.review, chances: [...before, ...chances.filter(({ seq }) => seq > from)], moments: [], judgements: [] };
  return laidOut(scene, review, false, null);
}

/** Milliseconds between two requests for the result of playouts. */
const PATIENCE = 2000;

/** The chances of a review; from the first playout on, those of playouts replace the model's. @param {Review} review @param {Playouts | null} played */
function decidedBy({ chances }, played) {
  if (!played?.chances.length) return chances;
  return [...chances.filter(({ seq }) => seq < played.chances[0].seq), ...played.chances];
}

/** @param {Scene} scene @param {Review} review @param {boolean} isWhole @param {Playouts | null} played @returns {Chances | null} */
function laidOut(scene, review, isWhole, played) {
  if (!review.model || !review.chances.length) return null;
  const seats = scene.seats.length;
  const error = review.model.quality.calibration_error;
  const all = byFrame(scene, decidedBy(review, played));
  const modelled = played?.chances.length ? byFrame(scene, review.chances) : all;
  const percents = Array.from(all, inPercent);
  const moments = [...review.moments, ...review.changes].map((moment) => {
    const { alternative } = moment;
    return { ...moment, alternative: alternative && isClear(alternative, error) ? alternative : null };
  });
  moments.sort((one, other) => one.since - other.since || one.seq - other.seq);
  const clear = review.judgements.filter((judged) => isClear(judged, error));
  const better = new Map(clear.map((judged) => [nameOf(judged), judged]));
  return {
    review,
    isWhole,
    of: (frame, seat) => all[frame * seats + seat],
    percent: (frame, seat) => percents[frame * seats + seat],
    byModel: (frame) => [...modelled.subarray(frame * seats, (frame + 1) * seats)],
    error: (100 * error).toFixed(1),
    playedOut: played?.chances.length
      ? { from: played.chances[0].seq, samples: played.samples, error: (100 * played.error).toFixed(0) }
      : null,
    moments,
    better,
  };
}

/**
 * The last review of each source's match, with the round of the match at that time.
 * @type {WeakMap<Source, {view: string | null, review: Review, round: number, played: Playouts | null}>}
 */
const earlier = new WeakMap();

/**
 * @param {Scene} scene
 * @param {Source} source
 * @param {{view: string | null, at: () => number, hidesFuture: () => boolean}} player
 * @param {AbortSignal} leaving
 * @returns {Reviewing}
 */
export function createReviewing(scene, source, { view, at, hidesFuture }, leaving) {
  const { chances: loadChances, review: loadReview } = source;
  const last = earlier.get(source);
  const stored = last?.view === view ? last : null;
  const round = scene.rounds[scene.rounds.length - 1];
  /** In a live match, the causes of changes are requested again after each round. */
  const isRecent = scene.status === "live" && stored?.round === round;
  /** @type {(() => void)[]} */
  const listening = [];
  /** @type {Review | null} */
  let latest = stored?.review ?? null;
  let played = stored?.played ?? null;
  let found = stored && laidOut(scene, stored.review, true, played);
  let why = "Chances are being worked out …";
  /** Results of playing out better decisions, by event. @type {Map<number, Confirmation>} */
  const checked = new Map();

  /** @param {Review} review @param {boolean} isWhole */
  function take(review, isWhole) {
    latest = review;
    found = laidOut(scene, review, isWhole, played);
    why = review.not_valued ? `Chances not valued: ${review.not_valued}.` : "Key moments are being worked out …";
    notify();
  }
  function notify() {
    if (!leaving.aborted) for (const run of listening) run();
  }
  /** @param {NonNullable<typeof loadReview>} loadReview */
  async function ask(loadReview) {
    try {
      const alone = loadChances && without(await loadChances(leaving));
      if (alone) take(stored ? { ...stored.review, chances: alone.chances } : alone, stored !== null);
      if (alone && isRecent) return;
      const review = await loadReview(view, leaving);
      take(review, true);
      earlier.set(source, { view, review, round, played });
      if (found && scene.status === "finished") await look(false);
    } catch (error) {
      why = `${found ? "No key moments" : "No chances"}: ${/** @type {Error} */ (error).message}`;
      notify();
    }
  }
  /** Read or request playouts, until none are in progress. @param {boolean} ask */
  async function look(ask) {
    const { playouts } = source;
    if (!playouts || played?.state === "done") return;
    try {
      played = await playouts(ask, leaving);
      while (played.state === "waiting" && !leaving.aborted) {
        notify();
        await new Promise((wake) => window.setTimeout(wake, PATIENCE));
        played = await playouts(false, leaving);
      }
    } catch (error) {
      if (leaving.aborted) return;
      played = { state: "impossible", reason: plain(error), samples: 0, error: 0, chances: [] };
    }
    const last = earlier.get(source);
    if (last) earlier.set(source, { ...last, played });
    if (latest) take(latest, true);
  }
  // After two animation frames the board has been painted.
  const painted = (/** @type {() => void} */ run) => window.requestAnimationFrame(() => window.requestAnimationFrame(run));
  if (scene.review && loadReview) painted(() => leaving.aborted || ask(loadReview));
  return {
    offered: Boolean(scene.review && loadReview),
    found: () => found,
    story: () => latest?.story ?? null,
    why: () => why,
    stop: ({ since, seq, by }) => (by < 0 || hidesFuture() ? seq : since),
    isShown: ({ seq }) => !hidesFuture() || seq <= at(),
    better(name) {
      const better = found?.better.get(name ?? "");
      return better && (!hidesFuture() || better.shown <= at()) ? better : null;
    },
    playouts: () => played,
    playOut: () => look(true),
    offersChecks: source.confirmation !== null,
    checked: (seq) => checked.get(seq) ?? null,
    async check(seq, ask, hear) {
      const { confirmation } = source;
      if (!confirmation || checked.get(seq)?.state === "done") return;
      /** @param {boolean} ask */
      const take = async (ask) => {
        const answer = await confirmation(seq, ask, leaving);
        checked.set(seq, answer);
        hear();
        return answer.state === "waiting";
      };
      try {
        let waits = await take(ask);
        while (waits && !leaving.aborted) {
          await new Promise((wake) => window.setTimeout(wake, PATIENCE));
          waits = await take(false);
        }
      } catch (error) {
        checked.set(seq, { state: "impossible", reason: plain(error), is_confirmed: false, text: null });
        hear();
      }
    },
    on: (run) => listening.push(run),
  };
}
