// @ts-check
// The standings: each seat's chance of winning, its measures, its holdings or the changes of its chances, and the final
// order if the match ended now.

import { trustIn } from "../drawing/chances.js";
import { roundsOver, signed, splitByRound, summed } from "../drawing/causes.js";
import { attributeOf, html, textOf } from "../drawing/dom.js";
import { participant, seatIcon } from "../drawing/shapes.js";
import { verdictOf } from "../drawing/verdict.js";
import { KINDS } from "../kinds.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../scene.js").Frame} Frame */

/**
 * The largest value of each measure in a frame. Bars are relative to it, so that they do not reveal the future.
 * @param {Frame} frame
 */
const tops = (frame) => frame.f[0].map((_, measure) => Math.max(1, ...frame.f.map((row) => row[measure])));

/**
 * Changes of each seat's chances up to the last completed round, shown in place of its holdings.
 * @param {import("../parts.js").Player} player
 */
function createCauses({ scene, reviewing }) {
  const lines = scene.seats.map(() => html("span", { class: "seat-causes meta" }));
  const writes = lines.map(textOf);
  /** @type {ReturnType<typeof splitByRound> | null} */
  let split = null;
  let drawn = -1;
  /** @param {number} at */
  function draw(at) {
    const over = split ? roundsOver(split.rounds, at) : 0;
    if (over === drawn) return;
    drawn = over;
    const causes = split?.causes ?? [];
    const rounds = split?.rounds.slice(0, over) ?? [];
    const nothing = split ? "No round is over yet." : reviewing.why();
    writes.forEach((write, seat) => {
      const sums = summed(rounds, seat, causes.length);
      write(over ? sums.map((sum, i) => `${causes[i].short} ${signed(sum)}`).join(" · ") : nothing);
    });
  }
  reviewing.on(() => {
    const chances = reviewing.found();
    split = chances?.isWhole ? splitByRound(scene, chances.review) : null;
    drawn = -1;
  });
  return { lines, draw };
}

/**
 * The switch between the holdings of seats and the changes of their chances.
 * @param {import("../parts.js").Player} player
 * @param {(causes: boolean) => void} changed
 */
function createSwitch({ state }, changed) {
  const title = "Changes of each seat's chances, in points, up to the last complete round";
  const button = html("button", { type: "button", class: "text-button", id: "standings-causes", title }, "Causes");
  const apply = () => {
    const on = state.get("standings") === "causes";
    button.setAttribute("aria-pressed", String(on));
    changed(on);
  };
  button.addEventListener("click", () => state.set({ standings: state.get("standings") ? null : "causes" }, "push"));
  state.on("standings", apply);
  apply();
  return button;
}

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
      { class: "seat-name", title: participant(who) },
      seatIcon(seat, 18),
      html("b", {}, who.player),
      html("span", { class: "meta" }, `(${who.name})`),
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
  return { body, below, draw, say: holdings.say };
}

/**
 * Each seat's chance of winning in whole per cent, and where it is from.
 * @param {import("../parts.js").Player} player
 */
function createChances({ scene, reviewing }) {
  const source = html("span");
  const writeSource = textOf(source);
  const head = html("span", { class: "meta", id: "chances-title" }, html("abbr", { title: "Chance of winning, in per cent" }, "Win %"), " ", source);
  const figures = scene.seats.map((_, seat) => html("b", { class: "figures", "data-chance": seat }));
  const writes = figures.map(textOf);
  const seats = scene.seats.map((who, seat) => {
    const spoken = html("span", { class: "visually-hidden" }, participant(who));
    return html("li", { title: participant(who) }, seatIcon(seat, 16), spoken, figures[seat]);
  });
  const element = html("div", { class: "seat-chances" }, head, html("ul", { "aria-labelledby": "chances-title" }, ...seats));
  const title = attributeOf(element, "title");
  /** Name the model, or playouts with their margin; the tooltip has the model's error. @param {number} at */
  const showSource = (at) => {
    const chances = reviewing.found();
    const playedOut = chances?.playedOut && at >= chances.playedOut.from ? chances.playedOut : null;
    writeSource(playedOut ? `played out, ± ${playedOut.error}` : chances ? "by the model" : "");
    title(chances ? trustIn(chances, at) : reviewing.why());
  };
  return {
    element,
    /** @param {number} at */
    draw(at) {
      const chances = reviewing.found();
      for (let seat = 0; seat < writes.length; seat += 1) writes[seat](chances ? chances.percent(at, seat) : "–");
      showSource(at);
    },
  };
}

/** @param {import("../parts.js").Player} player @param {boolean} [isBranch] */
export function createStandings(player, isBranch = false) {
  const { scene, reviewing, at } = player;
  const chances = reviewing.offered ? createChances(player) : null;
  const rows = scene.seats.map((_, seat) => seatRows(scene, seat));
  const causes = reviewing.offered && scene.review?.causes ? createCauses(player) : null;
  causes?.lines.forEach((line, seat) => rows[seat].below.append(line));
  const after = html("span", { class: "meta" });
  const table = html("table", { class: `standings-table${scene.seats.length > 4 ? " many-seats" : ""}` });
  const toggle = causes && createSwitch(player, (on) => table.classList.toggle("with-causes", on));
  const head = html(
    "thead",
    {},
    html(
      "tr",
      {},
      html("th", { scope: "col" }, "Player", toggle),
      ...scene.measures.map((measure) =>
        html("th", { scope: "col" }, html("abbr", { title: measure.name }, measure.short)),
      ),
    ),
  );
  table.append(head, ...rows.map((each) => each.body));
  const endingHead = html("b");
  const endingText = html("span");
  const ending = html("p", { class: "ending" }, endingHead, " ", endingText);
  const title = isBranch ? [html("span", { class: "visually-hidden" }, "Standings "), "In the branch"] : ["Standings"];
  const element = html(
    "section",
    { class: "card replay-standings", "aria-labelledby": "standings-title" },
    html("div", { class: "card-head" }, html("h2", { id: "standings-title" }, ...title), chances?.element ?? after),
    table,
    ending,
  );
  const write = { after: textOf(after), head: textOf(endingHead), text: textOf(endingText) };
  const showChances = (/** @type {number} */ frame) => {
    chances?.draw(frame);
    causes?.draw(frame);
  };
  reviewing.on(() => showChances(at()));
  return {
    element,
    /** @param {Frame} frame @param {number} at */
    draw(frame, at) {
      showChances(at);
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
