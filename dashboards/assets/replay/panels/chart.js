// @ts-check
// The fixed part of the timeline: rounds, the chances or the lead of each seat, a lane of marks for each kind of event,
// flags. It is drawn once, and again when resized.

import { attributeOf, shower, svg } from "../drawing/dom.js";
import { createBands } from "./bands.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {{frame: number, label: string, before?: string}} Flag `before`: its label until the playhead is there */

const ROUNDS = 24;
const CHART = 48;
const LANE = 12.5;
/** Minimum distance between round names; if there is less room, only every second, fifth … is named. */
const CROWDED = 30;
const STEPS = [1, 2, 5, 10, 20, 50];
/** Width of the widest digit, to leave out a name that the right edge would cut. */
const DIGIT = 7;
const MIDDLE = ROUNDS + CHART / 2;

/**
 * Each seat's lead over the table's mean, frame by frame.
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

/**
 * The largest lead or deficit of any seat up to each frame.
 * @param {number[][]} lead
 */
function mostSoFar(lead) {
  let most = 1;
  return lead.map((row) => (most = Math.max(most, ...row.map(Math.abs))));
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
 * A seat's shape as a small mark at a point.
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

/** Rounds as bands with names. @param {Scene} scene @param {number} height */
function createRounds(scene, height) {
  const starts = roundStarts(scene).filter(({ round }) => round > 0);
  const bands = starts.map((_, i) => svg("rect", { y: 0, height, class: i % 2 ? "band band-odd" : "band" }));
  const names = starts.map(({ round }) => svg("text", { y: 15, class: "round-name" }, `${scene.terms.short}${round}`));
  /** @param {(frame: number) => number} x @param {number} width */
  const layout = (x, width) => {
    const last = x(scene.frames.length - 1);
    const every = STEPS.find((step) => (step * last) / starts.length >= CROWDED) ?? starts.length;
    starts.forEach((start, i) => {
      const from = x(start.at);
      const to = i + 1 < starts.length ? x(starts[i + 1].at) : Math.max(width, last);
      bands[i].setAttribute("x", from.toFixed(1));
      bands[i].setAttribute("width", (to - from).toFixed(1));
      names[i].setAttribute("x", (from + 5).toFixed(1));
      const cut = from + DIGIT * (1 + `${scene.terms.short}${start.round}`.length) > Math.max(width, last);
      names[i].setAttribute("display", cut || start.round % every ? "none" : "inline");
    });
  };
  return { elements: [...bands, ...names], layout };
}

/** @typedef {{marks: [number, number][]}} Lane frames and seats */

/** Marks of events: a row for each lane, a shape for each seat. @param {Scene} scene @param {Lane[]} lanes */
function createLanes(scene, lanes) {
  const slots = [...scene.seats.keys(), -1];
  const marks = lanes.map(() =>
    slots.map((seat) => svg("path", { class: seat < 0 ? "mark mark-none" : `mark seat-fill seat-${seat}` })),
  );
  /** @param {(frame: number) => number} x */
  const layout = (x) => {
    lanes.forEach((lane, row) => {
      const middle = ROUNDS + CHART + LANE * row + LANE / 2 + 2;
      const paths = slots.map(() => "");
      for (const [frame, seat] of lane.marks) {
        const slot = seat < 0 ? scene.seats.length : seat;
        paths[slot] += markAt(seat < 0 ? 0 : seat, x(frame), middle);
      }
      marks[row].forEach((path, slot) => path.setAttribute("d", paths[slot]));
    });
  };
  return { elements: marks.flat(), layout };
}

/**
 * @param {Scene} scene
 * @param {(frame: number) => number} x
 */
export function createChart(scene, x) {
  /** Key moments, in a match that can be reviewed. @type {Lane} */
  const swings = { marks: [] };
  const rows = [...(scene.review ? [swings] : []), ...scene.lanes];
  const height = ROUNDS + CHART + LANE * rows.length + 4;
  const last = scene.frames.length - 1;
  const rounds = createRounds(scene, height);
  const lanes = createLanes(scene, rows);
  const bands = createBands(scene, x, { top: ROUNDS + 1, height: CHART - 2 });
  const zero = svg("line", { class: "zero" });
  const lines = scene.seats.map((_, seat) => svg("path", { class: `lead seat-line-${seat}` }));
  const flags = svg("path", { class: "bookmark-flags" });
  const stretched = svg("g", {}, ...lines);
  const stretch = attributeOf(stretched, "transform");
  const shown = { bands: shower(bands.element), lead: shower(stretched), zero: shower(zero) };
  const parts = [...rounds.elements, bands.element, zero, stretched, ...lanes.elements, flags];
  const element = svg("svg", { class: "timeline-still", height, "aria-hidden": "true" }, ...parts);
  let lead = leads(scene, 0);
  let highest = mostSoFar(lead);
  let isBands = false;
  /** The value at full height now; the lines are drawn for the highest value of all. */
  let most = highest[last];
  /** @param {number} value @param {number} [top] */
  const y = (value, top = highest[last]) => MIDDLE - (value / top) * (CHART / 2 - 6);

  /** Scale the lines to the highest value up to a frame. They are stretched, not drawn again. @param {number} frame */
  function upTo(frame) {
    most = highest[frame];
    const scale = highest[last] / most;
    stretch(scale === 1 ? null : `translate(0 ${MIDDLE * (1 - scale)}) scale(1 ${scale})`);
  }
  function drawLead() {
    const ends = { x1: x(0), x2: x(last), y1: y(0), y2: y(0) };
    for (const [name, value] of Object.entries(ends)) zero.setAttribute(name, value.toFixed(1));
    lines.forEach((line, seat) => {
      let path = `M${x(0).toFixed(1)} ${y(lead[0][seat]).toFixed(1)}`;
      for (let frame = 1; frame <= last; frame += 1) {
        if (lead[frame][seat] === lead[frame - 1][seat]) continue;
        path += `H${x(frame).toFixed(1)}V${y(lead[frame][seat]).toFixed(1)}`;
      }
      line.setAttribute("d", `${path}H${x(last).toFixed(1)}`);
    });
  }
  return {
    element,
    height,
    /** The height with the lane of key moments only, if there is one. */
    folded: ROUNDS + CHART + (scene.review ? LANE : 0) + 4,
    /** The height of a seat's shape in a frame; -1 if there is no room for it. @param {number} frame @param {number} seat */
    heightAt: (frame, seat) => (isBands ? bands.middle(frame, seat) : y(lead[frame][seat], most)),
    upTo,
    /** @param {number} width */
    layout(width) {
      element.setAttribute("width", String(width));
      rounds.layout(x, width);
      lanes.layout(x);
      bands.draw();
      drawLead();
    },
    /** Set the chances. @param {import("../parts.js").Chances | null} chances */
    chances(chances) {
      // the last event of a moment may already begin the next round
      swings.marks = (chances?.moments ?? []).map(({ seq, round, seat }) => [scene.rounds.lastIndexOf(round, seq), seat]);
      bands.of(chances);
    },
    /** Show chances or the lead. @param {boolean} yes */
    bands(yes) {
      isBands = yes;
      shown.bands(yes);
      shown.lead(!yes);
      shown.zero(!yes);
    },
    /** @param {number} measure */
    measure(measure) {
      lead = leads(scene, measure);
      highest = mostSoFar(lead);
      upTo(last);
      drawLead();
    },
    /** @param {Flag[]} list */
    flag(list) {
      const paths = list.map(({ frame }) => `M${x(frame).toFixed(1)} ${ROUNDS}v-11l9 3.500-7.500 3.500v4Z`);
      flags.setAttribute("d", paths.join(""));
    },
  };
}
