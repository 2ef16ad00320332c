// @ts-check
// A position on a track as tables: the dice and the Yeti, the holdings of each seat, the pieces on each field.

import { table } from "../drawing/table.js";
import { cardsInWords } from "./holdings.js";
import { toCome } from "./table.js";

/** @typedef {import("../scene.js").TrackScene} Scene */
/** @typedef {import("../scene.js").TrackFrame} Frame */

/** @param {number} card */
const signed = (card) => (card > 0 ? `+${card}` : `−${-card}`);

/** @param {Scene} scene @returns {import("../renderer.js").Tables<Frame>} */
export function createTrackTables(scene) {
  const names = scene.seats.map((seat) => seat.name);
  const { nodes } = scene.board;
  const shared = table("Dice and Yeti", ["What", "Now"], ["Dice to choose from", "Dice taken", "Yeti on", "Yeti cards seen", "Yeti cards to come"]);
  const seats = table("Players", ["Player", "Climber", "Sherpas", "Supply cards", "Supplied in"], names);
  const fields = table(
    "Route",
    ["Field", "Climbers", "Sherpas", "Yeti"],
    nodes.map((node) => scene.names[`n${node.n}`]),
  );
  const leads = new Map(scene.board.links.map((link) => [link.a, link.b]));
  nodes.forEach((node, index) => {
    const to = leads.get(node.n);
    const head = fields.element.tBodies[0].rows[index].cells[0];
    if (to !== undefined) head.append(`, down to ${to}`);
  });
  return {
    elements: [shared, seats, fields].map((each) => each.element),
    draw(frame) {
      const [left, taken] = [frame.d.filter((face) => face > 0), frame.d.filter((face) => face < 0)];
      const now = [left.join(", "), taken.map((face) => -face).join(", "), String(frame.b), frame.k.map(signed).join(", "), toCome(frame)];
      now.forEach((value, row) => shared.cells[row][0](value || "none"));
      names.forEach((_, seat) => {
        const stand = [...frame.s[seat]].sort((a, b) => a - b).join(", ");
        const values = [String(frame.c[seat]), stand, cardsInWords(frame, seat), frame.v[seat].join(", ") || "–"];
        values.forEach((value, column) => seats.cells[seat][column](value));
      });
      nodes.forEach((node, index) => {
        const climbers = names.filter((_, seat) => frame.c[seat] === node.n);
        const sherpas = names.flatMap((name, seat) => {
          const count = frame.s[seat].filter((field) => field === node.n).length;
          return count ? [`${count} ${name}`] : [];
        });
        const values = [climbers.join(", ") || "–", sherpas.join(", ") || "–", frame.b === node.n ? "Yeti" : "–"];
        values.forEach((value, column) => fields.cells[index][column](value));
      });
    },
  };
}
