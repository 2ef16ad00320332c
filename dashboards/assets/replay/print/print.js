// @ts-check
// What is drawn where there is no browser: a position with its board, its standings and its legend, as an SVG that stands
// alone. The page's own modules draw the board; dashboards/boards/engine.py calls what is exported here.

import { Element, resize } from "./dom.js";
import { readSheets, styleOf } from "./sheet.js";
import { INHERITED, escaped, inlined } from "../drawing/markup.js";
import { groundOf } from "../drawing/picture.js";
import { wear } from "../drawing/shapes.js";
import { KINDS, loadKind } from "../kinds.js";
import { mountain } from "../track/mountain.js";
import { bow, layOut } from "../track/route.js";
import { caption, columnOf, rowsBelow, strip } from "./strip.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {{x: number, y: number, width: number, height: number}} Room */
/** @typedef {{scene: Scene, theme: string, width: number, height: number}} Asked `scene`: with the frame that is drawn, and no other */
/** @typedef {Asked & {title: string, about: string, caption: string, alone: boolean}} Card `alone`: nothing but the board */

const PAD = 14;
const CAPTION = 26;

/** Take the style sheets, before anything is drawn. @param {string[]} sheets */
export const prepare = (sheets) => readSheets(sheets);

/** @param {string} tag @param {Record<string, string>} attributes @param {...Element} children */
function element(tag, attributes, ...children) {
  const made = new Element(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * A page with a board on it, as far as the style sheets ask for one.
 * @param {Asked} asked
 */
async function page({ scene, theme, width, height }) {
  await loadKind(scene.board.kind);
  const drawn = KINDS[scene.board.kind].create(scene);
  const board = /** @type {Element} */ (/** @type {unknown} */ (drawn.element));
  const stage = element("div", { class: "board-stage" }, board);
  const card = element("svg", { class: "print" });
  const keys = element("div", { class: "legend" });
  const replay = element("div", { class: "replay" }, element("section", { class: "replay-board" }, stage), card, keys);
  element("html", { "data-mantine-color-scheme": theme }, replay);
  wear(/** @type {any} */ (replay), scene.seats);
  resize(board, width, height);
  drawn.draw(scene.frames[0]);
  drawn.stop();
  return { board, card, keys };
}

/** What the modules made, by what it is here. @param {unknown[]} made */
const inside = (made) => /** @type {Element[]} */ (made);

/** What all in a picture inherits: what every SVG has, and the font. @param {Element} on */
function usual(on) {
  const bare = styleOf(new Element("svg"));
  const family = styleOf(on).getPropertyValue("--font");
  return Object.fromEntries(INHERITED.map((name) => [name, name === "font-family" ? family : bare.getPropertyValue(name)]));
}

/** @param {Element} drawn @param {Record<string, string>} above @param {string} [place] */
const markup = (drawn, above, place) =>
  inlined(/** @type {globalThis.Element} */ (/** @type {unknown} */ (drawn)), above, { place, whole: true });

/** The layers of a board, one over the other. @param {Element} board @param {Room} room @param {Record<string, string>} above */
function layers(board, { x, y, width, height }, above) {
  const [sheet] = board.children;
  return sheet.children
    .map((layer) => {
      const box = layer.getAttribute("viewBox") ?? `0 0 ${width} ${height}`;
      return markup(layer, above, ` x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${box}"`);
    })
    .join("");
}

/** A board alone, as markup within an SVG. @param {Asked} asked */
export async function board(asked) {
  const { board: drawn } = await page(asked);
  return layers(drawn, { x: 0, y: 0, width: asked.width, height: asked.height }, usual(drawn));
}

/** Where the board goes, and where the standings: beside it in a broad picture, below it in another. @param {Card} asked */
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
  const { board: drawn, card, keys } = await page({ ...asked, width: room.board.width, height: room.board.height });
  const above = usual(drawn);
  const { x, y, width: broad, height: high } = room.board;
  const ground = groundOf(/** @type {globalThis.Element} */ (/** @type {unknown} */ (drawn)));
  keys.append(...inside(KINDS[scene.board.kind].legend(scene)));
  const parts = [
    ...(asked.caption ? [caption(asked.caption, { x: PAD, y: PAD, width: width - 2 * PAD, height: CAPTION - 8 })] : []),
    ...(room.strip ? [strip(scene, /** @type {any} */ (keys.children), room.strip)] : []),
  ];
  card.append(...inside(parts));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" font-family="${escaped(above["font-family"])}" xml:space="preserve"`,
    ` width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title><desc>${escaped(about)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${styleOf(card).getPropertyValue("--card")}"/>`,
    `<rect x="${x}" y="${y}" width="${broad}" height="${high}" rx="8" fill="${ground}"/>`,
    layers(drawn, room.board, above),
    ...card.children.map((part) => markup(part, above)),
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
