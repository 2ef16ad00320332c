// @ts-check
// Enter a plan: one letter per action, typed, added by clicks on roads and villages, or dragged into another order. On
// a page with one field for all entries, the letters are typed in that field.

import { afterQuiet, html, textOf } from "../drawing/dom.js";
import { LENGTH, actsOf, createPlanChips } from "./plan-chips.js";

const AT_A_PLACE = "trade";
const REST = "rest";
const SOON = 120;
/** Content of a field for all entries: the seat, its letters, and the text to be entered after them. */
const WRITTEN = /^(\s*(?:\d\s*:)?\s*)([^;]*)(.*)$/s;

/** @param {import("../scene.js").MapScene} scene */
function wordsFor(scene) {
  const acts = actsOf(scene);
  const letters = new Set(acts.map(([letter]) => letter));
  const legend = acts.map(([letter, { name }]) => `${letter} ${name}`).join(", ");
  const letterOf = new Map(acts.map(([letter, { name }]) => [name, letter]));
  return {
    legend,
    /** Read a text: the letters that are actions, and the first letter that is not. @param {string} text */
    read(text) {
      const typed = [...text.toLowerCase()];
      return { letters: typed.filter((letter) => letters.has(letter)).join(""), wrong: typed.find((letter) => !letters.has(letter) && letter.trim()) };
    },
    /** @param {string} letter */
    unknown: (letter) => `“${letter}” is no action: ${legend}.`,
    /** The letter of the action that a click on a thing means. @param {string} thing */
    at(thing) {
      const link = thing.startsWith("l") ? scene.board.links[Number(thing.slice(1))] : null;
      return letterOf.get(link?.style ?? (thing.startsWith("n") ? AT_A_PLACE : ""));
    },
  };
}

/**
 * The preview of a plan on the board and in words. The server foresees it by the rules, as if all others rested.
 * @param {import("../scene.js").MapScene} scene
 * @param {import("../renderer.js").EntryAsks} asks
 * @param {ReturnType<typeof createPlanChips>} chips
 */
function createPreview(scene, { check, preview }, chips) {
  const element = html("p", { class: "meta entry-foreseen", role: "status" });
  const say = textOf(element);
  const frame = scene.frames[scene.frames.length - 1];
  let [letters, shown, seat] = ["", "", 0];
  /** @type {import("../renderer.js").Step[]} */
  let foreseen = [];
  const soon = afterQuiet(SOON, async () => {
    const asked = letters;
    const plan = Array.from({ length: LENGTH }, (_, i) => (asked[i] ? scene.acts[asked[i]].name : REST));
    const steps = asked ? (await check({ type: "commit_plan", seat, plan }))?.steps?.slice(0, asked.length) : [];
    if (asked !== letters || !steps) return;
    [shown, foreseen] = [asked, steps];
    preview({ ...frame, planned: { seat, steps } });
    chips.foresee(steps);
    const voids = steps.flatMap(({ is_void: isVoid, text }, i) => (isVoid ? [`${i + 1} ${text[0].toLowerCase()}${text.slice(1)}`] : []));
    const end = steps.length ? `If the others rest, it ends in ${scene.names[`n${steps[steps.length - 1].at}`]}.` : "";
    say([end, voids.length ? `Void: ${voids.join("; ")}.` : ""].filter(Boolean).join(" "));
  });
  return {
    element,
    /** @param {string} next */
    follow(next) {
      letters = next;
      if (letters !== shown) soon.ask();
      else chips.foresee(foreseen);
    },
    /** @param {number} next */
    seat: (next) => (seat = next),
    stop: soon.stop,
  };
}

/** @type {import("../renderer.js").CreateEntry<import("../scene.js").MapScene>} */
export function createPlanEntry(scene, asks) {
  return asks.field ? inField(scene, asks, asks.field) : onItsOwn(scene, asks);
}

/** @type {import("../renderer.js").CreateEntry<import("../scene.js").MapScene>} */
function onItsOwn(scene, asks) {
  const { play, refuse } = asks;
  const words = wordsFor(scene);
  const input = html("input", {
    ...{ id: "entry-plan", type: "text", autocomplete: "off", spellcheck: "false", autocapitalize: "off", maxlength: LENGTH },
    ...{ "aria-label": "Plan", "aria-describedby": "entry-letters", placeholder: "Six letters" },
  });
  const commit = html("button", { type: "button", class: "button button-strong" }, "Plan");
  const chips = createPlanChips(scene, { change: become, refuse });
  const preview = createPreview(scene, asks, chips);
  const element = html(
    "div",
    { class: "entry-plan" },
    html("div", { class: "entry-line" }, input, commit),
    ...chips.elements,
    preview.element,
    html("p", { class: "meta", id: "entry-letters" }, `${words.legend}. Alt with ← → moves an action, Delete removes it.`),
  );
  let letters = "";
  let seat = 0;

  /** @param {string} next @param {number} [focus] */
  function become(next, focus) {
    letters = next.slice(0, LENGTH);
    if (input.value !== letters) input.value = letters;
    commit.disabled = letters.length < LENGTH;
    refuse("");
    chips.show(letters, focus, input);
    preview.follow(letters);
  }
  function enter() {
    if (letters.length < LENGTH) return refuse(`A plan has ${LENGTH} actions: ${LENGTH - letters.length} more, each of ${words.legend}.`);
    play({ type: "commit_plan", seat, plan: [...letters].map((letter) => scene.acts[letter].name) });
  }
  input.addEventListener("input", () => {
    const found = words.read(input.value);
    become(found.letters);
    if (found.wrong) refuse(words.unknown(found.wrong));
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
      preview.seat(seat);
      become("");
    },
    pick(thing) {
      const letter = words.at(thing);
      if (letter) chips.append(letter);
      else refuse("Click on a road to travel it, or on a village to trade there.");
    },
    stop: preview.stop,
  };
}

/**
 * A form for the page's field for all entries. The page enters the field's content.
 * @param {import("../scene.js").MapScene} scene @param {import("../renderer.js").EntryAsks} asks @param {HTMLInputElement} field
 */
function inField(scene, asks, field) {
  const { refuse } = asks;
  const words = wordsFor(scene);
  const leaving = new AbortController();
  const chips = createPlanChips(scene, { change, refuse });
  const preview = createPreview(scene, asks, chips);
  const parts = () => /** @type {RegExpExecArray} */ (WRITTEN.exec(field.value)).slice(1);
  /** @param {string} letters @param {number} [focus] */
  function change(letters, focus) {
    const [before, , after] = parts();
    field.value = before + letters + after;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    chips.show(letters, focus, field);
  }
  function follow() {
    const { letters, wrong } = words.read(parts()[1]);
    chips.show(letters.slice(0, LENGTH));
    preview.follow(letters.slice(0, LENGTH));
    if (wrong && letters) refuse(words.unknown(wrong));
  }
  field.addEventListener("input", follow, { signal: leaving.signal });
  return {
    element: html("div", { class: "entry-plan" }, ...chips.elements, preview.element, html("p", { class: "meta" }, "On a chip, Alt with ← → moves the action, Delete removes it.")),
    focus: () => field.focus({ preventScroll: true }),
    /** @param {{seat: number}} position */
    show(position) {
      preview.seat(position.seat);
      follow();
    },
    /** @param {string} thing */
    pick(thing) {
      const letter = words.at(thing);
      if (letter) chips.append(letter);
      else refuse("Click on a road to travel it, or on a village to trade there.");
      field.focus({ preventScroll: true });
    },
    stop() {
      preview.stop();
      leaving.abort();
    },
  };
}
