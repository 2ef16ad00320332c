// @ts-check
// The page of one recording: the next entry, the board, the entries, the standings. It holds the latest state from the
// server, and updates each part.

import { html, memory, urlOf } from "../drawing/dom.js";
import { roundOf } from "../drawing/rounds.js";
import { assignColours } from "../drawing/shapes.js";
import { loadKind } from "../kinds.js";
import { wordsOf } from "../panels/attempts.js";
import { createBar } from "./bar.js";
import { createCard, nameOf } from "./card.js";
import { createChanges, meanwhile } from "./changes.js";
import { createEntries } from "./entries.js";
import { createFollowing } from "./following.js";
import { records } from "./records.js";
import { createRivals } from "./rivals.js";
import { createSeats } from "./seats.js";
import { DRAWN, createSending } from "./sending.js";
import { createStage } from "./stage.js";
import { short, unmarked } from "./words.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./records.js").Stamped} Stamped */
/** @typedef {import("../panels/server.js").Refused} Refused */

const CONFLICT = 409;
const CHANCE = -1;
const NAME = "record.name";
const LOST = "The server cannot be reached. Your entry is kept, and sent once the server is back.";
const REMOVED = "This recording was removed.";
const RESTORED = "This was not sent before the page was loaded again.";

/** Seats of this browser that may decide now. @param {Draft} draft */
const mineOf = ({ due, seats, kind }) => due.filter((seat) => seat !== CHANCE && (kind === "table" || seats[seat]?.mine));

/** Key of the card's content: if the key changes, the card is drawn again. @param {Draft} draft */
const askedBy = ({ turn, choices, waiting, over, entries, handed_in, seats }) => JSON.stringify([turn, choices, waiting, over, entries.length, handed_in, seats]);
/** Key of the board's content: if the key changes, the board is drawn again. @param {Draft} draft */
const shownBy = ({ scene, entries, seats }) => JSON.stringify([scene.frames.length, scene.view, entries.map(({ text }) => text), seats]);

/** Name of a round above its entries. @param {Draft} draft */
function roundsOf({ scene }) {
  const named = roundOf(scene);
  return (/** @type {number} */ round) => named(Math.max(0, scene.rounds.indexOf(round)));
}

/** @param {HTMLElement} root @param {Error} error */
function apologise(root, error) {
  const back = html("p", {}, html("a", { href: urlOf("/record") }, "All recordings"));
  root.replaceChildren(html("div", { class: "card notice record-none", role: "alert" }, html("h1", {}, "Record a match"), html("p", { class: "notice-title" }, error.message), back));
}

/**
 * Show a recording in `root`; returns a function that removes everything again.
 * @param {HTMLElement} root @param {string} id
 */
export function showRecording(root, id) {
  const leaving = new AbortController();
  /** The session's latest state from the server. @type {Draft | null} */
  let draft = null;
  /** The session as shown; while several entries are sent, it is updated only after the last. @type {Draft | null} */
  let drawn = null;
  /** The seat to enter for, if several decide. @type {number | null} */
  let chosen = null;
  /** Entries up to the position that is shown; null: the newest. @type {number | null} */
  let looked = null;
  /** The frame of a rival's action that is shown instead. @type {number | null} */
  let atRival = null;

  const current = () => /** @type {Draft} */ (draft);
  const changes = createChanges(id, {
    draft: current,
    read: () => following.now(),
    hear: (found, text) => hear(found, text),
    undone: (text) => card.field.undid(text),
    focus: () => card.focus(),
  });
  const bar = createBar(id, { handIn: () => void changes.handIn(), remove: () => void changes.remove() }, leaving.signal);
  const stage = createStage({ pick: (target) => card.pick(target), newest: () => void newest() });
  const entries = createEntries({ look: show, newest: () => void newest(), undo: (to) => void changes.undo(to) });
  const rivals = createRivals({ look: lookAt, newest: () => void newest() });
  const seats = createSeats({ take: (seat, name) => void changes.take(seat, name), name: memory.read(NAME, ""), remember: (name) => memory.write(NAME, name) });
  const card = createCard({
    enter: (text) => sending.add({ then: { text }, words: text }),
    act: (action, words) => sending.add({ then: { action }, words }),
    draw: () => sending.add({ then: { draw: true }, words: DRAWN }),
    undo,
    look: (by) => show((looked ?? current().entries.length) + by),
    newest,
    seat: choose,
    typed: (text) => sending.typed(text),
    isBusy: () => sending.isBusy(),
    check: (action) => records.check(id, action).catch(() => null),
    mark: stage.mark,
    preview: (frame) => looked === null && atRival === null && stage.preview(frame),
    name: (target) => current().scene.names[target] ?? "what was clicked",
    handIn: () => void changes.handIn(),
  });
  const following = createFollowing(id, {
    seat: () => chosen,
    mayLook: () => !sending.isBusy(),
    hear: (found) => hear(found, ""),
    lost: away,
    found: () => saved(0),
    gone(why) {
      bar.look("bad");
      bar.saved(why || REMOVED);
    },
  });
  const sending = createSending(id, {
    draft: current,
    seat: () => chosen,
    read: following.now,
    took: (found, { words }, more) => hear(found, `Entered: ${short(words === DRAWN ? (found.draft.entries.at(-1)?.text ?? "what was drawn") : words || "it")}.`, more),
    refused,
    state: (waiting, isLost) => (isLost ? away() : saved(waiting)),
    complete: ({ then, words }) => ("text" in then ? { text: withSeat(words) } : then),
  });

  /** If several seats decide, the text names the seat. @param {string} text */
  function withSeat(text) {
    const { choices, due } = current();
    const seat = chosen ?? choices?.seat;
    return seat === undefined || due.length < 2 || /^\s*\d\s*:/.test(text) ? text : `${seat + 1}: ${text}`;
  }
  /** @param {number} waiting entries that are being sent */
  function saved(waiting) {
    bar.look(waiting ? "busy" : "ok");
    bar.saved(waiting > 1 ? `Saving ${waiting} entries …` : waiting ? "Saving …" : "Saved");
  }
  function away() {
    bar.look("bad");
    bar.saved(LOST);
  }

  /**
   * Show an answer of the server, unless a newer one is shown.
   * @param {Stamped} found @param {string} text what was done here @param {boolean} [more] true if further entries are to be sent, after which the state is shown
   */
  function hear({ draft: next, stamp }, text, more = false) {
    if (leaving.signal.aborted || (draft && next.changes < draft.changes)) return;
    following.heard(stamp, chosen);
    draft = next;
    if (chosen !== null && !mineOf(next).includes(chosen)) chosen = null;
    if (!more) settle(text);
  }
  /** Show the current state. @param {string} text what was done here; "" for changes by other people */
  function settle(text) {
    const [before, now] = [drawn, current()];
    if (before === now) return;
    drawn = now;
    following.soon(now.waiting !== null && now.kind === "play");
    if (text || (looked ?? 0) >= now.entries.length) looked = null;
    if (text) atRival = null;
    if (!before || shownBy(before) !== shownBy(now)) arrive(now);
    bar.show(now);
    seats.show(now);
    if (!before || askedBy(before) !== askedBy(now)) card.show(now, mineOf(now), now.kind === "table" || now.seats.some(({ mine }) => mine));
    if (!before || before.changes === now.changes) return;
    const happened = text || meanwhile(before, now);
    changes.note.say(text ? "" : happened);
    card.announce(happened, now);
  }
  /** @param {Draft} now */
  function arrive(now) {
    assignColours(root, now.scene.seats);
    stage.show(now.scene);
    rivals.show(now);
    entries.show(now.entries, (seat) => nameOf(now, seat).name, roundsOf(now));
    draw();
  }
  function draw() {
    if (!drawn) return;
    const { scene, entries: all } = drawn;
    const last = scene.frames.length - 1;
    const entered = looked === null ? last : looked === 0 ? 0 : all[looked - 1].frame;
    stage.draw(Math.min(atRival ?? entered, last));
    stage.isEarlier(looked !== null || atRival !== null);
    entries.at(looked);
    rivals.point(atRival);
  }
  /** Show a frame that need not be the end of an entry. @param {number} frame */
  function lookAt(frame) {
    looked = null;
    atRival = frame;
    draw();
  }
  /** Show the position after a number of entries; null for the newest. @param {number | null} at */
  function show(at) {
    atRival = null;
    looked = at === null || at >= current().entries.length ? null : Math.max(at, 0);
    draw();
  }
  /** Return to the newest position; return true if an earlier one was shown. */
  function newest() {
    const was = looked !== null || atRival !== null;
    if (was) show(null);
    card.focus();
    return was;
  }
  /** Switch the seat to enter for. @param {number} seat */
  function choose(seat) {
    if (seat === current().choices?.seat || !mineOf(current()).includes(seat) || sending.isBusy()) return;
    chosen = seat;
    void following.now();
  }
  /** Undo the last entry, or back to the position that is shown. */
  function undo() {
    const count = current().entries.length;
    if (sending.isBusy() || !count) return;
    entries.askOrUndo(looked ?? count - 1, card.focus);
  }
  /** @param {string} text @param {Refused} error */
  function refused(text, error) {
    settle("");
    if (error.token) changes.token.ask(card.focus);
    const why = error.status === CONFLICT ? `${error.message} Your entry is kept.` : error.message;
    card.field.giveBack(text, why);
    card.announce(unmarked(why), current());
  }

  function begin() {
    const column = html("div", { class: "record-column" }, card.element, changes.token.element, changes.note.element, rivals.element, entries.element);
    const side = html("div", { class: "record-side" }, seats.element, stage.standings);
    root.replaceChildren(...bar.elements, column, stage.board, side);
    document.title = `${current().title} · Himalaya`;
    settle("");
    const unsent = sending.restored();
    if (unsent) card.field.giveBack(unsent, RESTORED);
    saved(0);
    following.start();
    root.setAttribute("data-ready", "true");
    card.focus();
  }
  async function first() {
    const found = /** @type {Stamped} */ (await records.look(id, null, null, leaving.signal));
    await loadKind(found.draft.scene.board.kind);
    if (leaving.signal.aborted) return;
    hear(found, "", true);
    begin();
  }
  first().catch((error) => leaving.signal.aborted || apologise(root, new Error(wordsOf(error))));
  /** Keys pressed elsewhere on the page: Ctrl+Z undoes, typing goes to the field. @param {KeyboardEvent} event */
  function keys(event) {
    const { target, key } = event;
    const isText = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (!drawn || isText || event.defaultPrevented || root.querySelector(":popover-open")) return;
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && !event.shiftKey && key.toLowerCase() === "z") {
      event.preventDefault();
      undo();
    } else if (!isControl && !event.altKey && key.length === 1 && key !== " ") card.focus();
  }
  document.addEventListener("keydown", keys, { signal: leaving.signal });
  return () => {
    leaving.abort();
    for (const part of [sending, following, card, stage]) part.stop();
    root.replaceChildren();
    root.removeAttribute("data-ready");
  };
}
