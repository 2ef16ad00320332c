// @ts-check
// The player: fetches a scene, builds the page once, and moves through the frames. Each move draws the board, the
// playhead and the standings at once; the event list and what is read aloud at most ten times a second; the address and
// the live region when nothing has moved for 150 ms.

import { addressWith, frameAt, plyNames } from "./address.js";
import { afterQuiet, atMostEvery, html, textOf } from "./dom.js";
import { createEvents } from "./events.js";
import { createMap } from "./map.js";
import { apologise, createBar, createBoardCard } from "./page.js";
import { createStandings } from "./standings.js";
import { createTimeline, roundStarts } from "./timeline.js";
import { createHelp, createTransport, listenToKeys } from "./transport.js";
import { createWords } from "./words.js";

/** @typedef {import("./scene.js").Scene} Scene */

const EVENTS_A_SECOND = 3;
const MOST_STEPS_A_FRAME = 4;
const CALM = 4;
const RENDERERS = { map: createMap };

/**
 * Show a match in `root`; what is returned takes everything away again.
 * @param {HTMLElement} root
 */
export function mount(root) {
  const leaving = new AbortController();
  fetch(`/api/replay/${encodeURIComponent(root.dataset.match ?? "")}`, { signal: leaving.signal })
    .then(async (response) => {
      const data = await response.json();
      if (leaving.signal.aborted) return;
      if (response.ok) start(root, data, leaving.signal);
      else apologise(root, data.message ?? `The server answered ${response.status}.`);
    })
    .catch((error) => {
      if (!leaving.signal.aborted) apologise(root, `The match could not be loaded (${error.message}).`);
    });
  return () => {
    leaving.abort();
    root.replaceChildren();
    root.removeAttribute("data-ready");
  };
}

/**
 * What is read off a scene once: the names of plies, the moment of each frame and its last frame, words for a frame.
 * @param {Scene} scene
 */
function index(scene) {
  const plies = plyNames(scene.plies);
  const ends = scene.moments.map((_, i) => (scene.moments[i + 1]?.at ?? scene.frames.length) - 1);
  const moments = new Uint16Array(scene.frames.length);
  scene.moments.forEach((moment, i) => moments.fill(i, moment.at, ends[i] + 1));
  /** @param {number} frame */
  const text = (frame) => scene.moments[moments[frame]].text;
  /** @param {number} frame */
  const round = (frame) => (scene.rounds[frame] ? `Round ${scene.rounds[frame]}` : "Set-up");
  return {
    plies,
    ends,
    moments,
    text,
    /** @param {number} frame */
    place(frame) {
      const step = scene.frames[frame].x;
      return `${round(frame)}${step ? ` · action ${step}` : ""} · ply ${plies[frame]}`;
    },
    /** @param {number} frame */
    describe: (frame) => `${round(frame)}: ${text(frame)}`,
  };
}

/**
 * Time: asks for steps at a pace until it is stopped.
 * @param {(steps: number, glide: boolean) => boolean} advance says whether there is more to come
 * @param {(running: boolean) => void} changed
 */
function createClock(advance, changed) {
  let request = 0;
  let speed = 1;
  let due = 0;
  const pace = () => 1000 / (EVENTS_A_SECOND * speed);
  function stop() {
    if (!request) return;
    window.cancelAnimationFrame(request);
    request = 0;
    changed(false);
  }
  /** @param {number} time */
  function tick(time) {
    request = window.requestAnimationFrame(tick);
    if (time < due) return;
    const steps = Math.min(1 + Math.floor((time - due) / pace()), MOST_STEPS_A_FRAME);
    due = Math.max(due + steps * pace(), time);
    if (!advance(steps, speed <= CALM)) stop();
  }
  return {
    stop,
    running: () => request > 0,
    start() {
      due = performance.now() + pace();
      request = window.requestAnimationFrame(tick);
      changed(true);
    },
    /** @param {number} next */
    speed: (next) => (speed = next),
  };
}

/**
 * The moves that buttons and keys ask for.
 * @param {Scene} scene
 * @param {number[]} ends the last frame of each moment
 * @param {{at: () => number, go: (frame: number, glide?: boolean) => void, toggle: () => void, help: () => void}} player
 */
function createMoves(scene, ends, { at, go, toggle, help }) {
  const last = scene.frames.length - 1;
  const rounds = roundStarts(scene).map((round) => round.at);
  const stops = ends.filter((_, i) => scene.moments[i].key);
  return {
    toggle,
    help,
    step: (/** @type {number} */ by) => go(at() + by, true),
    round(/** @type {number} */ by) {
      const next = rounds.find((start) => start > at()) ?? last;
      const before = rounds.filter((start) => start < at()).pop() ?? 0;
      go(by > 0 ? next : before);
    },
    key(/** @type {number} */ by) {
      const target = by > 0 ? stops.find((end) => end > at()) : stops.filter((end) => end < at()).pop();
      if (target !== undefined) go(target);
    },
    toStart: () => go(0),
    toEnd: () => go(last),
  };
}

/**
 * @param {HTMLElement} root
 * @param {Scene} scene
 * @param {AbortSignal} leaving
 */
function start(root, scene, leaving) {
  const last = scene.frames.length - 1;
  const { plies, ends, moments, text, place, describe } = index(scene);
  let at = -1;
  let glides = false;

  /** @param {number} frame @param {boolean} [glide] */
  function seek(frame, glide = false) {
    const next = Math.min(Math.max(frame, 0), last);
    if (next === at) return;
    if (glide !== glides) board.glide((glides = glide));
    at = next;
    board.draw(scene.frames[at]);
    standings.draw(scene.frames[at], at);
    timeline.draw(at);
    transport.draw(at, place(at), text(at));
    soon.ask();
    settled.ask();
  }
  /** @param {number} frame @param {boolean} [glide] */
  function go(frame, glide) {
    clock.stop();
    seek(frame, glide);
  }
  function toggle() {
    if (clock.running()) return clock.stop();
    if (at === last) seek(0);
    clock.start();
  }

  const soon = atMostEvery(100, () => {
    events.show(moments[at]);
    timeline.words(`Event ${at} of ${last}. ${place(at)}. ${text(at)}`);
    standings.say(scene.frames[at]);
    if (!words.element.hidden) words.draw(scene.frames[at]);
  });
  const settled = afterQuiet(150, () => {
    window.history.replaceState(window.history.state, "", addressWith(plies[at]));
    if (!clock.running()) announce(`${describe(at)}. ${scene.endings[scene.frames[at].e].text}`);
  });
  const clock = createClock(
    (steps, glide) => {
      seek(at + steps, glide);
      return at < last;
    },
    (running) => {
      transport.playing(running);
      settled.ask();
    },
  );

  const help = createHelp();
  const moves = createMoves(scene, ends, { at: () => at, go, toggle, help: () => help.dialog.showModal() });
  const board = RENDERERS[scene.board.kind](scene);
  const words = createWords(scene);
  const standings = createStandings(scene);
  const events = createEvents(scene, { seekMoment: (moment) => go(ends[moment]) });
  const timeline = createTimeline(scene, { seek: go, describe });
  const transport = createTransport(scene, moves, { speed: clock.speed, measure: timeline.measure });
  const live = html("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  const announce = textOf(live);
  const time = html(
    "section",
    { class: "card replay-time", "aria-label": "Timeline" },
    transport.element,
    timeline.element,
  );
  const bar = createBar(scene, { link: () => addressWith(plies[at]).href, help: moves.help });
  const card = createBoardCard(scene, board.element, words.element, soon.ask);
  root.replaceChildren(bar, card, time, standings.element, events.element, help.dialog, live);

  listenToKeys(moves, help.letters, leaving);
  leaving.addEventListener("abort", () => {
    for (const part of [clock, soon, settled, board, events, timeline]) part.stop();
  });
  seek(frameAt(new URL(window.location.href).searchParams.get("ply"), scene.plies));
  document.title = `${scene.match} · Himalaya`;
  window.requestAnimationFrame(() => root.setAttribute("data-ready", "true"));
}
