// @ts-check
// Drawings without a browser: a position with its board, its standings and its legend, as an independent SVG. The page's
// own modules draw the board; dashboards/boards/engine.py calls the functions exported here.

import { resize } from "./dom.js";
import { escaped } from "../drawing/markup.js";
import { assignColours } from "../drawing/shapes.js";
import { KINDS, loadKind } from "../kinds.js";
import { mountain } from "../track/mountain.js";
import { bow, layOut } from "../track/route.js";
import { markup, within } from "./markup.js";
import { caption, columnOf, rowsBelow, strip } from "./strip.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("./dom.js").Element} Element */
/** @typedef {import("./markup.js").Inherited} Inherited */
/** @typedef {{x: number, y: number, width: number, height: number}} Room */
/** @typedef {{scene: Scene, scheme: Inherited, width: number, height: number}} Drawing `scene`: with the frame that is drawn, and no other; `scheme`: the properties of a scheme and `--ground`, the colour under a board */
/** @typedef {Drawing & {title: string, about: string, caption: string, alone: boolean}} Card `alone`: only the board */

const PAD = 14;
const CAPTION = 26;

/** A renderer's element as the type of our DOM replacement. @param {unknown} made */
const ours = (made) => /** @type {Element} */ (made);

/** Values that all drawings of a match inherit. @param {Drawing} drawing @returns {Inherited} */
function schemeOf({ scene, scheme }) {
  const element = document.createElement("div");
  assignColours(element, scene.seats);
  return within(ours(element), { fill: "#000000", stroke: "none", color: scheme["--text"], ...scheme });
}

/** A board of the given size that shows the frame. @param {Drawing} drawing */
async function drawnOf({ scene, width, height }) {
  await loadKind(scene.board.kind);
  const drawn = KINDS[scene.board.kind].create(scene);
  const board = ours(drawn.element);
  resize(board, width, height);
  drawn.draw(scene.frames[0]);
  drawn.stop();
  return board;
}

/** The layers of a board as markup, bottom layer first. @param {Element} board @param {Room} room @param {Inherited} scheme */
function layers(board, { x, y, width, height }, scheme) {
  const [sheet] = board.children;
  return sheet.children
    .map((layer) => {
      const box = layer.getAttribute("viewBox") ?? `0 0 ${width} ${height}`;
      const place = ` x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${box}" text-anchor="middle"`;
      return markup(layer, within(board, scheme), place);
    })
    .join("");
}

/** A board alone, as markup within an SVG. @param {Drawing} drawing */
export async function board(drawing) {
  const place = { x: 0, y: 0, width: drawing.width, height: drawing.height };
  return layers(await drawnOf(drawing), place, schemeOf(drawing));
}

/** Place of the board, and of the standings: to its right in a wide picture, below it otherwise. @param {Card} drawing */
function rooms({ scene, width, height, caption: text, alone }) {
  if (alone) return { board: { x: 0, y: 0, width, height }, strip: null };
  const top = PAD + (text ? CAPTION : 0);
  const column = columnOf(width, height);
  const below = rowsBelow(scene);
  const [left, whole] = [width - column - PAD, width - 2 * PAD];
  if (column) {
    return {
      board: { x: PAD, y: top, width: left - 2 * PAD, height: height - top - PAD },
      strip: { x: left, y: top, width: column, height: height - top - PAD },
    };
  }
  return {
    board: { x: PAD, y: top, width: whole, height: height - below - 2 * PAD - top },
    strip: { x: PAD, y: height - below - PAD, width: whole, height: below },
  };
}

/** A position as a whole document. @param {Card} drawing */
export async function picture(drawing) {
  const { scene, width, height, title, about } = drawing;
  const room = rooms(drawing);
  const scheme = schemeOf(drawing);
  const drawn = await drawnOf({ ...drawing, width: room.board.width, height: room.board.height });
  const { x, y, width: broad, height: high } = room.board;
  const keys = KINDS[scene.board.kind].legend(scene);
  const parts = [
    ...(drawing.caption ? [caption(drawing.caption, { x: PAD, y: PAD, width: width - 2 * PAD, height: CAPTION - 8 })] : []),
    ...(room.strip ? [strip(scene, keys, room.strip)] : []),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" font-family="${escaped(scheme["--font"])}"`,
    ` xml:space="preserve" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title><desc>${escaped(about)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${scheme["--card"]}"/>`,
    `<rect x="${x}" y="${y}" width="${broad}" height="${high}" rx="8" fill="${scheme["--ground"]}"/>`,
    layers(drawn, room.board, scheme),
    ...parts.map((part) => markup(ours(part), scheme)),
    "</svg>",
  ].join("");
}

/**
 * A route and the mountain around it, for maps that are drawn on it.
 * @param {{count: number, width: number, height: number, snow: number[], slides: [number, number][], trim: number}} size
 */
export function route({ count, width, height, snow, slides, trim }) {
  const laid = layOut(count, width, height);
  const { points, line, scale, named } = laid;
  const { whole, tiers } = mountain(laid, snow);
  const bent = slides.map(([from, to]) => bow(points[from], points[to], scale, 1, trim * scale));
  return { points, line, scale, named, mountain: whole, snow: tiers[tiers.length - 1], slides: bent };
}
