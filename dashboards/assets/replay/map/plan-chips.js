// @ts-check
// The actions of a plan as chips: added by buttons, dragged or moved by keys into another order, removed by a click.

import { html } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";

export const LENGTH = 6;
const HIDDEN = "?";

/** The actions that may be planned: letter and meaning of each. @param {import("../scene.js").MapScene} scene */
export const actsOf = (scene) => Object.entries(scene.acts).filter(([letter]) => letter !== HIDDEN);

/**
 * @param {import("../scene.js").MapScene} scene
 * @param {{change: (letters: string, focus?: number) => void, refuse: (why: string) => void}} asks
 *   `change` receives the new letters and the chip to focus, and must call `show`
 */
export function createPlanChips(scene, { change, refuse }) {
  const acts = actsOf(scene);
  const chips = html("ol", { class: "entry-chips", "aria-label": "Actions of the plan" });
  const keys = acts.map(([letter, { name, icon }]) => {
    const add = html("button", { type: "button", class: "entry-act", title: `${name} (${letter})`, "aria-label": `Add ${name}` }, glyph(icon, 16), html("kbd", {}, letter));
    add.addEventListener("click", () => append(letter));
    return add;
  });
  let letters = "";
  let dragged = -1;

  /** @param {string} letter */
  function append(letter) {
    if (letters.length === LENGTH) return refuse(`A plan has ${LENGTH} actions; take one away first.`);
    change(letters + letter);
  }
  /** @param {number} from @param {number} to */
  function move(from, to) {
    if (to < 0 || to >= letters.length) return;
    const order = [...letters];
    order.splice(to, 0, ...order.splice(from, 1));
    change(order.join(""), to);
  }
  /** @param {number} i */
  const remove = (i) => change(letters.slice(0, i) + letters.slice(i + 1), i);
  /** @param {number} i */
  const buttonAt = (i) => chips.children[i]?.querySelector("button") ?? null;
  /** @param {number} i */
  function chip(i) {
    const { name, icon } = scene.acts[letters[i]];
    const element = html("button", { type: "button", class: "entry-chip", draggable: "true", title: `${name}: drag it elsewhere; a click removes it`, "aria-label": `${i + 1}: ${name}` }, glyph(icon, 18));
    element.addEventListener("click", () => remove(i));
    element.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step !== undefined && event.altKey) move(i, i + step);
      else if (step !== undefined) buttonAt(i + step)?.focus();
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
  /** Mark the chips of steps that would have no effect. @param {import("../renderer.js").Step[]} steps */
  function foresee(steps) {
    letters.split("").forEach((letter, i) => {
      const button = buttonAt(i);
      button?.classList.toggle("entry-void", steps[i]?.is_void ?? false);
      button?.setAttribute("aria-label", [`${i + 1}: ${scene.acts[letter].name}`, steps[i]?.text].filter(Boolean).join(". "));
    });
  }
  return {
    foresee,
    elements: [chips, html("div", { class: "entry-acts", role: "group", "aria-label": "Add an action" }, ...keys)],
    append,
    /** @param {string} next @param {number} [focus] the chip that gets the focus @param {HTMLElement} [fallback] what gets it if there is none left */
    show(next, focus, fallback) {
      letters = next;
      chips.replaceChildren(...Array.from({ length: LENGTH }, (_, i) => html("li", {}, letters[i] ? chip(i) : html("span", { class: "entry-blank" }, html("span", { class: "visually-hidden" }, "empty")))));
      if (focus !== undefined) (buttonAt(Math.min(focus, letters.length - 1)) ?? fallback)?.focus();
    },
  };
}
