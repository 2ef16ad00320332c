// @ts-check
// Changes to a recording other than entries: undo, claim a seat, submit, remove. Also describes what other people
// changed meanwhile.

import { urlOf } from "../drawing/dom.js";
import { createAttempts } from "../panels/attempts.js";
import { Refused } from "../panels/server.js";
import { nameOf } from "./card.js";
import { records } from "./records.js";
import { counted, short } from "./words.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./records.js").Stamped} Stamped */

const CONFLICT = 409;
const SECRET = "a secret choice";

/** The name of a seat's player, with its colour if another seat has the same. @param {Draft} draft @param {number} seat */
function calledAlone(draft, seat) {
  const { name, label } = nameOf(draft, seat);
  const isShared = draft.scene.seats.some((_, other) => other !== seat && nameOf(draft, other).name === name);
  return isShared ? `${name} (${label})` : name;
}

/** Changes that other people made. @param {Draft} before @param {Draft} now */
export function meanwhile(before, now) {
  const [was, is] = [before.entries.length, now.entries.length];
  if (is < was) return `${counted(was - is, "entry was", "entries were")} undone.`;
  if (is > was + 1) return `${counted(is - was, "entry was", "entries were")} made.`;
  const last = now.entries.at(-1);
  if (is === was || !last) return before.changes < now.changes ? "The seats have changed, or the match was submitted." : "";
  const who = last.seat === null ? last.by : calledAlone(now, last.seat);
  return `${who} entered ${short(last.text ?? SECRET)}.`;
}

/**
 * @param {string} id
 * @param {{
 *   draft: () => Draft, read: () => Promise<void>, hear: (found: Stamped, text: string) => void, undone: (text: string) => void, focus: () => void
 * }} asks `undone` gets the text of a single undone entry, for correction
 */
export function createChanges(id, { draft, read, hear, undone, focus }) {
  const { note, token, attempt } = createAttempts(() => note.say(""), "record-token");

  /**
   * Make a change; after a conflict, show the current state.
   * @param {(changes: number) => Promise<Stamped>} work @param {() => void} again @param {string} text
   */
  async function change(work, again, text) {
    const found = await attempt(async () => {
      try {
        return await work(draft().changes);
      } catch (error) {
        if (error instanceof Refused && error.status === CONFLICT) await read();
        throw error;
      }
    }, again);
    if (found) hear(found, text);
    return found !== null;
  }
  const changes = {
    note,
    token,
    /** Undo all entries after the first `to`. @param {number} to */
    async undo(to) {
      const lost = draft().entries.slice(to);
      const [{ text }] = lost;
      const what = lost.length === 1 ? short(text ?? SECRET) : counted(lost.length, "entry", "entries");
      const isDone = await change((expects) => records.undo(id, expects, to), () => void changes.undo(to), `Undone: ${what}.`);
      if (isDone && lost.length === 1 && text) undone(text);
      focus();
    },
    /** @param {number} seat @param {string} name */
    async take(seat, name) {
      if (await change(() => records.take(id, seat, name), () => void changes.take(seat, name), `Seat ${seat + 1} is yours.`)) focus();
    },
    async handIn() {
      if (await change((expects) => records.handIn(id, expects), () => void changes.handIn(), "Submitted.")) focus();
    },
    async remove() {
      const gone = await attempt(() => records.remove(id), () => void changes.remove());
      if (gone) window.location.assign(urlOf("/record"));
    },
  };
  return changes;
}
