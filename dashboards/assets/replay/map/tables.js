// @ts-check
// A position on a map as two tables: holdings by seat, and things by place.

import { table } from "../drawing/table.js";
import { planInWords } from "./holdings.js";
import { leftInWords } from "./markers.js";

/** @typedef {import("../scene.js").MapScene} Scene */
/** @typedef {import("../scene.js").MapFrame} Frame */

/** @param {Scene} scene @param {string} letters */
function cubesInWords(scene, letters) {
  const parts = scene.tokens.map((token) => {
    const count = [...letters].filter((letter) => letter === token.letter).length;
    return count ? `${count} ${token.name}` : "";
  });
  return parts.filter(Boolean).join(", ");
}

/** @param {Scene} scene @returns {import("../renderer.js").Tables<Frame>} */
export function createMapTables(scene) {
  const { nodes, areas } = scene.board;
  const names = scene.seats.map((seat) => seat.name);
  const seats = table(
    "Players",
    [
      "Player",
      "Village",
      "Goods",
      ...scene.supplies.map((supply) => supply.name[0].toUpperCase() + supply.name.slice(1)),
      "Plan",
      ...(scene.markers ? ["Tokens left"] : []),
    ],
    names,
  );
  const places = table(
    "Villages",
    ["Village", "Offers", "Order", "Stupa", "Caravans"],
    nodes.map((node) => `${node.n}, ${node.icon}`),
  );
  const regions = table(
    "Regions",
    ["Region", ...names, "Majority"],
    areas.map((area) => String(area.n)),
  );
  const markers = table(
    "Tokens on the board",
    ["Token", "Where", "Placed by"],
    (scene.markers ?? []).map((marker) => marker.name),
  );
  const tables = [seats, places, regions, ...(scene.markers ? [markers] : [])];
  return {
    elements: tables.map((each) => each.element),
    draw(frame) {
      names.forEach((_, seat) => {
        const held = scene.tokens.map((token, kind) =>
          frame.h[seat][kind] ? `${frame.h[seat][kind]} ${token.name}` : "",
        );
        const toward = frame.w?.[seat] ? `, on the way to ${frame.w[seat]}` : "";
        const at = frame.c[seat] ? `${frame.c[seat]}${toward}` : "–";
        const values = [
          at,
          held.filter(Boolean).join(", ") || "–",
          ...frame.s[seat].map(String),
          planInWords(scene, frame, seat) || "–",
          ...(frame.q ? [leftInWords(scene, frame.q[seat])] : []),
        ];
        values.forEach((value, column) => seats.cells[seat][column](value));
      });
      nodes.forEach((node, index) => {
        const disc = scene.discs[frame.o[index]];
        const here = names.filter((_, seat) => frame.c[seat] === node.n && !frame.w?.[seat]);
        const values = [
          cubesInWords(scene, frame.n[index]) || "–",
          disc ? `${cubesInWords(scene, disc.demand)} for ${disc.pays} yaks` : "–",
          names[frame.u[index]] ?? "–",
          here.join(", ") || "–",
        ];
        values.forEach((value, column) => places.cells[index][column](value));
      });
      areas.forEach((_, index) => {
        const values = [...frame.d[index].map(String), names[frame.l[index]] ?? "no leader"];
        values.forEach((value, column) => regions.cells[index][column](value));
      });
      markers.cells.forEach((row, index) => {
        const [, seat, a, b] = frame.k?.find(([kind]) => kind === index) ?? [index, -1, 0, 0];
        const where = a === b ? `village ${a}` : `road ${a}–${b}`;
        const values = [a ? where : "–", names[seat] ?? "–"];
        values.forEach((value, column) => row[column](value));
      });
    },
  };
}
