// @ts-check
// The traffic layer: arrivals in a window of time, counted while the window is dragged on the timeline or typed here.
// They are drawn on the board and shown in words and as tables.

import { afterQuiet, atMostEvery, html, textOf } from "../drawing/dom.js";
import { countTraffic, visitsInWords } from "../drawing/traffic-counts.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../renderer.js").Traffic} Traffic */
/** @typedef {import("../drawing/traffic-counts.js").Span} Span */

/**
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement} input
 * @param {string} [more] the rest of the label, for readers who do not see its surroundings
 */
function field(label, input, more = "") {
  const words = html("span", {}, label, html("span", { class: "visually-hidden" }, more));
  return html("label", { class: "field", for: input.id }, words, input);
}

/** A table of names and counts, made when it is first needed. @param {string} title @param {string[]} names */
function createCounts(title, names) {
  const cells = names.map(() => html("td", { class: "number" }));
  const writes = cells.map(textOf);
  const rows = names.map((name, i) => html("tr", {}, html("th", { scope: "row" }, name), cells[i]));
  const head = html("tr", {}, html("th", { scope: "col" }, title), html("th", { scope: "col", class: "number" }, "Visits"));
  const element = html("table", {}, html("caption", {}, title), html("thead", {}, head), html("tbody", {}, ...rows));
  return { element, draw: (/** @type {number[]} */ counts) => counts.forEach((count, i) => writes[i](count)) };
}

/** The traffic counts as tables. @param {Scene} scene */
function createTables(scene) {
  const button = html(
    "button",
    { type: "button", class: "toggle", "aria-expanded": "false", "aria-controls": "traffic-tables" },
    "Table",
  );
  const element = html("div", {
    class: "traffic-tables",
    id: "traffic-tables",
    role: "region",
    "aria-label": "Traffic as text",
    tabindex: 0,
    hidden: true,
  });
  /** @type {{nodes: ReturnType<typeof createCounts>, links: ReturnType<typeof createCounts>} | null} */
  let tables = null;
  /** @type {Traffic | null} */
  let counts = null;
  function draw() {
    if (element.hidden || !counts) return;
    if (!tables) {
      const links = scene.board.links.map((_, index) => scene.names[`l${index}`]);
      const nodes = scene.board.nodes.map((node) => node.name);
      tables = { nodes: createCounts(scene.groups.n, nodes), links: createCounts(scene.groups.l, links) };
      element.append(tables.nodes.element, ...(links.length ? [tables.links.element] : []));
    }
    tables.nodes.draw(counts.nodes);
    tables.links.draw(counts.links);
  }
  button.addEventListener("click", () => {
    element.hidden = !element.hidden;
    button.setAttribute("aria-expanded", String(!element.hidden));
    button.setAttribute("aria-pressed", String(!element.hidden));
    draw();
  });
  return {
    button,
    element,
    /** @param {Traffic} next */
    draw(next) {
      counts = next;
      draw();
    },
  };
}

/** The largest count with its name, in words. @param {number[]} counts @param {(index: number) => string} name */
function most(counts, name) {
  const top = Math.max(0, ...counts);
  return top ? `${name(counts.indexOf(top))} (${top})` : "";
}

/** Fields to enter the time window and the seat. @param {Scene} scene @param {HTMLElement} more */
function createFields(scene, more) {
  const range = { type: "number", min: 0, step: 1, autocomplete: "off" };
  const from = html("input", { ...range, id: "traffic-from" });
  const to = html("input", { ...range, id: "traffic-to" });
  const seats = scene.seats.map((seat, i) => html("option", { value: i + 1 }, seat.name));
  const everybody = html("option", { value: "" }, "Everybody");
  const who = html("select", { id: "traffic-who", autocomplete: "off" }, everybody, ...seats);
  const whole = html("button", { type: "button", class: "button" }, "Whole match");
  const parts = [field("From event", from), field("to", to, " event"), whole, field("of", who, " player"), more];
  return { from, to, who, whole, element: html("div", { class: "fields" }, ...parts) };
}

/** The traffic counts in sentences. @param {Scene} scene @param {Traffic} counts @param {Span} span */
function inWords(scene, counts, span) {
  const visits = counts.nodes.reduce((sum, count) => sum + count, 0);
  const busiest = [
    most(counts.nodes, (index) => scene.board.nodes[index].name),
    most(counts.links, (index) => scene.names[`l${index}`]),
  ].filter(Boolean);
  const which = busiest.length ? `; most: ${busiest.join(", ")}` : "";
  return `${visitsInWords(visits)} from event ${span.from} to ${span.to}${which}.`;
}

/** A seat as the address names it, from 1; -1: all. @param {Scene} scene @param {string | null} text */
function seatOf(scene, text) {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= scene.seats.length ? number - 1 : -1;
}

/**
 * @param {Scene} scene
 * @param {Player} player
 * @param {{layer: (counts: Traffic | null) => void}} board
 * @param {{window: (span: Span | null) => void, onBrush: (run: (span: Span | null, done: boolean) => void) => void}} timeline
 */
export function createTraffic(scene, player, board, timeline) {
  const { state } = player;
  const last = scene.frames.length - 1;
  const tables = createTables(scene);
  const { from, to, who, whole, element: fields } = createFields(scene, tables.button);
  const summary = html("p", { class: "traffic-told" });
  const status = html("p", { class: "visually-hidden", role: "status" });
  const scale = [0, 1, 2, 3, 4].map((step) => html("i", { class: `swatch heat-${step}` }));
  const key = html("span", { class: "key", "aria-hidden": "true" }, "few", ...scale, "many");
  const line = html("div", { class: "traffic-line" }, summary, key);
  const look = { class: "traffic-strip", "aria-label": "Traffic", hidden: true };
  const element = html("section", look, tables.element, fields, line, status);
  const write = textOf(summary);
  const announce = textOf(status);
  /** @type {Span | null} */
  let brushed = null;
  let drawn = false;
  let words = "";

  const end = () => (player.hidesFuture() ? Math.max(0, player.at()) : last);
  /** The time window in the address; null for the whole match. @returns {Span | null} */
  function chosenWindow() {
    if (brushed) return brushed;
    if (state.get("from") === null && state.get("to") === null) return null;
    const limit = (/** @type {string | null} */ name, /** @type {number} */ fallback) =>
      name === null ? fallback : player.frameOf(name);
    const ends = [limit(state.get("from"), 0), limit(state.get("to"), last)];
    return { from: Math.min(...ends), to: Math.max(...ends) };
  }

  function draw() {
    const on = state.get("layer") === "traffic";
    element.hidden = !on;
    if (!on) {
      if (drawn) board.layer(null);
      drawn = false;
      return;
    }
    const window = chosenWindow() ?? { from: 0, to: last };
    const span = { from: window.from, to: Math.min(window.to, end()) };
    const seat = seatOf(scene, state.get("of"));
    const counts = countTraffic(scene, span, seat);
    drawn = true;
    board.layer(counts);
    tables.draw(counts);
    for (const input of [from, to]) {
      input.max = String(end());
      if (document.activeElement !== input) input.value = String(input === from ? Math.min(span.from, end()) : span.to);
    }
    who.value = seat < 0 ? "" : String(seat + 1);
    words = span.from > span.to ? "The match has not reached this window yet." : inWords(scene, counts, span);
    write(words);
    quiet.ask();
  }
  const soon = atMostEvery(100, draw);
  const quiet = afterQuiet(600, () => announce(words));

  /** @param {Span | null} next */
  function keep(next) {
    const first = next && next.from > 0 ? player.name(next.from) : null;
    const final = next && next.to < last ? player.name(next.to) : null;
    state.set({ from: first, to: final }, "push");
  }
  function shade() {
    timeline.window(chosenWindow());
    soon.ask();
  }
  timeline.onBrush((next, done) => {
    brushed = done ? null : next;
    if (done) keep(next);
    soon.ask();
  });
  function typed() {
    const values = [from, to].map((input) => Math.max(Math.round(Number(input.value)) || 0, 0));
    const final = Math.max(...values);
    keep({ from: Math.min(...values, end()), to: final < end() ? final : last });
  }
  for (const input of [from, to]) {
    input.addEventListener("change", typed);
    input.addEventListener("blur", () => soon.ask());
  }
  whole.addEventListener("click", () => keep(null));
  who.addEventListener("change", () => state.set({ of: who.value || null }, "push"));
  for (const name of ["from", "to"]) state.on(name, shade);
  for (const name of ["layer", "of", "spoilers"]) state.on(name, () => soon.ask());
  shade();
  return {
    element,
    /** Redraw for a new moment; only needed if the future is hidden. */
    show: () => (player.hidesFuture() && drawn ? draw() : undefined),
    stop() {
      soon.stop();
      quiet.stop();
    },
  };
}
