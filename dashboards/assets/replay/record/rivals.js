// @ts-check
// In a match against programs or other people: what they did since this browser's last decision, a line for each action
// with its result. A line shows its position on the board.

import { html } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";

/** @typedef {import("./draft.js").Draft} Draft */

const MOST = 30;

/** The rivals' latest moments, each with its last frame; empty before the first decision. @param {Draft} draft */
function sinceMine({ seats, entries, scene: { moments, frames } }) {
  const mine = entries.findLastIndex(({ seat }) => seat !== null && seats[seat].mine);
  if (mine < 0) return [];
  const from = mine ? entries[mine - 1].frame + 1 : 0;
  const all = moments.map(({ at, seat, text }, i) => ({ at, seat, text, frame: (moments[i + 1]?.at ?? frames.length) - 1 }));
  return all.filter(({ at, seat }) => at > from && seat >= 0 && !seats[seat].mine).slice(-MOST);
}

/** @param {{look: (frame: number) => void, newest: () => void}} asks */
export function createRivals({ look, newest }) {
  const list = html("ol", { class: "record-rivals" });
  const back = html("button", { type: "button", class: "button", hidden: true }, "Back to now");
  const element = html("section", { class: "card", "aria-labelledby": "record-rivals-title", hidden: true }, html("div", { class: "card-head" }, html("h2", { id: "record-rivals-title" }, "Since your last decision"), back), list);

  back.addEventListener("click", newest);
  return {
    element,
    /** Mark the line whose position is shown. @param {number | null} frame */
    point(frame) {
      for (const line of list.querySelectorAll("button")) {
        if (line.dataset.frame === String(frame)) line.setAttribute("aria-current", "true");
        else line.removeAttribute("aria-current");
      }
      back.hidden = frame === null;
    },
    /** @param {Draft} draft */
    show(draft) {
      const lines = draft.kind === "play" ? sinceMine(draft) : [];
      element.hidden = !lines.length;
      const focused = /** @type {HTMLElement | null} */ (list.querySelector(":focus"))?.dataset.frame;
      list.replaceChildren(
        ...lines.map(({ seat, text, frame }) => {
          const line = html("button", { type: "button", class: "menu-row", "data-frame": frame }, seatIcon(seat, 14), html("span", {}, text));
          line.addEventListener("click", () => look(frame));
          return html("li", {}, line);
        }),
      );
      /** @type {HTMLElement | null} */ (list.querySelector(`[data-frame="${focused}"]`))?.focus();
    },
  };
}
