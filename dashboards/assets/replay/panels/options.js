// @ts-check
// The list below a field. Typing narrows it to the options that fit. Choose one by the arrow keys, by a click on it, or
// by a click on the board.

import { html } from "../drawing/dom.js";

/** @typedef {import("./branch-server.js").Choice} Choice */

const STEPS = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 });

/**
 * `fits` decides which options stay in the list. `eager` chooses the first of them immediately; otherwise an option is
 * chosen when it is the only one that fits the text.
 * @param {HTMLInputElement} input
 * @param {{
 *   id: string, eager: boolean, fits: (typed: string, choice: Choice) => boolean, words: (choice: Choice) => (Node | string)[],
 *   play: (choice: Choice) => void, refuse: (why: string) => void, mark: (targets: string[]) => void, name: (target: string) => string
 * }} asks
 */
export function createOptions(input, { id, eager, fits, words, play, refuse, mark, name }) {
  const near = html("button", { type: "button", class: "tag entry-near", hidden: true });
  const list = html("ul", { id, class: "entry-options", role: "listbox", "aria-label": "What is allowed" });
  /** @type {{choice: Choice, option: HTMLElement}[]} */
  let all = [];
  /** @type {{choice: Choice, option: HTMLElement}[]} */
  let shown = [];
  let active = -1;
  let typed = "";
  /** The thing clicked on the board, which narrows the list. @type {string | null} */
  let target = null;

  /** @param {number} index */
  function activate(index) {
    active = Math.min(Math.max(index, eager ? 0 : -1), shown.length - 1);
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
  /** @param {string} [now] the text typed now */
  function narrow(now = typed) {
    typed = now;
    shown = all.filter(({ choice }) => (!target || choice.on.includes(target)) && fits(typed, choice));
    for (const { option } of all) option.hidden = true;
    for (const { option } of shown) option.hidden = false;
    near.hidden = !target;
    near.textContent = target ? `At ${name(target)} ×` : "";
    near.setAttribute("aria-label", target ? `Only what is about ${name(target)}; show all` : "");
    activate(eager || (shown.length === 1 && (typed.trim() || target)) ? 0 : -1);
  }
  near.addEventListener("click", () => {
    target = null;
    narrow();
    input.focus();
  });
  return {
    list,
    near,
    narrow,
    /** The highlighted option. */
    active: () => shown[active]?.choice ?? null,
    /** Number of options in the list. */
    count: () => shown.length,
    isNarrowed: () => target !== null,
    /** Drop the restriction to the thing clicked on the board. */
    widen: () => (target = null),
    /** Move the choice by arrow key; return true if the key did that. @param {KeyboardEvent} event */
    step(event) {
      const step = STEPS[event.key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return false;
      activate(active < 0 && step < 0 ? shown.length - 1 : active + step);
      return true;
    },
    /** @param {Choice[]} choices */
    show(choices) {
      target = null;
      all = choices.map((choice, i) => {
        const option = html("li", { id: `${id}-${i}`, role: "option", "aria-selected": "false" }, ...words(choice));
        option.addEventListener("click", () => play(choice));
        return { choice, option };
      });
      list.replaceChildren(...all.map(({ option }) => option));
      list.scrollTop = 0;
    },
    /** Show only the options at a thing on the board; return whether there are any. @param {string} thing */
    pick(thing) {
      if (!all.some(({ choice }) => choice.on.includes(thing))) {
        refuse(`Nothing that is allowed here is about ${name(thing)}.`);
        return false;
      }
      target = thing;
      return true;
    },
  };
}
