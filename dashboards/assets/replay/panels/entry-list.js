// @ts-check
// Pick a decision from a list: type a few words of it, use the arrow keys, or click on the board. Text that is not in
// the list may be the notation of the game, which the server reads.

import { html } from "../drawing/dom.js";
import { createOptions } from "./options.js";

/** @typedef {import("./branch-server.js").Choice} Choice */

/** True if each word of a query is the start of a word of the text; numbers must match whole. @param {string} query @param {string} text */
export function fits(query, text) {
  const [wanted, there] = [query, text].map((each) => each.toLowerCase().split(/[^\p{L}\p{N}?]+/u).filter(Boolean));
  return wanted.every((word) => there.some((other) => (/^\d+$/.test(word) ? other === word : other.startsWith(word))));
}

/**
 * @param {{play: (choice: Choice) => void, write: (text: string) => void, refuse: (why: string) => void, mark: (targets: string[]) => void, name: (target: string) => string}} asks
 */
export function createEntryList({ play, write, refuse, mark, name }) {
  const input = html("input", {
    ...{ id: "entry-text", type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-autocomplete": "list" },
    ...{ "aria-expanded": "true", "aria-controls": "entry-options", "aria-label": "Decision", "aria-describedby": "entry-written", placeholder: "Type to narrow, Enter to play" },
  });
  const options = createOptions(input, {
    id: "entry-options",
    eager: true,
    fits: (typed, choice) => fits(typed, choice.text),
    words: ({ text }) => [text],
    ...{ play, refuse, mark, name },
  });
  const written = html("p", { class: "meta", id: "entry-written" });
  const element = html("div", { class: "entry-list" }, html("div", { class: "entry-line" }, input, options.near), options.list, written);

  function enter() {
    const found = options.active();
    if (found) return play(found);
    if (input.value.trim()) write(input.value.trim());
    else refuse("Nothing is allowed here.");
  }
  input.addEventListener("input", () => options.narrow(input.value));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") enter();
    else if (event.key === "Escape" && (input.value || options.isNarrowed())) {
      input.value = "";
      options.widen();
      options.narrow("");
    } else if (!options.step(event)) return;
    event.preventDefault();
  });
  return {
    element,
    input,
    /** @param {Choice[]} choices @param {string} expected how choices are written at a table */
    show(choices, expected) {
      written.textContent = `Or in the notation of the table, ${expected.replaceAll("`", "")}`;
      input.value = "";
      options.show(choices);
      options.narrow("");
    },
    /** Show only the actions at a thing on the board. @param {string} thing */
    pick(thing) {
      if (!options.pick(thing)) return;
      input.value = "";
      options.narrow("");
      refuse("");
      input.focus({ preventScroll: true });
    },
  };
}
