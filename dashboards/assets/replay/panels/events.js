// @ts-check
// The list of events. It is long, so only the rows in sight exist. They are made once and reused while scrolling.

import { attributeOf, html, textOf } from "../drawing/dom.js";
import { glyph, iconClass, iconPath, seatPath } from "../drawing/shapes.js";
import { createEventFilter, narrows } from "./event-filter.js";
import { HEADING, heightTo, lastUpTo, lettersIn, ONE_LINE, rowsOf } from "./event-rows.js";

/** @typedef {import("./event-rows.js").Row} Row */
/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../parts.js").Panel} Panel */

const POOL = 48;
/** Width of the list before it is measured. */
const NARROW = 354;

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

/** @typedef {ReturnType<typeof poolRow>} Slot */

/** @param {Slot} slot @param {Row} row @param {Scene} scene */
function fillHeading(slot, row, scene) {
  slot.text(row.round ? `${scene.terms.round} ${row.round}` : scene.rounds.some(Boolean) ? "Set-up" : "Match");
  slot.number("");
  for (const write of [slot.role, slot.id, slot.title, slot.selected, slot.position, slot.size]) write(null);
  slot.hidden("true");
  slot.look("event event-round");
}

/** @param {Slot} slot @param {Row} row @param {Scene} scene */
function fillMoment(slot, row, scene) {
  const moment = scene.moments[row.moment];
  slot.text(moment.text);
  slot.title(moment.text);
  slot.number(moment.at);
  slot.role("option");
  slot.id(`event-${row.moment}`);
  slot.hidden(null);
  slot.position(row.place);
  slot.shape(moment.seat < 0 ? "" : seatPath(moment.seat, 7.5));
  slot.colour(moment.seat < 0 ? "" : `seat-fill seat-${moment.seat}`);
  slot.icon(iconPath(moment.kind));
  slot.iconLook(iconClass(moment.kind));
}

/**
 * @param {Scene} scene
 * @param {Player} player
 * @returns {Panel & {stop: () => void}}
 */
export function createEvents(scene, player) {
  const pool = Array.from({ length: POOL }, poolRow);
  const sizer = html("div", { class: "event-sizer", role: "presentation" }, ...pool.map((each) => each.element));
  const list = html("div", { class: "event-list", role: "listbox", tabindex: 0, "aria-label": "Events" }, sizer);
  const filters = createEventFilter(player, refilter);
  const count = html("span", { class: "event-count" });
  const clear = html("button", { type: "button", class: "text-button" }, "Show all");
  const found = html("p", { class: "event-found", hidden: true }, count, clear);
  const none = html("p", { class: "event-none", hidden: true });
  const status = html("p", { class: "visually-hidden", role: "status" });
  const element = html("div", { class: "events" }, filters.element, found, list, none, status);
  const write = { count: textOf(count), none: textOf(none), status: textOf(status) };
  const active = attributeOf(list, "aria-activedescendant");

  let letters = lettersIn(NARROW);
  let { rows, moments } = rowsOf(scene, filters.filter(), letters);
  let at = -1; // the frame shown; none yet
  let current = 0;
  /** Number of rows and moments listed; future ones are left out if they must not be revealed. */
  let rowCount = rows.length;
  let momentCount = moments.length;
  let total = scene.moments.length;
  /** Scroll position and height of the list, stored because reading them from the browser forces a layout. */
  let top = 0;
  let room = 0;
  let left = -2; // the row the list was at when last seen; -2: not seen yet
  let moved = false;

  function limit() {
    const most = player.hidesFuture() ? current : scene.moments.length - 1;
    momentCount = lastUpTo(moments, (row) => row.moment, most) + 1;
    rowCount = momentCount ? moments[momentCount - 1].index + 1 : 0;
    sizer.style.height = `${heightTo(rows[rowCount - 1])}px`;
    total = most + 1;
    filters.upTo(most);
    const narrow = narrows(filters.filter());
    found.hidden = !narrow;
    list.hidden = momentCount === 0;
    none.hidden = momentCount > 0;
    write.count(`${momentCount} of ${total}`);
    write.none(player.hidesFuture() ? "No such event so far." : "No such event in this match.");
  }

  /** The row of the current moment, or of the last moment before it that passes the filter. */
  function currentRow() {
    const place = lastUpTo(moments, (row) => row.moment, current);
    return place < 0 ? -1 : moments[place].index;
  }

  /** @param {Slot} slot @param {number} index @param {number} selected */
  function fill(slot, index, selected) {
    const row = rows[index];
    if (slot.row !== index) {
      slot.row = index;
      slot.element.style.transform = `translateY(${row.top}px)`;
      slot.element.style.height = `${row.height}px`;
      slot.element.hidden = false;
      if (row.moment < 0) fillHeading(slot, row, scene);
      else fillMoment(slot, row, scene);
    }
    if (row.moment < 0) return;
    slot.size(momentCount);
    slot.selected(index === selected ? "true" : "false");
    slot.look(`event${row.height > ONE_LINE ? " event-tall" : ""}${index === selected ? " event-now" : ""}`);
  }

  /** @param {Slot} slot */
  function empty(slot) {
    if (slot.row === -1) return;
    slot.row = -1;
    slot.element.hidden = true;
  }

  function render() {
    const firstShown = Math.max(0, lastUpTo(rows, (row) => row.top, top) - 2);
    const selected = currentRow();
    const bottom = top + room + HEADING;
    for (let i = 0; i < POOL; i += 1) {
      const index = firstShown + i;
      const slot = pool[index % POOL];
      if (index >= rowCount || rows[index].top > bottom) empty(slot);
      else fill(slot, index, selected);
    }
    const inSight = selected >= firstShown && selected < firstShown + POOL && rows[selected].top <= bottom;
    active(inSight ? `event-${rows[selected].moment}` : null);
  }

  function follow() {
    limit();
    const selected = currentRow();
    const row = rows[Math.max(0, selected)];
    if (row && (row.top < top + HEADING || row.top + row.height > top + room - HEADING)) scroll(row.top - room * 0.4);
    render();
  }

  /** @param {number} to */
  function scroll(to) {
    const next = Math.max(0, Math.min(to, heightTo(rows[rowCount - 1]) - room));
    if (next === top) return;
    top = next;
    list.scrollTop = top;
    moved = true;
  }

  function wrap() {
    ({ rows, moments } = rowsOf(scene, filters.filter(), letters));
    pool.forEach(empty);
  }
  function refilter() {
    wrap();
    follow();
    write.status(narrows(filters.filter()) ? `${momentCount} of ${total} events` : "All events");
  }

  /** @param {number} frame */
  const momentAt = (frame) => lastUpTo(scene.moments, (moment) => moment.at, frame);

  /** Go to a moment: to its last frame, which shows all its effects. @param {number} moment */
  const go = (moment) => player.go((scene.moments[moment + 1]?.at ?? scene.frames.length) - 1);

  /** @param {number} step */
  function walk(step) {
    const now = momentAt(player.at()); // from the player: the list is updated later, and a held key does not wait
    const here = lastUpTo(moments, (row) => row.moment, now);
    const exact = here >= 0 && moments[here].moment === now;
    const next = step > 0 || exact ? here + step : here;
    const row = moments[Math.min(Math.max(next, 0), moments.length - 1)];
    if (row) go(row.moment);
  }

  // If this code scrolled the list, its rows exist already. This is checked after the frame, since an earlier check
  // would force a layout.
  function scrolled() {
    if (moved) {
      moved = false;
      window.setTimeout(scrolled);
      return;
    }
    if (list.scrollTop === top) return;
    top = list.scrollTop;
    render();
  }
  // A list out of sight for a moment, for example while its page arrives, keeps its place until it is seen again.
  function resized() {
    const unseen = room === 0;
    if (!list.clientHeight && room) left = currentRow();
    room = list.clientHeight;
    if (!room) return;
    // A list shown again at the same row gets its scroll position back, which hiding it has reset. If other code has
    // scrolled the list already, its position stays.
    if (unseen && left === currentRow() && !list.scrollTop) list.scrollTop = top;
    else top = list.scrollTop;
    const isRewrapped = lettersIn(list.clientWidth) !== letters;
    if (isRewrapped) {
      letters = lettersIn(list.clientWidth);
      wrap();
    }
    if (isRewrapped || (unseen && left !== currentRow())) follow();
    else render();
  }

  list.addEventListener("scroll", scrolled, { passive: true });
  list.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest(".event") : null;
    const slot = pool.find((each) => each.element === target);
    if (slot && slot.row >= 0 && rows[slot.row].moment >= 0) go(rows[slot.row].moment);
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    walk(event.key === "ArrowDown" ? 1 : -1);
  });
  clear.addEventListener("click", () => {
    filters.clear();
    list.focus();
  });
  player.state.on("spoilers", follow);
  const watcher = new ResizeObserver(resized);
  watcher.observe(list);
  return {
    id: "events",
    title: "Events",
    element,
    // If the list is shown again at the same frame, for example when its chances arrive, it keeps the reader's place.
    show(frame) {
      const stands = frame === at;
      at = frame;
      current = momentAt(frame);
      if (!stands) return follow();
      limit();
      render();
    },
    stop: () => watcher.disconnect(),
  };
}
