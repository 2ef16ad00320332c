// @ts-check
// The position as text: what lies where, for whoever cannot or would rather not look at the map.

import { html, textOf } from "./dom.js";
import { leftInWords } from "./markers.js";
import { planInWords } from "./standings.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Frame} Frame */

/** @param {Scene} scene @param {string} letters */
function cubesInWords(scene, letters) {
  const parts = scene.tokens.map((token) => {
    const count = [...letters].filter((letter) => letter === token.letter).length;
    return count ? `${count} ${token.name}` : "";
  });
  return parts.filter(Boolean).join(", ");
}

/**
 * @param {string} caption
 * @param {string[]} heads
 * @param {string[]} names
 */
function table(caption, heads, names) {
  /** @type {((text: string) => void)[][]} */
  const cells = [];
  const rows = names.map((name) => {
    const row = html("tr", {}, html("th", { scope: "row" }, name));
    cells.push(
      heads.slice(1).map(() => {
        const cell = html("td");
        row.append(cell);
        return textOf(cell);
      }),
    );
    return row;
  });
  const element = html(
    "table",
    {},
    html("caption", {}, caption),
    html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
    html("tbody", {}, ...rows),
  );
  return { element, cells };
}

/** @param {Scene} scene */
export function createWords(scene) {
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
  const element = html(
    "div",
    {
      class: "position-words",
      id: "replay-words",
      tabindex: 0,
      role: "region",
      "aria-label": "Position as text",
      hidden: true,
    },
    ...tables.map((each) => each.element),
  );
  return {
    element,
    /** @param {Frame} frame */
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
        const values = [...frame.d[index].map(String), names[frame.l[index]] ?? "nobody"];
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
