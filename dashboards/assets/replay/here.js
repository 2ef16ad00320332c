// @ts-check
// The panel of one thing on the board: what is there now, and each event that touched it. A thing is chosen by a click
// on the board or, without a pointer, from the list here.

import { html, textOf } from "./dom.js";
import { seatIcon } from "./shapes.js";
import { visitsInWords } from "./traffic-counts.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Frame} Frame */
/** @typedef {import("./parts.js").Player} Player */
/** @typedef {import("./parts.js").Panel} Panel */

const ROOM = 40;

/** @param {string[]} words */
const joined = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`);

/** Who has how many, the most first. @param {Scene} scene @param {number[]} counts by seat */
function shares(scene, counts) {
  const order = counts.map((_, seat) => seat).filter((seat) => counts[seat] > 0);
  order.sort((a, b) => counts[b] - counts[a] || a - b);
  return order.map((seat) => `${scene.seats[seat].name} ${counts[seat]}`).join(", ");
}

/** @param {Scene} scene @param {number[][]} visits */
const byWhom = (scene, visits) => shares(scene, scene.seats.map((_, seat) => visits.filter((visit) => visit[1] === seat).length));

/**
 * How often there were visits to a place or over a way, and whose.
 * @param {Scene} scene
 * @param {Scene["visits"]} visits
 * @param {number} frame
 * @param {boolean} hidesFuture
 */
function visited(scene, visits, frame, hidesFuture) {
  const before = visits.filter(([at]) => at <= frame);
  if (hidesFuture) return before.length ? `${visitsInWords(before.length)} so far: ${byWhom(scene, before)}.` : "No visits so far.";
  return visits.length ? `${visitsInWords(visits.length)}, ${before.length} so far: ${byWhom(scene, visits)}.` : "No visits.";
}

/**
 * What is at a thing in a frame, in sentences.
 * @param {Scene} scene
 * @param {string} thing
 * @returns {(at: number, hidesFuture: boolean) => string}
 */
function describer(scene, thing) {
  const number = Number(thing.slice(1));
  const name = (/** @type {number} */ seat) => scene.seats[seat].name;
  const place = scene.board.nodes.findIndex((node) => node.n === number);
  switch (thing[0]) {
    case "n": {
      const visits = scene.visits.filter((visit) => visit[2] === number);
      return (at, hidesFuture) => {
        const frame = scene.frames[at];
        const here = scene.seats.flatMap((seat, i) => (frame.c[i] === number && !frame.w?.[i] ? [seat.name] : []));
        const card = scene.names[`d${frame.o[place]}`];
        return [
          visited(scene, visits, at, hidesFuture),
          here.length ? `Here now: ${joined(here)}.` : "",
          frame.u[place] >= 0 ? `${scene.names[`u${number}`]}: ${name(frame.u[place])}.` : "",
          card ? `${card}.` : "",
        ].join(" ");
      };
    }
    case "l": {
      const visits = scene.visits.filter((visit) => visit[3] === number);
      return (at, hidesFuture) => visited(scene, visits, at, hidesFuture);
    }
    case "a": {
      const area = scene.board.areas.findIndex((each) => each.n === number);
      return (at) => {
        const { d, l } = scene.frames[at];
        const held = shares(scene, d[area]);
        const leader = l[area] < 0 ? "Nobody leads" : `${name(l[area])} leads`;
        return held ? `${leader}: ${held}.` : `${leader}.`;
      };
    }
    case "u":
      return (at) => (scene.frames[at].u[place] >= 0 ? `Owner: ${name(scene.frames[at].u[place])}.` : "Not there yet.");
    default:
      return (at) => {
        const where = scene.board.nodes[scene.frames[at].o.indexOf(number)];
        return where ? `Now at ${where.name}.` : "Not on the board now.";
      };
  }
}

/** @param {Scene} scene */
function createSelect(scene) {
  /** @type {Map<string, [string, string][]>} */
  const groups = new Map();
  for (const [thing, name] of Object.entries(scene.names)) {
    groups.set(thing[0], [...(groups.get(thing[0]) ?? []), [thing, name]]);
  }
  const choices = [...groups].map(([letter, things]) =>
    html(
      "optgroup",
      { label: scene.groups[letter] ?? letter },
      ...things.map(([value, name]) => html("option", { value }, name)),
    ),
  );
  const select = html("select", { id: "here-thing", autocomplete: "off" }, html("option", { value: "" }, "Nothing"), ...choices);
  return { select, field: html("label", { class: "field", for: "here-thing" }, html("span", {}, "Chosen"), select) };
}

/**
 * An event of the list; `say` tells where it is in time.
 * @param {Scene} scene
 * @param {number} index
 */
function createRow(scene, index) {
  const { at, seat, text } = scene.moments[index];
  const end = (scene.moments[index + 1]?.at ?? scene.frames.length) - 1;
  const when = html("span", { class: "here-when" });
  const round = scene.rounds[at] ? `R${scene.rounds[at]}` : "";
  const button = html(
    "button",
    { type: "button", class: "here-event", "data-end": end },
    html("span", { class: "here-number" }, String(at)),
    seat < 0 ? html("span", { class: "here-nobody" }) : seatIcon(seat, 15),
    html("span", { class: "here-text" }, text),
    when,
    html("span", { class: "here-round" }, round),
  );
  return { at, end, button, item: html("li", {}, button), say: textOf(when) };
}

/**
 * @param {Scene} scene
 * @param {Player} player
 * @returns {Panel}
 */
export function createHere(scene, player) {
  const { state } = player;
  const { select, field } = createSelect(scene);
  const release = html("button", { type: "button", class: "button", title: "Let go (Esc)", hidden: true }, "Let go");
  const summary = html("p", { class: "here-summary" });
  const list = html("ol", { class: "here-list" });
  const empty = html("p", { class: "here-empty" });
  const head = html("div", { class: "here-head" }, field, release);
  const element = html("div", { class: "here" }, head, summary, empty, list);
  const write = textOf(summary);
  const say = textOf(empty);
  /** @type {string | null} */
  let chosen = null;
  /** @type {ReturnType<typeof createRow>[]} */
  let rows = [];
  /** @type {(at: number, hidesFuture: boolean) => string} */
  let describe = () => "";
  let current = -2;

  /** @param {number} at */
  function show(at) {
    write(describe(at, player.hidesFuture()));
    const hidden = player.hidesFuture();
    let now = -1;
    rows.forEach((row, i) => {
      if (row.at <= at) now = i;
    });
    rows.forEach((row, i) => {
      const current = i === now && at <= row.end;
      row.item.hidden = hidden && row.at > at;
      row.button.toggleAttribute("data-past", row.at <= at);
      row.say(current ? "now" : i === now + 1 ? "next" : "");
      if (current) row.button.setAttribute("aria-current", "true");
      else row.button.removeAttribute("aria-current");
    });
    const none = hidden ? now < 0 : !rows.length;
    empty.hidden = chosen !== null && !none;
    say(
      chosen === null
        ? "Click something on the board, or choose it here, and see each event that touched it."
        : hidden
          ? "Nothing has happened here so far."
          : "Nothing happens here in this match.",
    );
    if (now !== current && element.clientHeight) follow((current = now));
  }

  /** Keep the latest event in sight. @param {number} index */
  function follow(index) {
    const item = rows[index]?.item;
    if (!item) return;
    const summed = getComputedStyle(summary).position === "sticky" ? summary.offsetHeight : 0;
    const [top, covered] = [item.offsetTop, head.offsetHeight + summed];
    const outside = top < element.scrollTop + covered || top + ROOM > element.scrollTop + element.clientHeight;
    if (outside) element.scrollTop = Math.max(0, top - covered - (element.clientHeight - covered) * 0.3);
  }

  function choose() {
    chosen = player.picked().find((thing) => Object.hasOwn(scene.names, thing)) ?? null;
    const touching = scene.moments.flatMap((moment, i) => (chosen !== null && moment.on?.includes(chosen) ? [i] : []));
    rows = touching.map((index) => createRow(scene, index));
    describe = chosen === null ? () => "" : describer(scene, chosen);
    current = -2;
    list.replaceChildren(...rows.map((row) => row.item));
    element.scrollTop = 0;
    list.setAttribute("aria-label", chosen === null ? "Events" : `Events: ${scene.names[chosen]}`);
    list.hidden = !rows.length;
    release.hidden = summary.hidden = chosen === null;
    select.value = chosen ?? "";
    if (player.at() >= 0) show(player.at());
  }

  // A keyboard walks through the list choice by choice: only the first is a step for Back.
  select.addEventListener("change", () => state.set({ thing: select.value || null }, chosen === null ? "push" : "replace"));
  list.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button) player.go(Number(button.dataset.end));
  });
  release.addEventListener("click", () => {
    select.focus();
    player.pick(null);
  });
  state.on("thing", choose);
  state.on("spoilers", () => show(player.at()));
  choose();
  return {
    id: "here",
    title: "Here",
    element,
    show,
  };
}
