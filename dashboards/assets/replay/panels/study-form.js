// @ts-check
// The form of a chapter: title, text, circles and arrows on the board, and whether it is hidden until it is reached.

import { html } from "../drawing/dom.js";
import { createChoosers } from "./draw.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("./study-server.js").Drawn} Drawn */
/** @typedef {{title: string, text: string, shapes: Drawn[], hidden: boolean}} Fields */

const MOST_TITLE = 200;
const MOST_TEXT = 20_000;

/**
 * Circles and arrows as a list, and the controls that add another.
 * @param {Scene} scene
 * @param {(shapes: Drawn[]) => void} changed
 */
function createShapes(scene, changed) {
  const { elements, from, to, focus } = createChoosers(scene, (start, end) => become([...shapes, { start, end }]));
  const list = html("ul", { class: "study-shapes" });
  /** @type {Drawn[]} */
  let shapes = [];
  /** @param {string} thing */
  const name = (thing) => scene.names[thing] ?? thing;

  function show() {
    list.replaceChildren(
      ...shapes.map((shape) => {
        const what = shape.end === null ? `circle around ${name(shape.start)}` : `arrow from ${name(shape.start)} to ${name(shape.end)}`;
        const said = shape.colour ? `${shape.colour} ${what}` : what;
        const words = said[0].toUpperCase() + said.slice(1);
        const remove = html("button", { type: "button", class: "button", "aria-label": `Remove: ${words}` }, "Remove");
        remove.addEventListener("click", () => {
          become(shapes.filter((each) => each !== shape));
          focus();
        });
        return html("li", {}, words, remove);
      }),
    );
  }
  /** @param {Drawn[]} next */
  function become(next) {
    shapes = next;
    show();
    changed(shapes);
  }
  return {
    element: html("fieldset", { class: "study-draw" }, html("legend", {}, "On the board: drag with the right mouse button, or"), ...elements, list),
    become,
    shapes: () => shapes,
    /** Note a click on the board: first the start of a shape, then its end. @param {string} thing */
    take(thing) {
      if (!from.value) from.value = thing;
      else to.value = thing;
    },
  };
}

/**
 * `save` receives the fields of the form, and returns whether they were saved; `changed` receives them on each change,
 * `drawn` circles and arrows, and null when the form closes.
 * @param {Scene} scene
 * @param {{save: (fields: Fields) => Promise<boolean>, closed: () => void, changed: (fields: Fields) => void, drawn: (shapes: Drawn[] | null) => void}} asks
 */
export function createChapterForm(scene, asks) {
  const title = html("input", { type: "text", id: "study-title", maxlength: MOST_TITLE, required: true, autocomplete: "off" });
  const text = html("textarea", { id: "study-text", rows: 6, maxlength: MOST_TEXT, placeholder: "Markdown: *italic*, **bold**, - lists, [links](https://…)" });
  const hidden = html("input", { type: "checkbox", id: "study-hidden" });
  const place = html("p", { class: "meta" });
  const shapes = createShapes(scene, (drawn) => {
    asks.drawn(drawn);
    if (!element.hidden) asks.changed(fields());
  });
  const cancel = html("button", { type: "button", class: "button" }, "Cancel");
  const element = html(
    "form",
    { class: "bookmark-form study-form", hidden: true, novalidate: true },
    html("label", { for: "study-title" }, "Title"),
    title,
    place,
    html("label", { for: "study-text" }, "Text"),
    text,
    shapes.element,
    html("label", { class: "check", for: "study-hidden" }, hidden, "Hide it until a reader gets there"),
    html("div", { class: "actions" }, html("button", { type: "submit", class: "button button-strong" }, "Save"), cancel),
  );
  let busy = false;
  let before = "";

  /** @returns {Fields} */
  const fields = () => ({ title: title.value.trim(), text: text.value, shapes: shapes.shapes(), hidden: hidden.checked });
  function close() {
    element.hidden = true;
    asks.drawn(null);
    asks.closed();
  }
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const saved = await asks.save(fields());
    busy = false;
    if (saved) close();
  });
  cancel.addEventListener("click", close);
  element.addEventListener("input", () => asks.changed(fields()));
  element.addEventListener("keydown", (event) => {
    event.stopPropagation(); // typed letters must not act as shortcuts
    if (event.key !== "Escape") return;
    event.preventDefault(); // marks the key as handled by the form
    if (JSON.stringify(fields()) === before) close(); // Escape must not lose what was written
  });
  return {
    element,
    isOpen: () => !element.hidden,
    close,
    take: shapes.take,
    draw: shapes.become,
    /** @param {string} heading @param {Fields} first fields to begin with @param {string} position @param {boolean} restored */
    open(heading, first, position, restored) {
      element.setAttribute("aria-label", heading);
      place.textContent = position;
      title.value = first.title;
      text.value = first.text;
      hidden.checked = first.hidden;
      shapes.become(first.shapes);
      before = restored ? "" : JSON.stringify(fields());
      element.hidden = false;
      if (restored) return;
      title.focus();
      title.select();
    },
  };
}
