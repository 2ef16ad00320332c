// @ts-check
// The tools over a tower: buttons that turn it, the view from above, and the choice of a seat to show the reach of.

import { html } from "../drawing/dom.js";
import { participant } from "../drawing/shapes.js";
import { look, viewed } from "./view.js";

const QUARTER = 45;
const ID = "tower-reach";

/** @param {string} sign @param {string} label @param {() => void} run */
function button(sign, label, run) {
  const element = html("button", { type: "button", class: "round-button", "aria-label": label, title: label }, sign);
  element.addEventListener("click", run);
  return element;
}

/** @param {import("../scene.js").TowerScene} scene @param {boolean} asks true if the server can be asked what a move would open */
export function createTools(scene, asks) {
  const flat = html("button", { type: "button", class: "toggle" }, "From above");
  flat.addEventListener("click", () => look({ above: !viewed().above }));
  const options = scene.seats.map((seat, i) => html("option", { value: i }, participant(seat)));
  const reach = html("select", { id: ID, autocomplete: "off" }, html("option", { value: -1 }, "no seat"), ...options);
  reach.addEventListener("change", () => look({ reach: Number(reach.value) }));
  const opens = html("button", { type: "button", class: "toggle", title: "And, dashed, what one block move would open" }, "After a move");
  opens.addEventListener("click", () => look({ opens: !viewed().opens }));
  const turns = [
    button("↺", "Turn left", () => look({ turn: viewed().turn + QUARTER })),
    button("↻", "Turn right", () => look({ turn: viewed().turn - QUARTER })),
  ];
  const title = "Where a climber can get by its own steps, with the ladders it has";
  const field = html("label", { class: "field", for: ID, title }, html("span", {}, "Reach of"), reach);
  return {
    element: html("div", { class: "tower-tools", role: "group", "aria-label": "How the tower is seen" }, ...turns, flat, field, asks ? opens : null),
    /** Show the current view. */
    draw() {
      flat.setAttribute("aria-pressed", String(viewed().above));
      reach.value = String(viewed().reach);
      opens.hidden = viewed().reach < 0;
      opens.setAttribute("aria-pressed", String(viewed().opens));
      for (const each of turns) each.disabled = viewed().above;
    },
  };
}
