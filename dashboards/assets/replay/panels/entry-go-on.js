// @ts-check
// Let programs continue from a position: those of the match, or others for some seats. They play some decisions or to
// the end.

import { html } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";

/** @type {[string, string][]} */
const DECISIONS = [["1", "1 decision"], ["5", "5 decisions"], ["20", "20 decisions"], ["", "to the end"]];

/**
 * @param {import("../scene.js").Scene} scene
 * @param {{goOn: (players: (string | null)[] | null, decisions: number | null) => void, luck: (other: boolean) => void}} asks
 */
export function createGoOn(scene, { goOn, luck }) {
  const players = [...new Set(scene.seats.map(({ player }) => player))];
  const names = html("datalist", { id: "entry-players" }, ...players.map((value) => html("option", { value })));
  const inputs = scene.seats.map(({ name, player }, seat) => {
    const input = html("input", { id: `entry-player-${seat}`, type: "text", list: names.id, autocomplete: "off", placeholder: player });
    const label = html("label", { class: "entry-seat", for: input.id }, seatIcon(seat, 14), html("span", {}, `Player of ${name}`), input);
    return { input, label };
  });
  const { chance } = scene.terms;
  const many = html("select", { id: "entry-decisions", autocomplete: "off" }, ...DECISIONS.map(([value, text]) => html("option", { value }, text)));
  const go = html("button", { type: "submit", class: "button" }, "Go on");
  const dice = html("select", { id: "entry-luck", autocomplete: "off" }, html("option", { value: "" }, "the match's own"), html("option", { value: "other" }, `new ${chance} (starts over)`));
  dice.addEventListener("change", () => luck(dice.value !== ""));
  const more = html(
    "details",
    {},
    html("summary", {}, `Other players, other ${chance}`),
    html("label", { class: "field", for: dice.id }, html("span", {}, chance[0].toUpperCase() + chance.slice(1)), dice),
    html("p", { class: "meta" }, "Name a program for a seat, or leave it empty to keep the match's player."),
    ...inputs.map(({ label }) => label),
    names,
  );
  const element = html("form", { class: "entry-go" }, html("div", { class: "entry-line" }, html("label", { class: "field", for: many.id }, html("span", {}, "Let players decide"), many), go), more);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = inputs.map(({ input }) => input.value.trim() || null);
    goOn(given.some(Boolean) ? given : null, many.value ? Number(many.value) : null);
  });
  return {
    element,
    /** @param {import("./branch-server.js").Branch} branch */
    show: (branch) => (dice.value = branch.luck === null ? "" : "other"),
  };
}
