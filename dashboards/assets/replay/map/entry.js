// @ts-check
// A plan is entered: a letter for each of its actions, typed, clicked on roads and villages, or dragged into another order.

import { html } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";

const LENGTH = 6;
const HIDDEN = "?";
const AT_A_PLACE = "trade";

/** @type {import("../renderer.js").CreateEntry<import("../scene.js").MapScene>} */
export function createPlanEntry(scene, { play, refuse }) {
  const acts = Object.entries(scene.acts).filter(([letter]) => letter !== HIDDEN);
  const letterOf = new Map(acts.map(([letter, { name }]) => [name, letter]));
  const legend = acts.map(([letter, { name }]) => `${letter} ${name}`).join(", ");
  const input = html("input", {
    ...{ id: "entry-plan", type: "text", autocomplete: "off", spellcheck: "false", autocapitalize: "off", maxlength: LENGTH },
    ...{ "aria-label": "Plan", "aria-describedby": "entry-letters", placeholder: "Six letters" },
  });
  const commit = html("button", { type: "button", class: "button button-strong" }, "Plan");
  const chips = html("ol", { class: "entry-chips", "aria-label": "Actions of the plan" });
  const keys = acts.map(([letter, { name, icon }]) => {
    const add = html("button", { type: "button", class: "entry-act", title: `${name} (${letter})`, "aria-label": `Add ${name}` }, glyph(icon, 16), html("kbd", {}, letter));
    add.addEventListener("click", () => append(letter));
    return add;
  });
  const element = html(
    "div",
    { class: "entry-plan" },
    html("div", { class: "entry-line" }, input, commit),
    chips,
    html("div", { class: "entry-acts", role: "group", "aria-label": "Add an action" }, ...keys),
    html("p", { class: "meta", id: "entry-letters" }, `${legend}. Alt with ← → moves an action, Delete removes it.`),
  );
  let letters = "";
  let seat = 0;
  let dragged = -1;

  /** @param {string} next @param {number} [focus] */
  function become(next, focus) {
    letters = next.slice(0, LENGTH);
    if (input.value !== letters) input.value = letters;
    chips.replaceChildren(...Array.from({ length: LENGTH }, (_, i) => html("li", {}, letters[i] ? chip(i) : html("span", { class: "entry-blank", "aria-label": "empty" }))));
    commit.disabled = letters.length < LENGTH;
    refuse("");
    if (focus !== undefined) (chips.children[Math.min(focus, letters.length - 1)]?.querySelector("button") ?? input).focus();
  }
  /** @param {number} from @param {number} to */
  function move(from, to) {
    if (to < 0 || to >= letters.length) return;
    const order = [...letters];
    order.splice(to, 0, ...order.splice(from, 1));
    become(order.join(""), to);
  }
  /** @param {number} i */
  const remove = (i) => become(letters.slice(0, i) + letters.slice(i + 1), i);
  /** @param {number} i */
  function chip(i) {
    const { name, icon } = scene.acts[letters[i]];
    const element = html("button", { type: "button", class: "entry-chip", draggable: "true", title: `${name}: drag it elsewhere; a click removes it`, "aria-label": `${i + 1}: ${name}` }, glyph(icon, 18));
    element.addEventListener("click", () => remove(i));
    element.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step !== undefined && event.altKey) move(i, i + step);
      else if (step !== undefined) /** @type {HTMLElement | null} */ (chips.children[i + step]?.querySelector("button") ?? null)?.focus();
      else if (event.key === "Delete" || event.key === "Backspace") remove(i);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    element.addEventListener("dragstart", () => (dragged = i));
    element.addEventListener("dragover", (event) => event.preventDefault());
    element.addEventListener("drop", (event) => {
      event.preventDefault();
      move(dragged, i);
    });
    return element;
  }
  /** @param {string} letter */
  function append(letter) {
    if (letters.length === LENGTH) return refuse(`A plan has ${LENGTH} actions; take one away first.`);
    become(letters + letter);
  }
  function enter() {
    if (letters.length < LENGTH) return refuse(`A plan has ${LENGTH} actions: ${LENGTH - letters.length} more, each of ${legend}.`);
    play({ type: "commit_plan", seat, plan: [...letters].map((letter) => scene.acts[letter].name) });
  }
  input.addEventListener("input", () => {
    const typed = [...input.value.toLowerCase()];
    const wrong = typed.find((letter) => !acts.some(([known]) => known === letter));
    become(typed.filter((letter) => acts.some(([known]) => known === letter)).join(""));
    if (wrong) refuse(`“${wrong}” is no action: ${legend}.`);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") enter();
    else if (event.key === "Escape" && letters) become("");
    else return;
    event.preventDefault();
  });
  commit.addEventListener("click", enter);
  return {
    element,
    focus: () => input.focus({ preventScroll: true }),
    show(position) {
      seat = position.seat;
      become("");
    },
    pick(thing) {
      const link = thing.startsWith("l") ? scene.board.links[Number(thing.slice(1))] : null;
      const letter = letterOf.get(link?.style ?? (thing.startsWith("n") ? AT_A_PLACE : ""));
      if (letter) append(letter);
      else refuse("Click on a road to travel it, or on a village to trade there.");
    },
    stop() {},
  };
}
