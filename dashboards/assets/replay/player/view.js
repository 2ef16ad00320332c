// @ts-check
// The menu of views of a match: as one seat saw it, and without the future.

import { html } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";
import { createMenu } from "../panels/menu.js";

/** @typedef {import("../parts.js").Player} Player */

/** @param {Player} player */
export function createViewMenu(player) {
  const { scene, state, views } = player;
  const chosen = String(scene.view + 1);
  /** @param {string} value @param {(Node | string)[]} words */
  function choice(value, words) {
    const input = html("input", { type: "radio", name: "replay-view", value, checked: value === chosen });
    input.addEventListener("change", () => state.set({ view: value === "0" ? null : value }, "push"));
    return html("label", { class: "check" }, input, ...words);
  }
  const seats = html(
    "fieldset",
    {},
    html("legend", {}, "What is known"),
    choice("0", [scene.terms.secrets ? `Everything, ${scene.terms.secrets} too` : "Everything"]),
    ...(scene.terms.secrets ? [] : [html("p", { class: "meta" }, "In this game every seat knows the same.")]),
    ...scene.seats.map((seat, i) => choice(String(i + 1), [seatIcon(i, 16), `What ${seat.name} knew`])),
  );
  const spoilers = html("input", { type: "checkbox", id: "replay-spoilers", checked: player.hidesFuture() });
  spoilers.addEventListener("change", () => state.set({ spoilers: spoilers.checked ? "off" : null }, "push"));
  const future = html("label", { class: "check", for: spoilers.id }, spoilers, "Hide what is yet to come");
  const parts = views ? [seats, future] : [future];
  const menu = createMenu({ id: "replay-view", icon: "reveal", label: "View", title: "How to look at the match" }, ...parts);
  const name = () => {
    const seat = scene.seats[scene.view];
    menu.say(seat ? `As ${seat.name}` : player.hidesFuture() ? "No spoilers" : "View");
    spoilers.checked = player.hidesFuture();
  };
  state.on("spoilers", name);
  name();
  return { element: menu.element };
}
