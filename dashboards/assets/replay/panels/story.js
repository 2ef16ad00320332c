// @ts-check
// The panel of the story: at most five sentences on the match, each a link to the event that it is about.

import { html, textOf } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";

/** @typedef {import("../review.js").StoryLine} StoryLine */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../parts.js").Panel} Panel */

/** @param {Player} player @param {StoryLine} line */
function createLine(player, { at, seat, text }) {
  const mark = seat < 0 ? null : seatIcon(seat, 16);
  const jump = html("button", { type: "button", class: "round-note", "data-at": at }, mark, html("span", {}, text));
  jump.addEventListener("click", () => player.go(at));
  return { at, jump, item: html("li", {}, jump) };
}

/** @param {Player} player @returns {Panel} */
export function createStory(player) {
  const { state, reviewing } = player;
  const list = html("ol", { class: "round-notes", "aria-label": "Story" });
  const none = html("p", { class: "meta" });
  const say = textOf(none);
  const element = html("div", { class: "story", tabindex: 0, role: "group", "aria-label": "Story" }, none, list);
  /** @type {ReturnType<typeof createLine>[]} */
  let lines = [];

  /** Reason why no sentence is listed; "" if some are. */
  function nothing() {
    if (lines.some(({ item }) => !item.hidden)) return "";
    if (lines.length) return "Nothing to tell so far.";
    return reviewing.story() ? "There is nothing to tell about this match yet." : reviewing.why();
  }
  /** @param {number} frame */
  function show(frame) {
    for (const { at, jump, item } of lines) {
      item.hidden = player.hidesFuture() && at > frame;
      if (at === frame) jump.setAttribute("aria-current", "true");
      else jump.removeAttribute("aria-current");
    }
    say(nothing());
    none.hidden = !nothing();
  }
  function take() {
    lines = (reviewing.story() ?? []).map((line) => createLine(player, line));
    list.replaceChildren(...lines.map(({ item }) => item));
    if (player.at() >= 0) show(player.at());
  }
  reviewing.on(take);
  state.on("spoilers", () => show(player.at()));
  take();
  return { id: "story", title: "Story", element, show };
}
