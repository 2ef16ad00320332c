// @ts-check
// Starts the player where a match is to be shown. When the page itself is asked for, that is before Dash is there: the
// HTML has a place of its own for it, from which the player is moved, as it is, to the place that Dash makes.

import { mount } from "./player.js";

/** @typedef {{root: HTMLElement, unmount: () => void}} Shown */

/** @param {HTMLElement} root @returns {Shown} */
const start = (root) => ({ root, unmount: mount(root) });

const waiting = document.getElementById("replay");
let early = waiting ? start(waiting) : null;

/** Take the player away that waits for Dash, if one does. */
export function dismiss() {
  early?.unmount();
  early = null;
  document.querySelector(".replay-early")?.remove();
}

/**
 * Show a match in a place of the page: with the player that waits for it, or a new one.
 * @param {HTMLElement} place
 */
export function show(place) {
  const match = place.dataset.match ?? "";
  const ready = early?.root.dataset.match === match ? early : null;
  const root = ready?.root ?? Object.assign(document.createElement("div"), { id: "replay", className: "replay" });
  root.dataset.match = match;
  const scrolled = [...root.querySelectorAll("*")].flatMap((each) => (each.scrollTop ? [{ each, top: each.scrollTop }] : []));
  place.replaceChildren(root);
  for (const { each, top } of scrolled) each.scrollTop = top;
  if (ready) early = null;
  dismiss();
  return ready ?? start(root);
}
