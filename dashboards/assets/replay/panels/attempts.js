// @ts-check
// Requests that may fail: report the outcome in words, and ask for a token if the server requires one.

import { html } from "../drawing/dom.js";
import { Refused, useToken } from "./server.js";

/** @param {unknown} error */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Report a result or an error in words, with the next step.
 */
function createNote() {
  const text = html("span", {});
  const button = html("button", { type: "button", class: "button" });
  const element = html("p", { class: "bookmark-note", role: "status", hidden: true }, text, button);
  /** @type {(() => void) | null} */
  let run = null;
  button.addEventListener("click", () => run?.());
  /** @param {string} words @param {{name: string, run: () => void} | null} [action] @param {boolean} [bad] */
  function say(words, action = null, bad = false) {
    text.textContent = words;
    run = action?.run ?? null;
    button.textContent = action?.name ?? "";
    button.hidden = !action;
    element.hidden = !words;
    element.classList.toggle("bookmark-bad", bad);
  }
  return { element, say, button };
}

/**
 * A form that asks for a token if the server requires one, and then repeats the request.
 */
/** @param {string} id of its input */
function createTokenForm(id) {
  const input = html("input", { type: "password", id, autocomplete: "off", required: true });
  const element = html(
    "form",
    { class: "bookmark-form", hidden: true },
    html("label", { for: id }, "Token"),
    input,
    html("p", { class: "meta" }, "Kept in this tab until it is closed."),
    html("div", { class: "actions" }, html("button", { type: "submit", class: "button button-strong" }, "Go on")),
  );
  /** @type {(() => void) | null} */
  let then = null;
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    useToken(input.value);
    input.value = "";
    element.hidden = true;
    then?.();
  });
  return {
    element,
    /** @param {() => void} run */
    ask(run) {
      then = run;
      element.hidden = false;
      input.focus();
    },
    hide: () => (element.hidden = true),
  };
}

/**
 * @param {() => void} done called after a successful request
 * @param {string} [id] of the input of a token
 */
export function createAttempts(done, id = "bookmark-token") {
  const note = createNote();
  const token = createTokenForm(id);
  /**
   * Send a request. If the server requires a token, ask for one and send it again.
   * @template T
   * @param {() => Promise<T>} work
   * @param {() => void} again
   * @returns {Promise<T | null>} null if the request failed
   */
  async function attempt(work, again) {
    token.hide();
    try {
      const found = await work();
      done();
      return found;
    } catch (error) {
      note.say(wordsOf(error), null, true);
      if (error instanceof Refused && error.token) token.ask(again);
      return null;
    }
  }
  return { note, token, attempt };
}
