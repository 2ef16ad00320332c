// @ts-check
// Drawings without a browser: a position with its board, its standings and its legend, as an independent SVG. The page's
// own modules draw the board; dashboards/boards/engine.py calls the functions exported here.

import { resize } from "./dom.js";
import { escaped } from "../drawing/markup.js";
import { wear } from "../drawing/shapes.js";
import { KINDS, loadKind } from "../kinds.js";
import { mountain } from "../track/mountain.js";
import { bow, layOut } from "../track/route.js";
import { markup, within } from "./markup.js";
import { caption, columnOf, rowsBelow, strip } from "./strip.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("./dom.js").Element} Element */
/** @typedef {import("./markup.js").Around} Around */
/** @typedef {{x: number, y: number, width: number, height: number}} Room */
/** @typedef {{scene: Scene, scheme: Around, width: number, height: number}} Asked `scene`: with the frame that is drawn, and no other; `scheme`: the properties of a scheme and `--ground`, the colour under a board */
/** @typedef {Asked & {title: string, about: string, caption: string, alone: boolean}} Card `alone`: only the board */

const PAD = 14;
const CAPTION = 26;

/** What the renderers make, which is of ours here. @param {unknown} made */
const ours = (made) => /** @type {Element} */ (made);

/** Values that all drawings of a match inherit. @param {Asked} asked @returns {Around} */
function schemeOf({ scene, scheme }) {
  const worn = document.createElement("div");
  wear(worn, scene.seats);
  return within(ours(worn), { fill: "#000000", stroke: "none", color: scheme["--text"], ...scheme });
}

/** A board of a size, with the frame on it. @param {Asked} asked */
async function drawnOf({ scene, width, height }) {
  await loadKind(scene.board.kind);
  const drawn = KINDS[scene.board.kind].create(scene);
  const board = ours(drawn.element);
  resize(board, width, height);
  drawn.draw(scene.frames[0]);
  drawn.stop();
  return board;
}

/** The layers of a board, one over the other. @param {Element} board @param {Room} room @param {Around} scheme */
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

/** A board alone, as markup within an SVG. @param {Asked} asked */
export async function board(asked) {
  const place = { x: 0, y: 0, width: asked.width, height: asked.height };
  return layers(await drawnOf(asked), place, schemeOf(asked));
}

/** Place of the board, and of the standings: to its right in a broad picture, else below. @param {Card} asked */
function rooms({ scene, width, height, caption: said, alone }) {
  if (alone) return { board: { x: 0, y: 0, width, height }, strip: null };
  const top = PAD + (said ? CAPTION : 0);
  const column = columnOf(width, height);
  const below = rowsBelow(scene);
  const [beside, whole] = [width - column - PAD, width - 2 * PAD];
  if (column) {
    return {
      board: { x: PAD, y: top, width: beside - 2 * PAD, height: height - top - PAD },
      strip: { x: beside, y: top, width: column, height: height - top - PAD },
    };
  }
  return {
    board: { x: PAD, y: top, width: whole, height: height - below - 2 * PAD - top },
    strip: { x: PAD, y: height - below - PAD, width: whole, height: below },
  };
}

/** A position as a whole document. @param {Card} asked */
export async function picture(asked) {
  const { scene, width, height, title, about } = asked;
  const room = rooms(asked);
  const scheme = schemeOf(asked);
  const drawn = await drawnOf({ ...asked, width: room.board.width, height: room.board.height });
  const { x, y, width: broad, height: high } = room.board;
  const keys = KINDS[scene.board.kind].legend(scene);
  const parts = [
    ...(asked.caption ? [caption(asked.caption, { x: PAD, y: PAD, width: width - 2 * PAD, height: CAPTION - 8 })] : []),
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
 * @param {{count: number, width: number, height: number, snow: number[], slides: [number, number][], trim: number}} asked
 */
export function route({ count, width, height, snow, slides, trim }) {
  const laid = layOut(count, width, height);
  const { points, line, scale, named } = laid;
  const { whole, tiers } = mountain(laid, snow);
  const bent = slides.map(([from, to]) => bow(points[from], points[to], scale, 1, trim * scale));
  return { points, line, scale, named, mountain: whole, snow: tiers[tiers.length - 1], slides: bent };
}
