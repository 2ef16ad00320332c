// @ts-check
// Squares that one block move would open to a seat. They are requested once the playhead has rested for a moment, and
// cached.

import { afterQuiet } from "../drawing/dom.js";

const QUIET = 200;

/**
 * @param {NonNullable<import("../renderer.js").Asks["opens"]>} ask
 * @param {() => number | null} shown the frame that is shown
 * @param {() => void} come runs when an answer has arrived
 */
export function createOpened(ask, shown, come) {
  /** @type {Map<string, number[]>} */
  const cached = new Map();
  let [at, seat] = [-1, -1];
  const settled = afterQuiet(QUIET, async () => {
    if (at !== shown()) return;
    const key = `${at},${seat}`;
    if (cached.has(key)) return;
    cached.set(key, []);
    try {
      cached.set(key, await ask(at, seat));
      come();
    } catch {
      cached.delete(key); // the server may be unreachable for a while
    }
  });
  return {
    /** The opened nodes, empty before they are loaded. @param {number} frame @param {number} who @returns {number[]} */
    of(frame, who) {
      [at, seat] = [frame, who];
      const found = cached.get(`${frame},${who}`);
      if (!found) settled.ask();
      return found ?? [];
    },
    stop: settled.stop,
  };
}
