// @ts-check
// A clip: an animated WebP of a range of events. It is drawn on a hidden copy of the board, so the page stays usable.
// Each frame stores only the part that changed.

import { html } from "../drawing/dom.js";
import { createReader, drawOn, encoded, groundOf, picture } from "../drawing/picture.js";
import { animation, pictureIn } from "./webp.js";

/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../renderer.js").Renderer} Renderer */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/**
 * @typedef {{
 *   from: number, to: number, speed: number, width: number,
 *   onProgress?: (done: number, all: number) => void, signal?: AbortSignal,
 * }} Wish
 */

const MOST_FRAMES = 300;
export const LAST_STAYS = 2000;
const TYPE = "image/webp";
const QUALITY = 0.9;
const HIGH = 0.72;

/** Reason why a clip of a range is refused; null if it is possible. @param {number} from @param {number} to */
export function refusal(from, to) {
  const count = to - from + 1;
  if (count < 1) return "The clip would end before it starts.";
  return count > MOST_FRAMES ? `A clip has at most ${MOST_FRAMES} events; this range has ${count}.` : null;
}

async function checkBrowser() {
  const canvas = html("canvas", { width: 2, height: 2 });
  const { type } = await encoded(canvas, TYPE);
  if (type !== TYPE) throw new Error("This browser cannot write WebP, so it cannot make clips. Chromium and Firefox can.");
}

/** Wait until a new element on the page has its size and is drawn. */
const laidOut = () =>
  new Promise((resolve) => window.requestAnimationFrame(() => window.requestAnimationFrame(() => resolve(null))));

/**
 * The part of a picture that differs from the last one. It starts at even x and y, as a WebP container requires.
 * @param {Uint32Array} now
 * @param {Uint32Array | null} before
 * @param {number} width
 * @param {number} height
 * @returns {Box}
 */
export function changed(now, before, width, height) {
  if (!before) return { x: 0, y: 0, width, height };
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    let x = 0;
    while (x < width && now[row + x] === before[row + x]) x += 1;
    if (x === width) continue;
    let end = width - 1;
    while (now[row + end] === before[row + end]) end -= 1;
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, end), Math.min(top, y), y];
  }
  if (bottom < 0) return { x: 0, y: 0, width: 1, height: 1 };
  const [x, y] = [left - (left % 2), top - (top % 2)];
  return { x, y, width: right - x + 1, height: bottom - y + 1 };
}

/**
 * A separate board to draw on, out of sight, with the same settings as the one on the page.
 * @param {Renderer} shown
 * @param {() => Renderer} copy
 * @param {number} width
 */
export function createStage(shown, copy, width) {
  const root = shown.element.closest(".replay") ?? document.body;
  const leftOut = [];
  for (let at = shown.element.parentElement; at && at !== root; at = at.parentElement) {
    leftOut.push(...[...at.classList].filter((name) => name.startsWith("no-")));
  }
  const { clientWidth, clientHeight } = shown.element;
  const part = clientWidth ? Math.min(1, Math.max(0.5, clientHeight / clientWidth)) : HIGH;
  const board = copy();
  const holder = html("div", { class: ["save-stage", ...leftOut].join(" "), "aria-hidden": "true", inert: true }, board.element);
  holder.style.width = `${width}px`;
  holder.style.height = `${Math.round(width * part)}px`;
  holder.style.background = groundOf(shown.element);
  root.append(holder);
  return {
    board,
    ready: laidOut,
    stop() {
      board.stop();
      holder.remove();
    },
  };
}

/**
 * @param {Player} player
 * @param {Renderer} shown
 * @param {() => Renderer} copy
 * @param {Wish} wish
 */
export async function clip(player, shown, copy, { from, to, speed, width, onProgress, signal }) {
  const problem = refusal(from, to);
  if (problem) throw new Error(problem);
  await checkBrowser();
  const { scene } = player;
  const stage = createStage(shown, copy, width);
  const reader = createReader(stage.board.element);
  const [canvas, crop] = [html("canvas"), html("canvas")];
  const part = /** @type {CanvasRenderingContext2D} */ (crop.getContext("2d", { alpha: false }));
  const stays = Math.round(1000 / (player.pace * speed));
  const stills = [];
  /** @type {Uint32Array | null} */
  let before = null;
  try {
    await stage.ready();
    for (let frame = from; frame <= to; frame += 1) {
      signal?.throwIfAborted();
      stage.board.draw(scene.frames[frame]);
      const words = { title: scene.match, caption: `${player.place(frame)}: ${player.text(frame)}` };
      const pen = await drawOn(await picture(scene, stage.board.element, words, reader), 1, canvas);
      const now = new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      const box = changed(now, before, canvas.width, canvas.height);
      before = now;
      [crop.width, crop.height] = [box.width, box.height];
      part.drawImage(canvas, -box.x, -box.y);
      const still = new Uint8Array(await (await encoded(crop, TYPE, QUALITY)).arrayBuffer());
      stills.push({ ...box, data: pictureIn(still), duration: stays + (frame === to ? LAST_STAYS : 0) });
      onProgress?.(stills.length, to - from + 1);
    }
  } finally {
    reader.stop();
    stage.stop();
  }
  return animation(canvas.width, canvas.height, stills);
}
