// @ts-check
// The standings: the measures of each seat, what it holds, and how the match would end now.

import { attributeOf, html, textOf } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";
import { verdictOf } from "../drawing/verdict.js";
import { KINDS } from "../kinds.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../scene.js").Frame} Frame */

/**
 * The most that a seat has of each measure; bars are drawn against it, so that none tells of what is yet to come.
 * @param {Frame} frame
 */
const tops = (frame) => frame.f[0].map((_, measure) => Math.max(1, ...frame.f.map((row) => row[measure])));

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function seatRows(scene, seat) {
  const kind = KINDS[scene.board.kind];
  const who = scene.seats[seat];
  const verdict = html("span", { class: "verdict" });
  const first = html("span", { class: "first", title: kind.first?.title, hidden: true }, kind.first?.short ?? "");
  const name = html(
    "th",
    { scope: "row" },
    html(
      "span",
      { class: "seat-name" },
      seatIcon(seat, 18),
      html("b", {}, who.name),
      html("span", { class: "meta" }, who.player),
      first,
      verdict,
    ),
  );
  const cells = scene.measures.map((measure) => {
    const value = html("span", { class: "figure" });
    const bar = html("span", { class: `bar seat-back-${seat}` });
    const cell = html("td", { "data-seat": seat, "data-measure": measure.key }, value, bar);
    let part = -1;
    const write = textOf(value);
    /** @param {number} points @param {number} top */
    const draw = (points, top) => {
      write(points);
      if (points / top === part) return;
      part = points / top;
      bar.style.transform = `scaleX(${part})`;
    };
    return { cell, draw };
  });
  const holdings = kind.holdings(scene, seat);
  const below = html("td", { colspan: scene.measures.length + 1 }, holdings.element);
  const top = html("tr", { class: "seat-top" }, name, ...cells.map((each) => each.cell));
  const body = html("tbody", {}, top, html("tr", { class: "seat-rest" }, below));
  const state = attributeOf(body, "class");
  const isFirst = attributeOf(first, "hidden");
  const verdictText = textOf(verdict);
  const verdictLook = attributeOf(verdict, "class");
  /** @param {Frame} frame @param {number[]} most */
  const draw = (frame, most) => {
    cells.forEach((each, index) => each.draw(frame.f[seat][index], most[index]));
    holdings.draw(frame);
    state(frame.a === seat ? "seat now" : "seat");
    isFirst(kind.first?.of(frame) === seat ? null : "");
    const ending = scene.endings[frame.e];
    const { how, text } = verdictOf(ending, seat);
    verdictText(text);
    verdictLook(how ? `verdict verdict-${how}${ending.over ? "" : " verdict-now"}` : "verdict");
  };
  return { body, draw, say: holdings.say };
}

/** @param {Scene} scene */
export function createStandings(scene) {
  const rows = scene.seats.map((_, seat) => seatRows(scene, seat));
  const after = html("span", { class: "meta" });
  const head = html(
    "thead",
    {},
    html(
      "tr",
      {},
      html("th", { scope: "col" }, "Player"),
      ...scene.measures.map((measure) =>
        html("th", { scope: "col" }, html("abbr", { title: measure.name }, measure.short)),
      ),
    ),
  );
  const look = `standings-table${scene.seats.length > 4 ? " many-seats" : ""}`;
  const table = html("table", { class: look }, head, ...rows.map((each) => each.body));
  const endingHead = html("b");
  const endingText = html("span");
  const ending = html("p", { class: "ending" }, endingHead, " ", endingText);
  const element = html(
    "section",
    { class: "card replay-standings", "aria-labelledby": "standings-title" },
    html("div", { class: "card-head" }, html("h2", { id: "standings-title" }, "Standings"), after),
    table,
    ending,
  );
  const write = { after: textOf(after), head: textOf(endingHead), text: textOf(endingText) };
  return {
    element,
    /** @param {Frame} frame @param {number} at */
    draw(frame, at) {
      write.after(`after event ${at}`);
      const most = tops(frame);
      for (const row of rows) row.draw(frame, most);
      const now = scene.endings[frame.e];
      write.head(`${now.head}:`);
      write.text(now.text);
    },
    /** @param {Frame} frame */
    say(frame) {
      for (const row of rows) row.say(frame);
    },
  };
}
