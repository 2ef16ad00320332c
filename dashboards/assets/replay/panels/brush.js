// @ts-check
// The strip at the top of the timeline. A click on a round goes there, a click on a flag goes to its event. Dragging
// chooses a window of time; its ends can be dragged, a double click clears it. The playhead's flag can be dragged too.

import { attributeOf, html, textOf } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";

/** @typedef {import("../drawing/traffic-counts.js").Span} Span */
/**
 * @typedef {{
 *   x: (frame: number) => number, frame: (x: number) => number, playhead: () => number, latest: () => number,
 *   seek: (frame: number) => void, click: (frame: number, x: number) => void, flag: (x: number) => string | null
 * }} Axis
 */

const GRIP = 9;
const STILL = 4;

/**
 * @param {Axis} axis
 * @param {(x: number, words: string | null) => void} hint
 */
export function createBrush(axis, hint) {
  const strip = html("div", { class: "timeline-strip", "aria-hidden": "true" });
  const band = html("div", { class: "window-band", hidden: true, "aria-hidden": "true" });
  const clear = html(
    "button",
    { type: "button", class: "window-clear", id: "replay-window-clear", "aria-label": "Show the whole match", title: "Show the whole match", hidden: true },
    glyph("close", 12),
  );
  const place = attributeOf(band, "style");
  const placeClear = attributeOf(clear, "style");
  /** @type {(span: Span | null, done: boolean) => void} */
  let chosen = () => {};
  /** @type {Span | null} */
  let span = null;
  /** @type {{x: number, edge: "from" | "to" | "playhead" | null, moved: boolean, before: Span | null} | null} */
  let drag = null;

  function draw() {
    band.hidden = clear.hidden = span === null;
    if (!span) return;
    const [left, right] = [axis.x(span.from), axis.x(span.to)];
    place(`left: ${left.toFixed(1)}px; width: ${Math.max(2, right - left).toFixed(1)}px`);
    placeClear(`left: ${Math.max(0, right - 26).toFixed(1)}px`);
  }
  /** @param {number} x */
  function edgeAt(x) {
    if (span && Math.abs(x - axis.x(span.from)) < GRIP) return "from";
    if (span && Math.abs(x - axis.x(span.to)) < GRIP) return "to";
    return Math.abs(x - axis.x(axis.playhead())) < GRIP ? "playhead" : null;
  }
  /** @param {PointerEvent | MouseEvent} event */
  const offset = (event) => event.clientX - strip.getBoundingClientRect().left;

  /** @param {number} x */
  function move(x) {
    if (!drag) return;
    drag.moved ||= Math.abs(x - drag.x) >= STILL;
    if (!drag.moved) return;
    if (drag.edge === "playhead") return axis.seek(axis.frame(x));
    const until = (/** @type {number} */ offset) => Math.min(axis.frame(offset), axis.latest());
    const other = drag.edge && drag.before ? drag.before[drag.edge === "from" ? "to" : "from"] : until(drag.x);
    const here = until(x);
    span = { from: Math.min(here, other), to: Math.max(here, other) };
    draw();
    hint(x, `Events ${span.from} to ${Math.max(span.from, Math.min(span.to, axis.latest()))}`);
    chosen(span, false);
  }

  strip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const x = offset(event);
    strip.setPointerCapture(event.pointerId);
    drag = { x, edge: edgeAt(x), moved: false, before: span };
  });
  strip.addEventListener("pointermove", (event) => {
    const x = offset(event);
    if (drag) return move(x);
    strip.style.cursor = edgeAt(x) ? "ew-resize" : "";
    hint(x, event.pointerType === "touch" ? null : axis.flag(x));
  });
  strip.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { moved, edge } = drag;
    drag = null;
    hint(0, null);
    if (!moved) axis.click(axis.frame(offset(event)), offset(event));
    else if (edge !== "playhead") chosen(span, true);
  });
  strip.addEventListener("pointercancel", () => {
    if (!drag) return;
    span = drag.before;
    drag = null;
    draw();
    chosen(span, false);
  });
  strip.addEventListener("pointerleave", () => hint(0, null));
  const forget = () => {
    span = null;
    draw();
    chosen(null, true);
  };
  strip.addEventListener("dblclick", forget);
  clear.addEventListener("click", forget);
  return {
    strip,
    band,
    clear,
    draw,
    /** Show a window that was chosen elsewhere, unless one is being dragged here. @param {Span | null} next */
    show(next) {
      if (drag) return;
      span = next;
      draw();
    },
    /** @param {(span: Span | null, done: boolean) => void} run */
    onBrush: (run) => (chosen = run),
  };
}

/**
 * A hint over the timeline at the mouse pointer; not for touch, since a finger would hide it.
 * @param {() => number} width
 */
export function createHint(width) {
  const element = html("div", { class: "timeline-hint", hidden: true });
  const write = textOf(element);
  /** @param {number} x @param {string | null} words */
  const show = (x, words) => {
    element.hidden = words === null;
    if (words === null) return;
    write(words);
    const half = Math.min(element.offsetWidth / 2, width() / 2);
    element.style.transform = `translateX(${Math.min(Math.max(x, half), width() - half) - half}px)`;
  };
  return { element, show };
}
