// @ts-check
// Holdings of a seat of a tower: the colour it may enter, its ladders, and its disc.

import { attributeOf, html, textOf } from "../drawing/dom.js";

/** @typedef {import("../scene.js").TowerScene} Scene */
/** @typedef {import("../scene.js").TowerFrame} Frame */

const LADDERS = /** @type {const} */ ([["s", "short"], ["l", "long"]]);

/** The ladders of a seat, in words. @param {Frame} frame @param {number} seat */
export function laddersInWords(frame, seat) {
  const left = LADDERS.filter(([letter]) => frame.h[seat].includes(letter)).map(([, name]) => name);
  return left.join(" and ") || "none";
}

/** Place of a seat's disc. @param {Scene} scene @param {Frame} frame @param {number} seat */
export function discInWords(scene, frame, seat) {
  const [block] = frame.d[seat];
  if (block === -1) return "in hand";
  return block < 0 ? "out of the game" : `on ${scene.names[`b${block}`].toLowerCase()}`;
}

/** The name of a seat's colour; "" before it is dealt. @param {Scene} scene @param {Frame} frame @param {number} seat */
export const colourOf = (scene, frame, seat) => scene.board.colours[frame.p[seat]] ?? "";

/**
 * @param {Scene} scene
 * @param {number} seat
 * @returns {import("../renderer.js").Holdings<Frame>}
 */
export function createTowerHoldings(scene, seat) {
  const colour = html("span");
  const set = { letter: textOf(colour), look: attributeOf(colour, "class"), title: attributeOf(colour, "title") };
  const ladders = LADDERS.map(([short, name]) => {
    const chip = html("span", { class: "supply-card" }, name);
    return { chip, short, name, look: attributeOf(chip, "class"), title: attributeOf(chip, "title") };
  });
  const row = html("span", { class: "supply-cards", role: "img", "aria-label": "Ladders" }, ...ladders.map((each) => each.chip));
  const disc = html("span", { class: "meta" });
  const element = html("span", { class: "held" }, html("span", { class: "chips" }, colour, row), disc);
  const [writeDisc, say] = [textOf(disc), attributeOf(row, "aria-label")];
  return {
    element,
    draw(frame) {
      const letter = frame.p[seat];
      set.letter(letter ?? "–");
      set.look(`tower-colour back-${letter ?? "none"}`);
      set.title(letter ? `Can enter ${colourOf(scene, frame, seat)} and neutral tops` : "No colour yet");
      writeDisc(`Disc ${discInWords(scene, frame, seat)}`);
      for (const each of ladders) {
        const has = frame.h[seat].includes(each.short);
        each.look(has ? "supply-card" : "supply-card supply-used");
        each.title(`The ${each.name} ladder${has ? "" : ", used"}`);
      }
    },
    say: (frame) => say(`Ladders: ${laddersInWords(frame, seat)}`),
  };
}
