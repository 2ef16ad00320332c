// @ts-check
// The board and the standings of a recording. They are rebuilt for each scene, since every entry brings a new scene.
// Pieces that an entry moved glide to their new place.

import { html, textOf } from "../drawing/dom.js";
import { roundOf } from "../drawing/rounds.js";
import { KINDS } from "../kinds.js";
import { createPositionText } from "../panels/position-text.js";
import { createStandings } from "../panels/standings.js";
import { toggle } from "../player/page.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../parts.js").Player} Player */

const WORDS = "As text";
/** A match that is being recorded is not reviewed. @type {import("../parts.js").Reviewing} */
const NOT_REVIEWED = {
  offered: false,
  found: () => null,
  story: () => null,
  why: () => "",
  stop: ({ seq }) => seq,
  isShown: () => false,
  better: () => null,
  playouts: () => null,
  offersChecks: false,
  checked: () => null,
  check: async () => {},
  playOut: async () => {},
  on() {},
};

/** The latest moment of each frame. @param {Scene} scene */
function momentsOf({ moments }) {
  return (/** @type {number} */ frame) => moments.findLast(({ at }) => at <= frame)?.text ?? "";
}

/** @param {{pick: (target: string) => void, newest: () => void}} asks */
export function createStage({ pick, newest }) {
  const round = html("b");
  const text = html("span", {});
  const earlier = html("button", { type: "button", class: "button", hidden: true }, "Show the newest");
  const write = { round: textOf(round), text: textOf(text) };
  const caption = html("div", { class: "record-caption" }, round, text, earlier);
  const drawn = html("div", { class: "board-half" });
  const halves = html("div", { class: "board-halves" }, drawn);
  const words = html("div", { class: "record-words" });
  const legend = html("div", { class: "legend" });
  const toggles = html("div", { class: "toggles", role: "group", "aria-label": "What the board shows" });
  const board = html(
    "section",
    { class: "card replay-board", "aria-label": "Board" },
    caption,
    html("div", { class: "board-stage" }, halves, words),
    html("div", { class: "board-foot" }, legend, toggles),
  );
  const standings = html("div", { class: "record-standings" });
  /** Toggles that the reader changed. @type {Map<string, boolean>} */
  const memory = new Map();
  /** @type {{scene: Scene, drawing: import("../renderer.js").Renderer, table: ReturnType<typeof createStandings>, position: ReturnType<typeof createPositionText>, texts: (frame: number) => string} | null} */
  let shown = null;
  let at = 0;

  function sayPosition() {
    if (shown && !shown.position.element.hidden) shown.position.draw(at);
  }
  /** Create the board's toggles once; the kind of board never changes. @param {Scene} scene */
  function createToggles(scene) {
    const kind = KINDS[scene.board.kind];
    toggles.replaceChildren(
      ...kind.toggles.map(([name, look]) => toggle(name, true, (on) => halves.classList.toggle(look, !on))),
      toggle(WORDS, false, (on) => {
        memory.set(WORDS, on);
        if (shown) shown.position.element.hidden = !on;
        halves.hidden = on;
        sayPosition();
      }),
    );
    legend.replaceChildren(...kind.legend(scene));
  }
  /** @param {number} frame */
  function draw(frame) {
    if (!shown) return;
    at = frame;
    const { scene, drawing, table, texts } = shown;
    drawing.draw(scene.frames[frame]);
    table.draw(scene.frames[frame], frame);
    table.say(scene.frames[frame]);
    write.round(roundOf(scene)(frame));
    write.text(texts(frame));
    sayPosition();
  }
  earlier.addEventListener("click", newest);
  return {
    board,
    standings,
    draw,
    /** @param {Scene} scene */
    show(scene) {
      if (!shown) createToggles(scene);
      shown?.drawing.stop();
      const before = shown && Math.min(at, scene.frames.length - 1);
      const player = /** @type {Player} */ (/** @type {unknown} */ ({ scene, reviewing: NOT_REVIEWED, at: () => at }));
      const drawing = KINDS[scene.board.kind].create(scene, { pick });
      shown = { scene, drawing, table: createStandings(player), position: createPositionText(player), texts: momentsOf(scene) };
      shown.position.element.hidden = memory.get(WORDS) !== true;
      drawn.replaceChildren(drawing.element);
      words.replaceChildren(shown.position.element);
      standings.replaceChildren(shown.table.element);
      if (before === null) return;
      drawing.draw(scene.frames[before]);
      drawing.element.getBoundingClientRect(); // forces a layout, from which the glide starts
      drawing.glide(true);
    },
    /** Mark the board if an earlier position is shown. @param {boolean} yes */
    isEarlier(yes) {
      earlier.hidden = !yes;
      board.classList.toggle("record-earlier", yes);
    },
    /** @param {string[]} targets */
    mark: (targets) => shown?.drawing.mark(targets),
    /** Show a position that is not in the scene, until the next frame is drawn. @param {import("../scene.js").Frame} frame */
    preview: (frame) => shown?.drawing.draw(frame),
    stop: () => shown?.drawing.stop(),
  };
}
