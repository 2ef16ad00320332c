// @ts-check
// Chances of winning in the branch next to those in the match, both by the model. If both are played out: their shares
// of wins, and their difference with an interval that narrows as playouts finish.

import { inPercent, pointsBetween, signedPoints } from "../drawing/chances.js";
import { html, textOf } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";
import { wordsOf } from "./attempts.js";
import { PRECISION, SAMPLES } from "./branch-server.js";
import { Refused } from "./server.js";

/** @typedef {import("./branch-server.js").Shares} Shares */

const percent = (/** @type {number} */ part) => `${inPercent(part)} %`;
/** Difference between the model's chances and shares of playouts that is worth a word, beyond what few playouts explain. */
const FAR = 0.1;
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
    html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "Chance of winning, by the model"), html("th", { scope: "col" }, "Match"), html("th", { scope: "col" }, "Branch"), html("th", { scope: "col" }, "Change"))),
    html("tbody", {}, ...rows.map(({ row }) => row)),
  );
  return {
    element,
    /** Show chances at the positions next to each other. @param {number[] | null} branch @param {number[] | null} original */
    show(branch, original) {
      element.hidden = !branch;
      if (!branch) return;
      rows.forEach(({ write, bar }, seat) => {
        write[0](original ? percent(original[seat]) : "–");
        write[1](percent(branch[seat]));
        write[2](original ? pointsBetween(original[seat], branch[seat]) : "");
        bar.style.width = `${(100 * branch[seat]).toFixed(1)}%`;
      });
    },
  };
}

/** Why the last report is the last, in a sentence. @param {Shares} shares */
function endInWords({ done, of, ended }) {
  if (ended === "time") return `${done} of ${of} pairs played in 2 minutes.`;
  if (ended === "precision") return `${done} pairs were enough: each difference is known within ${100 * PRECISION} points.`;
  return `${done} pairs played.`;
}

/**
 * @param {import("../scene.js").Scene} scene
 * @param {(signal: AbortSignal, hear: (shares: Shares) => void) => Promise<unknown>} play plays out branch and match
 * @param {(run: () => void) => void} askToken asks for a token, then runs a function
 */
export function createPlayout({ seats, terms }, play, askToken) {
  const run = html("button", { type: "button", class: "button" }, `Play out ${SAMPLES} times`);
  const stop = html("button", { type: "button", class: "button", hidden: true }, "Stop");
  // Screen readers announce only each quarter, since the count changes four times a second.
  const count = html("p", { class: "meta", "aria-hidden": "true" });
  const status = html("p", { class: "visually-hidden", role: "status" });
  const [write, announce] = [textOf(count), textOf(status)];
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
    html("thead", {}, html("tr", {}, ...["Share of wins, played out", "Match", "Branch", "Difference in points"].map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, ...rows.map(({ row }) => row)),
  );
  const element = html("div", { class: "entry-playout" }, html("div", { class: "entry-line" }, run, stop), count, status, table);
  let running = new AbortController();
  /** The last report of the current playouts. @type {Shares | null} */
  let last = null;
  /** The model's chances in the position that is played out. @type {number[] | null} */
  let model = null;

  /** @param {string} words */
  function say(words) {
    write(words);
    announce(words);
  }
  /** Bring the result into view. */
  const reveal = () => element.scrollIntoView({ block: "nearest" });

  /** @param {Shares} shares */
  function show(shares) {
    const { done, of, branch, original, difference } = shares;
    const quarter = (/** @type {number} */ pairs) => Math.floor((4 * pairs) / of);
    rows.forEach(({ write, interval, middle }, seat) => {
      const [mean, low, high] = difference[seat];
      write[0](percent(original[seat]));
      write[1](percent(branch[seat]));
      write[2](`${pointsBetween(original[seat], branch[seat])} (${signedPoints(low)} to ${signedPoints(high)})`);
      Object.assign(interval.style, { left: along(low), right: `calc(100% - ${along(high)})` });
      middle.style.left = along(mean);
    });
    const words = `${done} of ${of} pairs played …`;
    write(words);
    if (!last || (done < of && quarter(done) !== quarter(last.done))) announce(words);
    if (!last) {
      table.hidden = false;
      reveal();
    }
    last = shares;
  }
  /** How playing out ended, in a sentence. @param {boolean} isStopped @param {unknown} error */
  function outcome(isStopped, error) {
    const so = `after ${last?.done ?? 0} of ${SAMPLES} pairs`;
    if (isStopped) return `Stopped ${so}.`;
    if (error !== null) return last ? `Ended ${so}: ${wordsOf(error)}` : `Match and branch cannot be played out: ${wordsOf(error)}`;
    return last?.ended ? endInWords(last) : `The server ended it ${so}.`;
  }
  /** A sentence if the model's chances are far from the shares of playouts, otherwise nothing. */
  function disagreement() {
    if (!model || !last) return "";
    const [chances, { branch, done }] = [model, last];
    const gap = Math.max(...branch.map((share, seat) => Math.abs(share - chances[seat])));
    if (gap < FAR + 1 / Math.sqrt(done)) return "";
    return ` The model's chances for the branch differ from these shares by up to ${inPercent(gap)} points; matches played out are the better evidence.`;
  }
  async function begin() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    last = null;
    table.hidden = true;
    say(`Playing match and branch out, each pair on the same ${terms.chance} …`);
    run.disabled = true;
    stop.hidden = false;
    stop.focus();
    /** @type {unknown} */
    let error = null;
    try {
      await play(signal, (shares) => signal.aborted || show(shares));
    } catch (thrown) {
      error = thrown;
    }
    if (running.signal !== signal) return;
    say(outcome(signal.aborted, error) + disagreement());
    const had = document.activeElement === stop;
    stop.hidden = true;
    run.disabled = false;
    if (error instanceof Refused && error.token) askToken(() => void begin());
    else if (had) {
      run.focus({ preventScroll: true });
      reveal();
    }
  }
  run.addEventListener("click", () => void begin());
  stop.addEventListener("click", () => running.abort());
  return {
    element,
    /** Take the model's chances in the position that is played out. @param {number[] | null} chances */
    expect: (chances) => (model = chances),
    /** Remove the result of playouts, which belongs to another position. */
    forget() {
      running.abort();
      running = new AbortController();
      last = null;
      table.hidden = true;
      stop.hidden = true;
      run.disabled = false;
      say("");
    },
    stop: () => running.abort(),
  };
}
