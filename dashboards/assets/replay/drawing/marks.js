// @ts-check
// Circles and arrows over a board: circles around things with an id in `data-thing`, arrows from one such thing to
// another. They are redrawn when the board is resized or turned.

import { svg } from "./dom.js";

/** @typedef {{start: string, end: string | null}} Drawn */

const ROOM = 5;
const LEAST = 12;
const HEAD = 11;

/**
 * Place of a thing on the board: the middle of the first element that represents it, and half its size.
 * @param {Element} board @param {string} thing @param {DOMRect} within
 */
function placeOf(board, thing, within) {
  for (const element of board.querySelectorAll(`[data-thing="${CSS.escape(thing)}"]`)) {
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width || height) {
      const radius = Math.max(LEAST, Math.max(width, height) / 2 + ROOM);
      return { x: left - within.left + width / 2, y: top - within.top + height / 2, radius };
    }
  }
  return null;
}

/** @typedef {NonNullable<ReturnType<typeof placeOf>>} Place */

/** @param {Place} from @param {Place} to */
function arrow(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const gap = Math.min(from.radius, length / 4);
  const [x, y] = [to.x - ux * Math.min(to.radius, length / 4), to.y - uy * Math.min(to.radius, length / 4)];
  const [bx, by] = [x - ux * HEAD, y - uy * HEAD];
  const head = `${x},${y} ${bx - (uy * HEAD) / 2},${by + (ux * HEAD) / 2} ${bx + (uy * HEAD) / 2},${by - (ux * HEAD) / 2}`;
  return [
    svg("line", { class: "mark-line", x1: from.x + ux * gap, y1: from.y + uy * gap, x2: bx, y2: by }),
    svg("polygon", { class: "mark-head", points: head }),
  ];
}

/** @param {HTMLElement} board the element of a renderer */
export function createMarks(board) {
  const layer = svg("svg", { class: "board-marks", "aria-hidden": "true" });
  /** @type {readonly Drawn[]} */
  let shapes = [];
  let pending = 0;

  function lay() {
    pending = 0;
    const within = board.getBoundingClientRect();
    layer.replaceChildren(
      ...shapes.flatMap(/** @returns {SVGElement[]} */ ({ start, end }) => {
        const from = placeOf(board, start, within);
        const to = end === null ? null : placeOf(board, end, within);
        if (!from || (end !== null && !to)) return [];
        return to ? arrow(from, to) : [svg("circle", { class: "mark-line", cx: from.x, cy: from.y, r: from.radius })];
      }),
    );
  }
  const soon = () => (pending ||= requestAnimationFrame(lay));
  const size = new ResizeObserver(soon);
  const turned = () => shapes.length && soon();
  for (const event of ["pointermove", "wheel", "keyup", "transitionend"]) board.addEventListener(event, turned, { passive: true });

  return {
    /** @param {readonly Drawn[]} wanted */
    show(wanted) {
      if (wanted === shapes || (!wanted.length && !shapes.length)) return;
      shapes = wanted;
      if (shapes.length && !layer.isConnected) {
        board.append(layer);
        size.observe(board);
      }
      soon();
    },
    stop() {
      size.disconnect();
      cancelAnimationFrame(pending);
    },
  };
}
