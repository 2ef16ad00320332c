// @ts-check
// Recordings on the server: begin, follow, write. The server decides what is allowed and what follows.

import { urlOf } from "../drawing/dom.js";
import { Refused, answered, ask, dataOf } from "../panels/server.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Then} Then */
/** A session, and a stamp that changes with this browser's view of it. @typedef {{draft: Draft, stamp: string | null}} Stamped */

const RECORDS = urlOf("/api/records");
const NOT_CHANGED = 304;

/** @param {string} id @param {string} [part] */
export const recordAddress = (id, part = "") => `${RECORDS}/${encodeURIComponent(id)}${part}`;
/** The page of a recording. @param {string} id */
export const pageOf = (id) => urlOf(`/record?${new URLSearchParams({ draft: id })}`);
/** The seat to request choices for, if several may act. @param {number | null} seat */
const as = (seat) => (seat === null ? "" : `?seat=${seat}`);

/** @param {Response} response @returns {Promise<Stamped>} */
const stamped = async (response) => ({ draft: await dataOf(response), stamp: response.headers.get("ETag") });
/** @param {string} address @param {object} body */
const post = async (address, body) => stamped(await answered("POST", address, body));

export const records = {
  /** @returns {Promise<{records: import("./draft.js").ListedDraft[]}>} */
  list: () => ask("GET", RECORDS),
  /** @param {import("./draft.js").SetUp} setup */
  begin: (setup) => post(RECORDS, setup),
  /** @param {string} id @param {number} expects @param {number | null} seat @param {Then} then */
  act: (id, expects, seat, then) => post(recordAddress(id, `/actions${as(seat)}`), { expects, ...then }),
  /** Undo all but a number of entries. @param {string} id @param {number} expects @param {number} to */
  undo: (id, expects, to) => post(recordAddress(id, "/undo"), { expects, to }),
  /** @param {string} id @param {number} seat @param {string} name */
  take: (id, seat, name) => post(recordAddress(id, "/seats"), { seat, name }),
  /** @param {string} id @param {number} expects */
  handIn: (id, expects) => post(recordAddress(id, "/hand-in"), { expects }),
  /** @param {string} id @param {import("../panels/branch-server.js").Action} action @returns {Promise<import("../panels/branch-server.js").Checked>} */
  check: (id, action) => ask("POST", recordAddress(id, "/check"), { action }),
  /** State of a submitted log. @param {string} receipt @returns {Promise<{status: string}>} */
  receipt: (receipt) => ask("GET", urlOf(`/api/logs/${encodeURIComponent(receipt)}`)),
  /** @param {string} id */
  remove: (id) => ask("DELETE", recordAddress(id)),
  /**
   * Read a recording; null if nothing has changed since `stamp`.
   * @param {string} id @param {number | null} seat @param {string | null} stamp @param {AbortSignal} signal
   * @returns {Promise<Stamped | null>}
   */
  async look(id, seat, stamp, signal) {
    /** @type {Record<string, string>} */
    const headers = stamp ? { "If-None-Match": stamp } : {};
    try {
      return await stamped(await answered("GET", recordAddress(id) + as(seat), undefined, headers, signal));
    } catch (error) {
      if (error instanceof Refused && error.status === NOT_CHANGED) return null;
      throw error;
    }
  },
};
