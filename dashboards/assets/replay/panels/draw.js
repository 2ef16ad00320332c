// @ts-check
// Drawing on the board by hand: circles and arrows in four colours. The right mouse button always draws; with the
// toggle on, so do a finger and the left button, and the page shows colours and lists of things for the keyboard.
// Drawings belong to their position and are kept while the page is open; a study keeps those of its chapters.

import { html } from "../drawing/dom.js";
import { createMarks } from "../drawing/marks.js";

/** @typedef {import("../drawing/marks.js").Drawn} Drawn */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {{frame: number, shapes: readonly Drawn[]}} Chapter */
/** @typedef {{shapes: readonly Drawn[], changed: (shapes: Drawn[]) => void}} Form */

const COLOURS = [
  { colour: "green", keys: "" },
  { colour: "red", keys: " (Shift or Ctrl)" },
  { colour: "blue", keys: " (Alt)" },
  { colour: "yellow", keys: " (Shift and Alt)" },
];
const CONTROLS = "button, select, input, label, a";

/** The colour that held keys choose; null without any. @param {PointerEvent} event */
function colourByKeys({ shiftKey, ctrlKey, altKey, metaKey }) {
  const [first, second] = [shiftKey || ctrlKey, altKey || metaKey];
  return first || second ? COLOURS[(first ? 1 : 0) + (second ? 2 : 0)].colour : null;
}

/**
 * Lists of the things on the board, to draw without a pointer.
 * @param {import("../scene.js").Scene} scene
 * @param {(start: string, end: string | null) => void} add
 */
export function createChoosers(scene, add) {
  const [from, to] = ["Circle or arrow from …", "… no arrow, a circle"].map((nothing) => {
    const options = Object.entries(scene.names).map(([thing, name]) => html("option", { value: thing }, name));
    return html("select", {}, html("option", { value: "" }, nothing), ...options);
  });
  from.setAttribute("aria-label", "Around, or from");
  to.setAttribute("aria-label", "Arrow to");
  const button = html("button", { type: "button", class: "button" }, "Draw");
  button.addEventListener("click", () => {
    if (!from.value) return from.focus();
    add(from.value, to.value && to.value !== from.value ? to.value : null);
    from.value = to.value = "";
  });
  return { elements: [from, to, button], from, to, focus: () => button.focus() };
}

/** Add a shape, recolour it, or remove it if it is there already. @param {readonly Drawn[]} shapes @param {Drawn} shape */
function toggled(shapes, { start, end, colour }) {
  const there = shapes.find((each) => each.start === start && each.end === end);
  const rest = shapes.filter((each) => each !== there);
  return there && (there.colour ?? null) === colour ? rest : [...rest, { start, end, colour }];
}

/**
 * @param {Player} player
 * @param {HTMLElement} board
 */
export function createDraw(player, board) {
  const { scene, memory } = player;
  const marks = createMarks(board);
  /** Shapes of the study: of a chapter, while its frame is shown. @type {Chapter | null} */
  let chapter = null;
  /** Shapes in a form, which replace all others. @type {Form | null} */
  let form = null;
  let on = false;
  let colour = COLOURS[0].colour;
  let at = -1;
  /** @type {{id: number, start: string, end: string, colour: string} | null} */
  let drag = null;
  let isDrawn = false;

  const key = () => `drawn ${player.name(at)}`;
  /** @returns {Drawn[]} */
  const own = () => (at < 0 ? [] : JSON.parse(memory.get(key()) ?? "[]"));
  const read = () => (chapter?.frame === at ? chapter.shapes : []);
  /** Own shapes that the chapter does not have. */
  const more = () => own().filter((each) => !read().some(({ start, end, colour: by }) => start === each.start && end === each.end && by === each.colour));
  function redraw() {
    if (form) return marks.show(form.shapes, form.shapes.length);
    const [given, drawn] = [read(), more()];
    marks.show([...given, ...drawn], drawn.length);
    clear.disabled = drawn.length === 0;
  }
  /** @param {Drawn[]} shapes */
  function become(shapes) {
    if (form) return form.changed(shapes);
    memory.set(key(), JSON.stringify(shapes));
    redraw();
  }
  /** @param {string} start @param {string | null} end @param {string} [by] */
  const add = (start, end, by = colour) => become(toggled(form?.shapes ?? own(), { start, end, colour: by }));
  /** Erase the shape under the pointer. @param {EventTarget | null} target */
  function erase(target) {
    const place = marks.at(target);
    if (place < 0) return false;
    if (form) become(form.shapes.filter((_, index) => index !== place));
    else become(more().toSpliced(place - read().length, 1));
    return true;
  }

  /** @param {PointerEvent} event */
  function thingAt({ clientX, clientY }) {
    const found = document.elementsFromPoint(clientX, clientY).map((each) => (board.contains(each) ? each.closest("[data-thing]") : null));
    return found.find((each) => each)?.getAttribute("data-thing") ?? "";
  }
  /** @param {Event} event */
  const isControl = (event) => event.target instanceof Element && event.target.closest(CONTROLS) !== null;
  /** @param {PointerEvent} event */
  function pressed(event) {
    isDrawn = false;
    if (!event.isPrimary || isControl(event) || !(event.button === 2 || (on && event.button === 0))) return;
    if (event.button === 0 && marks.at(event.target) >= 0) return event.stopPropagation(); // its click erases
    const start = thingAt(event);
    if (!start) return;
    event.stopPropagation(); // keeps a tower from turning, and the page from stepping
    board.setPointerCapture(event.pointerId);
    drag = { id: event.pointerId, start, end: start, colour: colourByKeys(event) ?? (on ? colour : COLOURS[0].colour) };
  }
  /** @param {PointerEvent} event */
  function moved(event) {
    if (!drag || event.pointerId !== drag.id) return;
    event.stopPropagation();
    drag.end = thingAt(event);
    marks.pull(drag.end === drag.start ? null : { start: drag.start, x: event.clientX, y: event.clientY, colour: drag.colour });
  }
  /** @param {PointerEvent} event */
  function released(event) {
    if (!drag || event.pointerId !== drag.id) return;
    event.stopPropagation();
    const { start, end, colour: by } = drag;
    drag = null;
    isDrawn = true;
    marks.pull(null);
    if (event.type === "pointerup" && end) add(start, end === start ? null : end, by);
  }
  /** @param {MouseEvent} event */
  function clicked(event) {
    if (!isDrawn && !erase(event.target)) return;
    isDrawn = false;
    event.stopPropagation(); // a drawn shape picks nothing
  }
  const early = { capture: true };
  board.addEventListener("pointerdown", pressed, early);
  board.addEventListener("pointermove", moved, early);
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) board.addEventListener(name, released, early);
  board.addEventListener("click", clicked, early);
  board.addEventListener("contextmenu", (event) => isControl(event) || event.preventDefault());

  const choices = COLOURS.map(({ colour: name, keys }, index) => {
    const input = html("input", { type: "radio", name: "draw-colour", value: name, checked: index === 0 });
    input.addEventListener("change", () => (colour = name));
    const words = html("span", { class: "visually-hidden" }, name);
    return html("label", { class: "draw-colour", "data-colour": name, title: `${name}${keys}` }, input, words);
  });
  const clear = html("button", { type: "button", class: "button", disabled: true }, "Clear");
  clear.addEventListener("click", () => become([]));
  const choosers = createChoosers(scene, add);
  const colours = html("span", { class: "draw-colours", role: "radiogroup", "aria-label": "Colour" }, ...choices);
  const tip = "Drag from one thing to another for an arrow, tap a thing for a circle; the same again erases it. The right mouse button always draws.";
  const help = html("span", { class: "visually-hidden", id: "draw-help" }, tip);
  const element = html("div", { class: "draw-tools", role: "group", "aria-label": "Draw", "aria-describedby": help.id, title: tip, hidden: true }, colours, ...choosers.elements, clear, help);
  return {
    element,
    /** Let every pointer draw, or only the right mouse button. @param {boolean} yes */
    toggle(yes) {
      on = yes;
      element.hidden = !yes;
      board.classList.toggle("is-drawing", yes);
    },
    /** Show the drawings of a frame. @param {number} frame */
    show(frame) {
      if (frame === at) return;
      at = frame;
      redraw();
    },
    /** Show the shapes of a chapter in its frame. @param {Chapter | null} next */
    read(next) {
      chapter = next;
      redraw();
    },
    /** Draw into a form, until null. @param {Form | null} next */
    edit(next) {
      form = next;
      redraw();
    },
    /** The reader's own drawings of the frame that is shown. */
    own,
    stop: marks.stop,
  };
}
