// @ts-check
// A match on the page: the playhead and everything that moves it. Each move immediately draws the board, the timeline
// and the standings. The panel in sight and the spoken text follow at most six times a second. The address and the live
// region follow when nothing has moved for 150 ms.

import { afterQuiet, atMostEvery } from "../drawing/dom.js";
import { roundOf } from "../drawing/rounds.js";
import { assignColours } from "../drawing/shapes.js";
import { frameAt, plyNames, wrongPly } from "./address.js";
import { createLayout } from "./layout.js";
import { complain } from "./page.js";
import { EVENTS_A_SECOND, createClock, createMoves } from "./play.js";
import { createReviewing } from "./reviewing.js";

const UPDATE_EVERY = 160; // milliseconds
/** A form in the panel in sight, which a click on the board must not leave. */
const WRITING = ".panel:not([hidden]) .bookmark-form:not([hidden])";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../parts.js").State} State */
/** @typedef {import("./source.js").Source} Source */

/**
 * Index of a scene, made once: names of plies, the moment of each frame, each moment's last frame, and words for a
 * frame.
 * @param {Scene} scene
 */
function index(scene) {
  const plies = plyNames(scene.plies);
  const ends = scene.moments.map((_, i) => (scene.moments[i + 1]?.at ?? scene.frames.length) - 1);
  const moments = new Uint16Array(scene.frames.length);
  scene.moments.forEach((moment, i) => moments.fill(i, moment.at, ends[i] + 1));
  /** @param {number} frame */
  const text = (frame) => scene.moments[moments[frame]].text;
  const round = roundOf(scene);
  return {
    ends,
    text,
    /** @param {number} frame */
    name: (frame) => plies[frame],
    /** @param {string | null} name */
    frameOf: (name) => (name === null ? (scene.opens ?? 0) : frameAt(name, scene.plies)),
    /** @param {number} frame */
    place(frame) {
      const step = scene.frames[frame].x;
      return [round(frame), step ? `${scene.terms.step} ${step}` : "", `ply ${plies[frame]}`].filter(Boolean).join(" · ");
    },
    /** @param {number} frame */
    describe: (frame) => [round(frame), text(frame)].filter(Boolean).join(": "),
  };
}

/**
 * Build the page of a scene.
 * @param {HTMLElement} root
 * @param {Scene} scene
 * @param {State} state
 * @param {Source} source
 * @param {Map<string, string>} memory things the page remembers that are not in the address
 * @param {number | null} from the frame to begin with; by default the one that the address names
 */
export function start(root, scene, state, source, memory, from) {
  const leaving = new AbortController();
  const last = scene.frames.length - 1;
  const { ends, ...words } = index(scene);
  let at = -1;
  /** Error message for an address that names no position, until the next move. @type {HTMLElement | null} */
  let note = null;

  /** @param {number} frame @param {boolean} [glide] */
  function seek(frame, glide = false) {
    const next = Math.min(Math.max(frame, 0), last);
    if (next === at) return;
    at = next;
    note?.remove();
    layout.draw(at, glide);
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
  /** @param {string | null} target */
  function pick(target) {
    const again = target === state.get("thing");
    const panel = root.querySelector(WRITING) ? state.get("panel") : "here";
    state.set(again || !target ? { thing: null, better: null } : { thing: target, better: null, panel }, "push");
  }

  const soon = atMostEvery(UPDATE_EVERY, () => layout.update(at));
  const settled = afterQuiet(150, () => {
    state.set({ ply: words.name(at) }, "replace");
    if (!clock.running()) announce();
  });
  // Announce the position. The expected ending is included only when it changes, and no text is announced twice in a
  // row.
  function announce() {
    const moment = reviewing.found()?.moments.find((each) => reviewing.stop(each) === at && reviewing.isShown(each));
    const event = moment ? `${words.describe(at)}. Key moment: ${moment.text}` : words.describe(at);
    const ending = layout.ending(at);
    if (event !== memory.get("event")) layout.announce(ending === memory.get("ending") ? event : `${event}. ${ending}`);
    memory.set("event", event).set("ending", ending);
  }
  const clock = createClock(
    (steps, glide) => {
      seek(at + steps, glide);
      return at < last;
    },
    (running) => {
      layout.playing(running);
      settled.ask();
    },
  );
  const hidesFuture = () => state.get("spoilers") === "off";
  const reviewing = createReviewing(scene, source, { view: state.get("view"), at: () => at, hidesFuture }, leaving.signal);
  /** @type {Player} */
  const player = {
    scene,
    state: { ...state, on: (key, run) => state.on(key, run, leaving.signal) },
    ...words,
    at: () => at,
    go,
    pick,
    picked() {
      const target = state.get("thing");
      return target !== null && Object.hasOwn(scene.names, target) ? [target] : [];
    },
    reviewing,
    memory,
    pace: EVENTS_A_SECOND,
    hidesFuture,
    api: source.api,
    views: source.views,
    study: source.study ?? null,
    branch: source.branch ?? null,
  };
  const moves = {
    ...createMoves(scene, ends, player.at, go, reviewing),
    toggle,
    letGo: () => (state.get("wide") ? state.set({ wide: null }, "push") : pick(null)),
    traffic: () => state.set({ layer: state.get("layer") ? null : "traffic" }, "push"),
  };
  const layout = createLayout(player, moves, { speed: clock.speed, update: soon.ask }, leaving.signal);
  assignColours(root, scene.seats);
  root.replaceChildren(...layout.elements);
  /** Go to the frame in the address. @param {string | null} name */
  function arrive(name) {
    go(words.frameOf(name));
    const wrong = wrongPly(name, scene.plies);
    if (wrong) note = complain(root, wrong);
  }
  player.state.on("ply", (name) => {
    if (name !== null && name !== words.name(at)) arrive(name);
  });
  if (from === null) arrive(state.get("ply"));
  else seek(from);
  document.title = `${scene.match} · Himalaya`;
  window.requestAnimationFrame(() => root.setAttribute("data-ready", "true"));
  return {
    play: clock.start,
    /** Remove the page's parts; returns the playhead's position. */
    leave() {
      const was = { at, ended: at === last, playing: clock.running() };
      leaving.abort();
      for (const part of [clock, soon, settled, layout]) part.stop();
      return was;
    },
  };
}
