// @ts-check
// The board as a self-contained SVG: a copy of the drawing with its computed styles, a title and a caption above it,
// and the names of the seats below. This works for any board drawn in SVG.

import { CLEAR, escaped, inlined, resolved } from "./markup.js";
import { seatPath } from "./shapes.js";

/** @typedef {import("../scene.js").Scene} Scene */
/**
 * @typedef {{title: string, caption: string, lines?: number, source?: string}} Words `lines`: how many the caption may
 *   take; `source`: what the drawing is of, in small print
 */

const ROW = 22;
const NARROW = 640;
const PAD = 12;
const FAMILY = "Inter";

/**
 * A reader of the layers of a board. Layers that did not change since the last reading are not read again.
 * @param {Element} board
 */
export function createReader(board) {
  /** @type {Map<Element, {markup: string, changes: MutationObserver}>} */
  const cached = new Map();
  /** @param {SVGSVGElement} layer @param {DOMRect} room */
  function read(layer, room) {
    const before = cached.get(layer);
    if (before && before.changes.takeRecords().length === 0) return before.markup;
    const { left, top, width, height } = layer.getBoundingClientRect();
    const box = layer.getAttribute("viewBox") ?? `0 0 ${width} ${height}`;
    const place = ` x="${left - room.left}" y="${top - room.top}" width="${width}" height="${height}" viewBox="${box}"`;
    const markup = inlined(layer, {}, { place });
    const changes = before?.changes ?? new MutationObserver(() => {});
    changes.observe(layer, { subtree: true, childList: true, attributes: true, characterData: true });
    cached.set(layer, { markup, changes });
    return markup;
  }
  return {
    read() {
      const room = board.getBoundingClientRect();
      const layers = /** @type {SVGSVGElement[]} */ ([...board.querySelectorAll("svg")]);
      const outermost = layers.filter((layer) => !layer.parentElement?.closest("svg"));
      return { markup: outermost.map((layer) => read(layer, room)).join(""), width: room.width, height: room.height };
    },
    stop: () => cached.forEach(({ changes }) => changes.disconnect()),
  };
}

/** The background of a board: the first colour found behind it. @param {Element} board */
export function groundOf(board) {
  for (let at = /** @type {Element | null} */ (board); at; at = at.parentElement) {
    const colour = window.getComputedStyle(at).backgroundColor;
    if (!CLEAR.test(colour)) return resolved(colour);
  }
  return "#ffffff";
}

/**
 * @param {Scene} scene
 * @param {Element} board
 * @param {Words} words
 * @param {ReturnType<typeof createReader>} [reader]
 */
export async function picture(scene, board, words, reader) {
  const own = reader ?? createReader(board);
  const { markup, width, height } = own.read();
  if (!reader) own.stop();
  if (!width || !height) throw new Error("The board is not shown, so there is nothing to take a picture of.");
  const style = window.getComputedStyle(board);
  /** @param {string} name */
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.font = `500 13px ${style.fontFamily}`;
  const wide = Math.ceil(width);
  const lines = words.lines ?? (wide < NARROW ? 2 : 1); // fixed, so that all frames of a clip have the same height
  const top = PAD + (1 + lines) * ROW - 4;
  let [x, y] = [PAD, top + 4 + height + ROW / 2];
  const seats = scene.seats.map((seat, index) => {
    const room = 18 + pen.measureText(seat.name).width + 18;
    if (x > PAD && x + room > width) [x, y] = [PAD, y + ROW];
    const shape = `<path transform="translate(${x + 7} ${y})" d="${seatPath(index, 6.5)}" fill="${colour(`seat-${index}`)}"
      stroke="${colour("seat-line")}" stroke-width="1.2" stroke-linejoin="round"/>`;
    const name = `<text x="${x + 19}" y="${y}" dy="0.36em" font-size="13" font-weight="500">${escaped(seat.name)}</text>`;
    x += room;
    return shape + name;
  });
  const high = Math.ceil(y + ROW / 2 + 4);
  const caption = broken(words.caption, wide - 2 * PAD, lines, pen, style.fontFamily).map(
    (line, index) =>
      `<text x="${PAD}" y="${PAD + ROW * (1.5 + index) - 6}" dy="0.36em" font-size="15" font-weight="600">${escaped(line)}</text>`,
  );
  const face = await fontFace();
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" role="img" font-family="${escaped(style.fontFamily)}" fill="${colour("text")}">
<title>${escaped(`${words.title}: ${words.caption}`)}</title>
<style>${face}text{font-variant-numeric:tabular-nums;white-space:pre}</style>
<rect width="${wide}" height="${high}" fill="${colour("card")}"/>
<text x="${PAD}" y="${PAD + ROW / 2 - 4}" dy="0.36em" font-size="12" fill="${colour("muted")}">${escaped(words.title)}</text>
${caption.join("\n")}
<g transform="translate(0 ${top})"><rect width="${wide}" height="${height}" fill="${groundOf(board)}"/>${markup}</g>
${seats.join("\n")}
</svg>`;
}

/**
 * A drawing with a title above, and its caption and other markup below, as one self-contained SVG.
 * @param {string} drawing
 * @param {{width: number, height: number}} room
 * @param {Words & {more?: string, moreHeight?: number}} words
 * @param {Element} card supplies fonts and colours
 */
export async function framed(drawing, room, words, card) {
  const style = window.getComputedStyle(card);
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  const wide = Math.ceil(room.width + 2 * PAD);
  const lines = broken(words.caption, (wide - 2 * PAD) * 1.1, words.lines ?? 8, pen, style.fontFamily);
  const top = PAD + ROW + 6;
  const below = top + room.height + PAD;
  const text = below + (words.moreHeight ?? 0) + 6;
  const foot = text + lines.length * ROW + 4;
  const high = Math.ceil(foot + (words.source ? ROW : 0) + PAD / 2);
  const caption = lines.map((line, index) => `<text x="${PAD}" y="${text + ROW * index}" dy="0.72em" font-size="13.5">${escaped(line)}</text>`);
  const face = await fontFace();
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" role="img" font-family="${escaped(style.fontFamily)}" fill="${resolved(style.color)}">
<title>${escaped(`${words.title}: ${words.caption}`)}</title>
<style>${face}text{font-variant-numeric:tabular-nums;white-space:pre}</style>
<rect width="${wide}" height="${high}" fill="${groundOf(card)}"/>
<text x="${PAD}" y="${PAD + ROW / 2}" dy="0.36em" font-size="16" font-weight="650">${escaped(words.title)}</text>
<g transform="translate(${PAD} ${top})">${drawing}</g>
<g transform="translate(${PAD} ${below})">${words.more ?? ""}</g>
${caption.join("\n")}
${words.source ? `<text x="${PAD}" y="${foot}" dy="0.72em" font-size="12" fill-opacity="0.75">${escaped(words.source)}</text>` : ""}
</svg>`;
}

/**
 * Break a text into lines that fit; if it is too long, the last line ends in an ellipsis.
 * @param {string} text @param {number} room @param {number} most @param {CanvasRenderingContext2D} pen @param {string} family
 */
function broken(text, room, most, pen, family) {
  pen.font = `600 15px ${family}`;
  const fits = (/** @type {string} */ line) => pen.measureText(line).width <= room;
  const found = [""];
  for (const word of text.split(" ")) {
    const longer = `${found[found.length - 1]} ${word}`.trim();
    if (found.length === most || fits(longer)) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found.map((line) => {
    let shown = line;
    while (shown.length > 1 && !fits(shown)) shown = `${shown.slice(0, -2)}…`;
    return shown;
  });
}

/** @type {Promise<string> | null} */
let face = null;

/** The CSS rule for the page's font, with the font embedded; empty if the font is not available. */
function fontFace() {
  face ??= loadFace().catch(() => "");
  return face;
}

async function loadFace() {
  for (const sheet of document.styleSheets) {
    let rules;
    try {
      rules = [...sheet.cssRules];
    } catch {
      continue; // a style sheet of another site, which may not be read
    }
    for (const rule of rules) {
      if (!(rule instanceof CSSFontFaceRule) || !rule.style.getPropertyValue("font-family").includes(FAMILY)) continue;
      const source = /url\(["']?([^"')]+)["']?\)/.exec(rule.style.getPropertyValue("src"))?.[1];
      if (!source) continue;
      const data = source.startsWith("data:") ? source : await asData(new URL(source, sheet.href ?? document.baseURI));
      return `@font-face{font-family:"${FAMILY}";font-weight:100 900;src:url(${data})}`;
    }
  }
  return "";
}

/** @param {URL} address @returns {Promise<string>} */
async function asData(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The font could not be loaded (${response.status}).`);
  const blob = await response.blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/**
 * Draw a picture on a canvas of its size times `scale`. The picture comes from a data address, which keeps the canvas
 * readable.
 * @param {string} svg
 * @param {number} scale
 * @param {HTMLCanvasElement} canvas
 */
export async function drawOn(svg, scale, canvas) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const [width, height] = [Math.round(image.naturalWidth * scale), Math.round(image.naturalHeight * scale)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (!pen) throw new Error("This browser gives no canvas to draw on.");
  pen.drawImage(image, 0, 0, width, height);
  return pen;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {string} type
 * @param {number} [quality]
 * @returns {Promise<Blob>}
 */
export function encoded(canvas, type, quality) {
  return new Promise((resolve, reject) => {
    const done = (/** @type {Blob | null} */ blob) =>
      blob ? resolve(blob) : reject(new Error("This browser could not make the picture."));
    canvas.toBlob(done, type, quality);
  });
}

/** @param {string} svg @param {number} scale */
export async function toPng(svg, scale) {
  const canvas = document.createElement("canvas");
  await drawOn(svg, scale, canvas);
  return encoded(canvas, "image/png");
}
