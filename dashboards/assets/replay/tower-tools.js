// @ts-check
// What stands over a tower: buttons that turn it, the view from above, and whose reach is shown.

import { html } from "./dom.js";
import { look, viewed } from "./tower-view.js";

const QUARTER = 45;
let made = 0;

/** @param {string} sign @param {string} label @param {() => void} run */
function button(sign, label, run) {
  const element = html("button", { type: "button", class: "round-button", "aria-label": label, title: label }, sign);
  element.addEventListener("click", run);
  return element;
}

/** @param {import("./scene.js").TowerScene} scene */
export function createTools(scene) {
  const id = `tower-reach-${(made += 1)}`;
  const flat = html("button", { type: "button", class: "toggle", "aria-pressed": String(viewed().above) }, "From above");
  flat.addEventListener("click", () => {
    look({ above: !viewed().above });
    flat.setAttribute("aria-pressed", String(viewed().above));
  });
  const chosen = viewed().reach;
  const options = scene.seats.map((seat, i) => html("option", { value: i, selected: i === chosen }, seat.name));
  const reach = html("select", { id, autocomplete: "off" }, html("option", { value: -1 }, "nobody"), ...options);
  reach.addEventListener("change", () => look({ reach: Number(reach.value) }));
  return html(
    "div",
    { class: "tower-tools", role: "group", "aria-label": "How the tower is seen" },
    button("↺", "Turn left", () => look({ turn: viewed().turn + QUARTER })),
    button("↻", "Turn right", () => look({ turn: viewed().turn - QUARTER })),
    flat,
    html("label", { class: "field", for: id, title: "What a climber can get to by its own steps, with the ladders it has" }, html("span", {}, "Reach of"), reach),
  );
}
