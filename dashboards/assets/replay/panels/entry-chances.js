// @ts-check
// Chances of winning in the branch next to those in the original. If both are played out: their shares of wins, and
// their difference with an interval that narrows as playouts finish.

import { html, textOf } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";
import { SAMPLES } from "./branch-server.js";

/** @typedef {import("./branch-server.js").Shares} Shares */

const percent = (/** @type {number} */ part) => `${Math.round(100 * part)} %`;
const points = (/** @type {number} */ part) => {
  const whole = Math.round(100 * part);
  return whole === 0 ? "0" : `${whole > 0 ? "+" : "−"}${Math.abs(whole)}`;
};
/** Position of a difference on a scale from -0.5 to 0.5, in per cent of its width. @param {number} part */
const along = (part) => `${(100 * (Math.min(Math.max(part, -0.5), 0.5) + 0.5)).toFixed(1)}%`;

/** @param {import("../scene.js").Scene} scene */
export function createBranchChances({ seats }) {
  const rows = seats.map(({ name }, seat) => {
    const cells = [html("td", {}), html("td", {}), html("td", {})];
    const bar = html("span", { class: `entry-bar seat-back-${seat}` });
    const row = html("tr", {}, html("th", { scope: "row" }, html("span", { class: "entry-who" }, seatIcon(seat, 14), name)), cells[0], cells[1], cells[2]);
    const share = textOf(cells[1]);
    cells[1].append(bar);
    return { row, bar, write: [textOf(cells[0]), share, textOf(cells[2])], last: cells[2] };
  });
  const element = html(
    "table",
    { class: "entry-chances", hidden: true },
    html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "Chance of winning"), html("th", { scope: "col" }, "Match"), html("th", { scope: "col" }, "Branch"), html("th", { scope: "col" }, "Change"))),
    html("tbody", {}, ...rows.map(({ row }) => row)),
  );
  return {
    element,
    /** @param {number[] | null} branch @param {number[] | null} original */
    show(branch, original) {
      element.hidden = !branch;
      if (!branch) return;
      rows.forEach(({ write, bar }, seat) => {
        write[0](original ? percent(original[seat]) : "–");
        write[1](percent(branch[seat]));
        write[2](original ? points(branch[seat] - original[seat]) : "");
        bar.style.width = `${(100 * branch[seat]).toFixed(1)}%`;
      });
    },
  };
}

/**
 * @param {import("../scene.js").Scene} scene
 * @param {(signal: AbortSignal, hear: (shares: Shares) => void) => Promise<unknown>} play plays out branch and original, and shows errors
 */
export function createPlayout({ seats }, play) {
  const run = html("button", { type: "button", class: "button" }, `Play out ${SAMPLES} times`);
  const stop = html("button", { type: "button", class: "button", hidden: true }, "Stop");
  const status = html("p", { class: "meta", role: "status" });
  const say = textOf(status);
  const rows = seats.map(({ name }, seat) => {
    const [original, branch, words] = [html("td", {}), html("td", {}), html("span", {})];
    const [interval, middle] = [html("span", { class: "entry-interval" }), html("span", { class: `entry-middle seat-back-${seat}` })];
    const difference = html("td", {}, html("span", { class: "entry-scale", "aria-hidden": "true" }, interval, middle), words);
    const row = html("tr", {}, html("th", { scope: "row" }, html("span", { class: "entry-who" }, seatIcon(seat, 14), name)), original, branch, difference);
    return { row, interval, middle, write: [textOf(original), textOf(branch), textOf(words)] };
  });
  const table = html(
    "table",
    { class: "entry-chances entry-shares", hidden: true },
    html("thead", {}, html("tr", {}, ...["Share of wins", "Match", "Branch", "Difference in points"].map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, ...rows.map(({ row }) => row)),
  );
  const element = html("div", { class: "entry-playout" }, html("div", { class: "entry-line" }, run, stop), status, table);
  let running = new AbortController();

  /** @param {Shares} shares */
  function show({ done, of, branch, original, difference }) {
    table.hidden = false;
    rows.forEach(({ write, interval, middle }, seat) => {
      const [mean, low, high] = difference[seat];
      write[0](percent(original[seat]));
      write[1](percent(branch[seat]));
      write[2](`${points(mean)} (${points(low)} to ${points(high)})`);
      Object.assign(interval.style, { left: along(low), right: `calc(100% - ${along(high)})` });
      middle.style.left = along(mean);
    });
    // Screen readers announce only each quarter, since the text changes twice a second.
    if (done === of || Math.floor((4 * done) / of) !== Math.floor((4 * (Number(status.dataset.done ?? 0))) / of)) say(done === of ? `${of} playouts of each, paired by their dice.` : `${done} of ${of} playouts of each …`);
    status.dataset.done = String(done);
  }
  async function begin() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    status.dataset.done = "0";
    say("Playing branch and match out …");
    run.disabled = true;
    stop.hidden = false;
    stop.focus();
    await play(signal, (shares) => signal.aborted || show(shares));
    if (running.signal !== signal) return;
    const done = Number(status.dataset.done);
    if (signal.aborted) say(`Stopped after ${done} of ${SAMPLES} playouts of each.`);
    else if (!done) say("");
    const had = document.activeElement === stop;
    stop.hidden = true;
    run.disabled = false;
    if (had) run.focus();
  }
  run.addEventListener("click", () => void begin());
  stop.addEventListener("click", () => running.abort());
  return {
    element,
    /** Remove the result of playouts, which belongs to another position. */
    forget() {
      running.abort();
      running = new AbortController();
      table.hidden = true;
      stop.hidden = true;
      run.disabled = false;
      say("");
    },
    stop: () => running.abort(),
  };
}
