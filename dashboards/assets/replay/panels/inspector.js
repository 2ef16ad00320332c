// @ts-check
// The panel of one target on the board: its state now, and each event that touched it. Choose a target by a click on
// the board or, without a pointer, from the list here.

import { html, textOf } from "../drawing/dom.js";
import { seatIcon } from "../drawing/shapes.js";
import { KINDS } from "../kinds.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../parts.js").Panel} Panel */

const ROOM = 40;

/** @param {Scene} scene */
function createSelect(scene) {
  /** @type {Map<string, [string, string][]>} */
  const groups = new Map();
  for (const [target, name] of Object.entries(scene.names)) {
    groups.set(target[0], [...(groups.get(target[0]) ?? []), [target, name]]);
  }
  const choices = [...groups].map(([letter, targets]) =>
    html(
      "optgroup",
      { label: scene.groups[letter] ?? letter },
      ...targets.map(([value, name]) => html("option", { value }, name)),
    ),
  );
  const select = html("select", { id: "here-thing", autocomplete: "off" }, html("option", { value: "" }, "Nothing"), ...choices);
  return { select, field: html("label", { class: "field", for: "here-thing" }, html("span", {}, "Chosen"), select) };
}

/**
 * A row of the list of events; `say` returns when the event happened.
 * @param {Scene} scene
 * @param {number} index
 */
function createRow(scene, index) {
  const { at, seat, text } = scene.moments[index];
  const end = (scene.moments[index + 1]?.at ?? scene.frames.length) - 1;
  const when = html("span", { class: "here-when" });
  const round = scene.rounds[at] ? `${scene.terms.short}${scene.rounds[at]}` : "";
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
export function createInspector(scene, player) {
  const { state } = player;
  const { select, field } = createSelect(scene);
  const release = html("button", { type: "button", class: "button", title: "Clear (Esc)", hidden: true }, "Clear");
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
        ? "Click something on the board, or choose it here, to see every event that touched it."
        : hidden
          ? "Nothing has happened here so far."
          : "Nothing happens here in this match.",
    );
    if (now !== current && element.clientHeight) follow((current = now));
  }

  /** Scroll the list to the latest event. @param {number} index */
  function follow(index) {
    const item = rows[index]?.item;
    if (!item) return;
    const summed = getComputedStyle(summary).position === "sticky" ? summary.offsetHeight : 0;
    const [top, covered] = [item.offsetTop, head.offsetHeight + summed];
    const outside = top < element.scrollTop + covered || top + ROOM > element.scrollTop + element.clientHeight;
    if (outside) element.scrollTop = Math.max(0, top - covered - (element.clientHeight - covered) * 0.3);
  }

  function choose() {
    chosen = player.picked().find((target) => Object.hasOwn(scene.names, target)) ?? null;
    const touching = scene.moments.flatMap((moment, i) => (chosen !== null && moment.on?.includes(chosen) ? [i] : []));
    rows = touching.map((index) => createRow(scene, index));
    describe = chosen === null ? () => "" : KINDS[scene.board.kind].describe(scene, chosen);
    current = -2;
    list.replaceChildren(...rows.map((row) => row.item));
    element.scrollTop = 0;
    list.setAttribute("aria-label", chosen === null ? "Events" : `Events: ${scene.names[chosen]}`);
    list.hidden = !rows.length;
    release.hidden = summary.hidden = chosen === null;
    select.value = chosen ?? "";
    if (player.at() >= 0) show(player.at());
  }

  // By keyboard, each arrow key makes a choice: only the first one adds a step for Back.
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
