// @ts-check
// The seats during setup: their number, and for each a person, a program, or no player yet.

import { html } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";

/** @typedef {import("./draft.js").GameSetUp} GameSetUp */
/** @typedef {import("./draft.js").SeatSetUp} SeatSetUp */
/** @typedef {"person" | "program" | "open"} Kind */
/** @typedef {{kind: Kind, name: string, program: string}} Seat */

const MOST = 60;
/** @type {[Kind, string][]} */
const KINDS = [
  ["person", "Person"],
  ["program", "Program"],
  ["open", "Open"],
];

/** @param {{changed: () => void, names: string[]}} asks `names`: people who played last */
export function createSeatsForm({ changed, names }) {
  const count = html("select", { id: "record-count", autocomplete: "off" });
  const list = html("ol", { class: "record-seating" });
  const element = html(
    "fieldset",
    { class: "record-fieldset record-people" },
    html("legend", {}, "Seats"),
    html("label", { class: "field", for: count.id }, html("span", {}, "How many"), count),
    list,
    html("p", { class: "meta" }, "Seats are numbered as people sit. A player takes an open seat later, by opening the link."),
  );
  /** @type {GameSetUp} */
  let game;
  /** @type {Seat[]} */
  let seats = [];

  /** @param {number} seat @returns {Seat} */
  const usual = (seat) => ({ kind: "person", name: names[seat] ?? "", program: game.programs.at(-1) ?? "" });

  /** @param {number} i */
  function rowOf(i) {
    const seat = seats[i];
    const kind = html("select", { id: `record-kind-${i}`, autocomplete: "off", "aria-label": `Seat ${i + 1} is` }, ...KINDS.map(([value, text]) => html("option", { value, selected: value === seat.kind }, text)));
    const name = html("input", { type: "text", id: `record-seat-${i}`, maxlength: MOST, autocomplete: "off", placeholder: `Name of player ${i + 1}`, "aria-label": `Name of player ${i + 1}`, value: seat.name });
    const program = html("select", { id: `record-program-${i}`, autocomplete: "off", "aria-label": `Program of seat ${i + 1}` }, ...game.programs.toReversed().map((value) => html("option", { value, selected: value === seat.program }, value)));
    const open = html("span", { class: "meta" }, "left open for another player");
    const show = () => {
      name.hidden = seat.kind !== "person";
      program.hidden = seat.kind !== "program";
      open.hidden = seat.kind !== "open";
    };
    kind.addEventListener("change", () => {
      seat.kind = /** @type {Kind} */ (kind.value);
      show();
      changed();
    });
    name.addEventListener("input", () => {
      seat.name = name.value;
      name.removeAttribute("aria-invalid");
    });
    program.addEventListener("change", () => (seat.program = program.value));
    show();
    return html("li", {}, seatIcon(i, 18), html("span", { class: "record-number" }, String(i + 1)), kind, name, program, open);
  }
  function draw() {
    count.value = String(seats.length);
    list.replaceChildren(...seats.map((_, i) => rowOf(i)));
    changed();
  }
  count.addEventListener("change", () => {
    const wanted = Number(count.value);
    seats = Array.from({ length: wanted }, (_, seat) => seats[seat] ?? usual(seat));
    draw();
  });
  return {
    element,
    /** Show the form for another game. @param {GameSetUp} next */
    show(next) {
      game = next;
      count.replaceChildren(...game.seats.map((each) => html("option", { value: each }, String(each))));
      const wanted = game.seats.includes(seats.length) ? seats.length : game.usual;
      const withProgram = (/** @type {Seat} */ seat) => ({ ...seat, program: game.programs.includes(seat.program) ? seat.program : (game.programs.at(-1) ?? "") });
      seats = Array.from({ length: wanted }, (_, seat) => (seats[seat] ? withProgram(seats[seat]) : usual(seat)));
      draw();
    },
    /** Preset: everybody at the table, or one person against the strongest programs. @param {boolean} programs */
    preset(programs) {
      seats = seats.map((seat, i) => ({ ...usual(i), name: seat.name, kind: programs && i > 0 ? "program" : "person" }));
      draw();
    },
    /** True if any seat is not a person's at this table. */
    isPlay: () => seats.some(({ kind }) => kind !== "person"),
    /** Focus the first person without a name; null if all have one. */
    missing() {
      const at = seats.findIndex(({ kind, name }) => kind === "person" && !name.trim());
      if (at < 0) return null;
      const input = document.getElementById(`record-seat-${at}`);
      input?.setAttribute("aria-invalid", "true");
      input?.focus();
      return `Player ${at + 1} has no name yet.`;
    },
    count: () => seats.length,
    names: () => seats.map(({ kind, name }) => (kind === "person" ? name.trim() : "")),
    /** @returns {SeatSetUp[]} */
    read: () => seats.map(({ kind, name, program }) => (kind === "program" ? { program } : { name: kind === "open" ? null : name.trim() })),
    /** Seats played in this browser. */
    here: () => seats.flatMap(({ kind }, i) => (kind === "person" ? [i] : [])),
  };
}
