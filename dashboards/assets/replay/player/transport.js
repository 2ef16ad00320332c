// @ts-check
// Buttons, speed and keys. Character keys can be switched off, for people who dictate or press keys by accident.

import { attributeOf, html, keyOf, memory, textOf } from "../drawing/dom.js";
import { glyph, iconClass, iconPath } from "../drawing/shapes.js";
import { KINDS } from "../kinds.js";
import { CHANCES } from "../panels/timeline.js";

/** @typedef {import("../scene.js").Scene} Scene */

/**
 * Functions by which the controls move the player.
 * @typedef {{
 *   step: (by: number) => void, round: (by: number) => void, key: (by: number) => void,
 *   toStart: () => void, toEnd: () => void, toggle: () => void, help: () => void, bookmark: () => void,
 *   traffic: () => void, letGo: () => void, whatIf: () => void, branch: (by: number) => void
 * }} Moves
 */

export const SPEEDS = [0.5, 1, 2, 4, 8, 16];

/** @param {string} icon @param {string} label @param {string} keys */
function button(icon, label, keys) {
  return html(
    "button",
    { type: "button", class: "round-button", id: `replay-${icon}`, "aria-label": label, title: `${label} (${keys})` },
    glyph(icon),
  );
}

/** @param {string} label @param {string} id @param {[string, string][]} options @param {string} chosen */
function select(label, id, options, chosen) {
  const choices = options.map(([value, text]) => html("option", { value, selected: value === chosen }, text));
  const element = html("select", { id }, ...choices);
  return { element, field: html("label", { class: "field", for: id }, html("span", {}, label), element) };
}

/**
 * The menu of curves on the timeline: chances if there are any, and the lead in each measure. It is missing if there is
 * only one curve.
 * @param {import("../parts.js").Player} player
 * @param {(curve: number) => void} changed
 */
function createCurves({ scene, memory, reviewing }, changed) {
  const lead = reviewing.offered && scene.measures.length > 1 ? "Lead: " : "";
  const named = scene.measures.map(({ key }) => (lead ? lead + key : key[0].toUpperCase() + key.slice(1)));
  const curves = named.map((name, i) => /** @type {[string, string]} */ ([String(i), name]));
  if (reviewing.offered) curves.unshift([String(CHANCES), "Chances"]);
  const label = reviewing.offered ? "Curve" : "Lead";
  const { element, field } = select(label, "replay-measure", curves, memory.get("measure") ?? curves[0][0]);
  element.addEventListener("change", () => {
    memory.set("measure", element.value);
    changed(Number(element.value));
  });
  changed(Number(element.value));
  return curves.length > 1 ? [field] : [];
}

/**
 * @param {import("../parts.js").Player} player
 * @param {Moves} moves
 * @param {{speed: (speed: number) => void, curve: (curve: number) => void}} settings
 */
export function createTransport(player, moves, settings) {
  const { scene, state, hidesFuture } = player;
  const round = scene.terms.round.toLowerCase();
  const play = button("play", "Play", "Space");
  play.classList.add("play-button");
  const playPath = /** @type {SVGPathElement} */ (play.querySelector("path"));
  const buttons = [
    { element: button("first", "First event", "Home"), run: moves.toStart },
    { element: button("round-back", `Previous ${round}`, "Shift ←"), run: () => moves.round(-1) },
    { element: button("back", "Previous event", "←"), run: () => moves.step(-1) },
    { element: play, run: moves.toggle },
    { element: button("next", "Next event", "→"), run: () => moves.step(1) },
    { element: button("round-next", `Next ${round}`, "Shift →"), run: () => moves.round(1) },
    { element: button("last", "Last event", "End"), run: moves.toEnd },
  ];
  for (const { element, run } of buttons) element.addEventListener("click", run);
  const remembered = Number(memory.read("speed", "1"));
  const start = SPEEDS.includes(remembered) ? remembered : 1;
  const speed = select(
    "Speed",
    "replay-speed",
    SPEEDS.map((each) => [String(each), `${each}×`]),
    String(start),
  );
  speed.element.addEventListener("change", () => {
    memory.write("speed", speed.element.value);
    settings.speed(Number(speed.element.value));
  });
  const whatIf = html("button", { type: "button", class: "button", id: "replay-what-if", title: "Try something else from here (W)" }, glyph("fork", 16), html("span", {}, "Try something else"));
  whatIf.addEventListener("click", moves.whatIf);
  const where = html("span", { class: "meta where" });
  const caption = html("strong", { class: "caption" });
  const count = html("b");
  const total = html("span");
  const tellTotal = textOf(total);
  const shownTotal = () => tellTotal(hidesFuture() ? "" : ` / ${scene.frames.length - 1}`);
  state.on("spoilers", shownTotal);
  shownTotal();
  const element = html(
    "div",
    { class: "transport" },
    html(
      "div",
      { class: "buttons", role: "group", "aria-label": "Move through the match" },
      ...buttons.map((each) => each.element),
    ),
    html("p", { class: "telling" }, where, caption),
    html("p", { class: "count" }, count, total),
  );
  const write = { where: textOf(where), caption: textOf(caption), count: textOf(count) };
  const label = attributeOf(play, "aria-label");
  const title = attributeOf(play, "title");
  const drawing = attributeOf(playPath, "d");
  const look = attributeOf(playPath, "class");
  settings.speed(start);
  return {
    element,
    /** Controls that may scroll out of sight on a narrow screen. */
    tools: [whatIf, html("div", { class: "fields" }, ...createCurves(player, settings.curve), speed.field)],
    /** @param {number} at @param {string} place @param {string} text */
    draw(at, place, text) {
      write.count(at);
      write.where(place);
      write.caption(text);
    },
    /** @param {boolean} playing */
    playing(playing) {
      const name = playing ? "Pause" : "Play";
      label(name);
      title(`${name} (Space)`);
      drawing(iconPath(name.toLowerCase()));
      look(iconClass(name.toLowerCase()));
    },
  };
}

/** @param {Scene} scene @returns {[string, string][]} */
const keysOf = ({ terms, review }) => [
  ["← →", "previous, next event"],
  ["Shift ← →", `previous, next ${terms.round.toLowerCase()}`],
  ["Home, End", "first, last event"],
  ["N, P", `next, previous ${review ? "key moment; without chances, key event" : "key event"}: ${terms.keys}`],
  ["Space", "play, pause"],
  ["B", "bookmark this moment"],
  ["T", "traffic on the board"],
  ["W", "what if: try something else from here"],
  ["[, ]", "in what was tried: the decision before, after"],
  ["Esc", "clear the selection on the board"],
  ["?", "this list"],
];
/** Explanation of the word, which appears in addresses, file names and next to the slider. */
const PLY = "A ply is one decision of a player or of chance, and what follows from it; 57.3 is the third event of ply 57.";

/** @param {Scene} scene */
export function createHelp(scene) {
  const letters = html("input", { type: "checkbox", id: "replay-letters" });
  letters.checked = memory.read("letters", "on") === "on";
  letters.addEventListener("change", () => memory.write("letters", letters.checked ? "on" : "off"));
  const close = html("button", { type: "button", class: "round-button", "aria-label": "Close" }, glyph("close"));
  const rows = [...keysOf(scene), ...(KINDS[scene.board.kind].keys ?? [])].map(([keys, what]) =>
    html(
      "div",
      {},
      html("dt", {}, ...keys.split(" ").map((key) => html("kbd", {}, key.replace(",", "")))),
      html("dd", {}, what),
    ),
  );
  const dialog = html(
    "dialog",
    { class: "replay-help", "aria-labelledby": "help-title" },
    html("div", { class: "card-head" }, html("h2", { id: "help-title" }, "Shortcuts"), close),
    html("dl", {}, ...rows),
    html("p", { class: "meta" }, PLY),
    html("label", { class: "check", for: "replay-letters" }, letters, "Letters, Space and ? work as shortcuts"),
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return { dialog, letters: () => letters.checked };
}

/**
 * Handle keys, unless the focused part of the page needs them.
 * @param {Moves} moves
 * @param {() => boolean} letters true if character keys are enabled
 * @param {AbortSignal} signal
 */
export function listenToKeys(moves, letters, signal) {
  /** @type {Record<string, () => void>} */
  const always = {
    ArrowLeft: () => moves.step(-1),
    ArrowRight: () => moves.step(1),
    "Shift+ArrowLeft": () => moves.round(-1),
    "Shift+ArrowRight": () => moves.round(1),
    Home: moves.toStart,
    End: moves.toEnd,
    Escape: moves.letGo,
  };
  /** @type {Record<string, () => void>} */
  const characters = {
    n: () => moves.key(1),
    p: () => moves.key(-1),
    " ": moves.toggle,
    "?": moves.help,
    b: moves.bookmark,
    t: moves.traffic,
    w: moves.whatIf,
    "[": () => moves.branch(-1),
    "]": () => moves.branch(1),
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (target.closest("dialog, select, textarea, [contenteditable], input:not([type=range])")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const named = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    const run = always[named] ?? (letters() ? characters[keyOf(event)] : undefined);
    if (!run || (event.key === "Escape" && document.querySelector(":popover-open"))) return;
    if (event.key !== "Escape") event.preventDefault();
    run();
  };
  document.addEventListener("keydown", pressed, { signal });
}
