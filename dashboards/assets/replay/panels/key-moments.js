// @ts-check
// The panel of key moments: the largest changes of the chances, the seats behind them, and better decisions, which can
// be shown on the board.

import { nameOf, signedPoints } from "../drawing/chances.js";
import { html, textOf, urlOf } from "../drawing/dom.js";
import { participant, seatIcon } from "../drawing/shapes.js";

/** @typedef {import("../review.js").KeyMoment} KeyMoment */
/** @typedef {import("../review.js").Alternative} Alternative */
/** @typedef {import("../review.js").Confirmation} Confirmation */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../parts.js").Panel} Panel */

/** Number of moments that are shown in full size, the largest of the match. */
const LARGEST = 6;

const PLANS =
  "A plan is compared with the reference player's plan in the same round, so it can cost more than the seat's chance before it. Expected when chosen: against the best plan found then. ";

/** A sentence on how to read the chances, with a link to the glossary. @param {Player} player */
function createTrust({ reviewing, api }) {
  const words = html("span");
  const write = textOf(words);
  const update = () => {
    const chances = reviewing.found();
    const off = chances ? `, off by ${chances.error} points on average` : "";
    const plans = chances?.moments.some(({ cause }) => cause.endsWith("plan")) ? PLANS : "";
    write(`Estimated from matches of the players the model was trained on${off}; not what perfect play would give. ${plans}`);
  };
  const more = api("") ? html("a", { href: urlOf("/glossary#chances") }, "What this means") : null;
  return { element: html("p", { class: "moments-trust meta" }, words, more), update };
}

/** Playouts of the last rounds by the players of the match: a button to request them, or their result. @param {Player} player */
function createPlayouts({ reviewing }) {
  const ask = html("button", { type: "button", class: "button", id: "replay-play-out" }, "Play out the last two rounds");
  const words = html("span", { role: "status" });
  const write = textOf(words);
  const element = html("p", { class: "moments-playouts meta", hidden: true }, ask, words);
  ask.addEventListener("click", () => reviewing.playOut());
  function sentence() {
    const playouts = reviewing.playouts();
    switch (playouts?.state) {
      case "waiting":
        return "The players of the match play out its last two rounds …";
      case "done":
        return `The dashed line on the timeline: from there on chances are shares of ${playouts.samples} playouts by the players of the match. Key moments are by the model alone.`;
      case "impossible":
        return `The last rounds cannot be played out: ${playouts.reason}.`;
      default:
        return "with the players of the match: more accurate chances near the end, in about half a minute.";
    }
  }
  return {
    element,
    update() {
      const state = reviewing.playouts()?.state;
      element.hidden = !state;
      ask.hidden = state !== "not asked";
      write(state ? sentence() : "");
    },
  };
}

/** A better decision's title, and a sentence on how certain it is. @param {Alternative} found @param {Confirmation | null} confirmation */
function certainty({ cost }, confirmation) {
  if (confirmation?.state === "done") return [confirmation.is_confirmed ? "A better decision, confirmed" : "No better decision was confirmed", confirmation.text ?? ""];
  const guess = `The model's guess, not confirmed: ${signedPoints(cost)} points.`;
  if (confirmation?.state === "waiting") return ["A better decision?", `${guess} The players of the match play it out …`];
  return ["A better decision?", confirmation?.state === "impossible" ? `${guess} It cannot be checked: ${confirmation.reason?.replace(/\.$/, "")}.` : guess];
}

/**
 * A better decision, shown on demand, with the model's estimate or the result of its playouts.
 * @param {Player} player
 * @param {KeyMoment} moment
 * @param {Alternative} found
 */
function createBetter(player, moment, found) {
  const { reviewing } = player;
  const name = nameOf(found);
  const show = html("button", { type: "button", class: "toggle", "aria-pressed": "false" }, "Show on the board");
  show.addEventListener("click", () => {
    const on = show.getAttribute("aria-pressed") !== "true";
    if (on && !player.hidesFuture()) player.go(moment.since);
    player.state.set({ thing: null, better: on ? name : null }, "push");
  });
  const check = html("button", { type: "button", class: "button" }, "Check this");
  check.addEventListener("click", () => reviewing.check(found.seq, true, update));
  const heading = html("summary");
  const status = html("p", { role: "status" });
  const [head, say] = [textOf(heading), textOf(status)];
  function update() {
    const confirmation = reviewing.checked(found.seq);
    const [title, sentence] = certainty(found, confirmation);
    head(title);
    say(sentence);
    check.hidden = !reviewing.offersChecks || (confirmation !== null && confirmation.state !== "not asked");
  }
  const words = html("p", {}, html("b", {}, `${participant(player.scene.seats[found.seat])}: `), found.words);
  const body = html("div", { class: "better-body" }, words, status, check, found.on.length ? show : null);
  const element = html("details", { class: "better" }, heading, body);
  element.addEventListener("toggle", () => element.open && reviewing.check(found.seq, false, update));
  update();
  return { element, mark: () => show.setAttribute("aria-pressed", String(player.state.get("better") === name)) };
}

/** @param {Player} player @param {KeyMoment} moment */
function createRow(player, moment) {
  const { reviewing } = player;
  const { seq, since, seat, swing, text, alternative, rank } = moment;
  const jump = html(
    "button",
    { type: "button", class: rank > LARGEST ? "round-note minor" : "round-note", "data-seq": seq },
    seatIcon(seat, 16),
    html("span", {}, text),
    html("b", { class: swing < 0 ? "loss" : "gain", "aria-hidden": "true" }, signedPoints(swing)),
  );
  jump.addEventListener("click", () => player.go(reviewing.stop(moment)));
  const better = alternative ? createBetter(player, moment, alternative) : null;
  const item = html("li", {}, jump, better?.element ?? null);
  return {
    item,
    mark: () => better?.mark(),
    /** @param {number} at */
    show(at) {
      item.hidden = !reviewing.isShown(moment);
      const isHere = since <= at && at <= seq;
      if (isHere) jump.setAttribute("aria-current", "true");
      else jump.removeAttribute("aria-current");
    },
  };
}

/** @param {Player} player @returns {Panel} */
export function createKeyMoments(player) {
  const { state, reviewing } = player;
  const list = html("ol", { class: "round-notes", "aria-label": "Key moments" });
  const none = html("p", { class: "meta" });
  const say = textOf(none);
  const trust = createTrust(player);
  const playouts = createPlayouts(player);
  const element = html("div", { class: "moments", tabindex: 0, role: "group", "aria-label": "Key moments" }, none, list, playouts.element, trust.element);
  /** @type {ReturnType<typeof createRow>[]} */
  let rows = [];

  /** Reason why no moment is listed; "" if some are. */
  function nothing() {
    const chances = reviewing.found();
    if (!chances?.isWhole) return reviewing.why();
    if (rows.some(({ item }) => !item.hidden)) return "";
    if (player.hidesFuture()) return "No key moment so far.";
    return `No moment changed the chances by more than the model's error, ${chances.error} points.`;
  }
  /** @param {number} at */
  function show(at) {
    for (const row of rows) row.show(at);
    say(nothing());
    none.hidden = !nothing();
  }
  const mark = () => rows.forEach((row) => row.mark());
  function take() {
    rows = (reviewing.found()?.moments ?? []).map((moment) => createRow(player, moment));
    list.replaceChildren(...rows.map(({ item }) => item));
    trust.update();
    playouts.update();
    mark();
    if (player.at() >= 0) show(player.at());
  }
  reviewing.on(take);
  state.on("better", mark);
  state.on("spoilers", () => show(player.at()));
  take();
  return { id: "moments", title: "Moments", element, show };
}
