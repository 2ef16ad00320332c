// @ts-check
// A decision that is picked from a list: by typing a few words of it, by the arrow keys, or by what is clicked on the
// board. What is none of the list may be the notation of the game, which the server reads.

import { html } from "../drawing/dom.js";

/** @typedef {import("./branch-server.js").Choice} Choice */

/** Whether all words of a query begin words of a text; numbers are whole. @param {string} query @param {string} text */
export function fits(query, text) {
  const [asked, there] = [query, text].map((each) => each.toLowerCase().split(/[^\p{L}\p{N}?]+/u).filter(Boolean));
  return asked.every((word) => there.some((other) => (/^\d+$/.test(word) ? other === word : other.startsWith(word))));
}

/**
 * @param {{play: (choice: Choice) => void, write: (text: string) => void, refuse: (why: string) => void, mark: (targets: string[]) => void, name: (target: string) => string}} asks
 */
export function createEntryList({ play, write, refuse, mark, name }) {
  const input = html("input", {
    ...{ id: "entry-text", type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-autocomplete": "list" },
    ...{ "aria-expanded": "true", "aria-controls": "entry-options", "aria-label": "Decision", "aria-describedby": "entry-written", placeholder: "Type to narrow, Enter to play" },
  });
  const near = html("button", { type: "button", class: "tag entry-near", hidden: true });
  const list = html("ul", { id: "entry-options", class: "entry-options", role: "listbox", "aria-label": "What is allowed" });
  const written = html("p", { class: "meta", id: "entry-written" });
  const element = html("div", { class: "entry-list" }, html("div", { class: "entry-line" }, input, near), list, written);
  /** @type {{choice: Choice, option: HTMLElement}[]} */
  let all = [];
  /** @type {{choice: Choice, option: HTMLElement}[]} */
  let shown = [];
  let active = 0;
  /** What was clicked on the board. @type {string | null} */
  let target = null;

  /** @param {number} index */
  function activate(index) {
    active = Math.min(Math.max(index, 0), shown.length - 1);
    shown.forEach(({ option }, i) => option.setAttribute("aria-selected", String(i === active)));
    const found = shown[active];
    if (!found) {
      input.removeAttribute("aria-activedescendant");
      return mark(target ? [target] : []);
    }
    input.setAttribute("aria-activedescendant", found.option.id);
    found.option.scrollIntoView({ block: "nearest" });
    mark(found.choice.on);
  }
  function narrow() {
    shown = all.filter(({ choice }) => (!target || choice.on.includes(target)) && fits(input.value, choice.text));
    for (const { option } of all) option.hidden = true;
    for (const { option } of shown) option.hidden = false;
    near.hidden = !target;
    near.textContent = target ? `At ${name(target)} ×` : "";
    near.setAttribute("aria-label", target ? `Only what is about ${name(target)}; show all` : "");
    activate(0);
  }
  function enter() {
    const found = shown[active];
    if (found) return play(found.choice);
    if (input.value.trim()) write(input.value.trim());
    else refuse("Nothing is allowed here.");
  }
  input.addEventListener("input", narrow);
  near.addEventListener("click", () => {
    target = null;
    narrow();
    input.focus();
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) activate(active + step);
    else if (event.key === "Enter") enter();
    else if (event.key === "Escape" && (input.value || target)) {
      input.value = "";
      target = null;
      narrow();
    } else return;
    event.preventDefault();
  });
  return {
    element,
    input,
    /** @param {Choice[]} choices @param {string} expected how they are written at a table */
    show(choices, expected) {
      written.textContent = `Or in the notation of the table, ${expected.replaceAll("`", "")}`;
      input.value = "";
      target = null;
      all = choices.map((choice, i) => {
        const option = html("li", { id: `entry-option-${i}`, role: "option", "aria-selected": "false" }, choice.text);
        option.addEventListener("click", () => play(choice));
        return { choice, option };
      });
      list.replaceChildren(...all.map(({ option }) => option));
      list.scrollTop = 0;
      narrow();
    },
    /** Only what is about a thing on the board; what it is alone about is played at once. @param {string} thing */
    pick(thing) {
      if (!all.some(({ choice }) => choice.on.includes(thing))) return refuse(`Nothing that is allowed here is about ${name(thing)}.`);
      target = thing;
      input.value = "";
      narrow();
      refuse("");
      input.focus({ preventScroll: true });
    },
  };
}
