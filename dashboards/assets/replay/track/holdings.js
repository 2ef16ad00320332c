// @ts-check
// A seat's holdings on a track: supply cards in hand and used, and the places where it was supplied.

import { attributeOf, html, textOf } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";

/** @typedef {import("../scene.js").TrackScene} Scene */
/** @typedef {import("../scene.js").TrackFrame} Frame */

/** The cards of a seat, in words. @param {Frame} frame @param {number} seat */
export function cardsInWords(frame, seat) {
  const used = frame.u[seat].map((card) => `${card} used`);
  return [...frame.h[seat], ...used].join(", ") || "none";
}

/**
 * @param {Scene} scene
 * @param {number} seat
 * @returns {import("../renderer.js").Holdings<Frame>}
 */
export function createTrackHoldings(scene, seat) {
  const cards = [...scene.frames[0].h[seat]].sort();
  const chips = cards.map((card) => {
    const chip = html("span", { class: "supply-card" }, card);
    return { chip, card, look: attributeOf(chip, "class"), title: attributeOf(chip, "title") };
  });
  const label = { class: "supply-cards", role: "img", "aria-label": "Supply cards" };
  const row = html("span", label, ...chips.map((each) => each.chip));
  const camps = html("span");
  const supplied = html("span", { class: "chip", title: "Camps in which a supply card was taken back" }, glyph("camp", 13), camps);
  const sherpas = html("span", { class: "meta" });
  const element = html("span", { class: "held" }, row, supplied, sherpas);
  const say = attributeOf(row, "aria-label");
  const texts = { camps: textOf(camps), sherpas: textOf(sherpas) };
  let shown = "";
  return {
    element,
    draw(frame) {
      texts.sherpas(`Sherpas on ${[...frame.s[seat]].sort((a, b) => a - b).join(", ")}`);
      const [left, gained] = [[...frame.h[seat]], frame.v[seat]];
      const key = `${left}/${gained}`;
      if (key === shown) return;
      shown = key;
      for (const each of chips) {
        const at = left.indexOf(each.card);
        if (at >= 0) left.splice(at, 1);
        each.look(at >= 0 ? "supply-card" : "supply-card supply-used");
        each.title(`Supply card ${each.card}${at >= 0 ? "" : ", used"}`);
      }
      supplied.hidden = !gained.length;
      texts.camps(gained.join(", "));
    },
    say: (frame) => say(`Supply cards: ${cardsInWords(frame, seat)}`),
  };
}
