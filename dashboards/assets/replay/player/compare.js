// @ts-check
// Another match next to this one: same seed, other players. Both boards follow the calendar together. Up to the first
// difference they are the same position, event by event.

import { html } from "../drawing/dom.js";
import { createMenu } from "../panels/menu.js";
import { answerOf, fromServer } from "./source.js";
import { pairing } from "./twin.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {{match: string, line_up: string, winner: string | null}} Sibling */
/**
 * The other match: `first` is the frame of the first difference; from frame `until` on, `outcome` reveals nothing new.
 * @typedef {{name: string, first: number | null, until: number, outcome: string}} Shown
 */

/** @param {Player} player @param {ReturnType<typeof import("./twin.js").createTwin>} twin the other board */
export function createCompare(player, twin) {
  const { scene, state } = player;
  const leaving = new AbortController();
  const list = html("ul", { class: "menu-list" });
  const status = html("p", { class: "meta", role: "status" });
  const offered = html("p", { class: "meta", role: "status" });
  const jump = html("button", { type: "button", class: "button", hidden: true }, "Go to the first difference");
  const stop = html("button", { type: "button", class: "button", hidden: true }, "Close the comparison");
  const menu = createMenu(
    { id: "replay-compare", icon: "compare", label: "Side by side", title: "Show a match on the same seed next to this one" },
    status,
    html("div", { class: "actions" }, jump, stop),
    offered,
    list,
  );
  /** @type {Shown | null} */
  let shown = null;
  /** @type {Sibling[] | null} */
  let siblings = null;
  /** @type {(first: number | null) => void} */
  let changed = () => {};

  function close() {
    if (shown) twin.close();
    shown = null;
    jump.hidden = stop.hidden = true;
    status.textContent = "";
    changed(null);
  }

  /**
   * How the two matches relate, in a sentence.
   * @param {{first: number | null, end: number}} parting
   * @param {number} longer how many frames longer the other match is
   */
  function outcome({ first, end }, longer) {
    if (first !== null) return `First difference: ${player.place(first)}.`;
    if (longer === 0) return "Both matches are identical to the end.";
    const [shorter, goesOn] = longer > 0 ? ["this match", "the other"] : ["the other", "this match"];
    return `No difference up to the end of ${shorter}, ${player.place(end)}; ${goesOn} continues.`;
  }

  /**
   * Show how the matches relate; if the future is hidden, only once the playhead has reached the frame that reveals it.
   */
  function update() {
    if (!shown) return;
    const isShown = !player.hidesFuture() || player.at() >= shown.until;
    const words = `Compared with ${shown.name}. ${isShown ? shown.outcome : "Identical up to here."}`;
    if (words === status.textContent) return;
    status.textContent = words;
    jump.hidden = !isShown || shown.first === null;
    changed(isShown ? shown.first : null);
  }

  /** @param {Scene} other */
  function open(other) {
    if (other.game !== scene.game) throw new Error(`${other.match} is a match of another game.`);
    const { twins, ...parting } = pairing(scene, other);
    twin.open(other, twins, player.pick);
    twin.mark(player.picked());
    stop.hidden = false;
    shown = {
      name: other.match,
      first: parting.first,
      until: parting.first ?? Math.min(other.frames.length, scene.frames.length - 1),
      outcome: outcome(parting, other.frames.length - scene.frames.length),
    };
    update();
  }

  async function choose() {
    close();
    const name = state.get("with");
    if (!name || !player.api("")) return;
    try {
      const { scene: other } = await fromServer(name).load(state.get("view"), leaving.signal);
      if (!leaving.signal.aborted && state.get("with") === name) open(other);
    } catch (error) {
      if (!leaving.signal.aborted) status.textContent = `Cannot compare with ${name}: ${/** @type {Error} */ (error).message}`;
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
      state.set({ with: match, branch: null }, "push");
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
    update();
  });
  state.on("thing", () => shown && twin.mark(player.picked()));
  choose();
  return {
    element: player.api("") ? menu.element : null,
    /** Update after a change of position. */
    say: update,
    /** Call `run` with the frame at which the matches differ, `null` if they do not. @param {(first: number | null) => void} run */
    onChange: (run) => (changed = run),
    stop: () => leaving.abort(),
  };
}
