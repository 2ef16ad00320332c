// @ts-check
// The form that sets or changes a bookmark: its label, its tags (with suggestions of existing tags), and its moment.

import { html } from "../drawing/dom.js";

/** @typedef {import("./bookmarks-server.js").Fields} Fields */

const MOST_LABEL = 200;
const MOST_SUGGESTED = 8;

/** @param {string} text */
const tagsOf = (text) =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);

/** @param {string} value @param {string} label */
function choice(value, label) {
  const input = html("input", { type: "radio", name: "bookmark-place", value });
  const text = html("span", {}, label);
  return { input, text, element: html("label", { class: "check" }, input, text) };
}

/**
 * Buttons for existing tags that complete the word being typed and are not in the field yet.
 * @param {HTMLInputElement} input
 * @param {() => string[]} inUse
 */
function createSuggestions(input, inUse) {
  const element = html("div", { class: "bookmark-suggestions", role: "group", "aria-label": "Tags in use" });
  function show() {
    const parts = input.value.split(",");
    const begun = parts[parts.length - 1].trim().toLowerCase();
    const there = new Set(parts.map((part) => part.trim().toLowerCase()));
    const fitting = inUse().filter((tag) => !there.has(tag.toLowerCase()) && tag.toLowerCase().startsWith(begun));
    element.replaceChildren(
      ...fitting.slice(0, MOST_SUGGESTED).map((tag) => html("button", { type: "button", class: "tag", "aria-label": `Add the tag ${tag}` }, tag)),
    );
    element.hidden = fitting.length === 0;
  }
  input.addEventListener("input", show);
  element.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button) return;
    const before = input.value.split(",").slice(0, -1).map((part) => part.trim());
    input.value = `${[...before, button.textContent].filter(Boolean).join(", ")}, `;
    input.focus();
    show();
  });
  return { element, show };
}

/**
 * `save` receives the fields of the form, and returns whether they were saved.
 * @param {{tags: () => string[], save: (fields: Fields) => Promise<boolean>, closed: () => void}} asks
 */
export function createForm(asks) {
  const label = html("input", { type: "text", id: "bookmark-label", maxlength: MOST_LABEL, required: true, autocomplete: "off" });
  const tags = html("input", { type: "text", id: "bookmark-tags", autocomplete: "off", placeholder: "separated by commas" });
  const moment = choice("moment", "");
  const whole = choice("whole", "The whole match");
  const suggestions = createSuggestions(tags, asks.tags);
  const save = html("button", { type: "submit", class: "button button-strong" }, "Save");
  const cancel = html("button", { type: "button", class: "button" }, "Cancel");
  const element = html(
    "form",
    { class: "bookmark-form", hidden: true, novalidate: true },
    html("label", { for: "bookmark-label" }, "Label"),
    label,
    html("label", { for: "bookmark-tags" }, "Tags"),
    tags,
    suggestions.element,
    html("fieldset", {}, html("legend", { class: "visually-hidden" }, "On"), moment.element, whole.element),
    html("div", { class: "actions" }, save, cancel),
  );
  /** @type {string | null} */
  let ply = null;
  let busy = false;

  function close() {
    element.hidden = true;
    asks.closed();
  }
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const fields = { label: label.value.trim(), ply: whole.input.checked ? null : ply, tags: tagsOf(tags.value) };
    const saved = await asks.save(fields);
    busy = false;
    if (saved) close();
  });
  cancel.addEventListener("click", close);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault(); // marks the key as handled by the form
    close();
  });
  return {
    element,
    isOpen: () => !element.hidden,
    focus: () => label.focus(),
    /**
     * @param {string} heading
     * @param {Fields} fields fields to begin with
     * @param {string} at the ply that the bookmark may name
     * @param {string} place that ply in words
     */
    open(heading, fields, at, place) {
      ply = at;
      element.setAttribute("aria-label", heading);
      label.value = fields.label;
      tags.value = fields.tags.length ? `${fields.tags.join(", ")}, ` : "";
      moment.text.textContent = place;
      (fields.ply === null ? whole : moment).input.checked = true;
      suggestions.show();
      element.hidden = false;
      label.focus();
      label.select();
    },
  };
}
