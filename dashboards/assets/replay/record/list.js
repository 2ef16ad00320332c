// @ts-check
// The list of recordings, with the progress of each and controls to continue or remove it.

import { html } from "../drawing/dom.js";
import { createAttempts, wordsOf } from "../panels/attempts.js";
import { pageOf, records } from "./records.js";
import { counted, momentOf } from "./words.js";

/** @typedef {import("./draft.js").ListedDraft} ListedDraft */

const LOADING = "Loading the recordings …";
const NONE = "None yet. A recording is saved on every entry, and stays until you remove it.";

/** Progress of a recording. @param {ListedDraft} draft */
function standing({ entries, over, handed_in }) {
  const how = over ? "over" : entries ? "in progress" : "begun";
  return [counted(entries, "entry", "entries"), how, ...(handed_in ? ["submitted"] : [])].join(", ");
}

export function createList() {
  const { note, token, attempt } = createAttempts(() => note.say(""), "record-list-token");
  const list = html("ul", { class: "record-drafts" });
  const empty = html("p", { class: "meta" }, LOADING);
  const element = html("section", { class: "card", "aria-labelledby": "record-drafts-title" }, html("div", { class: "card-head" }, html("h2", { id: "record-drafts-title" }, "Resume a recording")), token.element, note.element, empty, list);
  let isOver = false;

  /** @param {ListedDraft} draft */
  function rowOf(draft) {
    const { id, title, game_title: game, players, changed_at } = draft;
    const link = html("a", { href: pageOf(id), class: "record-draft-title" }, title);
    const names = players.map((name) => name ?? "open").join(", ");
    const gone = html("button", { type: "button", class: "icon-button", "aria-label": `Remove the recording ${title}`, title: "Remove" }, html("span", { class: "icon icon-trash", "aria-hidden": "true" }));
    const sure = html("button", { type: "button", class: "button button-bad" }, "Remove");
    const keep = html("button", { type: "button", class: "button" }, "Keep");
    const question = html("div", { class: "record-sure", role: "group", "aria-label": `Remove ${title}?`, hidden: true }, html("span", {}, "Remove it with its entries? It cannot be brought back."), sure, keep);
    const about = html("span", { class: "meta" }, `${game} · ${names}`);
    const at = html("span", { class: "meta" }, standing(draft), " · ", html("time", { datetime: changed_at }, momentOf(changed_at)));
    const row = html("li", { class: "record-draft" }, html("div", {}, link, about, at), gone, question);
    /** @param {boolean} yes */
    const ask = (yes) => {
      question.hidden = !yes;
      (yes ? sure : gone).focus();
    };
    gone.addEventListener("click", () => ask(true));
    keep.addEventListener("click", () => ask(false));
    question.addEventListener("keydown", (event) => event.key === "Escape" && ask(false));
    sure.addEventListener("click", () => void remove(draft, row));
    return row;
  }
  function count() {
    empty.hidden = list.childElementCount > 0;
    empty.textContent = NONE;
  }
  /** @param {ListedDraft} draft @param {HTMLElement} row */
  async function remove(draft, row) {
    const gone = await attempt(() => records.remove(draft.id), () => void remove(draft, row));
    if (!gone) return;
    row.remove();
    count();
    note.say(`Removed “${draft.title}”.`);
  }
  async function load() {
    try {
      const found = await records.list();
      if (isOver) return;
      list.replaceChildren(...found.records.map(rowOf));
      count();
    } catch (error) {
      if (isOver) return;
      empty.hidden = true;
      note.say(`The recordings could not be loaded. ${wordsOf(error)}`, { name: "Try again", run: () => void load() }, true);
    }
  }
  void load();
  return { element, stop: () => (isOver = true) };
}
