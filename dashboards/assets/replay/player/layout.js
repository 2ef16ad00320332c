// @ts-check
// The parts of the page and their connections: parts that draw with each frame, parts that are updated a little later,
// and listeners.

import { html, textOf } from "../drawing/dom.js";
import { participant } from "../drawing/shapes.js";
import { KINDS } from "../kinds.js";
import { createBookmarks } from "../panels/bookmarks.js";
import { createCauses } from "../panels/causes.js";
import { createDraw } from "../panels/draw.js";
import { createEvents } from "../panels/events.js";
import { createInspector } from "../panels/inspector.js";
import { createKeyMoments } from "../panels/key-moments.js";
import { createPositionText } from "../panels/position-text.js";
import { createRounds } from "../panels/rounds.js";
import { createSave } from "../panels/save.js";
import { createStandings } from "../panels/standings.js";
import { createStory } from "../panels/story.js";
import { createStudy } from "../panels/study.js";
import { createTimeline } from "../panels/timeline.js";
import { createTraffic } from "../panels/traffic.js";
import { createBranching } from "./branching.js";
import { createCompare } from "./compare.js";
import { listenToGestures } from "./gestures.js";
import { createOrigin } from "./origin.js";
import { createBar, createBoardCard } from "./page.js";
import { answerOf } from "./source.js";
import { createTabs } from "./tabs.js";
import { createHelp, createTransport, listenToKeys } from "./transport.js";
import { createTwin } from "./twin.js";
import { createViewMenu } from "./view.js";

/** @typedef {import("../parts.js").Player} Player */

/**
 * @param {Player} player
 * @param {Omit<import("./transport.js").Moves, "help" | "bookmark" | "whatIf" | "branch">} steps
 * @param {{speed: (speed: number) => void, update: () => void}} asks `update`: call `update` of the layout soon
 * @param {AbortSignal} leaving
 */
export function createLayout(player, steps, asks, leaving) {
  const { scene } = player;
  const last = scene.frames.length - 1;
  const newBoard = KINDS[scene.board.kind].create;
  const help = createHelp(scene);
  const bookmarks = createBookmarks(scene, player);
  const twin = createTwin(player);
  const standings = createStandings(player);
  const position = createPositionText(player);
  const branching = createBranching(player, twin, standings, position);
  const moves = { ...steps, help: () => help.dialog.showModal(), bookmark: bookmarks.add, whatIf: branching.start, branch: branching.step };
  /** @param {number} at @param {number} seat @returns {Promise<number[]>} */
  const opens = async (at, seat) => {
    const response = await fetch(player.api(`opens?ply=${player.name(at)}&view=${seat + 1}`) ?? "", { signal: leaving });
    return (await answerOf(response)).places;
  };
  const board = newBoard(scene, { pick: player.pick, state: player.state, opens: player.api("") ? opens : undefined });
  const timeline = createTimeline(scene, { seek: player.go, describe: player.describe }, player.reviewing);
  const transport = createTransport(player, moves, { speed: asks.speed, curve: timeline.curve });
  const compare = createCompare(player, twin);
  const traffic = createTraffic(scene, player, board, timeline);
  const draw = createDraw(player, board.element);
  const tabs = createTabs(player, [
    createEvents(scene, player),
    ...(player.reviewing.offered ? [createStory(player), createKeyMoments(player)] : []),
    createRounds(scene, player),
    ...(player.reviewing.offered && scene.review?.causes ? [createCauses(player)] : []),
    createInspector(scene, player),
    bookmarks,
    createStudy(player, draw),
  ]);
  const save = createSave(scene, player, board, () => newBoard(scene));
  const menus = [save.element, createViewMenu(player).element, compare.element];
  const stage = { board: board.element, words: position.element, caption: twin.caption, twin: twin.board };
  const tools = html("div", { class: "transport-tools" }, ...transport.tools, timeline.fold);
  const body = html("div", { class: "time-body" }, tools, timeline.element);
  const time = html("section", { class: "card replay-time", "aria-label": "Timeline" }, transport.element, body);
  const live = html("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  /** Update the position's text if it is shown; before the first frame there is none. */
  function sayPosition() {
    if (player.at() >= 0 && !position.element.hidden) position.draw(player.at());
  }
  const origin = createOrigin(player, leaving);
  const card = createBoardCard(player, stage, { traffic: traffic.element, draw }, sayPosition);
  const main = html("div", { class: "replay-main" }, origin, card, time);
  const side = html("div", { class: "replay-side" }, standings.element, branching.element, tabs.element);
  const elements = [createBar(player, moves.help, menus), main, side, help.dialog, live];

  listenToKeys(moves, help.letters, leaving);
  listenToGestures({ board: board.element, timeline: timeline.element }, moves.step, leaving);
  follow(player, { board, timeline, bookmarks, compare });
  player.state.on("spoilers", asks.update);
  player.reviewing.on(asks.update);
  let glides = false;
  return {
    elements,
    announce: textOf(live),
    /** How the branch or match would end if it were scored now. @param {number} at */
    ending: (at) => branching.ending() ?? scene.endings[scene.frames[at].e].text,
    playing: transport.playing,
    /** Draw a frame immediately. @param {number} at @param {boolean} glide */
    draw(at, glide) {
      const frame = scene.frames[at];
      if (glide !== glides) board.glide((glides = glide));
      board.draw(frame);
      twin.draw(at);
      standings.draw(frame, at);
      branching.draw();
      timeline.draw(at);
      transport.draw(at, player.place(at), player.text(at));
    },
    /** Update the parts that need not follow a frame immediately. @param {number} at */
    update(at) {
      const total = player.hidesFuture() ? "" : ` of ${last}`;
      tabs.draw(at);
      draw.show(at);
      traffic.show();
      timeline.words([`Event ${at}${total}. ${player.place(at)}. ${player.text(at)}`, chancesInWords(player, at)].join(""));
      standings.say(scene.frames[at]);
      twin.say(at);
      compare.say();
      branching.say();
      sayPosition();
    },
    stop() {
      for (const part of [board, branching, compare, draw, twin, save, tabs, timeline, traffic]) part.stop();
    },
  };
}

/** Each seat's chance of winning in a sentence; empty without chances. @param {Player} player @param {number} at */
function chancesInWords({ scene, reviewing }, at) {
  const chances = reviewing.found();
  if (!chances) return "";
  const seats = scene.seats.map((who, seat) => `${participant(who)} ${chances.percent(at, seat)} %`);
  return `. Chances: ${seats.join(", ")}`;
}

/**
 * Update board and timeline when selection, bookmarks, comparison or hiding change.
 * @param {Player} player
 * @param {{
 *   board: import("../renderer.js").Renderer, timeline: ReturnType<typeof createTimeline>,
 *   bookmarks: ReturnType<typeof createBookmarks>, compare: ReturnType<typeof createCompare>
 * }} parts
 */
function follow(player, { board, timeline, bookmarks, compare }) {
  /** @type {number | null} */
  let parting = null;
  const flags = () => {
    const difference = parting === null ? [] : [{ frame: parting, label: "First difference" }];
    timeline.bookmarks([...bookmarks.marks(), ...difference].sort((a, b) => a.frame - b.frame));
  };
  /** Mark the selection, or the targets that a better decision would touch. */
  const mark = () => board.mark(player.reviewing.better(player.state.get("better"))?.on ?? player.picked());
  const hide = () => timeline.spoilers(player.hidesFuture());
  bookmarks.onChange(flags);
  compare.onChange((first) => {
    parting = first;
    flags();
  });
  for (const key of ["thing", "better"]) player.state.on(key, mark);
  player.reviewing.on(mark);
  player.state.on("spoilers", hide);
  mark();
  hide();
  flags();
}
