// @ts-check
// The list of events: long, so only the rows in sight exist. They are made once and reused while scrolling.

import { attributeOf, html, textOf } from "./dom.js";
import { glyph, iconClass, iconPath, seatPath } from "./shapes.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{moment: number, round: number, top: number, height: number}} Row */

const POOL = 48;
const ONE_LINE = 27;
const MORE_LINE = 16;
const MOST_LINES = 3;
const HEADING = 26;
const FITS = 47;

/**
 * Rows of a list: a heading where a round starts, and the moments that the filter leaves.
 * @param {Scene} scene
 * @param {boolean} onlyKey
 */
function rowsOf(scene, onlyKey) {
  /** @type {Row[]} */
  const rows = [];
  let top = 4;
  let round = -1;
  scene.moments.forEach((moment, index) => {
    if (onlyKey && !moment.key) return;
    const now = scene.rounds[moment.at];
    if (now !== round) {
      rows.push({ moment: -1, round: now, top, height: HEADING });
      top += HEADING;
      round = now;
    }
    const lines = Math.min(Math.ceil(moment.text.length / FITS), MOST_LINES);
    const height = ONE_LINE + (lines - 1) * MORE_LINE;
    rows.push({ moment: index, round: now, top, height });
    top += height;
  });
  return { rows, height: top + 4 };
}

/** @param {Row[]} rows @param {number} y */
function rowAt(rows, y) {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows[middle].top <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

function poolRow() {
  const number = html("span", { class: "event-number" });
  const glyphPath = glyph("move", 15);
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const who = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  who.setAttribute("viewBox", "-10 -10 20 20");
  who.setAttribute("class", "event-seat");
  who.setAttribute("aria-hidden", "true");
  who.append(shape);
  const text = html("span", { class: "event-text" });
  const element = html("div", { class: "event", hidden: true }, number, who, glyphPath, text);
  const path = /** @type {SVGPathElement} */ (glyphPath.firstElementChild);
  return {
    element,
    row: -1,
    number: textOf(number),
    text: textOf(text),
    look: attributeOf(element, "class"),
    role: attributeOf(element, "role"),
    id: attributeOf(element, "id"),
    hidden: attributeOf(element, "aria-hidden"),
    selected: attributeOf(element, "aria-selected"),
    position: attributeOf(element, "aria-posinset"),
    size: attributeOf(element, "aria-setsize"),
    title: attributeOf(element, "title"),
    shape: attributeOf(shape, "d"),
    colour: attributeOf(shape, "class"),
    icon: attributeOf(path, "d"),
    iconLook: attributeOf(path, "class"),
  };
}

/**
 * @param {Scene} scene
 * @param {{seekMoment: (moment: number) => void}} player
 */
export function createEvents(scene, player) {
  const pool = Array.from({ length: POOL }, poolRow);
  const sizer = html("div", { class: "event-sizer", role: "presentation" }, ...pool.map((each) => each.element));
  const list = html("div", { class: "event-list", role: "listbox", tabindex: 0, "aria-label": "Events" }, sizer);
  const all = html("button", { type: "button", "aria-pressed": "true" }, "All");
  const key = html("button", { type: "button", "aria-pressed": "false" }, "Key");
  const element = html(
    "section",
    { class: "card replay-events", "aria-labelledby": "events-title" },
    html(
      "div",
      { class: "card-head" },
      html("h2", { id: "events-title" }, "Events"),
      html("div", { class: "segments", role: "group", "aria-label": "Which events" }, all, key),
    ),
    list,
  );
  let { rows, height } = rowsOf(scene, false);
  let current = 0;
  let moments = rows.filter((row) => row.moment >= 0);

  /** The row of the moment, or of the last one before it that the filter leaves. */
  function currentRow() {
    let found = -1;
    for (let i = 0; i < rows.length && rows[i].moment <= current; i += 1) if (rows[i].moment >= 0) found = i;
    return found;
  }

  /** @param {ReturnType<typeof poolRow>} slot @param {number} index @param {number} selected */
  function fill(slot, index, selected) {
    const row = rows[index];
    if (slot.row !== index) {
      slot.row = index;
      slot.element.style.transform = `translateY(${row.top}px)`;
      slot.element.style.height = `${row.height}px`;
      slot.element.hidden = false;
      if (row.moment < 0) {
        slot.text(row.round ? `Round ${row.round}` : "Set-up");
        slot.number("");
        slot.role(null);
        slot.id(null);
        slot.title(null);
        slot.selected(null);
        slot.position(null);
        slot.size(null);
        slot.hidden("true");
      } else {
        const moment = scene.moments[row.moment];
        slot.text(moment.text);
        slot.title(moment.text);
        slot.number(moment.at);
        slot.role("option");
        slot.id(`event-${row.moment}`);
        slot.hidden(null);
        slot.position(moments.indexOf(row) + 1);
        slot.size(moments.length);
        slot.shape(moment.seat < 0 ? "" : seatPath(moment.seat, 7.5));
        slot.colour(moment.seat < 0 ? "" : `seat-fill seat-${moment.seat}`);
        slot.icon(iconPath(moment.kind));
        slot.iconLook(iconClass(moment.kind));
      }
    }
    if (row.moment < 0) return slot.look("event event-round");
    slot.selected(index === selected ? "true" : "false");
    slot.look(`event${row.height > ONE_LINE ? " event-tall" : ""}${index === selected ? " event-now" : ""}`);
  }

  const active = attributeOf(list, "aria-activedescendant");
  function render() {
    const top = list.scrollTop;
    const firstShown = Math.max(0, rowAt(rows, top) - 2);
    const selected = currentRow();
    const bottom = top + list.clientHeight + HEADING;
    for (let i = 0; i < POOL; i += 1) {
      const index = firstShown + i;
      const slot = pool[index % POOL];
      if (index >= rows.length || rows[index].top > bottom) {
        if (slot.row !== -1) {
          slot.row = -1;
          slot.element.hidden = true;
        }
      } else fill(slot, index, selected);
    }
    const inSight = selected >= firstShown && selected < firstShown + POOL && rows[selected].top <= bottom;
    active(inSight ? `event-${rows[selected].moment}` : null);
  }

  function follow() {
    const selected = currentRow();
    if (selected < 0) list.scrollTop = 0;
    else {
      const { top, height: tall } = rows[selected];
      const room = list.clientHeight;
      if (top < list.scrollTop + HEADING || top + tall > list.scrollTop + room - HEADING) {
        list.scrollTop = Math.max(0, top - room * 0.4);
      }
    }
    render();
  }

  /** @param {boolean} onlyKey */
  function filter(onlyKey) {
    ({ rows, height } = rowsOf(scene, onlyKey));
    moments = rows.filter((row) => row.moment >= 0);
    sizer.style.height = `${height}px`;
    all.setAttribute("aria-pressed", String(!onlyKey));
    key.setAttribute("aria-pressed", String(onlyKey));
    for (const slot of pool) {
      slot.row = -1;
      slot.element.hidden = true;
    }
    follow();
  }

  /** @param {number} step */
  function walk(step) {
    const place = moments.findIndex((row) => row.moment >= current);
    const exact = place >= 0 && moments[place].moment === current;
    const next = place < 0 ? moments.length - 1 : step > 0 && !exact ? place : place + step;
    const row = moments[Math.min(Math.max(next, 0), moments.length - 1)];
    if (row) player.seekMoment(row.moment);
  }

  list.addEventListener("scroll", render, { passive: true });
  list.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest(".event") : null;
    const slot = pool.find((each) => each.element === target);
    if (slot && slot.row >= 0 && rows[slot.row].moment >= 0) player.seekMoment(rows[slot.row].moment);
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    walk(event.key === "ArrowDown" ? 1 : -1);
  });
  all.addEventListener("click", () => filter(false));
  key.addEventListener("click", () => filter(true));
  sizer.style.height = `${height}px`;
  const watcher = new ResizeObserver(render);
  watcher.observe(list);
  return {
    element,
    /** @param {number} moment */
    show(moment) {
      current = moment;
      follow();
    },
    stop: () => watcher.disconnect(),
  };
}
