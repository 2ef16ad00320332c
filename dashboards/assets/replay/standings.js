// @ts-check
// The standings: three influences for each seat, what it holds, its plan, and how the match would end now.

import { attributeOf, html, svg, textOf } from "./dom.js";
import { createMarkersLeft } from "./markers.js";
import { glyph, iconClass, iconPath, seatIcon } from "./shapes.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Frame} Frame */

const STEPS = 6;

/**
 * The most that a seat has of each measure; bars are drawn against it, so that none tells of what is yet to come.
 * @param {Frame} frame
 */
const tops = (frame) => frame.f[0].map((_, measure) => Math.max(1, ...frame.f.map((row) => row[measure])));

/** An action of a plan that the view does not see. */
const HIDDEN = "?";

/**
 * What became of a planned action.
 * @param {Scene} scene
 * @param {string} letter
 * @param {string} mark
 */
function actWords(scene, letter, mark) {
  const name = scene.acts[letter]?.name ?? "";
  if (mark === "+") return `${name}, done`;
  return mark === "." || mark === "" ? name : `${name}, void: ${scene.voids[mark]}`;
}

/**
 * The planned actions of a seat, what became of each, and which of them it is now.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {number} seat
 */
export function planInWords(scene, frame, seat) {
  const letters = frame.p[seat];
  if (letters.startsWith(HIDDEN)) return "hidden plan";
  const now = frame.a === seat ? frame.x - 1 : -1;
  const acts = [...letters].map((letter, i) => {
    return `${i === now ? "now " : ""}${actWords(scene, letter, frame.m[seat][i] ?? "")}`;
  });
  return acts.join("; ");
}

/**
 * The six planned actions of a seat.
 * @param {Scene} scene
 * @param {number} seat
 */
function plan(scene, seat) {
  const slots = Array.from({ length: STEPS }, () => {
    const title = svg("title");
    const path = svg("path", { class: "act-icon" });
    const cross = svg("path", { d: "M3 17 17 3", class: "act-cross" });
    const slot = svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, class: "act" }, title, path, cross);
    const words = textOf(title);
    const drawing = attributeOf(path, "d");
    return { slot, look: attributeOf(slot, "class"), words, drawing };
  });
  const element = html(
    "span",
    { class: "plan", role: "img", "aria-label": "No plan" },
    ...slots.map((each) => each.slot),
  );
  const label = attributeOf(element, "aria-label");
  let shown = "";
  /** @param {Frame} frame */
  const draw = (frame) => {
    const letters = frame.p[seat];
    const marks = frame.m[seat];
    const now = frame.a === seat ? frame.x : 0;
    const key = `${letters}/${marks}/${now}`;
    if (key === shown) return;
    shown = key;
    slots.forEach((slot, i) => {
      const letter = letters[i] ?? "";
      const mark = marks[i] ?? "";
      const icon = scene.acts[letter]?.icon ?? "";
      const fate = mark === "+" ? " act-done" : letter && mark !== "." && mark ? " act-void" : "";
      const state = `${letter ? (letter === HIDDEN ? " act-hidden" : "") : " act-none"}${fate}${now === i + 1 ? " act-now" : ""}`;
      slot.look(`act ${iconClass(icon)}${state}`);
      slot.drawing(iconPath(icon));
    });
  };
  /** @param {Frame} frame */
  const say = (frame) => {
    const words = planInWords(scene, frame, seat);
    label(words ? `Plan: ${words}` : "No plan");
    const now = frame.a === seat ? frame.x : 0;
    slots.forEach((slot, i) => {
      const letter = frame.p[seat][i] ?? "";
      const act = letter === HIDDEN ? "hidden plan" : `${i + 1}: ${actWords(scene, letter, frame.m[seat][i] ?? "")}`;
      slot.words(letter ? `${act}${now === i + 1 ? " (this action)" : ""}` : "");
    });
  };
  return { element, draw, say };
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function seatRows(scene, seat) {
  const who = scene.seats[seat];
  const verdict = html("span", { class: "verdict" });
  const first = html("span", { class: "first", title: "First Caravaneer this round" }, "1st");
  const name = html(
    "th",
    { scope: "row" },
    html(
      "span",
      { class: "seat-name" },
      seatIcon(seat, 18),
      html("b", {}, who.name),
      html("span", { class: "meta" }, who.player),
      first,
      verdict,
    ),
  );
  const cells = scene.measures.map((measure) => {
    const value = html("span", { class: "figure" });
    const bar = html("span", { class: `bar seat-back-${seat}` });
    const cell = html("td", { "data-seat": seat, "data-influence": measure.key }, value, bar);
    let part = -1;
    const write = textOf(value);
    /** @param {number} points @param {number} top */
    const draw = (points, top) => {
      write(points);
      if (points / top === part) return;
      part = points / top;
      bar.style.transform = `scaleX(${part})`;
    };
    return { cell, draw };
  });
  const goods = scene.tokens.map((token) => {
    const count = html("span");
    const chip = html(
      "span",
      { class: "chip", title: `${token.name} held` },
      html("span", { class: `chip-cube back-${token.key}` }, token.letter),
      count,
    );
    return { chip, draw: textOf(count), look: attributeOf(chip, "class") };
  });
  const supplies = scene.supplies.map((supply) => {
    const count = html("span");
    return {
      chip: html("span", { class: "chip", title: supply.name }, glyph(supply.icon, 13), count),
      draw: textOf(count),
    };
  });
  const six = plan(scene, seat);
  const markersLeft = scene.markers ? createMarkersLeft(scene, seat) : null;
  const held = html(
    "td",
    { colspan: scene.measures.length + 1 },
    html(
      "span",
      { class: "held" },
      html("span", { class: "chips" }, ...goods.map((each) => each.chip), ...supplies.map((each) => each.chip)),
      markersLeft && markersLeft.element,
      six.element,
    ),
  );
  const top = html("tr", { class: "seat-top" }, name, ...cells.map((each) => each.cell));
  const body = html("tbody", {}, top, html("tr", { class: "seat-rest" }, held));
  const state = attributeOf(body, "class");
  const isFirst = attributeOf(first, "hidden");
  const verdictText = textOf(verdict);
  const verdictLook = attributeOf(verdict, "class");
  /** @param {Frame} frame @param {number[]} most */
  const draw = (frame, most) => {
    cells.forEach((each, index) => each.draw(frame.f[seat][index], most[index]));
    goods.forEach((each, index) => {
      const count = frame.h[seat][index];
      each.draw(count);
      each.look(count ? "chip" : "chip chip-none");
    });
    supplies.forEach((each, index) => each.draw(frame.s[seat][index]));
    six.draw(frame);
    markersLeft?.draw(frame);
    state(frame.a === seat ? "seat now" : "seat");
    isFirst(frame.y === seat ? null : "");
    const ending = scene.endings[frame.e];
    const out = ending.out.find(([gone]) => gone === seat);
    verdictText(out ? `out: ${out[1]}` : ending.win.includes(seat) ? (ending.win.length > 1 ? "shares" : "wins") : "");
    verdictLook(out ? "verdict verdict-out" : ending.win.includes(seat) ? "verdict verdict-win" : "verdict");
  };
  return { body, draw, say: six.say };
}

/** @param {Scene} scene */
export function createStandings(scene) {
  const rows = scene.seats.map((_, seat) => seatRows(scene, seat));
  const after = html("span", { class: "meta" });
  const head = html(
    "thead",
    {},
    html(
      "tr",
      {},
      html("th", { scope: "col" }, "Player"),
      ...scene.measures.map((measure) =>
        html("th", { scope: "col" }, html("abbr", { title: measure.name }, measure.short)),
      ),
    ),
  );
  const look = `standings-table${scene.markers ? " with-markers" : ""}${scene.seats.length > 4 ? " many-seats" : ""}`;
  const table = html("table", { class: look }, head, ...rows.map((each) => each.body));
  const endingHead = html("b");
  const endingText = html("span");
  const ending = html("p", { class: "ending" }, endingHead, " ", endingText);
  const element = html(
    "section",
    { class: "card replay-standings", "aria-labelledby": "standings-title" },
    html("div", { class: "card-head" }, html("h2", { id: "standings-title" }, "Standings"), after),
    table,
    ending,
  );
  const write = { after: textOf(after), head: textOf(endingHead), text: textOf(endingText) };
  return {
    element,
    /** @param {Frame} frame @param {number} at */
    draw(frame, at) {
      write.after(`after event ${at}`);
      const most = tops(frame);
      for (const row of rows) row.draw(frame, most);
      const now = scene.endings[frame.e];
      write.head(`${now.head}:`);
      write.text(now.text);
    },
    /** @param {Frame} frame */
    say(frame) {
      for (const row of rows) row.say(frame);
    },
  };
}
