// @ts-check
// The panel of a round: the gains of each seat, and notes about it.

import { html, textOf } from "../drawing/dom.js";
import { roundOf } from "../drawing/rounds.js";
import { glyph, seatIcon } from "../drawing/shapes.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../scene.js").Summary} Summary */
/** @typedef {import("../scene.js").Note} Note */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../parts.js").Panel} Panel */

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

/** @param {string} icon @param {string} label */
function step(icon, label) {
  return html("button", { type: "button", class: "round-step", "aria-label": label, title: label }, glyph(icon, 16));
}

/**
 * Gains of each seat, in a table.
 * @param {Scene} scene
 */
function createGains(scene) {
  const rows = scene.seats.map((seat, index) => {
    const cells = scene.measures.map(() => html("td", {}));
    const words = html("td", { colspan: scene.measures.length + 1 });
    const name = html("th", { scope: "row" }, html("span", { class: "seat-name" }, seatIcon(index, 16), seat.name));
    const rest = html("tr", { class: "round-got" }, words);
    const body = html("tbody", {}, html("tr", {}, name, ...cells), rest);
    return { body, rest, cells, values: cells.map(textOf), words: textOf(words) };
  });
  const heads = scene.measures.map((measure) =>
    html("th", { scope: "col" }, html("abbr", { title: measure.name }, measure.short)),
  );
  const element = html(
    "table",
    { class: "round-gains" },
    html("caption", { class: "visually-hidden" }, "What each player gained"),
    html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "Player"), ...heads)),
    ...rows.map((row) => row.body),
  );
  /** @param {number[][]} gains @param {string[]} got */
  const draw = (gains, got) => {
    rows.forEach((row, seat) => {
      row.values.forEach((write, measure) => {
        const gain = gains[seat][measure];
        write(signed(gain));
        row.cells[measure].className = gain > 0 ? "gain" : gain < 0 ? "loss" : "";
      });
      row.words(got[seat] ?? "");
      row.rest.hidden = !got[seat];
    });
  };
  return { element, draw };
}

/**
 * A list of notes, each a button that goes to its frame.
 * @param {string} title
 * @param {string} nothing
 * @param {Player} player
 */
function createNotes(title, nothing, player) {
  const count = html("span", { class: "meta" });
  const list = html("ul", { class: "round-notes" });
  const empty = html("p", { class: "meta" }, nothing);
  const element = html("section", {}, html("h3", {}, title, " ", count), list, empty);
  const write = textOf(count);
  let shown = "";
  /** @param {Note} note */
  function entry(note) {
    const button = html(
      "button",
      { type: "button", class: "round-note" },
      note.seat < 0 ? glyph("round", 15) : seatIcon(note.seat, 16),
      html("span", {}, note.text),
      html("span", { class: "event-number" }, html("span", { class: "visually-hidden" }, "event "), String(note.at)),
    );
    button.addEventListener("click", () => player.go(note.at));
    return html("li", {}, button);
  }
  /** @param {Note[]} notes */
  const draw = (notes) => {
    const key = notes.map((note) => note.at).join();
    list.hidden = notes.length === 0;
    empty.hidden = notes.length > 0;
    write(notes.length ? `(${notes.length})` : "");
    if (key === shown) return;
    shown = key;
    list.replaceChildren(...notes.map(entry));
  };
  return { element, draw };
}

/**
 * @param {Scene} scene
 * @param {Player} player
 * @returns {Panel}
 */
export function createRounds(scene, player) {
  const { summaries } = scene;
  const last = scene.frames.length - 1;
  const back = step("back", `Previous ${scene.terms.round.toLowerCase()}`);
  const on = step("next", `Next ${scene.terms.round.toLowerCase()}`);
  const heading = html("h2", {});
  const far = html("span", { class: "meta" });
  const write = { heading: textOf(heading), far: textOf(far) };
  const gains = createGains(scene);
  const { terms } = scene;
  const notes = terms.notes.map(({ title, nothing }) => createNotes(title, nothing, player));
  const body = html("div", { class: "round-body" }, gains.element, ...notes.map((each) => each.element));
  const none = html("p", { class: "round-none meta" }, scene.rounds.some(Boolean) ? terms.setup : "This game has no rounds.");
  const head = html("div", { class: "round-head" }, back, html("div", {}, heading, " ", far), on);
  const element = html("div", { class: "round", tabindex: 0, role: "group", "aria-label": terms.round }, head, body, none);

  /** @param {number} frame */
  function summaryAt(frame) {
    let found = -1;
    while (found + 1 < summaries.length && summaries[found + 1].at <= frame) found += 1;
    return found;
  }

  /** Gains of each seat from the start of a round to a frame. @param {Summary} summary @param {number} frame */
  function soFar(summary, frame) {
    const before = scene.frames[summary.at].f;
    return scene.frames[frame].f.map((row, seat) => row.map((value, measure) => value - before[seat][measure]));
  }

  /** @param {number} frame */
  function show(frame) {
    const shown = summaryAt(frame);
    const summary = summaries[shown];
    body.hidden = !summary;
    none.hidden = Boolean(summary);
    back.disabled = shown < 1;
    on.disabled = player.hidesFuture() ? frame >= last : shown + 1 >= summaries.length; // disabling it earlier would reveal the last round
    write.heading(summary ? `${terms.round} ${summary.round}` : roundOf(scene)(frame));
    const partly = summary !== undefined && player.hidesFuture() && frame < summary.end;
    write.far(partly ? "so far" : summary && summary.end > frame ? `whole ${terms.round.toLowerCase()}` : "");
    if (!summary) return;
    const until = partly ? frame : Infinity;
    gains.draw(partly ? soFar(summary, frame) : summary.gains, partly ? [] : summary.got);
    notes.forEach((each, index) => each.draw(summary.notes[index].filter((note) => note.at <= until)));
  }

  back.addEventListener("click", () => {
    const before = summaries[summaryAt(player.at()) - 1];
    // If the future is hidden, go to the end of the earlier round, so that its whole summary is shown.
    if (before) player.go(player.hidesFuture() ? before.end : before.at);
  });
  on.addEventListener("click", () => {
    const after = summaries[summaryAt(player.at()) + 1];
    player.go(after ? after.at : last);
  });
  player.state.on("spoilers", () => player.at() >= 0 && show(player.at()));
  return { id: "round", title: terms.round, element, show };
}
