// @ts-check
// Moving through a match: the clock that plays it, and the moves that buttons and keys request.

import { roundStarts } from "../panels/chart.js";

/** @typedef {import("../scene.js").Scene} Scene */

export const EVENTS_A_SECOND = 3;
const MOST_STEPS_A_FRAME = 4;
const CALM = 4;

/**
 * A clock that steps at a set pace until it is stopped.
 * @param {(steps: number, glide: boolean) => boolean} advance returns whether there is more to come
 * @param {(running: boolean) => void} changed
 */
export function createClock(advance, changed) {
  let request = 0;
  let speed = 1;
  let due = 0;
  const pace = () => 1000 / (EVENTS_A_SECOND * speed);
  function stop() {
    if (!request) return;
    window.cancelAnimationFrame(request);
    request = 0;
    changed(false);
  }
  /** @param {number} time */
  function tick(time) {
    request = window.requestAnimationFrame(tick);
    if (time < due) return;
    const steps = Math.min(1 + Math.floor((time - due) / pace()), MOST_STEPS_A_FRAME);
    due = Math.max(due + steps * pace(), time);
    if (!advance(steps, speed <= CALM)) stop();
  }
  return {
    stop,
    running: () => request > 0,
    start() {
      due = performance.now() + pace();
      request = window.requestAnimationFrame(tick);
      changed(true);
    },
    /** @param {number} next */
    speed: (next) => (speed = next),
  };
}

/**
 * The moves that buttons and keys request.
 * @param {Scene} scene
 * @param {number[]} ends the last frame of each moment
 * @param {() => number} at
 * @param {(frame: number, glide?: boolean) => void} go
 * @param {import("../parts.js").Reviewing} reviewing
 */
export function createMoves(scene, ends, at, go, reviewing) {
  const last = scene.frames.length - 1;
  const rounds = roundStarts(scene).map((round) => round.at);
  const keyEvents = ends.filter((_, i) => scene.moments[i].key);
  /** Key moments; if none are known, key events. */
  function stops() {
    const chances = reviewing.found();
    return chances?.isWhole ? chances.moments.map(reviewing.stop).sort((a, b) => a - b) : keyEvents;
  }
  return {
    step: (/** @type {number} */ by) => go(at() + by, true),
    round(/** @type {number} */ by) {
      const next = rounds.find((start) => start > at()) ?? last;
      const before = rounds.filter((start) => start < at()).pop() ?? 0;
      go(by > 0 ? next : before);
    },
    key(/** @type {number} */ by) {
      const target = by > 0 ? stops().find((stop) => stop > at()) : stops().findLast((stop) => stop < at());
      if (target !== undefined) go(target);
    },
    toStart: () => go(0),
    toEnd: () => go(last),
  };
}
