// @ts-check
// One card with several panels and a tab for each; only the panel in sight is updated.

import { html } from "../drawing/dom.js";

/** @typedef {import("../parts.js").Panel} Panel */
/** @typedef {import("../parts.js").Player} Player */

/**
 * @param {Player} player
 * @param {Panel[]} panels the first is shown if the address names none
 */
export function createTabs(player, panels) {
  const { state } = player;
  const tabs = panels.map(({ id, title }) =>
    html("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` }, title),
  );
  const places = panels.map(({ id, element }) =>
    html("div", { class: "panel", role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }, element),
  );
  const list = html("div", { class: "tabs", role: "tablist", "aria-label": "About the match" }, ...tabs);
  const element = html("section", { class: "card replay-panels", "aria-label": "Events and more" }, list, ...places);
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
    const index = tabs.findIndex((tab) => tab === event.target);
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
  state.on("panel", show);
  show();
  return {
    element,
    /** Show the current frame in the panel in sight. @param {number} frame */
    draw: (frame) => panels[shown].show(frame),
    stop: () => panels.forEach((panel) => panel.stop?.()),
  };
}
