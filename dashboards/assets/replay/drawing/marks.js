// @ts-check
// Circles and arrows over a board: circles around things with an id in `data-thing`, arrows from one such thing to
// another. A thing that is an area is outlined instead. They are redrawn when the board is resized or turned.

import { svg } from "./dom.js";

/**
 * A circle around `start`, or an arrow from there to `end`; without a colour, in that of text.
 * @typedef {{start: string, end: string | null, colour?: string | null}} Drawn
 * @typedef {{x: number, y: number, radius: number, outline: string | null}} Place
 * @typedef {{start: string, x: number, y: number, colour: string}} Pulled its end is a place of the pointer
 */

const ROOM = 5;
const LEAST = 12;
const MOST = 44;
const HEAD = 13;
/** How far inside an area its outline is. */
const INSIDE = 12;

/**
 * The corners of an area on the page, a little inside of it.
 * @param {SVGPolygonElement} area @param {DOMRect} within
 */
function outlineOf(area, within) {
  const matrix = area.getScreenCTM();
  const corners = [...area.points].map((point) => point.matrixTransform(matrix ?? new DOMMatrix()));
  const middle = { x: 0, y: 0 };
  for (const { x, y } of corners) [middle.x, middle.y] = [middle.x + x / corners.length, middle.y + y / corners.length];
  const moved = corners.map(({ x, y }) => {
    const far = Math.hypot(x - middle.x, y - middle.y) || 1;
    const share = Math.max(0, 1 - INSIDE / far);
    return [middle.x + (x - middle.x) * share - within.left, middle.y + (y - middle.y) * share - within.top];
  });
  return { x: middle.x - within.left, y: middle.y - within.top, outline: moved.map((point) => point.map((each) => each.toFixed(1)).join()).join(" ") };
}

/**
 * Place of a thing on the board: the middle of the first element that represents it, and half its size.
 * @param {Element} board @param {string} thing @param {DOMRect} within @returns {Place | null}
 */
function placeOf(board, thing, within) {
  for (const element of board.querySelectorAll(`[data-thing="${CSS.escape(thing)}"]`)) {
    const { left, top, width, height } = element.getBoundingClientRect();
    if (!width && !height) continue;
    const radius = Math.min(MOST, Math.max(LEAST, Math.max(width, height) / 2 + ROOM));
    if (element instanceof SVGPolygonElement) return { radius: 0, ...outlineOf(element, within) };
    return { x: left - within.left + width / 2, y: top - within.top + height / 2, radius, outline: null };
  }
  return null;
}

/** @param {Place} from @param {Place} to */
function arrow(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const gap = Math.min(from.radius, length / 4);
  const [x, y] = [to.x - ux * Math.min(to.radius, length / 4), to.y - uy * Math.min(to.radius, length / 4)];
  const [bx, by] = [x - ux * HEAD, y - uy * HEAD];
  const head = `${x},${y} ${bx - (uy * HEAD) / 2},${by + (ux * HEAD) / 2} ${bx + (uy * HEAD) / 2},${by - (ux * HEAD) / 2}`;
  const ends = { x1: from.x + ux * gap, y1: from.y + uy * gap, x2: bx, y2: by };
  return [
    svg("line", { class: "mark-hit", ...ends }),
    svg("line", { class: "mark-line", ...ends }),
    svg("polygon", { class: "mark-head", points: head }),
  ];
}

/** @param {Place} at */
function ring({ x, y, radius, outline }) {
  const looks = ["mark-hit", "mark-line"];
  if (outline) return looks.map((look) => svg("polygon", { class: look, points: outline }));
  return looks.map((look) => svg("circle", { class: look, cx: x, cy: y, r: radius }));
}

/** @param {HTMLElement} board the element of a renderer */
export function createMarks(board) {
  const layer = svg("svg", { class: "board-marks", "aria-hidden": "true" });
  /** @type {readonly Drawn[]} */
  let shapes = [];
  /** Number of shapes at the end of the list that a click erases. */
  let erasable = 0;
  /** The arrow being drawn. @type {Pulled | null} */
  let pulled = null;
  let pending = 0;

  function lay() {
    pending = 0;
    const within = board.getBoundingClientRect();
    const groups = shapes.map(({ start, end, colour }, index) => {
      const from = placeOf(board, start, within);
      const to = end === null ? null : placeOf(board, end, within);
      if (!from || (end !== null && !to)) return null;
      const mark = index >= shapes.length - erasable ? index : null;
      return svg("g", { class: "mark-group", "data-colour": colour, "data-mark": mark }, ...(to ? arrow(from, to) : ring(from)));
    });
    const from = pulled && placeOf(board, pulled.start, within);
    if (pulled && from) {
      const to = { x: pulled.x - within.left, y: pulled.y - within.top, radius: 0, outline: null };
      groups.push(svg("g", { class: "mark-pulled", "data-colour": pulled.colour }, ...arrow(from, to)));
    }
    layer.replaceChildren(...groups.filter((group) => group !== null));
  }
  function soon() {
    pending ||= requestAnimationFrame(lay);
  }
  const size = new ResizeObserver(soon);
  const turned = () => shapes.length && soon();
  for (const event of ["pointermove", "wheel", "keyup", "transitionend"]) board.addEventListener(event, turned, { passive: true });

  function update() {
    if ((shapes.length || pulled) && !layer.isConnected) {
      board.append(layer);
      size.observe(board);
    }
    soon();
  }
  return {
    /** @param {readonly Drawn[]} wanted @param {number} own how many of the last ones a click erases */
    show(wanted, own) {
      if (!wanted.length && !shapes.length) return;
      [shapes, erasable] = [wanted, own];
      update();
    },
    /** Show the arrow that is being drawn, or none. @param {Pulled | null} next */
    pull(next) {
      pulled = next;
      update();
    },
    /** The number of the shape at an element of the layer that a click erases; -1 for none. @param {EventTarget | null} target */
    at: (target) => Number((target instanceof Element && target.closest("[data-mark]")?.getAttribute("data-mark")) || -1),
    stop() {
      size.disconnect();
      cancelAnimationFrame(pending);
    },
  };
}
