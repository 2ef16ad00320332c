// @ts-check
// The player: fetches a scene, builds the page once, and moves through the frames. Each move draws the board, the
// playhead and the standings at once; the event list and what is read aloud at most ten times a second; the address and
// the live region when nothing has moved for 150 ms.

import { addressWith, frameAt, plyNames } from "./address.js";
import { afterQuiet, atMostEvery, html, textOf } from "./dom.js";
import { createEvents } from "./events.js";
import { createMap } from "./map.js";
import { glyph } from "./shapes.js";
import { createStandings } from "./standings.js";
import { createTimeline, roundStarts } from "./timeline.js";
import { createHelp, createTransport, listenToKeys } from "./transport.js";
import { createWords } from "./words.js";

/** @typedef {import("./scene.js").Scene} Scene */

const EVENTS_A_SECOND = 3;
const CALM = 4;
const RENDERERS = { map: createMap };

/**
 * Show a match in `root`; what is returned takes everything away again.
 * @param {HTMLElement} root
 * @param {Promise<Response>} [fetched] an answer already asked for
 */
export function mount(root, fetched) {
  const match = root.dataset.match ?? "";
  const leaving = new AbortController();
  const answer = fetched ?? fetchScene(match, leaving.signal);
  answer
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

/** @param {string} match @param {AbortSignal} [signal] */
export const fetchScene = (match, signal) => fetch(`/api/replay/${encodeURIComponent(match)}`, { signal });

/** @param {HTMLElement} root @param {string} message */
function apologise(root, message) {
  root.replaceChildren(
    html("div", { class: "replay-none card notice", role: "alert" }, html("h1", {}, "Replay"), html("p", { class: "notice-title" }, message),
      html("p", {}, html("a", { href: "/" }, "Choose a match from the list"))));
}

/** The last frame of each moment, and the moment of each frame. @param {Scene} scene */
function momentsOf(scene) {
  const ends = scene.moments.map((_, i) => (scene.moments[i + 1]?.at ?? scene.frames.length) - 1);
  const of = new Uint16Array(scene.frames.length);
  scene.moments.forEach((moment, i) => of.fill(i, moment.at, ends[i] + 1));
  return { ends, of };
}

/** @param {string} icon @param {string} text @param {string} name */
function action(icon, text, name) {
  return html("button", { type: "button", class: "button", id: name }, glyph(icon, 16), html("span", {}, text));
}

/** @param {Scene} scene */
function bar(scene) {
  const copy = action("link", "Copy link", "replay-copy");
  const keys = action("keyboard", "Shortcuts", "replay-shortcuts");
  const log = html("a", { class: "button", href: `/api/log/${encodeURIComponent(scene.match)}`, download: "" }, glyph("download", 16), html("span", {}, "Log"));
  log.setAttribute("aria-label", "Download the log");
  const state = scene.status === "finished" ? "" : `, ${scene.status}: shown as far as it goes`;
  const element = html("div", { class: "replay-bar" },
    html("div", { class: "replay-title" }, html("h1", {}, html("span", { class: "visually-hidden" }, "Replay of "), scene.match),
      html("span", { class: "meta" }, `${scene.seats.length} players, ${Math.max(...scene.rounds)} rounds${state}`)),
    html("div", { class: "actions" }, copy, log, keys));
  return { element, copy, keys };
}

/** @param {Scene} scene @param {HTMLElement} board @param {HTMLElement} words @param {() => void} changed */
function boardCard(scene, board, words, changed) {
  /** @param {string} name @param {boolean} on @param {(on: boolean) => void} run */
  const toggle = (name, on, run) => {
    const button = html("button", { type: "button", class: "toggle", "aria-pressed": String(on) }, name);
    button.addEventListener("click", () => {
      const now = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(now));
      run(now);
      changed();
    });
    return button;
  };
  const toggles = html("div", { class: "toggles", role: "group", "aria-label": "What the board shows" },
    toggle("Trails", true, (on) => board.classList.toggle("no-trails", !on)),
    toggle("Goods", true, (on) => board.classList.toggle("no-goods", !on)),
    toggle("As text", false, (on) => {
      words.hidden = !on;
      board.hidden = on;
    }));
  const tokens = scene.tokens.map((token) => html("span", { class: "key" }, html("span", { class: `chip-cube back-${token.key}` }, token.letter), token.name));
  const roads = [...new Set(scene.board.links.map((link) => link.style))].map((style) => html("span", { class: "key" }, glyph(style, 22), style));
  const legend = html("div", { class: "legend" }, ...roads, ...tokens, html("span", { class: "key" }, glyph("crown", 14), "majority"));
  return html("section", { class: "card replay-board", "aria-label": "Board" },
    html("div", { class: "board-stage" }, board, words), html("div", { class: "board-foot" }, legend, toggles));
}

/**
 * @param {HTMLElement} root
 * @param {Scene} scene
 * @param {AbortSignal} leaving
 */
function start(root, scene, leaving) {
  const last = scene.frames.length - 1;
  const plies = plyNames(scene.plies);
  const { ends, of } = momentsOf(scene);
  const rounds = roundStarts(scene);
  let at = -1;
  let playing = 0;
  let speed = 1;
  let glides = false;

  /** @param {number} frame */
  const place = (frame) => {
    const step = scene.frames[frame].x;
    return `${scene.rounds[frame] ? `Round ${scene.rounds[frame]}` : "Set-up"}${step ? ` · action ${step}` : ""} · ply ${plies[frame]}`;
  };
  /** @param {number} frame */
  const describe = (frame) => `${scene.rounds[frame] ? `R${scene.rounds[frame]}` : "Set-up"}: ${scene.moments[of[frame]].text}`;

  /** @param {number} frame @param {boolean} [glide] */
  function seek(frame, glide = false) {
    const next = Math.min(Math.max(frame, 0), last);
    if (next === at) return;
    if (glide !== glides) board.glide((glides = glide));
    at = next;
    const now = scene.frames[at];
    board.draw(now);
    standings.draw(now, at);
    timeline.draw(at);
    transport.draw(at, place(at), scene.moments[of[at]].text);
    soon.ask();
    settled.ask();
  }

  const soon = atMostEvery(100, () => {
    events.show(of[at]);
    timeline.words(`Event ${at} of ${last}. ${place(at)}. ${scene.moments[of[at]].text}`);
    standings.say(scene.frames[at]);
    if (!words.element.hidden) words.draw(scene.frames[at]);
  });
  const settled = afterQuiet(150, () => {
    window.history.replaceState(window.history.state, "", addressWith(plies[at]));
    if (!playing) announce(`${describe(at)}. ${scene.endings[scene.frames[at].e].text}`);
  });

  function pause() {
    window.cancelAnimationFrame(playing);
    playing = 0;
    transport.playing(false);
    settled.ask();
  }

  function toggle() {
    if (playing) return pause();
    if (at === last) seek(0);
    let due = performance.now() + 1000 / (EVENTS_A_SECOND * speed);
    /** @param {number} time */
    const tick = (time) => {
      const pace = 1000 / (EVENTS_A_SECOND * speed);
      if (time >= due) {
        const steps = Math.min(1 + Math.floor((time - due) / pace), 4);
        due = Math.max(due + steps * pace, time);
        seek(at + steps, speed <= CALM);
      }
      if (at === last) return pause();
      playing = window.requestAnimationFrame(tick);
    };
    playing = window.requestAnimationFrame(tick);
    transport.playing(true);
  }

  /** @param {number} frame @param {boolean} [glide] */
  const go = (frame, glide) => {
    if (playing) pause();
    seek(frame, glide);
  };
  const moves = {
    step: (/** @type {number} */ by) => go(at + by, true),
    round(/** @type {number} */ by) {
      const here = rounds.filter((round) => round.at <= at).length - 1;
      const target = by > 0 ? rounds[here + 1]?.at ?? last : rounds[here].at < at ? rounds[here].at : rounds[here - 1]?.at ?? 0;
      go(target);
    },
    key(/** @type {number} */ by) {
      const stops = ends.filter((_, i) => scene.moments[i].key);
      const target = by > 0 ? stops.find((end) => end > at) : stops.filter((end) => end < at).pop();
      if (target !== undefined) go(target);
    },
    toStart: () => go(0),
    toEnd: () => go(last),
    toggle,
    help: () => help.dialog.showModal(),
  };

  const board = RENDERERS[scene.board.kind](scene);
  const words = createWords(scene);
  const standings = createStandings(scene);
  const events = createEvents(scene, { seekMoment: (moment) => go(ends[moment]) });
  const timeline = createTimeline(scene, { seek: go, describe });
  const transport = createTransport(scene, moves, { speed: (value) => (speed = value), measure: timeline.measure });
  speed = transport.speed;
  const help = createHelp();
  const head = bar(scene);
  const live = html("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  const announce = textOf(live);
  head.keys.addEventListener("click", moves.help);
  head.copy.addEventListener("click", () => copyLink(head.copy, addressWith(plies[at]).href));
  root.replaceChildren(head.element, boardCard(scene, board.element, words.element, soon.ask),
    html("section", { class: "card replay-time", "aria-label": "Timeline" }, transport.element, timeline.element),
    standings.element, events.element, help.dialog, live);
  listenToKeys(moves, help.letters, leaving);
  leaving.addEventListener("abort", () => {
    window.cancelAnimationFrame(playing);
    soon.stop();
    settled.stop();
    for (const part of [board, events, timeline]) part.stop();
  });
  seek(frameAt(new URL(window.location.href).searchParams.get("ply"), scene.plies));
  window.requestAnimationFrame(() => root.setAttribute("data-ready", "true"));
}

/** @param {HTMLButtonElement} button @param {string} address */
async function copyLink(button, address) {
  const label = /** @type {HTMLElement} */ (button.lastElementChild);
  try {
    await navigator.clipboard.writeText(address);
    label.textContent = "Copied";
  } catch {
    label.textContent = "In the address bar";
  }
  window.setTimeout(() => (label.textContent = "Copy link"), 1600);
}
