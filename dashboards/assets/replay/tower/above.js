// @ts-check
// The tower from above, as a map of heights: a number and a letter on each square, the borders of blocks, the climbers.
// It shows traffic too: the number of times climbers arrived on a square.

import { attributeOf, shower, svg, textOf } from "../drawing/dom.js";
import { seatPath } from "../drawing/shapes.js";
import { sizeOf, visitsInWords } from "../drawing/traffic-counts.js";
import { squareOf } from "./faces.js";
import { UNIT, discPath } from "./shapes.js";
import { holds, roomAround, sharedBy } from "./view.js";

/** @typedef {import("../scene.js").TowerScene} Scene */
/** @typedef {import("../scene.js").TowerFrame} Frame */
/** @typedef {import("./faces.js").Structure} Structure */

const EDGE = 10;
const ABOVE = 44;
const BELOW = 36;
const MOST = 46;
/** Position of a square's height: lower left, to leave room for climbers. A traffic count is in the middle instead. */
const LOW = { x: 0.36, y: 0.7 };

/** @param {Scene} scene @param {import("../scene.js").Room} room @param {number} x @param {number} y */
function createSquare(scene, room, x, y) {
  const { side, nodes } = scene.board;
  const left = (x - room.x) * UNIT;
  const up = (room.y + room.dy - 1 - y) * UNIT;
  const back = svg("rect", { width: UNIT, height: UNIT, class: "above-ground" });
  const text = svg("text", { class: "above-height" });
  const title = svg("title");
  const group = svg("g", { transform: `translate(${left} ${up})` }, title, back, text);
  const node = nodes.findIndex((each) => each.n === y * side + x);
  const set = { target: attributeOf(group, "data-thing"), look: attributeOf(back, "class"), ink: attributeOf(text, "class") };
  const [across, along] = ["x", "y"].map((name) => attributeOf(text, name));
  const [write, say, visits] = [textOf(text), textOf(title), attributeOf(group, "data-visits")];
  return {
    group,
    square: squareOf(x, y),
    show: shower(group),
    at: { x, y },
    /** @param {Structure} structure @param {boolean} within @param {import("../renderer.js").Traffic | null} counts */
    draw({ columns, lies }, within, counts) {
      const column = columns.get(squareOf(x, y));
      const block = column ? column.stack[column.stack.length - 1][0] : -1;
      const letter = lies[block]?.[7][0] ?? "";
      const count = node < 0 ? 0 : (counts?.nodes[node] ?? 0);
      set.target(block < 0 ? null : `t${block}`);
      visits(counts && node >= 0 ? count : null);
      set.look(counts ? `above-ground${count ? ` heat-${sizeOf(count, counts.nodes).step} above-heat` : column ? " above-quiet" : ""}` : column ? `face-${letter}` : "above-ground");
      set.ink(counts && count ? `above-count heat-${sizeOf(count, counts.nodes).step}` : within ? "above-height above-within" : "above-height");
      across(UNIT * (counts ? 0.5 : LOW.x));
      along(UNIT * (counts ? 0.5 : LOW.y));
      write(counts ? (count ? count : "") : column ? `${column.height}${letter}` : "");
      say(counts ? `Square ${x},${y}: ${visitsInWords(count)}` : column ? `${scene.names[`t${block}`]}, level ${column.height}` : "");
    },
  };
}

/** Borders between places, as one path. @param {Structure} structure @param {import("../scene.js").Room} room */
function borders({ tops }, room) {
  let path = "";
  for (let y = room.y; y <= room.y + room.dy; y += 1) {
    for (let x = room.x; x <= room.x + room.dx; x += 1) {
      const [left, up] = [(x - room.x) * UNIT, (room.y + room.dy - y) * UNIT];
      const here = tops.get(squareOf(x, y));
      if (here !== tops.get(squareOf(x, y - 1))) path += `M${left} ${up}h${UNIT}`;
      if (here !== tops.get(squareOf(x - 1, y))) path += `M${left} ${up}v${-UNIT}`;
    }
  }
  return path;
}

/** @param {Scene} scene */
export function createAbove(scene) {
  const { side } = scene.board;
  const room = roomAround(scene.board.room);
  const squares = Array.from({ length: room.dx * room.dy }, (_, i) => createSquare(scene, room, room.x + (i % room.dx), room.y + Math.floor(i / room.dx)));
  const border = svg("path", { class: "above-border" });
  const pieces = scene.seats.map((_, seat) => {
    const disc = svg("path", { d: discPath(seat), class: `tower-disc above-seat seat-fill seat-${seat}`, "data-thing": `d${seat}`, "data-seat": seat });
    const climber = svg("path", { d: seatPath(seat, 5.5), class: `tower-climber above-seat seat-fill seat-${seat}`, "data-thing": `c${seat}`, "data-seat": seat });
    const at = (/** @type {SVGElement} */ path) => ({ show: shower(path), move: attributeOf(path, "transform") });
    return { paths: [disc, climber], disc: at(disc), climber: at(climber) };
  });
  const picked = svg("path", { class: "tower-picked" });
  const element = svg("g", { class: "tower-above" }, ...squares.map((each) => each.group), border, ...pieces.flatMap((each) => each.paths), picked);
  const [place, bordering, marked] = [attributeOf(element, "transform"), attributeOf(border, "d"), attributeOf(picked, "d")];

  /** @param {ReturnType<typeof sharedBy>} shared with the part of the room that is shown @param {{width: number, height: number}} size */
  function layout({ room: part, ...least }, { width, height }) {
    const high = height - ABOVE - BELOW;
    const square = Math.min((least.width - 2 * EDGE) / part.dx, (least.height - ABOVE - BELOW) / part.dy, MOST);
    const left = (width - square * part.dx) / 2 - square * (part.x - room.x);
    const top = ABOVE + (high - square * part.dy) / 2 - square * (room.y + room.dy - part.y - part.dy);
    place(`translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(${(square / UNIT).toFixed(3)})`);
    for (const { show, at: { x, y } } of squares) show(holds(part, x, y));
  }
  /** @param {number[]} cell @param {number} right @param {number} down */
  const at = ([x, y], right, down) => `translate(${(x - room.x + right) * UNIT} ${(room.y + room.dy - 1 - y + down) * UNIT})`;
  return {
    element,
    /**
     * @param {Frame} frame @param {Structure} structure @param {number} reach @param {Set<string>} targets
     * @param {import("../renderer.js").Traffic | null} counts @param {{width: number, height: number}} size
     * @param {Iterable<import("./view.js").Tower>} towers the towers that share its scale
     */
    draw(frame, structure, reach, targets, counts, size, towers) {
      layout(sharedBy(towers), size);
      const within = new Set(reach < 0 ? [] : scene.reaches[frame.r[reach]].map((n) => squareOf(n % side, Math.floor(n / side))));
      for (const square of squares) square.draw(structure, within.has(structure.tops.get(square.square) ?? -1), counts);
      bordering(borders(structure, room));
      pieces.forEach((piece, seat) => {
        const [cell, [block, ...lies]] = [frame.c[seat], frame.d[seat]];
        piece.climber.show(cell.length > 0 && !counts);
        if (cell.length) piece.climber.move(at(cell, 0.73, 0.27));
        piece.disc.show(block >= 0 && !counts);
        if (block >= 0) piece.disc.move(`${at(lies, 0.27, 0.27)} scale(0.55)`);
      });
      const chosen = squares.filter(({ group }) => targets.has(group.getAttribute("data-thing") ?? "") || targets.has((group.getAttribute("data-thing") ?? "").replace("t", "b")));
      const climbers = frame.c.filter((cell, seat) => cell.length && targets.has(`c${seat}`));
      const discs = frame.d.filter(([block], seat) => block >= 0 && targets.has(`d${seat}`)).map(([, ...cell]) => cell);
      const cells = [...climbers, ...discs].map(([x, y]) => squareOf(x, y));
      const all = [...chosen, ...squares.filter(({ square }) => cells.includes(square))];
      marked(all.map(({ group }) => `M${/\(([^)]*)\)/.exec(group.getAttribute("transform") ?? "")?.[1]}h${UNIT}v${UNIT}h${-UNIT}Z`).join(""));
    },
  };
}
