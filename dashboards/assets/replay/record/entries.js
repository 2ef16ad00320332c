// @ts-check
// The entries, by round, the newest in sight. A click on an entry shows the position after it; from there, an undo goes
// back to it.

import { html, keyOf, textOf } from "../drawing/dom.js";
import { glyph, seatIcon } from "../drawing/shapes.js";
import { counted } from "./words.js";

/** @typedef {import("./draft.js").Entered} Entered */

const SECRET = "a secret choice";

/**
 * @param {{look: (entries: number | null) => void, newest: () => void, undo: (to: number) => void}} asks
 *   `look` shows the position after a number of entries, null for the newest
 */
export function createEntries({ look, newest: toNewest, undo }) {
  const count = html("span", { class: "meta" });
  const tellCount = textOf(count);
  const list = html("ol", { class: "record-entries", role: "listbox", tabindex: 0, "aria-label": "Entries: ↑ and ↓ show the position after each" });
  const none = html("p", { class: "meta" }, "Nothing yet. Each entry is saved as soon as it is made.");
  const back = html("button", { type: "button", class: "button" });
  const newest = html("button", { type: "button", class: "button" }, "Show the newest");
  const sure = html("button", { type: "button", class: "button button-strong" });
  const keep = html("button", { type: "button", class: "button" }, "Keep them");
  const bar = html("div", { class: "entry-line record-back", hidden: true }, back, newest);
  const question = html("div", { class: "entry-line record-back", role: "group", "aria-label": "Undo", hidden: true }, sure, keep);
  const element = html("section", { class: "card record-list", "aria-labelledby": "record-entries-title" }, html("div", { class: "card-head" }, html("h2", { id: "record-entries-title" }, "Entries"), count), bar, question, none, list);
  /** @type {Entered[]} */
  let entries = [];
  /** @type {HTMLElement[]} */
  let rows = [];
  /** Entries up to the position that is shown; null for all. @type {number | null} */
  let shown = null;
  let target = -1;
  /** @type {(() => void) | null} */
  let after = null;

  /** @param {Entered} entry @param {number} i @param {(seat: number) => string} nameOf */
  function rowOf({ text, seat, by }, i, nameOf) {
    const who = seat === null ? "" : `${nameOf(seat)}: `;
    const row = html(
      "li",
      { id: `record-entry-${i}`, class: "record-entry", role: "option", "aria-selected": "false", title: by ? `entered by ${by}` : null },
      seat === null ? glyph("throw", 14) : seatIcon(seat, 14),
      html("span", { class: "visually-hidden" }, who),
      text === null ? html("span", { class: "meta" }, SECRET) : html("code", {}, text),
      html("span", { class: "event-number" }, String(i + 1)),
    );
    row.addEventListener("click", () => look(i + 1));
    return row;
  }
  /** The number of leading rows that still match the entries. @param {Entered[]} next */
  function same(next) {
    let i = 0;
    while (i < Math.min(next.length, entries.length) && next[i].text === entries[i].text && next[i].seat === entries[i].seat) i += 1;
    return i;
  }
  function point() {
    const at = shown === null ? entries.length : shown;
    rows.forEach((row, i) => row.setAttribute("aria-selected", String(i + 1 === at)));
    if (at > 0) list.setAttribute("aria-activedescendant", `record-entry-${at - 1}`);
    else list.removeAttribute("aria-activedescendant");
    const over = shown === null ? 0 : entries.length - shown;
    bar.hidden = shown === null || !question.hidden;
    back.textContent = `Undo ${counted(over, "entry", "entries")} to here`;
    // Scroll after the card above has its new height.
    if (shown === null) window.requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
    else rows[Math.max(0, at - 1)]?.scrollIntoView({ block: "nearest" });
  }
  /** Ask for confirmation before an undo removes more than one entry. @param {number} to @param {() => void} [then] runs after the reader has decided */
  function askOrUndo(to, then) {
    const lost = entries.length - to;
    if (lost < 2) return void undo(to);
    target = to;
    after = then ?? null;
    question.hidden = false;
    sure.textContent = `Undo ${counted(lost, "entry", "entries")}`;
    bar.hidden = true;
    sure.focus();
  }
  function close() {
    question.hidden = true;
    point();
    after?.();
  }
  back.addEventListener("click", () => shown !== null && askOrUndo(shown));
  newest.addEventListener("click", toNewest);
  sure.addEventListener("click", () => {
    close();
    undo(target);
  });
  keep.addEventListener("click", close);
  question.addEventListener("keydown", (event) => event.key === "Escape" && close());
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -entries.length, End: entries.length }[event.key];
    if (event.key === "Escape") toNewest();
    else if ((event.ctrlKey || event.metaKey) && keyOf(event) === "z") askOrUndo(shown ?? entries.length - 1);
    else if (step === undefined) return;
    else {
      const next = Math.min(Math.max((shown ?? entries.length) + step, 0), entries.length);
      look(next === entries.length ? null : next);
    }
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    element,
    askOrUndo,
    /** @param {Entered[]} next @param {(seat: number) => string} nameOf @param {(round: number) => string} roundOf */
    show(next, nameOf, roundOf) {
      const common = same(next);
      const before = entries;
      entries = next;
      rows = rows.slice(0, common);
      if (common < before.length) while (list.lastElementChild && list.lastElementChild !== rows.at(-1)) list.lastElementChild.remove();
      for (let i = common; i < next.length; i += 1) {
        if (i === 0 || next[i - 1].round !== next[i].round) list.append(html("li", { class: "record-round", role: "presentation" }, roundOf(next[i].round)));
        rows[i] = rowOf(next[i], i, nameOf);
        list.append(rows[i]);
      }
      tellCount(next.length ? String(next.length) : "");
      none.hidden = next.length > 0;
      list.hidden = !next.length;
      question.hidden = true;
      point();
    },
    /** Mark the position after a number of entries as shown; null for the newest. @param {number | null} at */
    at(at) {
      shown = at;
      point();
    },
  };
}
