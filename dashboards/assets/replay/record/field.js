// @ts-check
// The field for all entries. It accepts the table's notation, words from the list below it, and several entries
// separated by semicolons. It keeps the focus from the first entry to the last, and is never rebuilt.

import { html, keyOf } from "../drawing/dom.js";
import { createOptions } from "../panels/options.js";
import { DRAWN } from "./sending.js";
import { fits, isExactly, marked } from "./words.js";

/** @typedef {import("../panels/branch-server.js").Choice} Choice */


/**
 * @param {{
 * enter: (text: string) => void, choose: (choice: Choice) => void, draw: () => void, undo: () => void, look: (by:
 * number) => void, newest: () => boolean, seat: (seat: number) => void, typed: (text: string) => void, isBusy: () =>
 * boolean, mark: (targets: string[]) => void, name: (target: string) => string }} asks `newest` returns to the newest
 * position, and returns true if an earlier one was shown; `typed` is called on each change
 */
export function createField(asks) {
  const input = html("input", {
    ...{ id: "record-text", type: "text", role: "combobox", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "done" },
    ...{ "aria-autocomplete": "list", "aria-expanded": "true", "aria-controls": "record-options", "aria-label": "What is entered next", "aria-describedby": "record-ways record-error" },
  });
  const error = html("p", { id: "record-error", class: "record-error", role: "alert", hidden: true });
  const commit = html("button", { type: "button", class: "button button-strong", title: "Enter it (Enter)" }, "Enter");
  /** @type {Choice[]} */
  let choices = [];
  /** Text of an undone entry in the field, to be corrected. @type {string | null} */
  let undone = null;

  /** @param {string} why */
  function refuse(why) {
    error.hidden = !why;
    error.replaceChildren(...marked(why));
    if (why) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
  const options = createOptions(input, {
    ...{ id: "record-options", eager: false, fits, refuse, mark: asks.mark, name: asks.name },
    words: ({ written, text }) => (written ? [html("code", {}, written), html("span", {}, text)] : [html("span", {}, text)]),
    play: (choice) => choose(choice),
  });
  options.list.hidden = true;

  /** Report what was typed; the text of an undone entry was not. */
  const tell = () => asks.typed(input.value === undone ? "" : input.value);
  /** @param {string} text */
  function become(text) {
    input.value = text;
    options.widen();
    options.narrow(text);
    tell();
  }
  /** @param {Choice} choice */
  function choose(choice) {
    const { value } = input;
    const [first] = value.trim().split(" ");
    refuse("");
    undone = null;
    input.value = value.includes(";") ? value.slice(value.indexOf(";") + 1).trimStart() : "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    if (choice.after) asks.enter(`${first} ${choice.written}`);
    else asks.choose(choice);
    input.focus({ preventScroll: true });
  }
  function enter() {
    const parts = input.value.split(";").map((part) => part.trim()).filter(Boolean);
    const exact = asks.isBusy() || !parts.length ? undefined : choices.find((choice) => isExactly(input.value, choice));
    const found = asks.isBusy() ? null : (exact ?? options.active());
    if (parts.length < 2 && found) return choose(found);
    if (!parts.length) return refuse(options.count() ? "Type what is entered, or choose it with ↑ and ↓." : "Type what is entered.");
    refuse("");
    undone = null;
    become("");
    input.dispatchEvent(new Event("input", { bubbles: true }));
    for (const part of parts) {
      if (part === DRAWN) asks.draw();
      else asks.enter(part);
    }
  }
  input.addEventListener("input", () => {
    refuse("");
    undone = input.value === undone ? undone : null;
    const seat = /^\s*(\d)\s*:/.exec(input.value);
    if (seat) asks.seat(Number(seat[1]) - 1);
    options.narrow(input.value);
    tell();
  });
  input.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && keyOf(event) === "z";
    const digit = /^Digit([1-6])$/.exec(event.code);
    if (event.isComposing) return;
    if (event.key === "Enter") enter();
    else if (isUndo && (!input.value || input.value === undone)) asks.undo();
    else if (event.altKey && event.key === "ArrowUp") asks.look(-1);
    else if (event.altKey && event.key === "ArrowDown") asks.look(1);
    else if (event.altKey && digit) asks.seat(Number(digit[1]) - 1);
    else if (event.key === "Escape" && (input.value || options.isNarrowed())) {
      refuse("");
      become("");
      input.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (event.key === "Escape") {
      if (!asks.newest()) return;
    } else if (!options.step(event)) return;
    event.preventDefault();
  });
  commit.addEventListener("click", () => {
    enter();
    input.focus({ preventScroll: true });
  });
  return {
    input,
    refuse,
    line: html("div", { class: "entry-line" }, input, commit, options.near),
    error,
    list: options.list,
    value: () => input.value,
    /** The choices of the seat to decide. @param {Choice[]} next */
    show(next) {
      choices = next;
      options.list.hidden = !next.length;
      input.setAttribute("aria-expanded", String(next.length > 0));
      options.show(next);
      options.narrow(input.value);
    },
    /** Put refused text back, before the text typed since. @param {string} text @param {string} why */
    giveBack(text, why) {
      become([text, input.value].filter((each) => each.trim()).join("; "));
      input.dispatchEvent(new Event("input", { bubbles: true }));
      refuse(why);
    },
    /** Put undone text into the field, to be corrected or entered again, unless other text is there. @param {string} text */
    undid(text) {
      if (input.value.trim() && input.value !== undone) return;
      undone = text;
      become(text);
      input.select();
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    /** @param {string} thing */
    pick(thing) {
      if (!options.pick(thing)) return;
      refuse("");
      input.value = "";
      options.narrow("");
      tell();
      input.focus({ preventScroll: true });
    },
  };
}
