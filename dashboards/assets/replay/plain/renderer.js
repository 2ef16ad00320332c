// @ts-check
// The renderer of games without a drawing: the position as text in a monospaced font, as large as the room allows.

import { attributeOf, html, svg, textOf } from "../drawing/dom.js";
import { addLooks } from "../drawing/looks.js";
import { PLAIN_LOOKS } from "./looks.js";

addLooks(PLAIN_LOOKS);

/** @typedef {import("../scene.js").PlainScene} Scene */
/** @typedef {import("../scene.js").PlainFrame} Frame */

const LARGEST = 15;
const LETTER = 0.61; // width of a character, as a fraction of the font size
const LINE = 1.4;
const PAD = 14;

/** The lines of a position. @param {Scene} scene @param {Frame} frame */
export const textIn = (scene, frame) => scene.texts[frame.p];

/** @type {import("../renderer.js").CreateRenderer<Scene, Frame>} */
export function createPlain(scene) {
  const most = Math.max(1, ...scene.texts.map((text) => text.length));
  const longest = Math.max(1, ...scene.texts.flatMap((text) => text.map((line) => line.length)));
  const lines = Array.from({ length: most }, () => {
    const line = svg("text", { class: "plain-line", x: PAD });
    return { line, write: textOf(line), lower: attributeOf(line, "y") };
  });
  const drawing = svg("svg", { "aria-hidden": "true" }, ...lines.map((each) => each.line));
  const sheet = html("div", { class: "board-sheet" }, drawing);
  const element = html("div", { class: "board-drawing replay-plain", role: "img", "aria-label": "Position" }, sheet);

  function layout() {
    const { clientWidth: width, clientHeight: height } = element;
    if (!width || !height) return;
    const size = Math.min(LARGEST, (width - 2 * PAD) / (longest * LETTER), (height - 2 * PAD) / (most * LINE));
    Object.assign(sheet.style, { width: `${width}px`, height: `${height}px` });
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.style.fontSize = `${size.toFixed(2)}px`;
    lines.forEach(({ lower }, index) => lower((PAD + (index + 0.5) * size * LINE).toFixed(1)));
  }
  const watcher = new ResizeObserver(layout);
  watcher.observe(element);
  return {
    element,
    draw(frame) {
      const text = textIn(scene, frame);
      lines.forEach(({ write }, index) => write(text[index] ?? ""));
    },
    glide() {},
    mark() {},
    layer() {},
    stop: () => watcher.disconnect(),
  };
}
