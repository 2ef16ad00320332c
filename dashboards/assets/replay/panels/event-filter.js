// @ts-check
// Filter of the list of events: all or key events, kinds, one seat, a text. The address stores the filter.

import { html } from "../drawing/dom.js";
import { glyph, seatIcon } from "../drawing/shapes.js";
import { createMenu } from "./menu.js";

/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("./event-rows.js").Filter} Filter */

const KEYS = ["kinds", "who", "find"];
/** Entry for key events among the kinds in the address. */
const ONLY_KEY = "key";
const EDGE = 8;

/** @param {Player} player */
function read({ state, scene }) {
  const named = (state.get("kinds") ?? "").split(",");
  const kinds = named.filter((kind) => Object.hasOwn(scene.kinds, kind));
  const seat = Number(state.get("who") ?? 0) - 1;
  /** @type {Filter} */
  const filter = {
    kinds: kinds.length ? new Set(kinds) : null,
    onlyKey: named.includes(ONLY_KEY),
    seat: scene.seats[seat] ? seat : -1,
    text: (state.get("find") ?? "").trim().toLowerCase(),
  };
  return filter;
}

/** True if a filter excludes anything. @param {Filter} filter */
export const narrows = ({ kinds, onlyKey, seat, text }) => kinds !== null || onlyKey || seat >= 0 || text !== "";

/**
 * @param {Player} player
 * @param {(filter: Filter) => void} changed
 */
export function createEventFilter(player, changed) {
  const { scene, state } = player;
  let filter = read(player);

  const all = html("button", { type: "button" }, "All");
  const key = html("button", { type: "button", title: "Only key events" }, "Key");
  const find = html("input", {
    type: "search",
    id: "event-find",
    placeholder: "Find",
    "aria-label": "Find in the events",
    autocomplete: "off",
    spellcheck: "false",
  });
  const kinds = Object.entries(scene.kinds).map(([kind, name]) => {
    const input = html("input", { type: "checkbox", value: kind, autocomplete: "off" });
    const first = scene.moments.findIndex((moment) => moment.kind === kind);
    return { input, first, element: html("label", { class: "check" }, input, glyph(kind, 15), name) };
  });
  const seats = ["Anybody", ...scene.seats.map((seat) => seat.name)].map((name, i) => {
    const input = html("input", { type: "radio", name: "event-who", value: String(i), autocomplete: "off" });
    return { input, element: html("label", { class: "check" }, input, i ? seatIcon(i - 1, 16) : null, name) };
  });
  const menu = createMenu(
    { id: "event-filter", icon: "filter", label: "Filter", title: "Filter the events" },
    html("fieldset", { class: "event-choices" }, html("legend", {}, "By whom"), ...seats.map((each) => each.element)),
    html(
      "fieldset",
      { class: "event-choices" },
      html("legend", {}, "Kinds (none ticked: all)"),
      ...kinds.map((each) => each.element),
    ),
  );
  stayInSight(menu.panel);
  const element = html(
    "div",
    { class: "event-filter", role: "group", "aria-label": "Which events" },
    html("div", { class: "segments" }, all, key),
    find,
    menu.element,
  );

  /** @param {Partial<Filter>} changes */
  function set(changes) {
    const next = { ...filter, ...changes };
    const named = [...(next.onlyKey ? [ONLY_KEY] : []), ...Object.keys(scene.kinds).filter((kind) => next.kinds?.has(kind))];
    const who = next.seat < 0 ? null : String(next.seat + 1);
    state.set({ kinds: named.join(",") || null, who, find: find.value.trim() || null }, "replace");
  }
  function show() {
    filter = read(player);
    all.setAttribute("aria-pressed", String(!filter.onlyKey));
    key.setAttribute("aria-pressed", String(filter.onlyKey));
    if (find.value.trim() !== (state.get("find") ?? "")) find.value = state.get("find") ?? "";
    for (const { input } of kinds) input.checked = filter.kinds?.has(input.value) ?? false;
    seats.forEach(({ input }, i) => (input.checked = i === filter.seat + 1));
    const count = (filter.kinds?.size ?? 0) + (filter.seat < 0 ? 0 : 1);
    menu.say(count ? `Filter (${count})` : "Filter");
  }

  all.addEventListener("click", () => set({ onlyKey: false }));
  key.addEventListener("click", () => set({ onlyKey: true }));
  find.addEventListener("input", () => set({}));
  menu.panel.addEventListener("change", () => {
    const chosen = kinds.filter(({ input }) => input.checked).map(({ input }) => input.value);
    set({ kinds: new Set(chosen), seat: seats.findIndex(({ input }) => input.checked) - 1 });
  });
  for (const name of KEYS) {
    state.on(name, () => {
      show();
      changed(filter);
    });
  }
  show();
  return {
    element,
    filter: () => filter,
    /** Offer only kinds that occur up to a moment. @param {number} moment */
    upTo(moment) {
      for (const { first, element } of kinds) if (element.hidden !== first > moment) element.hidden = first > moment;
    },
    clear() {
      find.value = "";
      state.set({ kinds: null, who: null, find: null }, "replace");
    },
  };
}

/** A menu low on the page opens upwards, as far as it has to. @param {HTMLElement} panel */
function stayInSight(panel) {
  panel.addEventListener("toggle", () => {
    const over = panel.getBoundingClientRect().bottom + EDGE - document.documentElement.clientHeight;
    if (over > 0) panel.style.top = `${Math.max(EDGE, panel.getBoundingClientRect().top - over)}px`;
  });
}
