// @ts-check
// The player: gets a scene, builds the page once, and moves through the frames. Each move draws the board, the
// playhead and the standings at once; the panel in sight and what is read aloud at most ten times a second; the address
// and the live region when nothing has moved for 150 ms.

import { frameAt, plyNames } from "./address.js";
import { createBookmarks } from "./bookmarks.js";
import { createCompare } from "./compare.js";
import { afterQuiet, atMostEvery, html, textOf } from "./dom.js";
import { createEvents } from "./events.js";
import { listenToGestures } from "./gestures.js";
import { createHere } from "./here.js";
import { createMap } from "./map.js";
import { apologise, createBar, createBoardCard } from "./page.js";
import { createClock, createMoves } from "./play.js";
import { createSave } from "./save.js";
import { fromHere, fromServer } from "./source.js";
import { createStandings } from "./standings.js";
import { createState } from "./state.js";
import { createTabs } from "./tabs.js";
import { createTimeline } from "./timeline.js";
import { createTraffic } from "./traffic.js";
import { createHelp, createTransport, listenToKeys } from "./transport.js";
import { createViewMenu } from "./view.js";
import { createWords } from "./words.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./parts.js").Player} Player */
/** @typedef {import("./parts.js").State} State */
/** @typedef {import("./source.js").Source} Source */

const LOOK_AGAIN = 2000;
/** @type {Record<Scene["board"]["kind"], import("./renderer.js").CreateRenderer>} */
const RENDERERS = { map: createMap };

/**
 * Show a match in `root`; what is returned takes everything away again.
 * @param {HTMLElement} root
 * @param {Source} [source] from where; by default the page itself holds the scene, or names the match
 */
export function mount(root, source = sourceOf(root)) {
  const leaving = new AbortController();
  const state = createState(source.shared);
  /** @type {ReturnType<typeof start> | null} */
  let shown = null;
  /** @type {string | null} */
  let stamp = null;
  let timer = 0;

  /** Get the scene, and build the page unless it is the one that is shown. */
  async function load() {
    const loaded = await source.load(state.get("view"), leaving.signal);
    if (leaving.signal.aborted) return;
    if (shown && stamp && loaded.stamp === stamp) return;
    stamp = loaded.stamp;
    build(loaded.scene);
  }
  /** @param {Scene} scene */
  function build(scene) {
    const before = shown && { at: shown.at(), ended: shown.atEnd(), focus: document.activeElement?.id };
    shown?.stop();
    const last = scene.frames.length - 1;
    const live = scene.status === "live";
    const at = before && (before.ended ? last : Math.min(before.at, last));
    shown = start(root, scene, state, source, at);
    if (before?.focus) document.getElementById(before.focus)?.focus({ preventScroll: true });
    window.clearTimeout(timer);
    if (live) timer = window.setTimeout(follow, LOOK_AGAIN);
  }
  // A match that goes on is looked at again, but not while something is open or pressed that would be lost.
  function follow() {
    timer = window.setTimeout(follow, LOOK_AGAIN);
    if (document.hidden || root.querySelector("dialog[open], :popover-open, :active, input:focus:not([type=range])")) return;
    load().catch(() => {}); // the server may be away for a while
  }
  /** @param {Error} error */
  const fail = (error) => {
    if (!leaving.signal.aborted) apologise(root, error);
  };
  load().catch(fail);
  state.on("view", () => load().catch(fail));
  const scheme = followScheme((theme) => state.set({ theme }, "replace"));
  return () => {
    leaving.abort();
    window.clearTimeout(timer);
    scheme.disconnect();
    shown?.stop();
    state.stop();
    root.replaceChildren();
    root.removeAttribute("data-ready");
  };
}

/** Hear of a colour scheme that is chosen on the page. @param {(scheme: string) => void} run */
function followScheme(run) {
  const name = "data-mantine-color-scheme";
  const page = document.documentElement;
  let before = page.getAttribute(name);
  const watcher = new MutationObserver(() => {
    const now = page.getAttribute(name);
    if (now && now !== before) run((before = now));
  });
  watcher.observe(page, { attributeFilter: [name] });
  return watcher;
}

/** @param {HTMLElement} root */
function sourceOf(root) {
  const kept = document.getElementById("replay-scene");
  return kept ? fromHere(JSON.parse(kept.textContent ?? ""), true) : fromServer(root.dataset.match ?? "");
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
    ends,
    text,
    /** @param {number} frame */
    name: (frame) => plies[frame],
    /** @param {string | null} name */
    frameOf: (name) => frameAt(name, scene.plies),
    /** @param {number} frame */
    place(frame) {
      const step = scene.frames[frame].x;
      return `${round(frame)}${step ? ` · action ${step}` : ""} · ply ${plies[frame]}`;
    },
    /** @param {number} frame */
    describe: (frame) => `${round(frame)}: ${text(frame)}`,
  };
}

/** @param {Player} player @param {number[]} ends @returns {import("./parts.js").Panel[]} */
function panelsOf(player, ends) {
  const made = /** @type {any} */ (createEvents)(player.scene, { ...player, seekMoment: (/** @type {number} */ i) => player.go(ends[i]) });
  if (made.id) return [made];
  return [{ id: "events", title: "Events", ...made, show: (frame) => made.show(ends.findIndex((end) => end >= frame)) }];
}

/**
 * Build the page of a scene.
 * @param {HTMLElement} root
 * @param {Scene} scene
 * @param {State} state
 * @param {Source} source
 * @param {number | null} from the frame to begin with; by default the one that the address names
 */
function start(root, scene, state, source, from) {
  const leaving = new AbortController();
  const last = scene.frames.length - 1;
  const { ends, ...words } = index(scene);
  let at = -1;
  let glides = false;
  /** @type {Player} */
  const player = {
    scene,
    state: { ...state, on: (key, run) => state.on(key, run, leaving.signal) },
    ...words,
    at: () => at,
    go,
    pick,
    picked: () => [state.get("thing")].filter((thing) => thing !== null && thing in scene.names).map(String),
    hidesFuture: () => state.get("spoilers") === "off",
    api: source.api,
  };

  /** @param {string | null} thing */
  function pick(thing) {
    const again = thing === state.get("thing");
    state.set(again || !thing ? { thing: null } : { thing, panel: "here" }, "push");
  }
  /** @param {number} frame @param {boolean} [glide] */
  function seek(frame, glide = false) {
    const next = Math.min(Math.max(frame, 0), last);
    if (next === at) return;
    if (glide !== glides) board.glide((glides = glide));
    at = next;
    board.draw(scene.frames[at]);
    compare.draw(at);
    standings.draw(scene.frames[at], at);
    timeline.draw(at);
    transport.draw(at, words.place(at), words.text(at));
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
    tabs.draw(at);
    traffic.show();
    timeline.words(`Event ${at}${player.hidesFuture() ? "" : ` of ${last}`}. ${words.place(at)}. ${words.text(at)}`);
    standings.say(scene.frames[at]);
    compare.say(at);
    if (!position.element.hidden) position.draw(scene.frames[at]);
  });
  const settled = afterQuiet(150, () => {
    state.set({ ply: words.name(at) }, "replace");
    if (!clock.running()) announce(`${words.describe(at)}. ${scene.endings[scene.frames[at].e].text}`);
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
  const moves = {
    ...createMoves(scene, ends, player.at, go),
    toggle,
    help: () => help.dialog.showModal(),
    bookmark: () => bookmarks.add(),
    letGo: () => pick(null),
    traffic: () => state.set({ layer: state.get("layer") ? null : "traffic" }, "push"),
  };
  const board = RENDERERS[scene.board.kind](scene, { pick });
  const position = createWords(scene);
  const standings = createStandings(scene);
  const timeline = createTimeline(scene, { seek: go, describe: words.describe });
  const transport = createTransport(player, moves, { speed: clock.speed, measure: timeline.measure });
  const compare = createCompare(player, RENDERERS);
  const bookmarks = createBookmarks(scene, player);
  const tabs = createTabs(player, [...panelsOf(player, ends), createHere(scene, player), bookmarks]);
  const live = html("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  const announce = textOf(live);
  const view = createViewMenu(player);
  const save = createSave(scene, player, board, () => RENDERERS[scene.board.kind](scene));
  const bar = createBar(scene, { link: state.link, help: moves.help }, [save.element, view.element, compare.element]);
  const stage = { board: board.element, words: position.element, caption: compare.caption, twin: compare.board };
  const card = createBoardCard(player, stage, soon.ask);
  const traffic = createTraffic(scene, player, board, timeline);
  card.insertBefore(traffic.element, card.lastElementChild);
  const time = html("section", { class: "card replay-time", "aria-label": "Timeline" }, transport.element, timeline.element);
  root.replaceChildren(bar, card, time, standings.element, tabs.element, help.dialog, live);

  listenToKeys(moves, help.letters, leaving.signal);
  listenToGestures({ wheel: [board.element, timeline.element], swipe: [board.element] }, moves.step, leaving.signal);
  const spoilers = () => timeline.spoilers(player.hidesFuture());
  player.state.on("spoilers", spoilers);
  spoilers();
  const mark = () => board.mark(player.picked());
  player.state.on("thing", mark);
  mark();
  player.state.on("ply", (name) => {
    if (name !== null && name !== words.name(at)) go(words.frameOf(name));
  });
  seek(from ?? words.frameOf(state.get("ply")));
  document.title = `${scene.match} · Himalaya`;
  window.requestAnimationFrame(() => root.setAttribute("data-ready", "true"));
  return {
    at: player.at,
    atEnd: () => at === last,
    stop() {
      leaving.abort();
      for (const part of [clock, soon, settled, board, compare, save, tabs, timeline, traffic]) part.stop();
    },
  };
}
