// @ts-check
// The card of the next entry: the seat to move, what is expected, the field for it, and the form of the board if the
// choices are too many for a list.

import { html } from "../drawing/dom.js";
import { glyph, seatIcon } from "../drawing/shapes.js";
import { KINDS } from "../kinds.js";
import { createField } from "./field.js";
import { marked, unmarked, waysOf } from "./words.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("../panels/branch-server.js").Action} Action */

const CHANCE = -1;
/** @type {[string, string][]} */
const KEYS = [
  ["Enter", "enter what is typed or chosen"],
  [";", "between several entries"],
  ["↑ ↓", "choose from the list"],
  ["?", "let the server roll or draw"],
  ["2:", "or Alt+2: seat 2, where several are to decide"],
  ["Ctrl+Z", "in an empty field: undo the last entry, or back to the position that is shown"],
  ["Alt+↑ Alt+↓", "look at the position an entry earlier or later"],
  ["Esc", "empty the field; then show the newest position"],
];

/** The seat's shape and its player. @param {Draft} draft @param {number} seat */
export function nameOf({ seats, scene }, seat) {
  const label = scene.seats[seat]?.name ?? `Seat ${seat + 1}`;
  return { name: seats[seat]?.name ?? "open", label };
}

/**
 * @param {{
 *   enter: (text: string) => void, act: (action: Action, words: string) => void, draw: () => void, undo: () => void, look: (by: number) => void, newest: () => boolean,
 *   seat: (seat: number) => void, typed: (text: string) => void, isBusy: () => boolean, check: (action: Action) => Promise<import("../panels/branch-server.js").Checked | null>,
 *   mark: (targets: string[]) => void, preview: (frame: import("../scene.js").Frame) => void, name: (target: string) => string, handIn: () => void
 * }} asks
 */
export function createCard(asks) {
  const field = createField({ ...asks, choose: ({ action, text, written }) => asks.act(action, written ?? text) });
  const heading = html("h2", { class: "record-turn", tabindex: -1 });
  const seats = html("div", { class: "record-due", role: "group", "aria-label": "Seat to enter for", hidden: true });
  const ways = html("div", { id: "record-ways", class: "record-ways" });
  const draw = html("button", { type: "button", class: "button", hidden: true, title: "Let the server draw it (?)" }, glyph("throw", 16), "Let the server draw it");
  const form = html("div", { class: "entry-form" });
  const live = html("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  const parts = html("div", { class: "record-parts" }, seats, ways, field.line, field.error, draw, form, field.list);
  const hand = html("button", { type: "button", class: "button button-strong", hidden: true }, "Submit the match");
  const keys = html(
    "details",
    { class: "record-keys" },
    html("summary", {}, "Keys"),
    html("dl", {}, ...KEYS.map(([key, what]) => html("div", {}, html("dt", {}, html("kbd", {}, key)), html("dd", {}, what)))),
  );
  const element = html("section", { class: "card record-card", "aria-label": "What comes next" }, heading, parts, hand, keys, live);
  /** The form of the board. @type {import("../renderer.js").Entry | null} */
  let entry = null;

  hand.addEventListener("click", asks.handIn);
  draw.addEventListener("click", () => {
    asks.draw();
    focus();
  });

  /** @param {Draft} draft */
  function tellTurn(draft) {
    const { turn, due, over, waiting, choices, scene } = draft;
    if (over) {
      const last = scene.endings[scene.frames[scene.frames.length - 1].e];
      return heading.replaceChildren(glyph("end", 18), html("span", {}, "The match is over."), html("span", { class: "record-hint" }, last?.text ?? ""));
    }
    if (turn === CHANCE && due.includes(CHANCE)) return heading.replaceChildren(glyph("throw", 18), html("span", {}, "Enter the roll"));
    if (choices) {
      const { name, label } = nameOf(draft, choices.seat);
      const yours = draft.kind === "play" ? `Your turn, ${name}` : name;
      return heading.replaceChildren(seatIcon(choices.seat, 20), html("span", {}, yours), html("span", { class: "meta" }, `${label}, seat ${choices.seat + 1}`));
    }
    heading.replaceChildren(html("span", { class: "record-waiting" }, waiting ?? "Nothing is expected now."));
  }
  /** @param {Draft} draft @param {number[]} mine */
  function tellSeats(draft, mine) {
    seats.hidden = mine.length < 2;
    seats.replaceChildren(
      ...mine.map((seat) => {
        const { name } = nameOf(draft, seat);
        const button = html("button", { type: "button", class: "record-seat", "aria-pressed": String(seat === draft.choices?.seat), title: `Alt+${seat + 1}` }, seatIcon(seat, 16), html("span", {}, name), html("kbd", {}, String(seat + 1)));
        button.addEventListener("click", () => {
          asks.seat(seat);
          focus();
        });
        return button;
      }),
    );
  }
  /** @param {Draft} draft */
  function tellWays({ expected, choices, over, kind, due }) {
    const isForOthers = kind === "play" && !choices && !due.includes(CHANCE);
    const written = expected && !over && !isForOthers ? waysOf(expected) : [];
    // If choices are listed, the list already shows how to write them.
    const isListed = choices?.input === "list" && choices.actions.some((each) => each.written);
    const shown = isListed ? [] : written;
    field.input.placeholder = isListed ? "Type it, or choose below" : (written[0]?.pattern ?? "");
    ways.replaceChildren(...shown.map(({ hint, pattern }) => html("p", {}, pattern ? html("code", {}, pattern) : null, html("span", {}, ...marked(hint)))));
  }
  /** @param {Draft} draft */
  function ask({ choices, offers, scene }) {
    entry?.stop();
    entry = null;
    form.replaceChildren();
    const create = choices && choices.input !== "list" ? KINDS[scene.board.kind].entry : null;
    if (choices && create) {
      entry = create(scene, { play: (action) => asks.act(action, ""), refuse: field.refuse, check: asks.check, preview: asks.preview, mark: asks.mark, field: field.input });
      form.replaceChildren(entry.element);
      entry.show(choices);
    }
    field.show(choices?.actions ?? offers.map(({ text, about }) => ({ action: { type: "" }, text: about, on: [], written: text, after: 1 })));
    if (!choices) asks.mark([]);
  }
  function focus() {
    if (window.matchMedia("(pointer: coarse)").matches) return;
    if (!parts.hidden) field.input.focus({ preventScroll: true });
    else (hand.hidden ? heading : hand).focus({ preventScroll: true });
  }
  return {
    element,
    field,
    focus,
    /** @param {Draft} draft @param {number[]} mine the seats of this browser that may decide @param {boolean} mayWrite */
    show(draft, mine, mayWrite) {
      tellTurn(draft);
      tellSeats(draft, mine);
      tellWays(draft);
      const had = element.contains(document.activeElement);
      hand.hidden = !draft.over || !mayWrite || draft.handed_in?.entries === draft.entries.length;
      parts.hidden = draft.over || !mayWrite;
      draw.hidden = !(draft.turn === CHANCE && draft.dice === "entered");
      ask(draft);
      if (had && draft.over) focus();
    },
    /** Announce the last entry and the expected one. @param {string} done @param {Draft} draft */
    announce(done, draft) {
      const turn = heading.textContent ?? "";
      live.textContent = [done, turn, draft.over ? "" : unmarked((draft.expected ?? "").replace(/^[^:]*: /, ""))].filter(Boolean).join(" ");
    },
    /** Something on the board was clicked. @param {string} target */
    pick(target) {
      if (entry) entry.pick(target);
      else if (!field.list.hidden) field.pick(target);
    },
    stop: () => entry?.stop(),
  };
}

