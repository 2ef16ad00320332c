// @ts-check
// The timeline: rounds, the lead of each seat, a lane of marks for each kind of event, and over it all the range input
// whose thumb is the playhead. Everything but the playhead and the dots on it is drawn once, and again when resized.

import { createBrush, createHint } from "./brush.js";
import { attributeOf, html, svg } from "./dom.js";
import { glyph, seatPath } from "./shapes.js";

/** @typedef {import("./scene.js").Scene} Scene */

const THUMB = 14;
const ROUNDS = 24;
const CHART = 48;
const LANE = 12.5;
const NEAR_FLAG = 7;

/**
 * How far each seat is ahead of the table's mean, frame by frame.
 * @param {Scene} scene
 * @param {number} measure
 */
function leads(scene, measure) {
  return scene.frames.map((frame) => {
    const values = frame.f.map((row) => row[measure]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  });
}

/** The frame at which each round starts. @param {Scene} scene */
export function roundStarts(scene) {
  /** @type {{round: number, at: number}[]} */
  const starts = [];
  scene.rounds.forEach((round, at) => {
    if (!starts.length || starts[starts.length - 1].round !== round) starts.push({ round, at });
  });
  return starts;
}

/**
 * @param {Scene} scene
 * @param {{seek: (frame: number) => void, describe: (frame: number) => string}} player
 */
export function createTimeline(scene, player) {
  const last = scene.frames.length - 1;
  let width = 0;
  let at = 0;
  let hidesFuture = false;
  /** @type {{frame: number, label: string}[]} */
  let bookmarks = [];
  /** @param {number} frame */
  const x = (frame) => THUMB / 2 + (frame / Math.max(1, last)) * (width - THUMB);
  /** @param {number} offset */
  const frameOf = (offset) => Math.min(Math.max(Math.round(((offset - THUMB / 2) / (width - THUMB)) * last), 0), last);
  /** @param {number} offset */
  const flagAt = (offset) =>
    bookmarks.find(({ frame }) => (!hidesFuture || frame <= at) && Math.abs(x(frame) + 3 - offset) < NEAR_FLAG);
  const height = ROUNDS + CHART + LANE * scene.lanes.length + 4;
  const seats = scene.seats.map((_, seat) => seat);
  const starts = roundStarts(scene).filter(({ round }) => round > 0);

  const bands = starts.map((_, i) => svg("rect", { y: 0, height, class: i % 2 ? "band band-odd" : "band" }));
  const names = starts.map(({ round }) => svg("text", { y: 15, class: "round-name" }, `R${round}`));
  const zero = svg("line", { class: "zero" });
  const lines = seats.map((seat) => svg("path", { class: `lead seat-line-${seat}` }));
  const marks = scene.lanes.map(() =>
    [...seats, -1].map((seat) => svg("path", { class: seat < 0 ? "mark mark-none" : `mark seat-fill seat-${seat}` })),
  );
  const flags = svg("path", { class: "bookmark-flags" });
  const still = svg(
    "svg",
    { class: "timeline-still", height, "aria-hidden": "true" },
    ...bands,
    ...names,
    zero,
    ...lines,
    ...marks.flat(),
    flags,
  );
  const dots = seats.map((seat) => svg("path", { d: seatPath(seat, 4.5), class: `seat-fill seat-${seat}` }));
  const dotsAt = dots.map((dot) => attributeOf(dot, "transform"));
  const moving = svg("svg", { class: "timeline-moving", height, "aria-hidden": "true" }, ...dots);
  const input = html("input", {
    type: "range",
    id: "replay-scrubber",
    min: 0,
    max: last,
    step: 1,
    value: 0,
    "aria-label": "Event of the match",
    autocomplete: "off",
  });
  const hint = createHint(() => width);
  const brush = createBrush(
    {
      x,
      frame: frameOf,
      playhead: () => at,
      seek: player.seek,
      click: (frame, offset) => player.seek(flagAt(offset)?.frame ?? starts.findLast((start) => start.at <= frame)?.at ?? 0),
      flag: (offset) => flagAt(offset)?.label ?? null,
    },
    hint.tell,
  );
  const plot = html(
    "div",
    { class: "timeline-plot" },
    still,
    brush.band,
    moving,
    input,
    brush.strip,
    brush.clear,
    hint.element,
  );
  plot.style.height = `${height}px`;
  const labels = html(
    "div",
    { class: "timeline-labels", "aria-hidden": "true" },
    html("span", { class: "lead-label" }, "Lead"),
    ...scene.lanes.map((lane) =>
      html("span", { class: "lane-label" }, glyph(lane.icon, 12), html("span", {}, lane.name)),
    ),
  );
  const element = html("div", { class: "timeline" }, labels, plot);

  let measure = 0;
  /** @type {number[][]} */
  let lead = leads(scene, 0);
  let most = 1;
  /** @param {number} value */
  const y = (value) => ROUNDS + CHART / 2 - (value / most) * (CHART / 2 - 6);

  function layout() {
    if (!plot.clientWidth || plot.clientWidth === width) return;
    width = plot.clientWidth;
    still.setAttribute("width", String(width));
    moving.setAttribute("width", String(width));
    const crowded = width / starts.length < 36;
    starts.forEach((start, i) => {
      const from = x(start.at);
      const to = i + 1 < starts.length ? x(starts[i + 1].at) : width;
      bands[i].setAttribute("x", from.toFixed(1));
      bands[i].setAttribute("width", (to - from).toFixed(1));
      names[i].setAttribute("x", (from + 5).toFixed(1));
      names[i].setAttribute("display", crowded && i % 2 ? "none" : "inline");
    });
    scene.lanes.forEach((lane, row) => {
      const middle = ROUNDS + CHART + LANE * row + LANE / 2 + 2;
      const paths = [...seats, -1].map(() => "");
      for (const [frame, seat] of lane.marks) {
        const slot = seat < 0 ? seats.length : seat;
        paths[slot] += markAt(seat < 0 ? 0 : seat, x(frame), middle);
      }
      marks[row].forEach((path, slot) => path.setAttribute("d", paths[slot]));
    });
    flag();
    brush.draw();
    chart();
  }

  function flag() {
    const path = bookmarks.map(({ frame }) => `M${x(frame).toFixed(1)} ${ROUNDS}v-11l9 3.500-7.500 3.500v4Z`);
    flags.setAttribute("d", path.join(""));
  }

  function chart() {
    most = Math.max(1, ...lead.map((row) => Math.max(...row.map(Math.abs))));
    zero.setAttribute("x1", String(THUMB / 2));
    zero.setAttribute("x2", String(width - THUMB / 2));
    zero.setAttribute("y1", String(y(0)));
    zero.setAttribute("y2", String(y(0)));
    seats.forEach((seat) => {
      let path = `M${x(0).toFixed(1)} ${y(lead[0][seat]).toFixed(1)}`;
      for (let frame = 1; frame <= last; frame += 1) {
        if (lead[frame][seat] === lead[frame - 1][seat]) continue;
        path += `H${x(frame).toFixed(1)}V${y(lead[frame][seat]).toFixed(1)}`;
      }
      lines[seat].setAttribute("d", `${path}H${x(last).toFixed(1)}`);
    });
    draw(at);
  }

  /** @param {number} frame */
  function draw(frame) {
    at = frame;
    if (input.value !== String(frame)) input.value = String(frame);
    if (!width) return;
    const middle = x(frame).toFixed(1);
    if (hidesFuture) mask();
    seats.forEach((seat) => dotsAt[seat](`translate(${middle} ${y(lead[frame][seat]).toFixed(1)})`));
  }

  // What is yet to come is cut off where the playhead is.
  function mask() {
    still.style.clipPath = hidesFuture ? `inset(0 ${(width - x(at)).toFixed(1)}px 0 0)` : "";
  }

  input.addEventListener("pointermove", (event) => {
    const offset = event.clientX - plot.getBoundingClientRect().left;
    const frame = frameOf(offset);
    const told = event.pointerType !== "touch" && (!hidesFuture || frame <= at);
    hint.tell(offset, told ? player.describe(frame) : null);
  });
  input.addEventListener("pointerleave", () => hint.tell(0, null));
  input.addEventListener("input", () => player.seek(Number(input.value)));

  const watcher = new ResizeObserver(layout);
  watcher.observe(plot);
  const words = attributeOf(input, "aria-valuetext");
  return {
    element,
    input,
    draw,
    words,
    /** @param {number} next */
    measure(next) {
      if (next === measure) return;
      measure = next;
      lead = leads(scene, measure);
      if (width) chart();
    },
    /** Switch off what tells of the time after the playhead, or let it be shown. @param {boolean} off */
    spoilers(off) {
      hidesFuture = off;
      mask();
    },
    /** Events with a flag. @param {{frame: number, label: string}[]} list */
    bookmarks(list) {
      bookmarks = list;
      if (width) flag();
    },
    /** The window of time that is shaded. */
    window: brush.show,
    /** Hear what window the hand chooses; `done` when it lets go. */
    onBrush: brush.onBrush,
    stop: () => watcher.disconnect(),
  };
}

/**
 * A seat's shape as a small mark at a place.
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 */
function markAt(seat, x, y) {
  const r = 3.8;
  switch (seat % 6) {
    case 0:
      return `M${(x - r).toFixed(1)} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;
    case 1:
      return `M${(x - 3.4).toFixed(1)} ${y - 3.4}h6.8v6.8h-6.8Z`;
    case 2:
      return `M${x.toFixed(1)} ${y - 4.6}l4.6 4.6-4.6 4.6-4.6-4.6Z`;
    case 3:
      return `M${x.toFixed(1)} ${y - 4.4}l4.6 8h-9.200Z`;
    case 4:
      return `M${x.toFixed(1)} ${y - 4.4}l4.2 3.1-1.6 4.900h-5.200l-1.6-4.900Z`;
    default:
      return `M${x.toFixed(1)} ${y - 5}l1.4 3.2 3.5.3-2.7 2.3.9 3.4-3.1-1.8-3.1 1.8.9-3.4-2.7-2.3 3.5-.3Z`;
  }
}
