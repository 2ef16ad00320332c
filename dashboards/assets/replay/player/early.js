// @ts-check
// Starts the player in a page's place for a match. If the page was just loaded, Dash is not there yet, and the HTML has
// a separate place for the player. Later the running player is moved to the place that Dash makes. Dash's scripts run
// once the first board is drawn.

import { mount } from "./player.js";

/** @typedef {{root: HTMLElement, unmount: () => void}} Shown */

/** Maximum milliseconds before Dash starts, even if the match has not loaded. */
const PATIENCE = 1500;

/** @param {HTMLElement} root @param {() => void} [settled] @returns {Shown} */
const start = (root, settled) => ({ root, unmount: mount(root, undefined, settled) });

/** Run the scripts in a template of the HTML: fetched in parallel, run in order. */
async function startDash() {
  const template = document.getElementById("dash-scripts");
  if (!(template instanceof HTMLTemplateElement)) return;
  template.remove();
  const scripts = [...template.content.querySelectorAll("script")].map((original) => {
    const script = document.createElement("script");
    for (const { name, value } of original.attributes) script.setAttribute(name, value);
    script.textContent = original.textContent;
    script.async = false;
    return script;
  });
  const fetched = scripts.filter((script) => script.src);
  const over = fetched.map((script) => new Promise((done) => (script.onload = script.onerror = done)));
  document.body.append(...fetched);
  await Promise.all(over);
  document.body.append(...scripts.filter((script) => !script.src));
}

const waiting = document.getElementById("replay");
let early = waiting ? start(waiting, () => requestAnimationFrame(() => window.setTimeout(startDash))) : null;
window.setTimeout(startDash, PATIENCE);

/** Remove the player that waits for Dash, if there is one. */
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
  const focused = root.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  place.replaceChildren(root);
  for (const { each, top } of scrolled) each.scrollTop = top;
  focused?.focus({ preventScroll: true });
  if (ready) early = null;
  dismiss();
  return ready ?? start(root);
}
