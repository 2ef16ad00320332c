// @ts-check
// The panel of causes: how many points each cause added to a seat's chances, by round and in hindsight. A separate
// column has the cost of the seat's own plan as it could be judged at the time.

import { roundsOver, signed, splitByRound, summed } from "../drawing/causes.js";
import { html, textOf } from "../drawing/dom.js";
import { participant } from "../drawing/shapes.js";

/** @typedef {import("../review.js").Alternative} Alternative */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../parts.js").Panel} Panel */
/** @typedef {ReturnType<typeof splitByRound>} Split */

const HOW =
  "In points of winning chance, in hindsight: the decisions of all seats, the dice and drift, added to the starting chance, give the outcome.";
const SUM = "All causes of the round together.";
const COST =
  "The model's guess, not confirmed, of what the plan gave up against the best alternative found. Below zero, the plan beat every alternative found.";

/** @param {number} chance */
const inPoints = (chance) => (100 * chance).toFixed(1);

/** Cost of a plan as it could be judged at the time, estimated by the model. @param {Alternative | null} judged */
function costThen(judged) {
  return judged ? String(Math.round(100 * judged.cost)).replace("-", "−") : "";
}

/** @param {string | Node} head @param {(string | null)[]} cells */
const line = (head, cells) => html("tr", {}, html("th", { scope: "row" }, head), ...cells.map((cell) => html("td", {}, cell)));

/** @param {Player} player @param {Split} split */
function createTable({ scene, go }, split) {
  const { causes, start, rounds } = split;
  const heads = causes.map(({ short, name }) => html("th", { scope: "col" }, html("abbr", { title: name }, short)));
  const body = html("tbody");
  const element = html(
    "table",
    { class: "causes-table" },
    html("caption", { class: "visually-hidden" }, "What changed the chance of winning, by round"),
    html("thead", {}, html("tr", {}, html("th", { scope: "col" }, html("abbr", { title: scene.terms.round }, scene.terms.short || "#")), ...heads, html("th", { scope: "col" }, "sum"), html("th", { scope: "col" }, "cost then"))),
    body,
  );
  /** @param {Split["rounds"][number]} round @param {number} seat */
  function roundLine({ round, at, changes, judged }, seat) {
    const jump = html("button", { type: "button", class: "text-button" }, round ? `${scene.terms.short}${round}` : "set-up");
    jump.addEventListener("click", () => go(at));
    const own = changes[seat];
    return line(jump, [...own.map(signed), signed(own.reduce((sum, each) => sum + each, 0)), costThen(judged[seat])]);
  }
  return {
    element,
    /** Show the first rounds of a seat. @param {number} seat @param {number} count */
    draw(seat, count) {
      const shown = rounds.slice(0, count);
      const sums = summed(shown, seat, causes.length);
      const now = start[seat] + sums.reduce((sum, each) => sum + each, 0);
      const blank = causes.map(() => "");
      const end = count === rounds.length ? "end" : "so far";
      body.replaceChildren(
        line("start", [...blank, inPoints(start[seat]), ""]),
        ...shown.map((round) => roundLine(round, seat)),
        line(end, [...sums.map(signed), inPoints(Math.abs(now)), ""]),
      );
    },
  };
}

/** The headings of the table, explained. @param {{short: string, name: string}[]} causes */
function createWords(causes) {
  const words = [...causes.map(({ short, name }) => [short, `${name}.`]), ["sum", SUM], ["cost then", COST]];
  return html("dl", { class: "causes-words meta" }, ...words.map(([head, text]) => html("div", {}, html("dt", {}, head), html("dd", {}, text))));
}

/** @param {Player} player @returns {Panel} */
export function createCauses(player) {
  const { scene, state, reviewing, memory } = player;
  const choices = scene.seats.map((who, seat) => html("option", { value: seat }, participant(who)));
  const select = html("select", { id: "causes-seat" }, ...choices);
  select.value = memory.get("causes") ?? "0";
  const field = html("label", { class: "field", for: "causes-seat" }, html("span", {}, "Seat"), select);
  const none = html("p", { class: "meta" });
  const say = textOf(none);
  const place = html("div", { class: "causes-place" });
  const element = html("div", { class: "moments causes", tabindex: 0, role: "group", "aria-label": "Causes" }, field, none, place);
  /** @type {Split | null} */
  let split = null;
  /** @type {ReturnType<typeof createTable> | null} */
  let table = null;
  let drawn = "";

  /** @param {number} at */
  function show(at) {
    const count = !split ? 0 : player.hidesFuture() ? roundsOver(split.rounds, at) : split.rounds.length;
    const key = `${select.value} ${count}`;
    if (key === drawn) return;
    drawn = key;
    field.hidden = place.hidden = count === 0;
    none.hidden = count > 0;
    say(split ? "No round is over yet." : reviewing.why());
    if (count) table?.draw(Number(select.value), count);
  }
  function take() {
    const chances = reviewing.found();
    split = chances?.isWhole ? splitByRound(scene, chances.review) : null;
    table = split && createTable(player, split);
    const how = html("div", { class: "causes-how" }, html("p", { class: "meta" }, HOW), ...(split ? [createWords(split.causes)] : []));
    place.replaceChildren(...(table ? [table.element, how] : []));
    drawn = "";
    if (player.at() >= 0) show(player.at());
  }
  select.addEventListener("change", () => {
    memory.set("causes", select.value);
    show(player.at());
  });
  state.on("spoilers", () => show(player.at()));
  reviewing.on(take);
  take();
  return { id: "causes", title: "Causes", element, show };
}
