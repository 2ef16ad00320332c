// @ts-check
// One card with several panels and a tab for each; only the panel in sight is updated. The card can be widened, which
// makes the board smaller.

import { html } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";

/** @typedef {import("../parts.js").Panel} Panel */
/** @typedef {import("../parts.js").Player} Player */

/**
 * @param {Player} player
 * @param {Panel[]} panels the first is shown if the address names none
 */
export function createTabs(player, panels) {
  const { state } = player;
  const tabs = panels.map(({ id, title, icon }) => {
    const name = icon ? [glyph(icon, 16), html("span", { class: "visually-hidden" }, title)] : [title];
    return html("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, title: icon && title }, ...name);
  });
  const places = panels.map(({ id, element }) =>
    html("div", { class: "panel", role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }, element),
  );
  const list = html("div", { class: "tabs", role: "tablist", "aria-label": "About the match" }, ...tabs);
  const wide = html("button", { type: "button", class: "round-button", id: "replay-wide", "aria-label": "Wide panel", "aria-pressed": "false" }, glyph("wide", 16));
  const head = html("div", { class: "panels-head" }, list, wide);
  const note = html("p", { class: "panels-note meta" }, "About the match, not the branch");
  const element = html("section", { class: "card replay-panels", "aria-label": "Events and more" }, head, note, ...places);
  let shown = 0;

  function show() {
    const named = panels.findIndex(({ id }) => id === state.get("panel"));
    shown = Math.max(0, named);
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === shown));
      tab.tabIndex = i === shown ? 0 : -1;
      places[i].hidden = i !== shown;
    });
    if (player.at() >= 0) panels[shown].show(player.at());
  }

  /** @param {number} index */
  function open(index) {
    state.set({ panel: index ? panels[index].id : null }, "push");
    tabs[index].focus();
  }

  list.addEventListener("click", (event) => {
    const index = tabs.findIndex((tab) => event.target instanceof Node && tab.contains(event.target));
    if (index >= 0) open(index);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const to = { Home: 0, End: tabs.length - 1 }[event.key];
    if (step === undefined && to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    open(to ?? (shown + (step ?? 0) + tabs.length) % tabs.length);
  });
  function widen() {
    const isWide = state.get("wide") === "on";
    element.classList.toggle("is-wide", isWide);
    wide.setAttribute("aria-pressed", String(isWide));
    wide.title = isWide ? "Narrow panel (Esc)" : "Wide panel";
  }
  wide.addEventListener("click", () => {
    const isWide = state.get("wide") === "on";
    state.set({ wide: isWide ? null : "on" }, "push");
    if (!isWide) element.scrollIntoView({ block: "start" });
  });
  const label = () => (note.hidden = state.get("branch") === null);
  state.on("branch", label);
  label();
  state.on("panel", show);
  state.on("wide", widen);
  widen();
  show();
  return {
    element,
    /** Show the current frame in the panel in sight. @param {number} frame */
    draw: (frame) => panels[shown].show(frame),
    stop: () => panels.forEach((panel) => panel.stop?.()),
  };
}
