// @ts-check
// Holdings of a seat of a map: goods, supplies, markers left, and its six planned actions.

import { attributeOf, html, svg, textOf } from "../drawing/dom.js";
import { glyph, iconClass, iconPath } from "../drawing/shapes.js";
import { createMarkersLeft } from "./markers.js";

/** @typedef {import("../scene.js").MapScene} Scene */
/** @typedef {import("../scene.js").MapFrame} Frame */

const STEPS = 6;

/** An action of a plan that the view does not see. */
const HIDDEN = "?";

/**
 * Result of a planned action.
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
 * A seat's planned actions in words: the result of each, and which one is current.
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
 * @returns {import("../renderer.js").Holdings<Frame>}
 */
export function createMapHoldings(scene, seat) {
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
  const element = html(
    "span",
    { class: markersLeft ? "held with-markers" : "held" },
    html("span", { class: "chips" }, ...goods.map((each) => each.chip), ...supplies.map((each) => each.chip)),
    markersLeft && markersLeft.element,
    six.element,
  );
  return {
    element,
    draw(frame) {
      goods.forEach((each, index) => {
        const count = frame.h[seat][index];
        each.draw(count);
        each.look(count ? "chip" : "chip chip-none");
      });
      supplies.forEach((each, index) => each.draw(frame.s[seat][index]));
      six.draw(frame);
      markersLeft?.draw(frame);
    },
    say: six.say,
  };
}
