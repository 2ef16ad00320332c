// @ts-check
// A position on a tower as tables: the holdings of each seat, and the map of heights.

import { table } from "../drawing/table.js";
import { squareOf, structure } from "./faces.js";
import { colourOf, discInWords, laddersInWords } from "./holdings.js";
import { blockUnder } from "./inspector.js";
import { holds, roomAround, shownRoom } from "./view.js";

/** @typedef {import("../scene.js").TowerScene} Scene */
/** @typedef {import("../scene.js").TowerFrame} Frame */

/** @param {Scene} scene @returns {import("../renderer.js").Tables<Frame>} */
export function createTowerTables(scene) {
  const names = scene.seats.map((seat) => seat.name);
  const { colours } = scene.board;
  const room = roomAround(scene.board.room);
  const columns = Array.from({ length: room.dx }, (_, i) => room.x + i);
  const rows = Array.from({ length: room.dy }, (_, i) => room.y + room.dy - 1 - i);
  const seats = table("Players", ["Player", "Level", "Stands on", "Colour", "Ladders", "Disc"], names);
  const heads = ["Row", ...columns.map((x) => `Column ${x}`)];
  const heights = table("Heights and tops, the back of the table first", heads, rows.map(String));
  heights.element.classList.add("heights");
  /** @param {import("../scene.js").Room} part what is shown of the room */
  function hideBeyond(part) {
    [...heights.element.rows].forEach((line, row) => {
      line.hidden = row > 0 && !holds(part, part.x, rows[row - 1]);
      [...line.cells].forEach((cell, column) => (cell.hidden = column > 0 && !holds(part, columns[column - 1], part.y)));
    });
  }
  return {
    elements: [seats.element, heights.element],
    draw(frame) {
      const built = structure(scene, frame.b);
      names.forEach((_, seat) => {
        const cell = frame.c[seat];
        const place = cell.length ? scene.names[`b${blockUnder(built, cell)}`] : "the table";
        const values = [String(frame.f[seat][0]), place, colourOf(scene, frame, seat) || "–", laddersInWords(frame, seat), discInWords(scene, frame, seat)];
        values.forEach((value, column) => seats.cells[seat][column](value));
      });
      hideBeyond(shownRoom(scene, frame.b));
      rows.forEach((y, row) => {
        columns.forEach((x, column) => {
          const height = built.columns.get(squareOf(x, y))?.height ?? 0;
          const letter = built.lies[blockUnder(built, [x, y])]?.[7][0] ?? "";
          const climber = names.filter((_, seat) => frame.c[seat][0] === x && frame.c[seat][1] === y);
          const disc = names.filter((_, seat) => frame.d[seat][1] === x && frame.d[seat][2] === y).map((name) => `disc of ${name}`);
          heights.cells[row][column](height ? [`${height} ${colours[letter]}`, ...climber, ...disc].join(", ") : "–");
        });
      });
    },
  };
}
