// @ts-check
// Sources of a scene: the server, the page itself (a replay in one file), or a log dropped on the page.

import { urlOf } from "../drawing/dom.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../review.js").Review} Review */
/** @typedef {import("../review.js").ChancesAlone} ChancesAlone */
/** @typedef {import("../review.js").Playouts} Playouts */
/** @typedef {import("../review.js").Confirmation} Confirmation */

/**
 * `stamp` changes with the scene. `review`, `chances`, `playouts` and `confirmation` (of the decision at an event) are
 * null if not available; `chances` also if only the review has them. `ask` starts playouts. `views` is true if single
 * seats' views are available, `shared` if the address leads to the match.
 * @typedef {{
 *   load: (view: string | null, signal: AbortSignal) => Promise<{scene: Scene, stamp: string | null}>,
 *   chances: ((signal: AbortSignal) => Promise<ChancesAlone>) | null,
 *   review: ((view: string | null, signal: AbortSignal) => Promise<Review>) | null,
 *   playouts: ((ask: boolean, signal: AbortSignal) => Promise<Playouts>) | null,
 *   confirmation: ((seq: number, ask: boolean, signal: AbortSignal) => Promise<Confirmation>) | null,
 *   api: (path: string) => string | null,
 *   views: boolean,
 *   shared: boolean,
 *   study?: import("../parts.js").Player["study"],
 *   branch?: import("../parts.js").Player["branch"],
 * }} Source
 */

/** Error for a refusal, in the server's words; `problems` are the lines of a log that the server would quarantine. */
export class Refusal extends Error {
  /** @param {string} message @param {{line: number, message: string}[]} [problems] */
  constructor(message, problems = []) {
    super(message);
    this.problems = problems;
  }
}

/** @param {Response} response */
export async function answerOf(response) {
  const text = await response.text();
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Refusal(response.ok ? "The server's answer cannot be read; try again in a moment." : `The server answered ${response.status}.`);
  }
  if (!response.ok) throw new Refusal(data.message ?? `The server answered ${response.status}.`, data.problems);
  return data;
}

/** @param {string} match @returns {Source} */
export function fromServer(match) {
  const base = urlOf(`/api/replay/${encodeURIComponent(match)}`);
  /** @param {string | null} view */
  const asView = (view) => (view ? `?view=${encodeURIComponent(view)}` : "");
  return {
    async load(view, signal) {
      const response = await fetch(base + asView(view), { signal });
      return { scene: await answerOf(response), stamp: response.headers.get("ETag") };
    },
    chances: async (signal) => answerOf(await fetch(`${base}/chances`, { signal })),
    review: async (view, signal) => answerOf(await fetch(`${base}/review${asView(view)}`, { signal, priority: "low" })),
    playouts: async (ask, signal) => answerOf(await fetch(`${base}/playouts`, { method: ask ? "POST" : "GET", signal })),
    confirmation: async (seq, ask, signal) => answerOf(await fetch(`${base}/confirmations/${seq}`, { method: ask ? "POST" : "GET", signal })),
    api: (path) => (path ? `${base}/${path}` : base),
    views: true,
    shared: true,
  };
}

/** @param {Scene} scene @param {Review | null} review @param {Playouts | null} played @param {boolean} shared @returns {Source} */
export function fromHere(scene, review, played, shared) {
  return {
    load: async () => ({ scene, stamp: null }),
    chances: null,
    review: review && (async () => review),
    playouts: played && (async () => played),
    confirmation: null,
    api: () => null,
    views: false,
    shared,
  };
}
