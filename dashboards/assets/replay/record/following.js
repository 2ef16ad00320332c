// @ts-check
// Follows a recording: checks it once a second, sooner while a program decides, immediately when the page is visible again.

import { records } from "./records.js";

/** @typedef {import("./records.js").Stamped} Stamped */
/** @typedef {import("../panels/server.js").Refused} Refused */

const USUALLY = 1000;
const SOON = 300;
const GONE = 404;

/**
 * @param {string} id
 * @param {{
 *   seat: () => number | null, mayLook: () => boolean, hear: (found: Stamped) => void,
 *   lost: (error: Error) => void, found: () => void, gone: (why: string) => void
 * }} asks `mayLook`: false while an entry is being sent, since its answer is newer; `lost`: the server does not answer
 */
export function createFollowing(id, { seat, mayLook, hear, lost, found, gone }) {
  const leaving = new AbortController();
  /** @type {string | null} */
  let stamp = null;
  /** Seat for which the stamp is valid; null for none. @type {number | null} */
  let stampOf = null;
  let timer = 0;
  let pace = USUALLY;
  let isLost = false;
  let last = Promise.resolve();

  /** @param {boolean} anyway true: even if nothing changed or an entry is being sent */
  async function look(anyway) {
    window.clearTimeout(timer);
    const viewer = seat();
    if (leaving.signal.aborted || (!anyway && (document.hidden || !mayLook()))) return again();
    try {
      const answer = await records.look(id, viewer, anyway || viewer !== stampOf ? null : stamp, leaving.signal);
      if (leaving.signal.aborted) return;
      if (isLost) found();
      isLost = false;
      if (answer && (anyway || mayLook())) hear(answer);
    } catch (error) {
      if (leaving.signal.aborted) return;
      const refused = /** @type {Refused} */ (error);
      if (refused.status === GONE) {
        leaving.abort();
        return gone(refused.message);
      }
      isLost = true;
      lost(refused);
    }
    again();
  }
  /** @param {boolean} anyway */
  const next = (anyway) => (last = last.then(() => look(anyway)));
  function again() {
    window.clearTimeout(timer);
    if (!leaving.signal.aborted) timer = window.setTimeout(() => void next(false), pace);
  }
  document.addEventListener("visibilitychange", () => void (document.hidden || next(false)), { signal: leaving.signal });
  return {
    /** Check now. */
    now: () => next(true),
    start: again,
    /** Note the stamp of an answer received elsewhere. @param {string | null} newStamp @param {number | null} viewer */
    heard(newStamp, viewer) {
      [stamp, stampOf] = [newStamp, viewer];
    },
    /** Check sooner while a fast player, such as a program, is about to decide. @param {boolean} yes */
    soon(yes) {
      const wanted = yes ? SOON : USUALLY;
      if (wanted === pace) return;
      pace = wanted;
      again();
    },
    stop() {
      leaving.abort();
      window.clearTimeout(timer);
    },
  };
}
