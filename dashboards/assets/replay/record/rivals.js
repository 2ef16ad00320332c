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

  /** @param {HTMLElement | null} shown */
  function point(shown) {
    for (const each of list.querySelectorAll("button")) {
      if (each === shown) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
    back.hidden = !shown;
  }
  back.addEventListener("click", newest);
  return {
    element,
    /** No position of the list is shown any more. */
    leave: () => point(null),
    /** @param {Draft} draft */
    show(draft) {
      const lines = draft.kind === "play" ? sinceMine(draft) : [];
      element.hidden = !lines.length;
      list.replaceChildren(
        ...lines.map(({ seat, text, frame }) => {
          const line = html("button", { type: "button", class: "menu-row" }, seatIcon(seat, 14), html("span", {}, text));
          line.addEventListener("click", () => {
            look(frame);
            point(line);
          });
          return html("li", {}, line);
        }),
      );
      if (!lines.length) point(null);
    },
  };
}
