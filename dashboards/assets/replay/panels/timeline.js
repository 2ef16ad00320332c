// @ts-check
// The timeline: a range input lies over the fixed drawing. Its thumb is the playhead, with a dot on each seat's chances
// or lead. The strip of rounds at its top chooses a window of time. The lanes of marks at its bottom can be folded away.

import { attributeOf, html, memory, shower, svg, textOf } from "../drawing/dom.js";
import { glyph, seatPath } from "../drawing/shapes.js";
import { createBrush, createHint } from "./brush.js";
import { createChart, roundStarts } from "./chart.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("./chart.js").Flag} Flag */

const THUMB = 14;
const ON_PAPER = 600; // width in pixels, as in print.css
const NEAR_FLAG = 7;
/** A window in which the board needs the height of the lanes. */
const LOW = "(min-width: 900px) and (max-height: 799px)";
/**
 * If the future is hidden: the number of events the timeline initially has room for; and how full it gets before that
 * doubles.
 */
const ROOM = 128;
const FULL = 0.9;
/** The curve that shows chances instead of a measure. */
export const CHANCES = -1;

/** Labels to the left of the lanes. @param {Scene} scene */
function createLabels(scene) {
  const moments = scene.review ? [{ icon: "moment", name: "Key moments" }] : [];
  const lanes = [...moments, ...scene.lanes].map((lane) =>
    html("span", { class: "lane-label" }, glyph(lane.icon, 12), html("span", {}, lane.name)),
  );
  // A lead in the only measure is not always a lead in the match, so the label names the measure.
  const [{ key }, ...more] = scene.measures;
  const what = more.length ? "Lead over mean" : key[0].toUpperCase() + key.slice(1);
  const curve = html("span", { class: "lead-label" });
  const write = textOf(curve);
  return {
    element: html("div", { class: "timeline-labels", "aria-hidden": "true" }, curve, ...lanes),
    name: (/** @type {boolean} */ isBands) => write(isBands ? "Chances" : what),
  };
}

/**
 * @param {Scene} scene
 * @param {{seek: (frame: number) => void, describe: (frame: number) => string}} player
 * @param {import("../parts.js").Reviewing} reviewing
 */
export function createTimeline(scene, player, reviewing) {
  const last = scene.frames.length - 1;
  const starts = roundStarts(scene).filter(({ round }) => round > 0);
  let width = 0;
  let at = 0;
  let curve = 0;
  let hidesFuture = false;
  let room = ROOM;
  /** @type {Flag[]} */
  let bookmarks = [];
  /** @param {number} frame */
  const x = (frame) => THUMB / 2 + (frame / scale()) * (width - THUMB);
  /** @param {number} offset */
  const frameOf = (offset) => Math.min(Math.max(Math.round(((offset - THUMB / 2) / (width - THUMB)) * scale()), 0), last);
  /** Number of events across the full width; if the future is hidden, it does not depend on the match's length. */
  const scale = () => (hidesFuture ? room : Math.max(1, last));
  /** @param {number} frame */
  const isShown = (frame) => !hidesFuture || frame <= at;
  /** @param {number} offset */
  const flagAt = (offset) => bookmarks.find(({ frame }) => isShown(frame) && Math.abs(x(frame) + 3 - offset) < NEAR_FLAG);

  const chart = createChart(scene, x);
  const dots = scene.seats.map((_, seat) => svg("path", { d: seatPath(seat, 4.5), class: `seat-fill seat-${seat}` }));
  const dotsAt = dots.map((dot) => attributeOf(dot, "transform"));
  const dotsShown = dots.map(shower);
  const labels = createLabels(scene);
  const note = html("p", { class: "chances-note", hidden: true });
  const tellNote = textOf(note);
  const moving = svg("svg", { class: "timeline-moving", height: chart.height, "aria-hidden": "true" }, ...dots);
  const range = { type: "range", min: 0, max: last, step: 1, value: 0, autocomplete: "off" };
  const input = html("input", { ...range, id: "replay-scrubber", "aria-label": "Event of the match" });
  const hint = createHint(() => width);
  const brush = createBrush(
    {
      x: (frame) => (hidesFuture && frame === last ? width : Math.min(x(frame), width)),
      frame: frameOf,
      latest: () => (hidesFuture ? at : last),
      playhead: () => at,
      seek: player.seek,
      click(frame, offset) {
        player.seek(flagAt(offset)?.frame ?? starts.findLast((start) => start.at <= frame)?.at ?? 0);
      },
      flag(offset) {
        const flag = flagAt(offset);
        return flag ? ((flag.frame > at ? flag.before : null) ?? flag.label) : null;
      },
    },
    hint.show,
  );
  const layers = [chart.element, note, brush.band, moving, input, brush.strip, brush.clear, hint.element];
  const plot = html("div", { class: "timeline-plot" }, ...layers);
  const fold = html("button", { type: "button", class: "toggle", "aria-pressed": "true", title: "Lanes of marks under the curve" }, "Lanes");
  /** Show all lanes, or only that of key moments. @param {boolean} isFolded */
  function foldLanes(isFolded) {
    const height = isFolded ? chart.folded : chart.height;
    plot.style.height = `${height}px`;
    labels.element.style.height = `${height - 2}px`; // the names end where the lanes do
    for (const each of [chart.element, moving]) each.setAttribute("height", String(height));
    fold.setAttribute("aria-pressed", String(!isFolded));
  }
  fold.addEventListener("click", () => {
    const isFolded = fold.getAttribute("aria-pressed") === "true";
    memory.write("lanes", isFolded ? "folded" : "shown");
    foldLanes(isFolded);
  });
  foldLanes(memory.read("lanes", matchMedia(LOW).matches ? "folded" : "shown") === "folded");

  function layout() {
    if (!plot.clientWidth || plot.clientWidth === width) return;
    width = plot.clientWidth;
    place();
  }
  // On paper, the timeline is as wide as print.css makes it; afterwards it is as wide as its card again.
  function toPaper() {
    width = ON_PAPER;
    place();
  }
  window.addEventListener("beforeprint", toPaper);
  window.addEventListener("afterprint", layout);
  function place() {
    if (!width) return;
    moving.setAttribute("width", String(width));
    chart.layout(width);
    chart.flag(bookmarks);
    brush.draw();
    draw(at);
  }
  /** @param {number} frame */
  function draw(frame) {
    at = frame;
    if (hidesFuture && !plot.matches(":active")) grow(); // a dragged thumb stays under the pointer
    if (input.value !== String(frame)) input.value = String(frame);
    if (!width) return;
    if (hidesFuture) mask();
    const middle = x(frame).toFixed(1);
    dotsAt.forEach((place, seat) => {
      const height = chart.heightAt(frame, seat);
      dotsShown[seat](height >= 0);
      if (height >= 0) place(`translate(${middle} ${height.toFixed(1)})`);
    });
  }
  /** Show the chosen curve; without chances, show the lead, and why. */
  function shape() {
    const chances = reviewing.found();
    const isBands = curve === CHANCES && chances !== null;
    chart.bands(isBands);
    labels.name(isBands);
    note.hidden = isBands || curve !== CHANCES;
    tellNote(reviewing.why());
    draw(at);
  }
  function review() {
    chart.chances(reviewing.found());
    if (width) chart.layout(width);
    shape();
  }
  function grow() {
    if (!hidesFuture || at < room * FULL) return;
    while (at >= room * FULL) room *= 2;
    input.max = String(scale());
    place();
  }
  // Cut off the drawing at the playhead if the future is hidden.
  function mask() {
    chart.upTo(hidesFuture ? Math.max(0, at) : last);
    chart.element.style.clipPath = hidesFuture ? `inset(0 ${(width - x(at)).toFixed(1)}px 0 0)` : "";
  }

  /** Handle the event first and stop it: otherwise Dash's React would process sixty of them a second. @param {Event} event */
  function moved(event) {
    if (event.target !== input) return;
    event.stopPropagation();
    player.seek(Math.min(Number(input.value), last));
    if (input.value !== String(at)) input.value = String(at); // the thumb may be dragged beyond the end of the match
  }
  window.addEventListener("input", moved, { capture: true });
  for (const letGo of ["change", "pointerup"]) plot.addEventListener(letGo, grow);
  input.addEventListener("pointermove", (event) => {
    const offset = event.clientX - plot.getBoundingClientRect().left;
    const frame = frameOf(offset);
    hint.show(offset, event.pointerType !== "touch" && isShown(frame) ? player.describe(frame) : null);
  });
  input.addEventListener("pointerleave", () => hint.show(0, null));
  reviewing.on(review);
  review();
  const watcher = new ResizeObserver(layout);
  watcher.observe(plot);
  return {
    element: html("div", { class: "timeline" }, labels.element, plot),
    /** The button that folds the lanes. */
    fold,
    input,
    draw,
    words: attributeOf(input, "aria-valuetext"),
    /** Show the lead in a measure, or the chances. @param {number} next */
    curve(next) {
      if (next === curve) return;
      curve = next;
      chart.measure(Math.max(next, 0));
      shape();
    },
    /** Switch off everything that reveals the time after the playhead, or switch it on. @param {boolean} off */
    spoilers(off) {
      hidesFuture = off;
      room = ROOM;
      input.max = String(scale());
      grow();
      place();
      mask();
    },
    /** Set the flags of bookmarks. @param {Flag[]} list */
    bookmarks(list) {
      bookmarks = list;
      if (width) chart.flag(list);
    },
    /** The window of time that is shaded. */
    window: brush.show,
    /** Register a listener for the window being dragged; `done` is true on release. */
    onBrush: brush.onBrush,
    stop() {
      window.removeEventListener("input", moved, { capture: true });
      window.removeEventListener("beforeprint", toPaper);
      window.removeEventListener("afterprint", layout);
      watcher.disconnect();
    },
  };
}
