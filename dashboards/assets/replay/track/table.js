// @ts-check
// Things next to a track: the dice of the throw, the Yeti cards drawn and those to come.

import { attributeOf, svg, textOf } from "../drawing/dom.js";
import { BOLT, CLOUD, PIPS } from "./shapes.js";

/** @typedef {import("../scene.js").TrackScene} Scene */
/** @typedef {import("../scene.js").TrackFrame} Frame */

const EDGE = 10;
const PAD = 9;
const HEAD = 19;
const DIE = 23;
const DIE_APART = 28;
const DICE_IN_ROW = 4;
const PIP = 6;
const CARD = { width: 21, height: 28 };
const CARD_APART = { x: 25, y: 32 };
const CARDS_IN_ROW = 5;
const FOOT = 16;
const BROAD = 78;
const SKY = { x: 0.73, y: 0.235 };
const CLOUD_SIZE = 5;
const UP = "M0-10.500 4-5H-4Z";
const DOWN = "M0 10.500 4 5H-4Z";
const BACK = "M-5-7 5 7M5-7-5 7";

/** Scale of the things next to a track, given the scale of the track. @param {number} scale */
const sized = (scale) => Math.min(1, Math.max(0.72, scale));

/** @param {number} face */
const pips = (face) => PIPS[face].map(([x, y]) => `M${x * PIP - 2} ${y * PIP}a2 2 0 1 1 4 0a2 2 0 1 1-4 0Z`).join("");

/** A box with a heading next to the track. @param {string} name @param {number} width @param {number} height @param {SVGElement[]} parts */
function box(name, width, height, parts) {
  const head = svg("text", { class: "table-head", "text-anchor": "start", x: PAD, y: 11.5 });
  const group = svg("g", { class: name }, svg("rect", { class: "table-back", width, height, rx: 9 }), head, ...parts);
  return { group, head: textOf(head), at: attributeOf(group, "transform") };
}

/** The cloud over the mountain while bad weather is in the deck; it has a bolt once the card is drawn. */
export function createWeather() {
  const bolt = svg("path", { class: "weather-bolt", d: BOLT });
  const group = svg("g", { class: "weather", display: "none" }, bolt, svg("path", { class: "weather-cloud", d: CLOUD }));
  const [shown, struck, fact] = [attributeOf(group, "display"), attributeOf(bolt, "display"), attributeOf(group, "data-marker")];
  return {
    group,
    /** @param {import("./route.js").Route} laid */
    layout({ scale, width, height }) {
      const at = `translate(${(width * SKY.x).toFixed(2)} ${(height * SKY.y).toFixed(2)})`;
      group.setAttribute("transform", `${at} scale(${(CLOUD_SIZE * scale).toFixed(2)})`);
    },
    /** @param {Frame} frame */
    draw(frame) {
      shown(frame.w ? null : "none");
      struck(frame.w === 2 ? null : "none");
      fact(frame.w);
    },
  };
}

/** The dice of the throw; taken ones remain as outlines. @param {Scene} scene */
export function createDice(scene) {
  const rows = Math.ceil(scene.board.dice / DICE_IN_ROW);
  const inRow = Math.ceil(scene.board.dice / rows);
  const drawn = Array.from({ length: scene.board.dice }, (_, place) => {
    const [x, y] = [PAD + (place % inRow) * DIE_APART + DIE / 2, HEAD + Math.floor(place / inRow) * DIE_APART + DIE / 2 + 2];
    const back = svg("rect", { x: -DIE / 2, y: -DIE / 2, width: DIE, height: DIE, rx: 5 });
    const marks = svg("path");
    const die = svg("g", { class: "die", transform: `translate(${x} ${y})`, display: "none" }, back, marks);
    const set = { show: attributeOf(die, "display"), face: attributeOf(die, "data-marker"), back: attributeOf(back, "class") };
    return { die, ...set, marks: attributeOf(marks, "d"), look: attributeOf(marks, "class") };
  });
  const width = Math.max(inRow * DIE_APART - DIE_APART + DIE + 2 * PAD, BROAD);
  const { group, head, at } = box("table-dice", width, HEAD + rows * DIE_APART + PAD - 1, drawn.map((each) => each.die));
  head("Dice");
  return {
    group,
    /** @param {number} scale */
    layout: (scale) => at(`translate(${EDGE} ${EDGE}) scale(${sized(scale).toFixed(2)})`),
    /** @param {Frame} frame */
    draw(frame) {
      drawn.forEach((each, place) => {
        const face = frame.d[place];
        each.show(face === undefined ? "none" : null);
        if (face === undefined) return;
        each.face(face);
        each.back(face > 0 ? "die-back" : "die-back die-taken");
        each.marks(pips(Math.abs(face)));
        each.look(face > 0 ? "die-pips" : "die-pips die-gone");
      });
    },
  };
}

/** The Yeti cards to come, in words. @param {Frame} frame */
export function toCome(frame) {
  if (frame.w === 2) return "bad weather came";
  return frame.w ? `${frame.r - 1} and bad weather left` : `${frame.r} left`;
}

/** @param {number} place */
function createCard(place) {
  const x = PAD + (place % CARDS_IN_ROW) * CARD_APART.x + CARD.width / 2;
  const y = HEAD + Math.floor(place / CARDS_IN_ROW) * CARD_APART.y + CARD.height / 2 + 1;
  const back = svg("rect", { x: -CARD.width / 2, y: -CARD.height / 2, ...CARD, rx: 3.5 });
  const mark = svg("path");
  const number = svg("text", { class: "card-number", x: 0 });
  const bolt = svg("path", { class: "weather-bolt", d: BOLT });
  const card = svg("g", { class: "yeti-card", transform: `translate(${x} ${y})` }, back, mark, bolt, number);
  const set = { show: attributeOf(card, "display"), back: attributeOf(back, "class"), path: attributeOf(mark, "d") };
  const words = { look: attributeOf(mark, "class"), number: textOf(number), lower: attributeOf(number, "y") };
  const [numbered, storms] = [number, bolt].map((each) => attributeOf(each, "display"));
  /** Draw a card: distance and direction of the Yeti's move; 0 for bad weather, null for a card's back, undefined for no card. @param {number | null | undefined} value */
  const draw = (value) => {
    set.show(value === undefined ? "none" : null);
    if (value === undefined) return;
    set.back(value === null ? "card-back" : "card-face");
    set.path(value === null ? BACK : value === 0 ? CLOUD : value > 0 ? UP : DOWN);
    words.look(value === null ? "card-mark" : value === 0 ? "card-cloud" : "card-arrow");
    numbered(value ? null : "none");
    storms(value === 0 ? null : "none");
    if (!value) return;
    words.number(Math.abs(value));
    words.lower(value > 0 ? 3.5 : -3);
  };
  return { card, draw };
}

/** The Yeti cards: those drawn since the shuffle, face up, and the backs of those to come. @param {Scene} scene */
export function createYetiCards(scene) {
  const rows = Math.ceil(scene.board.cards / CARDS_IN_ROW);
  const width = CARDS_IN_ROW * CARD_APART.x - CARD_APART.x + CARD.width + 2 * PAD;
  const height = HEAD + rows * CARD_APART.y + FOOT + 2;
  const cards = Array.from({ length: scene.board.cards }, (_, place) => createCard(place));
  const foot = svg("text", { class: "table-foot", "text-anchor": "start", x: PAD, y: height - FOOT / 2 - 1 });
  const { group, head, at } = box("table-cards", width, height, [...cards.map((each) => each.card), foot]);
  const write = textOf(foot);
  let shown = "";
  head("Yeti cards");
  return {
    group,
    /** @param {number} scale @param {number} room width of the track */
    layout(scale, room) {
      const size = Number(sized(scale).toFixed(2));
      at(`translate(${(room - EDGE - width * sized(scale)).toFixed(2)} ${EDGE}) scale(${size})`);
    },
    /** @param {Frame} frame */
    draw(frame) {
      const key = `${frame.k.join()}/${frame.r}/${frame.w}`;
      if (key === shown) return;
      shown = key;
      const slots = [...frame.k, ...(frame.w === 2 ? [0] : []), ...Array.from({ length: frame.r }, () => null)];
      cards.forEach((card, place) => card.draw(slots[place]));
      write(toCome(frame));
    },
  };
}
