// @ts-check
// The header of a recording: its title, the players, the saved state, and actions on the whole recording.

import { html, textOf, urlOf } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";
import { createMenu } from "../panels/menu.js";
import { copyLink } from "../player/page.js";
import { recordAddress, records } from "./records.js";
import { counted } from "./words.js";

/** @typedef {import("./draft.js").Draft} Draft */

const UNFINISHED =
  "The match is not over. Submitted as it is, it becomes the log of an unfinished match: it can be replayed as far as it goes, and counts in no figure. Continue here at any time, then submit it again.";
const WHOLE = "The match is over. Submitted, it becomes a match like any other: it can be replayed, and counts in all figures.";
const NOT_YET = "A match against programs is submitted when it is over.";
const TAKEN = "taken";
const AGAIN = 500;
const TRIES = 120;

/** @param {string} icon @param {string} text */
const button = (icon, text) => html("button", { type: "button", class: "button", title: text }, glyph(icon, 16), html("span", {}, text));

/**
 * Link to the replay of a submitted match, once it is loaded.
 * @param {AbortSignal} leaving
 */
function createHandedIn(leaving) {
  const text = html("span", {});
  const link = html("a", { hidden: true }, "Open its replay");
  const element = html("p", { class: "record-handed", role: "status", hidden: true }, glyph("done", 16), text, link);
  const write = textOf(text);
  let shown = "";
  let message = "";

  /** @param {string} receipt */
  async function load(receipt) {
    for (let tries = 0; tries < TRIES && !leaving.aborted; tries += 1) {
      const { status } = await records.receipt(receipt).catch(() => ({ status: TAKEN })); // if the receipt cannot be read, assume that the log was loaded
      if (status === TAKEN) break;
      await new Promise((done) => window.setTimeout(done, AGAIN));
    }
    if (receipt !== shown) return;
    link.hidden = false;
    write(message);
  }
  return {
    element,
    /** @param {Draft} draft */
    show({ handed_in, entries }) {
      element.hidden = !handed_in;
      if (!handed_in) return;
      const { match, entries: count, receipt } = handed_in;
      const more = entries.length - count;
      const after = more > 0 ? ` ${counted(more, "entry was", "entries were")} made since: submit it again to count them.` : "";
      message = `Submitted as ${match}, with ${counted(count, "entry", "entries")}.${after}`;
      link.href = urlOf(`/replay?${new URLSearchParams({ match })}`);
      if (receipt === shown) return void (link.hidden || write(message));
      shown = receipt;
      link.hidden = true;
      write(`${message} It is being loaded …`);
      void load(receipt);
    },
  };
}

/**
 * @param {string} id
 * @param {{handIn: () => void, remove: () => void}} asks
 * @param {AbortSignal} leaving
 */
export function createBar(id, { handIn, remove }, leaving) {
  const title = html("h1", {});
  const about = html("span", { class: "meta" });
  const saved = html("span", { class: "record-saved", role: "status" });
  const copy = button("link", "Copy link");
  const why = html("p", {});
  const hand = html("button", { type: "button", class: "button button-strong" });
  const finish = createMenu({ id: "record-finish", icon: "done", label: "Submit", title: "Submit the match" }, why, html("div", { class: "actions" }, hand));
  const log = html("a", { class: "menu-row", href: recordAddress(id, "/log.jsonl"), download: "" }, "Download log", html("span", { class: "meta" }, "as a match like any other is logged (.jsonl)"));
  const notation = html("a", { class: "menu-row", href: recordAddress(id, "/notation.txt"), download: "" }, "Notation", html("span", { class: "meta" }, "all entries, a line a round (.txt)"));
  const gone = html("button", { type: "button", class: "menu-row" }, "Remove this recording");
  const sure = html("button", { type: "button", class: "button button-bad" }, "Remove it and its entries");
  const confirm = html("div", { class: "record-sure", hidden: true }, html("p", {}, "It cannot be brought back. A submitted match stays."), sure);
  const more = createMenu({ id: "record-more", icon: "plan", label: "More", title: "What else can be done" }, log, notation, gone, confirm);
  const handed = createHandedIn(leaving);
  const texts = { title: textOf(title), about: textOf(about), saved: textOf(saved), why: textOf(why), hand: textOf(hand) };
  copy.addEventListener("click", () => copyLink(copy, window.location.href));
  hand.addEventListener("click", () => {
    finish.close();
    handIn();
  });
  gone.addEventListener("click", () => {
    confirm.hidden = false;
    sure.focus();
  });
  more.panel.addEventListener("toggle", () => (confirm.hidden = true));
  sure.addEventListener("click", () => {
    more.close();
    remove();
  });
  return {
    elements: [
      html(
        "div",
        { class: "record-bar" },
        html("div", { class: "record-title" }, title, about),
        saved,
        html("div", { class: "actions" }, copy, more.element, finish.element),
      ),
      handed.element,
    ],
    saved: texts.saved,
    /** @param {"ok" | "busy" | "bad"} how */
    look: (how) => (saved.className = `record-saved record-${how}`),
    /** @param {Draft} draft */
    show(draft) {
      const { game_title: game, seats, over, kind, handed_in, entries } = draft;
      texts.title(draft.title);
      const names = seats.map(({ name }) => name ?? "open").join(", ");
      texts.about(names === draft.title ? game : `${game} · ${names}`);
      const isNew = !handed_in || handed_in.entries !== entries.length;
      hand.disabled = (!over && kind === "play") || !isNew;
      texts.why(!isNew ? "All entries are submitted." : over ? WHOLE : kind === "play" ? NOT_YET : UNFINISHED);
      texts.hand(over ? "Submit" : "Submit as unfinished");
      finish.button.classList.toggle("button-strong", over && isNew);
      handed.show(draft);
    },
  };
}
