// @ts-check
// Another match beside this one: same luck, other players. Both boards go through the calendar together; up to the
// first difference they are the same position, event by event.

import { html } from "../drawing/dom.js";
import { wear } from "../drawing/shapes.js";
import { KINDS } from "../kinds.js";
import { createMenu } from "../panels/menu.js";
import { createBoardCaption } from "./caption.js";
import { answerOf, fromServer } from "./source.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../scene.js").Frame} Frame */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {{match: string, line_up: string, winner: string | null}} Sibling */
/**
 * What is shown beside: `first` is the first difference, `until` the frame from which on `outcome` gives nothing away.
 * @typedef {{
 *   name: string, first: number | null, until: number, outcome: string,
 *   draw: (frame: number) => void, say: (frame: number) => void
 * }} Shown
 */

/**
 * The frame of the other match that belongs to each frame of this one; the first whose position differs; the frame
 * with which the shorter of them ends.
 * @param {Scene} scene
 * @param {Scene} other
 */
export function pairing(scene, other) {
  const shorter = Math.min(scene.frames.length, other.frames.length);
  const { position } = KINDS[scene.board.kind];
  const same = (/** @type {number} */ frame) =>
    JSON.stringify(position(scene.frames[frame], scene)) === JSON.stringify(position(other.frames[frame], other));
  let first = 0;
  while (first < shorter && same(first)) first += 1;
  const twins = new Uint16Array(scene.frames.length);
  let beside = Math.max(0, first - 1);
  scene.when.forEach((when, frame) => {
    if (frame < first) twins[frame] = frame;
    else {
      while (beside + 1 < other.frames.length && other.when[beside + 1] <= when) beside += 1;
      twins[frame] = beside;
    }
  });
  return { twins, first: first < shorter ? first : null, end: shorter - 1 };
}

/** @param {Player} player */
export function createCompare(player) {
  const { scene, state } = player;
  const leaving = new AbortController();
  const list = html("ul", { class: "menu-list" });
  const told = html("p", { class: "meta", role: "status" });
  const offered = html("p", { class: "meta", role: "status" });
  const jump = html("button", { type: "button", class: "button", hidden: true }, "Go to the first difference");
  const stop = html("button", { type: "button", class: "button", hidden: true }, "Close the comparison");
  const menu = createMenu(
    { id: "replay-compare", icon: "compare", label: "Side by side", title: "Put a match on the same seed beside this one" },
    told,
    html("div", { class: "actions" }, jump, stop),
    offered,
    list,
  );
  const board = html("div", { class: "board-half", hidden: true });
  const own = createBoardCaption(scene);
  own.element.hidden = true;
  /** @type {import("../renderer.js").Renderer | null} */
  let drawn = null;
  /** @type {Shown | null} */
  let shown = null;
  /** @type {Sibling[] | null} */
  let siblings = null;
  /** @type {(first: number | null) => void} */
  let changed = () => {};

  function close() {
    drawn?.stop();
    drawn = shown = null;
    board.replaceChildren();
    board.hidden = jump.hidden = stop.hidden = own.element.hidden = true;
    told.textContent = "";
    changed(null);
  }

  /**
   * How the two go together, in words.
   * @param {{first: number | null, end: number}} parting
   * @param {number} longer by how many frames the other one is longer
   */
  function outcome({ first, end }, longer) {
    if (first !== null) return `First difference: ${player.place(first)}.`;
    if (longer === 0) return "Both matches are identical to the end.";
    const [shorter, goesOn] = longer > 0 ? ["this match", "the other"] : ["the other", "this match"];
    return `No difference up to the end of ${shorter}, ${player.place(end)}; ${goesOn} goes on.`;
  }

  /** Say how the two go together; where the future is hidden, only once the playhead is where that shows. */
  function tell() {
    if (!shown) return;
    const known = !player.hidesFuture() || player.at() >= shown.until;
    const words = `Compared with ${shown.name}. ${known ? shown.outcome : "Identical up to here."}`;
    if (words === told.textContent) return;
    told.textContent = words;
    jump.hidden = !known || shown.first === null;
    changed(known ? shown.first : null);
  }

  /** @param {Scene} other */
  function open(other) {
    if (other.game !== scene.game) throw new Error(`${other.match} is a match of another game.`);
    const { twins, ...parting } = pairing(scene, other);
    const drawing = KINDS[other.board.kind].create(other, { pick: player.pick });
    drawing.mark(player.picked());
    const caption = createBoardCaption(other);
    wear(board, other.seats);
    board.replaceChildren(caption.element, drawing.element);
    board.hidden = stop.hidden = own.element.hidden = false;
    shown = {
      name: other.match,
      first: parting.first,
      until: parting.first ?? Math.min(other.frames.length, scene.frames.length - 1),
      outcome: outcome(parting, other.frames.length - scene.frames.length),
      draw: (frame) => drawing.draw(other.frames[twins[frame]]),
      say(frame) {
        own.draw(frame);
        caption.draw(twins[frame]);
        tell();
      },
    };
    drawn = drawing;
    shown.draw(player.at());
    shown.say(player.at());
  }

  async function choose() {
    close();
    const name = state.get("with");
    if (!name || !player.api("")) return;
    try {
      const { scene: other } = await fromServer(name).load(state.get("view"), leaving.signal);
      if (!leaving.signal.aborted && state.get("with") === name) open(other);
    } catch (error) {
      if (!leaving.signal.aborted) told.textContent = `Cannot compare with ${name}: ${/** @type {Error} */ (error).message}`;
    }
  }

  /** @param {Sibling} sibling */
  function row({ match, line_up, winner }) {
    const button = html(
      "button",
      { type: "button", class: "menu-row" },
      html("b", {}, match),
      html("span", { class: "meta" }, winner && !player.hidesFuture() ? `${line_up}; ${winner} won` : line_up),
    );
    button.addEventListener("click", () => {
      menu.close();
      state.set({ with: match }, "push");
    });
    return html("li", {}, button);
  }

  const rows = () => list.replaceChildren(...(siblings ?? []).map(row));

  async function offer() {
    const route = player.api("same-luck");
    if (!route || siblings) return;
    try {
      const { matches } = await answerOf(await fetch(route, { signal: leaving.signal }));
      siblings = matches;
      rows();
      offered.textContent = matches.length ? "Matches on the same seed:" : "No other match here has the same seed.";
    } catch (error) {
      if (!leaving.signal.aborted) offered.textContent = /** @type {Error} */ (error).message;
    }
  }

  menu.panel.addEventListener("toggle", () => offer());
  jump.addEventListener("click", () => shown?.first !== null && shown && player.go(/** @type {number} */ (shown.first)));
  stop.addEventListener("click", () => {
    menu.close();
    state.set({ with: null }, "push");
  });
  state.on("with", choose);
  state.on("spoilers", () => {
    rows();
    tell();
  });
  state.on("thing", () => drawn?.mark(player.picked()));
  choose();
  return {
    element: player.api("") ? menu.element : null,
    board,
    caption: own.element,
    /** @param {number} frame */
    draw: (frame) => shown?.draw(frame),
    /** @param {number} frame */
    say: (frame) => shown?.say(frame),
    /** Hear where the matches part, `null` for nowhere. @param {(first: number | null) => void} run */
    onChange: (run) => (changed = run),
    stop() {
      leaving.abort();
      drawn?.stop();
    },
  };
}
