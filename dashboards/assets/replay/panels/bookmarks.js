// @ts-check
// The panel of bookmarks of this match, in order of play. A click goes there; bookmarks can be added, changed and
// removed.

import { attributeOf, html, textOf, urlOf } from "../drawing/dom.js";
import { createAttempts, wordsOf } from "./attempts.js";
import { createForm } from "./bookmarks-form.js";
import { bookmarksOf } from "./bookmarks-server.js";
import { lastUpTo } from "./event-rows.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../parts.js").Panel} Panel */
/** @typedef {import("./bookmarks-server.js").Bookmark} Bookmark */
/** @typedef {import("./bookmarks-server.js").Fields} Fields */

const MOST_LABEL = 200;
const NOWHERE =
  "Bookmarks are stored in a database with the match. This match was opened from a file, so it cannot have any. Load its log with “himalaya ingest” and open it from the list of matches.";
const NONE = "No bookmarks yet. Go to a moment worth coming back to, and press B.";
/** Shown instead of a label that might reveal what happens after the current moment. */
const HIDDEN = "Shown once the match gets there";
/** Kind of moment with secret text, which is never suggested as a label, since others may read that. */
const SECRET = "plan";
const NONE_SO_FAR = "No bookmarks up to here.";

/** @param {string} name */
const icon = (name) => html("span", { class: `icon icon-${name}`, "aria-hidden": "true" });

/** @param {string} name @param {string} label */
const iconButton = (name, label) => html("button", { type: "button", class: "icon-button", "aria-label": label, title: label }, icon(name));

/** @param {string} tag */
const tagLink = (tag) => html("a", { class: "tag", href: urlOf(`/replay?${new URLSearchParams({ tag })}`), title: `All bookmarks tagged ${tag}` }, tag);

/**
 * A bookmark as a row of the list.
 * @param {Bookmark} bookmark
 * @param {number} frame -1 for the whole match
 * @param {Player} player
 */
function createRow(bookmark, frame, player) {
  const place = frame < 0 ? "The whole match" : player.place(frame);
  const label = html("span", { class: "bookmark-label" });
  const write = textOf(label);
  const where = html("span", { class: "bookmark-place" }, place);
  const main =
    frame < 0
      ? html("div", { class: "bookmark-main" }, label, where)
      : html("button", { type: "button", class: "bookmark-main bookmark-go" }, label, where);
  const edit = iconButton("pencil", `Edit the bookmark ${bookmark.label}`);
  const remove = iconButton("trash", `Remove the bookmark ${bookmark.label}`);
  const tags = bookmark.tags.length ? html("div", { class: "bookmark-tags" }, ...bookmark.tags.map(tagLink)) : null;
  const buttons = html("div", { class: "bookmark-buttons" }, edit, remove);
  const item = html("li", { class: "bookmark" }, main, buttons, tags);
  /** @param {boolean} isShown */
  function showLabel(isShown) {
    write(isShown ? bookmark.label : HIDDEN);
    buttons.hidden = !isShown;
    if (tags) tags.hidden = !isShown;
  }
  if (frame >= 0) main.addEventListener("click", () => player.go(frame));
  return { bookmark, frame, item, edit, remove, showLabel, hide: attributeOf(item, "hidden"), current: attributeOf(main, "aria-current") };
}

/**
 * `add` opens the form for the current moment; `marks` returns the bookmarks that have a ply; `onChange` registers a
 * listener.
 * @param {Scene} scene
 * @param {Player} player
 * @returns {Panel & {add: () => void, marks: () => import("./chart.js").Flag[], onChange: (run: () => void) => void}}
 */
export function createBookmarks(scene, player) {
  const server = bookmarksOf(scene.match);
  const isKept = player.api("") !== null;
  const add = html("button", { type: "button", class: "button" }, icon("bookmark"), "Bookmark this moment");
  const all = html("a", { href: urlOf("/replay"), class: "bookmark-all" }, "All bookmarks");
  const head = html("div", { class: "bookmark-head" }, add, all);
  const empty = html("p", { class: "bookmark-empty" });
  const list = html("ol", { class: "bookmark-list", "aria-label": "Bookmarks of this match" });
  const hideList = attributeOf(list, "hidden");
  const hideEmpty = attributeOf(empty, "hidden");
  const writeEmpty = textOf(empty);
  const { note, token, attempt } = createAttempts(() => (changes += 1));
  /** @type {ReturnType<typeof createRow>[]} */
  let rows = [];
  /** @type {string[]} */
  let tags = [];
  /** @type {Bookmark | null} the bookmark in the form; null for a new one */
  let edited = null;
  let state = "loading";
  let changes = 0;
  /** @type {HTMLElement | null} */
  let cameFrom = null;
  /** @type {Set<() => void>} */
  const listeners = new Set();
  const form = createForm({ tags: () => tags, save, closed: () => (cameFrom?.isConnected ? cameFrom : add).focus() });
  const element = html("div", { class: "bookmarks" }, head, form.element, token.element, note.element, empty, list);

  /** @param {Bookmark} bookmark */
  const frameOf = (bookmark) => (bookmark.ply === null ? -1 : player.frameOf(bookmark.ply));

  /** @param {Bookmark[]} bookmarks */
  function fill(bookmarks) {
    const found = bookmarks.map((bookmark) => ({ bookmark, frame: frameOf(bookmark) }));
    found.sort((a, b) => a.frame - b.frame || (a.bookmark.created_at < b.bookmark.created_at ? -1 : 1));
    rows = found.map(({ bookmark, frame }) => createRow(bookmark, frame, player));
    for (const row of rows) {
      row.edit.addEventListener("click", () => edit(row));
      row.remove.addEventListener("click", () => remove(row.bookmark));
    }
    list.replaceChildren(...rows.map((row) => row.item));
    tags = [...new Set([...tags, ...bookmarks.flatMap((bookmark) => bookmark.tags)])];
    show(player.at());
    for (const run of listeners) run();
  }
  const bookmarks = () => rows.map((row) => row.bookmark);
  /** @param {string} id */
  const rowOf = (id) => rows.find((row) => row.bookmark.id === id);

  /** @param {number} at */
  function show(at) {
    const hides = player.hidesFuture();
    const last = scene.frames.length - 1;
    let shown = 0;
    for (const row of rows) {
      // A bookmark on the whole match may reveal how it ends.
      const isHidden = hides && (row.frame < 0 ? last : row.frame) > at;
      row.hide(isHidden ? "" : null);
      row.showLabel(scene.view < 0 || row.frame <= at);
      row.current(row.frame >= 0 && row.frame === at ? "true" : null);
      if (!isHidden) shown += 1;
    }
    hideList(shown ? null : "");
    hideEmpty(state === "failed" || shown > 0 ? "" : null);
    const words = state === "loading" ? "Loading the bookmarks …" : hides ? NONE_SO_FAR : NONE;
    writeEmpty(isKept ? words : NOWHERE);
  }

  async function load() {
    const before = changes;
    try {
      const found = await server.list();
      if (changes > before) return void load(); // the list may be older than a change made meanwhile
      if (state === "failed") note.say("");
      state = "loaded";
      tags = found.tags;
      fill(found.bookmarks);
    } catch (error) {
      state = "failed";
      show(player.at());
      note.say(`The bookmarks could not be loaded. ${wordsOf(error)}`, { name: "Try again", run: load }, true);
    }
  }

  /** @param {Fields} fields */
  async function save(fields) {
    if (!fields.label) {
      note.say("Enter a label first.", null, true);
      return false;
    }
    const id = edited?.id;
    const again = () => form.element.requestSubmit();
    const saved = await attempt(() => (id ? server.change(id, fields) : server.add(fields)), again);
    if (!saved) return false;
    note.say(id ? `Changed “${saved.label}”.` : `Bookmarked “${saved.label}”.`);
    fill([...bookmarks().filter((bookmark) => bookmark.id !== saved.id), saved]);
    cameFrom = (id ? rowOf(saved.id)?.edit : add) ?? null;
    return true;
  }

  /** @param {Bookmark} bookmark */
  async function remove(bookmark) {
    const gone = await attempt(() => server.remove(bookmark.id), () => remove(bookmark));
    if (!gone) return;
    fill(bookmarks().filter((each) => each.id !== bookmark.id));
    note.say(`Removed “${bookmark.label}”.`, { name: "Undo", run: () => undo(gone) });
    note.button.focus();
  }

  /** @param {Bookmark} gone */
  async function undo({ label, ply, tags: its }) {
    const back = await attempt(() => server.add({ label, ply, tags: its }), () => undo(/** @type {Bookmark} */ ({ label, ply, tags: its })));
    if (!back) return;
    note.say(`Restored “${back.label}”.`);
    fill([...bookmarks(), back]);
    (rowOf(back.id)?.edit ?? add).focus();
  }

  function begin() {
    player.state.set({ panel: "bookmarks" }, "push");
    if (!isKept) return;
    if (form.isOpen()) return form.focus();
    const at = player.at();
    player.go(at); // stops playback, so that the moment stays
    edited = null;
    cameFrom = add;
    note.say("");
    token.hide();
    const { kind } = scene.moments[lastUpTo(scene.moments, (moment) => moment.at, at)];
    const label = kind === SECRET ? player.place(at) : player.describe(at);
    form.open("New bookmark", { label: label.slice(0, MOST_LABEL), ply: player.name(at), tags: [] }, player.name(at), player.place(at));
  }

  /** @param {ReturnType<typeof createRow>} row */
  function edit({ bookmark, frame, edit: button }) {
    edited = bookmark;
    cameFrom = button;
    note.say("");
    token.hide();
    const at = frame < 0 ? player.at() : frame;
    form.open("Change the bookmark", bookmark, bookmark.ply ?? player.name(at), player.place(at));
  }

  add.addEventListener("click", begin);
  head.hidden = !isKept;
  player.state.on("spoilers", () => show(player.at()));
  if (isKept) void load();
  show(player.at());
  return {
    id: "bookmarks",
    title: "Bookmarks",
    icon: "bookmark",
    element,
    show,
    add: begin,
    marks: () => rows.flatMap(({ bookmark, frame }) => (frame < 0 ? [] : [{ frame, label: bookmark.label, before: scene.view < 0 ? undefined : HIDDEN }])),
    onChange: (run) => void listeners.add(run),
  };
}
