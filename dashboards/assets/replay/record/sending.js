// @ts-check
// Sends entries one after the other. Text typed while an entry is being sent waits. A refused entry goes back to the
// field with all entries after it. If the server does not answer, the entry is sent again until it does. A reload loses
// nothing: unsent entries are stored in this tab. The first of them may have arrived before the reload.

import { tabMemory } from "../drawing/dom.js";
import { Refused } from "../panels/server.js";
import { records } from "./records.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Then} Then */
/** `words` is the item's text in the field, "" if it was not typed. @typedef {{then: Then, words: string}} Item */

const CONFLICT = 409;
/** Statuses of a server that should be back soon; 0 means no answer. */
const AWAY = [0, 502, 503, 504];
const AGAIN = [500, 1000, 2000];
const BETWEEN = "; ";
/** Text of an entry that the server draws. */
export const DRAWN = "?";

const plain = (/** @type {string} */ text) => text.toLowerCase().replace(/^\s*\d\s*:/, "").replace(/\s+/g, " ").trim();

/**
 * @param {string} id
 * @param {{
 * draft: () => Draft, seat: () => number | null, read: () => Promise<void>, took: (found:
 * import("./records.js").Stamped, item: Item, more: boolean) => void, refused: (text: string, error: Refused) => void,
 * state: (waiting: number, lost: boolean) => void, complete: (item: Item) => Then }} asks `took`: `more` is true if
 * further items wait; `complete` turns an item into an entry just before it is sent; `refused` gets all unsent entries,
 * as text
 */
export function createSending(id, { draft, seat, read, took, refused, state, complete }) {
  const store = tabMemory(`record.${id}.unsent`);
  /** @type {{before: number, waiting: string[], typed: string}} entries before the first waiting one, the waiting ones, and the text in the field */
  const stored = JSON.parse(store.read() || '{"before": 0, "waiting": [], "typed": ""}');
  /** @type {Item[]} */
  let waiting = [];
  let typed = "";
  let isBusy = false;
  let isOver = false;

  const joined = (/** @type {string[]} */ ...texts) => texts.filter((text) => text.trim()).join(BETWEEN);
  function keep() {
    const isEmpty = !waiting.length && !typed.trim();
    store.write(isEmpty ? "" : JSON.stringify({ before: draft().entries.length, waiting: waiting.map(({ words }) => words), typed }));
  }

  /** True if the server stored an entry although its answer was lost. @param {string} words @param {number} before number of entries before it was sent */
  function hasArrived(words, before) {
    const { entries } = draft();
    const entry = entries[before];
    if (!entry || entry.text === null) return false;
    return words === DRAWN ? entry.seat === null : words !== "" && plain(entry.text) === plain(words);
  }
  /** @param {number} milliseconds */
  const pause = (milliseconds) => new Promise((done) => window.setTimeout(done, milliseconds));

  /** Send the first waiting item. @param {Item} item */
  async function send(item) {
    const [{ changes, entries }, then] = [draft(), complete(item)];
    for (let tries = 0; !isOver; tries += 1) {
      try {
        const answer = await records.act(id, changes, seat(), then);
        return took(answer, item, waiting.length > 1);
      } catch (error) {
        const refused = /** @type {Refused} */ (error);
        if (AWAY.includes(refused.status)) {
          state(waiting.length, true);
          await pause(AGAIN[Math.min(tries, AGAIN.length - 1)]);
          continue;
        }
        if (refused.status !== CONFLICT) throw refused;
        await read();
        if (tries > 0 && hasArrived(item.words, entries.length)) return;
        throw refused;
      }
    }
  }
  async function run() {
    if (isBusy) return;
    isBusy = true;
    while (waiting.length && !isOver) {
      state(waiting.length, false);
      try {
        await send(waiting[0]);
        waiting.shift();
        keep();
      } catch (error) {
        const text = joined(...waiting.map(({ words }) => words));
        waiting = [];
        refused(text, /** @type {Refused} */ (error));
      }
    }
    isBusy = false;
    if (!isOver) state(0, false);
  }
  return {
    /** Text that was not sent before the page was loaded; call this once the recording is known. */
    restored() {
      const { before, waiting: sent, typed: last } = stored;
      return joined(...sent.slice(Number(sent.length > 0 && hasArrived(sent[0], before))), last);
    },
    /** @param {Item} item */
    add(item) {
      waiting.push(item);
      keep();
      void run();
    },
    /** Store the text that is in the field. @param {string} text */
    typed(text) {
      typed = text;
      keep();
    },
    isBusy: () => isBusy,
    stop: () => (isOver = true),
  };
}
