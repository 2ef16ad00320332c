// @ts-check
// The moving part of a track: the pawns of each seat, the Yeti, and the moves of this turn.

import { attributeOf, shower, svg, textOf } from "../drawing/dom.js";
import { inkShift, seatPath } from "../drawing/shapes.js";
import { bow } from "./route.js";
import { ARROW, PENNANT, YETI, YETI_FACE } from "./shapes.js";
import { standing } from "./standing.js";

/** @typedef {import("../scene.js").TrackScene} Scene */
/** @typedef {import("../scene.js").TrackFrame} Frame */
/** @typedef {import("./route.js").Route} Route */

const PAWNS = [1, 2, 3, 4, 0];
const TRAIL_TRIM = 15;
const MOST_TRAILS = 12;
const RADII = { climber: 12, sherpa: 8.4 };
const RINGS = { climber: 16.5, sherpa: 12 };

/** @param {Scene} scene @param {number} seat @param {number} pawn */
function createPawn(scene, seat, pawn) {
  const kind = pawn ? "sherpa" : "climber";
  const [look, radius] = [`pawn seat-fill seat-${seat}`, RADII[kind]];
  const ring = svg("circle", { r: RINGS[kind], class: "piece-ring", display: "none" });
  const letter = svg("text", { y: 0.5 + inkShift(seat) * radius, class: `${kind}-letter ink-${seat}` });
  const group = svg(
    "g",
    { "data-seat": seat, "data-thing": pawn ? null : `c${seat}` },
    svg("title", {}, `${pawn ? "Sherpa" : "Climber"} of ${scene.seats[seat].name}`),
    pawn ? null : svg("circle", { r: 20, class: "picked-ring" }),
    ring,
    pawn ? null : svg("path", { d: PENNANT, class: look }),
    svg("path", { d: seatPath(seat, radius), class: look }),
    letter,
  );
  return { group, at: "", field: attributeOf(group, "data-at"), ring: shower(ring), letter: textOf(letter), lettered: shower(letter) };
}

/** The pawns: Sherpas first, so that climbers are on top. Pawns that moved in this turn have a ring. @param {Scene} scene */
export function createPawns(scene) {
  const pawns = scene.seats.map((_, seat) => [0, 1, 2, 3, 4].map((pawn) => createPawn(scene, seat, pawn)));
  const element = svg("g", { class: "pieces" }, ...PAWNS.flatMap((pawn) => pawns.map((row) => row[pawn].group)));
  let shown = "";
  let rings = "";
  /** @param {Frame} frame @param {Route} laid */
  function place(frame, { points, scale, places }) {
    standing(scene.board.nodes, frame, places).forEach((row, seat) => {
      row.forEach((spot, index) => {
        const pawn = pawns[seat][index];
        const [x, y] = [points[spot.field].x + spot.x * scale, points[spot.field].y + spot.y * scale];
        const at = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) scale(${scale.toFixed(2)})`;
        if (at !== pawn.at) pawn.group.style.transform = pawn.at = at;
        pawn.field(spot.field);
        pawn.lettered(spot.top);
        if (spot.top) pawn.letter(scene.initials[seat] + (spot.count > 1 ? spot.count : ""));
      });
    });
  }
  return {
    element,
    /** @param {Frame} frame @param {Route} laid */
    draw(frame, laid) {
      const key = `${frame.c.join()}/${frame.s.join()}`;
      if (key !== shown) place(frame, laid);
      shown = key;
      const moved = frame.t.map(([seat, pawn]) => `${seat}.${pawn}`).join();
      if (moved === rings) return;
      rings = moved;
      pawns.forEach((row, seat) => row.forEach((pawn, index) => pawn.ring(frame.t.some((move) => move[0] === seat && move[1] === index))));
    },
    forget: () => (shown = ""),
  };
}

/** @param {Scene} scene */
export function createYeti(scene) {
  const group = svg(
    "g",
    { class: "yeti", "data-thing": "y0" },
    svg("title", {}, scene.names.y0),
    svg("circle", { r: 25, class: "picked-ring" }),
    svg("path", { d: YETI, class: "yeti-body" }),
    svg("path", { d: YETI_FACE, class: "yeti-face" }),
  );
  const field = attributeOf(group, "data-at");
  let shown = "";
  return {
    element: svg("g", { class: "pieces" }, group),
    /** @param {Frame} frame @param {Route} laid */
    draw(frame, { points, scale }) {
      const { x, y } = points[frame.b];
      const at = `translate(${(x + 30 * scale).toFixed(1)}px,${(y - 4 * scale).toFixed(1)}px) scale(${scale.toFixed(2)})`;
      if (at !== shown) group.style.transform = shown = at;
      field(frame.b);
    },
  };
}

/** The moves of this turn; a move that several pawns made together is drawn once. */
export function createMoves() {
  const drawn = Array.from({ length: MOST_TRAILS }, () => {
    const casing = svg("path", { class: "trail-casing" });
    const line = svg("path");
    const head = svg("path", { d: ARROW });
    const group = svg("g", { display: "none" }, casing, line, head);
    const set = { line: attributeOf(line, "class"), head: attributeOf(head, "class"), turn: attributeOf(head, "transform") };
    const curves = [casing, line].map((path) => attributeOf(path, "d"));
    return { group, show: shower(group), seat: attributeOf(group, "data-seat"), curves, ...set };
  });
  const element = svg("g", { class: "trails" }, ...drawn.map((each) => each.group));
  let shown = "";
  return {
    element,
    /** @param {Frame} frame @param {Route} laid */
    draw(frame, { points, scale }) {
      const moves = new Map(frame.t.filter(([, , from, to]) => from !== to).map(([seat, , ...move]) => [`${seat},${move}`, { seat, move }]));
      const key = [...moves.keys()].join(";");
      if (key === shown) return;
      shown = key;
      const list = [...moves.values()];
      drawn.forEach((each, index) => {
        const found = list[index];
        each.show(found !== undefined);
        if (!found) return;
        const [from, to, way] = found.move;
        const { curve, head } = bow(points[from], points[to], scale, -1, TRAIL_TRIM * scale);
        each.seat(found.seat);
        for (const write of each.curves) write(curve);
        each.line(`${way === "m" || way === "a" ? "trail" : "trail trail-back"} seat-line-${found.seat}`);
        each.head(`seat-fill seat-${found.seat}`);
        each.turn(head);
      });
    },
    forget: () => (shown = ""),
  };
}
