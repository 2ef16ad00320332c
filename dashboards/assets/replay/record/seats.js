// @ts-check
// The seats in a match against programs. Anyone who opens the page can claim an open seat.

import { html } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";

/** @typedef {import("./draft.js").Draft} Draft */

const MOST = 60;

/** @param {{take: (seat: number, name: string) => void, name: string, remember: (name: string) => void}} asks */
export function createSeats({ take, name, remember }) {
  const list = html("ul", { class: "record-seats" });
  const hint = html("p", { class: "meta" });
  const element = html("section", { class: "card record-who", "aria-labelledby": "record-who-title", hidden: true }, html("h2", { id: "record-who-title" }, "Seats"), list, hint);
  let drawn = "";

  /** @param {number} seat */
  function formFor(seat) {
    const input = html("input", { type: "text", id: `record-name-${seat}`, maxlength: MOST, autocomplete: "name", required: true, placeholder: "Your name", "aria-label": `Name for seat ${seat + 1}`, value: name });
    const form = html("form", { class: "entry-line" }, input, html("button", { type: "submit", class: "button button-strong" }, "Take this seat"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (!name) return input.focus();
      remember(name);
      take(seat, name);
    });
    return form;
  }
  return {
    element,
    /** @param {Draft} draft */
    show({ kind, seats, scene }) {
      element.hidden = kind !== "play";
      const now = JSON.stringify(seats);
      if (element.hidden || now === drawn) return;
      drawn = now;
      const open = seats.filter((seat) => !seat.taken).length;
      hint.textContent = "Send the link of this page to the player of an open seat.";
      hint.hidden = !open;
      list.replaceChildren(
        ...seats.map((seat, i) => {
          const what = seat.kind === "program" ? "program" : seat.mine ? "you, in this browser" : seat.taken ? "taken" : "open";
          return html(
            "li",
            { class: seat.mine ? "record-mine" : null },
            html("span", { class: "record-sits" }, seatIcon(i, 16), html("b", {}, seat.name ?? scene.seats[i].name), html("span", { class: "meta" }, what)),
            seat.taken ? null : formFor(i),
          );
        }),
      );
    },
  };
}

