// @ts-check
// Everything in the player that belongs to games without a drawing: their positions are shown as text.

import { html } from "../drawing/dom.js";
import { createPlain, textIn } from "./renderer.js";

/** @typedef {import("../scene.js").PlainScene} Scene */
/** @typedef {import("../scene.js").PlainFrame} Frame */

/** No separate holdings of a seat: the position's text includes them. @returns {import("../renderer.js").Holdings<Frame>} */
const nothingHeld = () => ({ element: html("span"), draw() {}, say() {} });

/** @param {Scene} scene @returns {import("../renderer.js").Tables<Frame>} */
function createText(scene) {
  const element = html("pre", { class: "plain-words" });
  return {
    elements: [element],
    draw(frame) {
      element.textContent = textIn(scene, frame).join("\n");
    },
  };
}

/** @type {import("../renderer.js").Kind<Scene, Frame>} */
export const PLAIN = {
  create: createPlain,
  holdings: nothingHeld,
  first: null,
  tables: createText,
  describe: () => () => "",
  legend: () => [],
  toggles: [],
  position: (frame, scene) => textIn(scene, frame),
};
