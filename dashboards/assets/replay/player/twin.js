// @ts-check
// A second board next to that of the page, and the pairing of their frames. There is only one: it shows another match
// on the same seed, or a branch of this one.

import { html } from "../drawing/dom.js";
import { assignColours } from "../drawing/shapes.js";
import { KINDS } from "../kinds.js";
import { createBoardCaption } from "./caption.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../scene.js").Frame} Frame */
/** @typedef {import("../parts.js").Player} Player */

/**
 * Pair two matches: the other match's frame for each frame of this one, the first frame with a different position, and
 * the frame at which the shorter match ends.
 * @param {Scene} scene
 * @param {Scene} other
 * @param {number} [shared] number of frames that both share at the start
 */
export function pairing(scene, other, shared = 0) {
  const shorter = Math.min(scene.frames.length, other.frames.length);
  const { position } = KINDS[scene.board.kind];
  const same = (/** @type {number} */ frame) =>
    JSON.stringify(position(scene.frames[frame], scene)) === JSON.stringify(position(other.frames[frame], other));
  let first = shared;
  while (first < shorter && same(first)) first += 1;
  const twins = new Uint16Array(scene.frames.length);
  let twin = Math.max(0, first - 1);
  scene.when.forEach((when, frame) => {
    if (frame < first) twins[frame] = frame;
    else {
      while (twin + 1 < other.frames.length && other.when[twin + 1] <= when) twin += 1;
      twins[frame] = twin;
    }
  });
  return { twins, first: first < shorter ? first : null, end: shorter - 1 };
}

/** @param {Player} player */
export function createTwin({ scene, at }) {
  const board = html("div", { class: "board-half", hidden: true });
  const own = createBoardCaption(scene);
  own.element.hidden = true;
  /** @type {{drawing: import("../renderer.js").Renderer, caption: ReturnType<typeof createBoardCaption>, other: Scene, twins: Uint16Array} | null} */
  let shown = null;

  function close() {
    shown?.drawing.stop();
    shown = null;
    board.replaceChildren();
    board.hidden = own.element.hidden = true;
  }
  /** @param {number} frame */
  function draw(frame) {
    shown?.drawing.draw(shown.other.frames[shown.twins[frame]]);
  }
  /** @param {number} frame */
  function say(frame) {
    if (!shown) return;
    own.draw(frame);
    shown.caption.draw(shown.twins[frame]);
  }
  return {
    board,
    caption: own.element,
    /**
     * Show a match next to this one, in place of the previous one.
     * @param {Scene} other
     * @param {Uint16Array} twins the other match's frame for each frame of this one
     * @param {(target: string) => void} pick
     * @param {HTMLElement} [heading] replaces the other match's name above its board
     */
    open(other, twins, pick, heading) {
      shown?.drawing.stop();
      const drawing = KINDS[other.board.kind].create(other, { pick });
      const caption = createBoardCaption(other, heading);
      assignColours(board, other.seats);
      board.replaceChildren(caption.element, drawing.element);
      board.hidden = own.element.hidden = false;
      shown = { drawing, caption, other, twins };
      draw(at());
      say(at());
    },
    close,
    draw,
    say,
    /** Highlight things on the second board. @param {string[]} targets */
    mark: (targets) => shown?.drawing.mark(targets),
    /** Show a position that is not in the scene, until the next frame is drawn. @param {Frame} frame */
    preview: (frame) => shown?.drawing.draw(frame),
    /** The current frame of the second board; -1 for none. */
    frame: () => shown?.twins[at()] ?? -1,
    stop: () => shown?.drawing.stop(),
  };
}
