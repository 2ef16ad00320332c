// @ts-check
// Setup of a match: game, board, options, players, and the source of the dice.

import { html, memory } from "../drawing/dom.js";
import { createAttempts } from "../panels/attempts.js";
import { createList } from "./list.js";
import { pageOf, records } from "./records.js";
import { createSeatsForm } from "./setup-seats.js";

/** @typedef {import("./draft.js").GameSetUp} GameSetUp */

const NAMES = "record.names";
const GAME = "record.game";
const MOST_TITLE = 200;
/** @type {["entered" | "drawn", string, string][]} */
const DICE = [
  ["entered", "from the table", "You enter what was rolled or drawn."],
  ["drawn", "made by the server", "The server rolls and draws for you. It reveals the seed when the match ends."],
];

function remembered() {
  try {
    const names = JSON.parse(memory.read(NAMES, "[]"));
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
}

/** Options of a game besides the number of seats. @param {GameSetUp} game @param {() => number} seats */
function createOptions(game, seats) {
  const rows = game.options.map(({ name, text, kind, usual }) => {
    const id = `record-option-${name}`;
    const words = html("span", {}, text[0].toUpperCase() + text.slice(1));
    if (kind === "switch") {
      const input = html("input", { type: "checkbox", id });
      return { element: html("label", { class: "check", for: id }, input, words), read: () => (input.checked ? { [name]: true } : {}), draw() {} };
    }
    if (kind === "seat") {
      const input = html("select", { id, autocomplete: "off" });
      const draw = () => {
        const before = input.value;
        input.replaceChildren(html("option", { value: "" }, usual || "as usual"), ...Array.from({ length: seats() }, (_, seat) => html("option", { value: seat }, `Seat ${seat + 1}`)));
        input.value = Number(before) < seats() ? before : "";
      };
      return { element: html("label", { class: "field", for: id }, words, input), read: () => (input.value === "" ? {} : { [name]: Number(input.value) }), draw };
    }
    const input = html("input", { type: "number", id, step: 1, placeholder: usual });
    return { element: html("label", { class: "field", for: id }, words, input), read: () => (input.value === "" ? {} : { [name]: Number(input.value) }), draw() {} };
  });
  return {
    elements: rows.map(({ element }) => element),
    draw: () => rows.forEach(({ draw }) => draw()),
    /** @returns {Record<string, unknown>} */
    read: () => Object.assign({}, ...rows.map(({ read }) => read())),
  };
}

/**
 * @param {HTMLElement} root @param {GameSetUp[]} games
 */
export function showSetUp(root, games) {
  const { note, token, attempt } = createAttempts(() => note.say(""), "record-token");
  const last = new URLSearchParams(window.location.search).get("game") ?? memory.read(GAME, "");
  let game = games.find(({ name }) => name === last) ?? games[0];
  const segments = html("div", { class: "record-games", role: "radiogroup", "aria-label": "Game" });
  const board = html("select", { id: "record-board", autocomplete: "off" });
  const boards = html("label", { class: "field", for: board.id }, html("span", {}, "Board"), board);
  const options = html("div", { class: "record-options" });
  const title = html("input", { type: "text", id: "record-title", maxlength: MOST_TITLE, autocomplete: "off", placeholder: "Sunday evening" });
  const dice = DICE.map(([value, text, what]) => {
    const input = html("input", { type: "radio", name: "record-dice", value, checked: value === "entered" });
    const head = html("b");
    const name = (/** @type {string} */ chance) => (head.textContent = `${chance} ${text}`);
    return { input, name, element: html("label", { class: "record-choice" }, input, html("span", {}, head, html("span", { class: "meta" }, what))) };
  });
  const chance = html("legend");
  const kind = html("p", { class: "meta", role: "status" });
  const begin = html("button", { type: "submit", class: "button button-strong record-begin" }, "Begin");
  const table = html("button", { type: "button", class: "button" }, "At our table");
  const programs = html("button", { type: "button", class: "button" }, "Play against programs");
  const seats = createSeatsForm({ changed: () => update(), names: remembered() });
  /** @type {ReturnType<typeof createOptions>} */
  let chosen = createOptions(game, seats.count);

  function update() {
    chosen.draw();
    table.setAttribute("aria-pressed", String(!seats.isPlay()));
    programs.setAttribute("aria-pressed", String(seats.isPlay()));
    kind.textContent = seats.isPlay()
      ? "Each browser decides for its own seats, and sees what its players may see."
      : "Anyone who opens the page may enter for all seats and see everything.";
  }
  function draw() {
    board.replaceChildren(...game.boards.map(({ id, title: words }) => html("option", { value: id, selected: id === game.board }, words)));
    boards.hidden = game.boards.length < 2;
    chosen = createOptions(game, seats.count);
    options.replaceChildren(...chosen.elements);
    seats.show(game);
    programs.hidden = !game.programs.length;
    chance.textContent = game.chance[0].toUpperCase() + game.chance.slice(1);
    for (const { name } of dice) name(chance.textContent);
  }
  for (const each of games) {
    const input = html("input", { type: "radio", name: "record-game", value: each.name, checked: each === game });
    input.addEventListener("change", () => {
      game = each;
      draw();
    });
    segments.append(html("label", {}, input, html("span", {}, each.title)));
  }
  /** @param {boolean} against */
  function preset(against) {
    seats.preset(against);
    for (const { input } of dice) input.checked = input.value === (against ? "drawn" : "entered");
    note.say("");
  }
  table.addEventListener("click", () => preset(false));
  programs.addEventListener("click", () => {
    preset(true);
    if (!seats.names()[0]) document.getElementById("record-seat-0")?.focus();
    else begin.focus();
  });

  const form = html(
    "form",
    { class: "card record-form", "aria-labelledby": "record-new", novalidate: true },
    html("div", { class: "card-head" }, html("h2", { id: "record-new" }, "A new match"), html("div", { class: "actions" }, table, programs)),
    segments,
    seats.element,
    html("fieldset", { class: "record-fieldset record-rules" }, html("legend", {}, "Rules"), boards, options),
    html("fieldset", { class: "record-fieldset record-dice" }, chance, ...dice.map(({ element }) => element)),
    html("label", { class: "field record-title-field", for: title.id }, html("span", {}, "Title"), title),
    kind,
    note.element,
    html("div", { class: "actions" }, begin),
  );
  async function start() {
    const missing = seats.missing();
    if (missing) return note.say(missing, null, true);
    const names = seats.names();
    const setup = {
      game: game.name,
      board: board.value || game.board,
      options: chosen.read(),
      seats: seats.read(),
      dice: /** @type {"entered" | "drawn"} */ (dice.find(({ input }) => input.checked)?.input.value ?? "entered"),
      ...(title.value.trim() && { title: title.value.trim() }),
      ...(seats.isPlay() && { take: seats.here() }),
    };
    begin.disabled = true;
    const made = await attempt(() => records.begin(setup), () => void start());
    begin.disabled = false;
    if (!made) return;
    memory.write(GAME, game.name);
    memory.write(NAMES, JSON.stringify(names.map((name, i) => name || (remembered()[i] ?? ""))));
    window.location.assign(pageOf(made.draft.id));
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void start();
  });
  const list = createList();
  root.replaceChildren(form, token.element, list.element);
  draw();
  root.setAttribute("data-ready", "true");
  return () => {
    list.stop();
    root.replaceChildren();
    root.removeAttribute("data-ready");
  };
}
