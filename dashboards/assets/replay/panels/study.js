// @ts-check
// The panel of studies: the chapters of the study in the address, the text of one chapter, and controls to create and
// change them. A chapter of another match opens on a separate page; the address brings it back. What is being written
// stays until it is saved or cancelled, even over a reload.

import { html, tabMemory, urlOf } from "../drawing/dom.js";
import { createAttempts, wordsOf } from "./attempts.js";
import { createChapterForm } from "./study-form.js";
import { addressOf, studies } from "./study-server.js";

/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../parts.js").Panel} Panel */
/** @typedef {import("./study-server.js").Study} Study */
/** @typedef {import("./study-server.js").Chapter} Chapter */
/** @typedef {import("./study-server.js").ReadChapter} ReadChapter */
/** @typedef {import("./study-form.js").Fields} Fields */
/** A chapter being written: as it was before, its fields so far, and true for a chapter that is not in the study yet. @typedef {{base: Chapter, fields: Fields, isNew: boolean}} Written */

const NONE = "A study is a series of positions, of one match or of many, each with a text and with circles and arrows on the board. Go to a position worth showing, and begin one.";
const NOWHERE = "Studies are stored in a database with their matches; this match was opened from a file.";

/** @param {string} label @param {() => void} run @param {string} [name] */
function button(label, run, name) {
  const element = html("button", { type: "button", class: "button", "aria-label": name });
  element.append(label);
  element.addEventListener("click", run);
  return element;
}

/** Address of a chapter on a page. @param {string} page @param {string} study @param {ReadChapter} chapter @param {number} number from 1 */
export function pageOf(page, study, { match, ply, branch }, number) {
  const query = new URLSearchParams({ match, ply: ply ?? "0", study, chapter: String(number), panel: "study" });
  if (branch) query.set("branch", branch);
  return `${page}?${query}`;
}

/**
 * @param {Player} player
 * @param {ReturnType<typeof import("./draw.js").createDraw>} draw
 * @returns {Panel}
 */
export function createStudy(player, draw) {
  const { scene, state } = player;
  const isKept = player.api("") !== null;
  const { note, token, attempt } = createAttempts(() => {}, "study-token");
  const body = html("div", { class: "study-body" });
  const form = createChapterForm(scene, {
    save: (fields) => keep(fields),
    drawn: (shapes) => draw.edit(shapes && { shapes, changed: form.draw }),
    changed: (fields) => writing?.store.write(JSON.stringify({ ...writing.written, fields })),
    closed: () => {
      writing?.store.write("");
      writing = null;
      body.hidden = false;
      body.querySelector("button")?.focus();
    },
  });
  const element = html("div", { class: "bookmarks study" }, form.element, token.element, note.element, body);
  /** @type {Study | null} */
  let study = null;
  /** What the form is about, and where it is stored while it is open. @type {{whole: Study | null, written: Written, store: ReturnType<typeof tabMemory>} | null} */
  let writing = null;

  const current = () => Number(state.get("chapter") ?? "1");
  const chapter = () => study?.chapters[current() - 1] ?? null;
  const isHere = (/** @type {ReadChapter} */ each) => each.match === scene.match && each.branch === state.get("branch");

  /** @param {number} number from 1 */
  function open(number) {
    const next = study?.chapters[number - 1];
    if (!study || !next) return;
    if (!isHere(next)) return window.location.assign(pageOf(isKept ? urlOf("/replay") : "", study.id, next, number));
    state.set({ chapter: String(number) }, "push");
    player.go(player.frameOf(next.ply));
  }

  /** Draw the chapter's shapes while its position is shown. */
  function follow() {
    const shown = chapter();
    draw.read(shown && isHere(shown) ? { frame: player.frameOf(shown.ply), shapes: shown.shapes } : null);
  }

  /** Send chapters, and show the result. @param {Study | null} before the study to change; null for a new one @param {string} title @param {Chapter[]} chapters @param {number} at @param {string} done */
  async function send(before, title, chapters, at, done) {
    const again = () => void send(before, title, chapters, at, done).then((sent) => sent && form.isOpen() && form.close());
    const sent = await attempt(() => (before ? studies.change(before, title, chapters) : studies.add(title, chapters)), again);
    if (!sent) return false;
    note.say(done);
    state.set({ study: sent.id, chapter: String(at) }, "push");
    await load();
    return true;
  }

  const words = () => player.describe(player.at()).slice(0, 120);
  /** A chapter on the position that is shown. @returns {Chapter} */
  const here = () => ({ title: words(), match: scene.match, ply: player.name(player.at()), branch: state.get("branch"), text: "", shapes: draw.own(), hidden: false });

  /** Open the form, or restore it. @param {Study | null} whole null for a new study @param {Written} written @param {boolean} [restored] */
  function edit(whole, written, restored = false) {
    const { base, fields, isNew } = written;
    writing = { whole, written, store: draftOf(whole) };
    note.say(restored ? "This was not saved yet." : "");
    body.hidden = true;
    form.open(!isNew ? "Change the chapter" : whole ? "New chapter" : "New study", fields, base.match === scene.match ? player.place(player.frameOf(base.ply)) : base.match, restored);
  }
  /** @param {Fields} fields */
  async function keep(fields) {
    if (!writing) return false;
    if (!fields.title) {
      note.say("Enter a title first.", null, true);
      return false;
    }
    const { whole, written: { base, isNew } } = writing;
    /** @type {Chapter} */
    const next = { ...base, ...fields };
    /** @type {Chapter[]} */
    const chapters = whole?.chapters ?? [];
    if (!whole) return send(null, next.title, [next], 1, `Kept the study “${next.title}”.`);
    if (isNew) return send(whole, whole.title, [...chapters, next], chapters.length + 1, `Added the chapter “${next.title}”.`);
    const place = placeOf(whole, base);
    return send(whole, whole.title, chapters.with(place, next), place + 1, `Changed the chapter “${next.title}”.`);
  }
  /** @param {Study} whole @param {Chapter} base */
  const placeOf = ({ chapters }, base) => chapters.findIndex(({ title, match, ply, text }) => title === base.title && match === base.match && ply === base.ply && text === base.text);
  /** Storage for a chapter of a study that is being written on this match. @param {Study | null} whole */
  const draftOf = (whole) => tabMemory(`study.${scene.match}.${whole?.id ?? "new"}`);
  /** Open the form again if the page was left while it was open. A chapter that was changed or removed meanwhile is kept as a new one. */
  function restore() {
    const draft = draftOf(study).read();
    if (!draft || form.isOpen()) return;
    /** @type {Written} */
    const written = JSON.parse(draft);
    edit(study, { ...written, isNew: written.isNew || !study || placeOf(study, written.base) < 0 }, true);
  }
  const begin = () => edit(null, { base: here(), fields: here(), isNew: true });
  /** @param {Study} whole */
  const add = (whole) => edit(whole, { base: here(), fields: here(), isNew: true });
  /** @param {Study} whole @param {ReadChapter} shown */
  const change = (whole, shown) => edit(whole, { base: shown, fields: shown, isNew: false });
  /** @param {Study} whole @param {number} place @param {number} by */
  function move(whole, place, by) {
    const chapters = whole.chapters.toSpliced(place, 1).toSpliced(place + by, 0, whole.chapters[place]);
    void send(whole, whole.title, chapters, place + by + 1, `Chapter ${place + 1} is now chapter ${place + by + 1}.`);
  }
  /** @param {Study} whole @param {number} place */
  async function remove(whole, place) {
    const { title, chapters } = whole;
    if (chapters.length > 1) return void send(whole, title, chapters.toSpliced(place, 1), Math.max(1, place), `Removed the chapter “${chapters[place].title}”.`);
    const gone = await attempt(() => studies.remove(whole.id), () => void remove(whole, place));
    if (!gone) return;
    state.set({ study: null, chapter: null }, "push");
    await load();
    note.say(`Removed the study “${title}”.`);
  }

  /** @param {Study} whole */
  function list(whole) {
    const reached = current();
    const rows = whole.chapters.map((each, i) => {
      const number = i + 1;
      const name = each.hidden && number > reached ? `Chapter ${number}` : each.title;
      const row = button(`${number}. ${name}`, () => open(number));
      row.className = "bookmark-main bookmark-go";
      if (number === reached) row.setAttribute("aria-current", "true");
      return html("li", { class: "bookmark" }, row);
    });
    return html("ol", { class: "bookmark-list", "aria-label": "Chapters" }, ...rows);
  }

  /** Buttons for actions on the chapter and the study. @param {Study} whole @param {ReadChapter} shown @param {number} place */
  function tools(whole, shown, place) {
    return html(
      "details",
      { class: "study-tools" },
      html("summary", {}, "Edit and share"),
      html(
        "div",
        { class: "actions" },
        button("Add this position", () => add(whole)),
        button("Edit chapter", () => change(whole, shown)),
        ...(place > 0 ? [button("Move up", () => move(whole, place, -1))] : []),
        ...(place < whole.chapters.length - 1 ? [button("Move down", () => move(whole, place, 1))] : []),
        button("Remove chapter", () => void remove(whole, place)),
        html("a", { class: "button", href: addressOf(whole.id), download: `study-${whole.id}.json` }, "Export"),
        html("a", { class: "button", href: `${addressOf(whole.id)}/offline.html`, download: `study-${whole.id}.html` }, "Offline file"),
      ),
    );
  }

  /** @param {Study} whole */
  function read(whole) {
    const place = Math.min(Math.max(current(), 1), Math.max(whole.chapters.length, 1)) - 1;
    const shown = whole.chapters[place];
    if (!shown) return [html("h2", { class: "study-name" }, whole.title), button("Add this position", () => add(whole))];
    const text = html("div", { class: "study-text prose" });
    text.innerHTML = shown.html; // safe: the server made this HTML from Markdown and escaped any HTML in it
    const [back, next] = [button("Previous", () => open(place), "Previous chapter"), button("Next", () => open(place + 2), "Next chapter")];
    back.disabled = place === 0;
    next.disabled = place === whole.chapters.length - 1;
    const go = button("Go to its position", () => open(place + 1));
    return [
      html("p", { class: "study-name meta" }, `${whole.title}, chapter ${place + 1} of ${whole.chapters.length}`),
      html("h2", {}, shown.title),
      ...(shown.is_there ? [] : [html("p", { class: "bookmark-bad" }, `The match ${shown.match} is not in this database.`)]),
      text,
      html("div", { class: "actions" }, back, next, go),
      list(whole),
      ...(isKept ? [tools(whole, shown, place)] : []),
    ];
  }

  /** List the available studies, and a form to begin one. */
  async function offer() {
    const listed = await studies.list();
    const rows = listed.map(({ id, title, chapters }) => {
      const row = button(`${title} (${chapters === 1 ? "1 chapter" : `${chapters} chapters`})`, () => void enter(id));
      row.className = "bookmark-main bookmark-go";
      return html("li", { class: "bookmark" }, row);
    });
    const file = html("input", { type: "file", id: "study-file", accept: "application/json,.json" });
    file.addEventListener("change", () => void bring(file));
    return [
      html("div", { class: "actions" }, button("New study from this position", begin), html("label", { class: "button", for: file.id }, "Import", file)),
      ...(rows.length ? [html("ol", { class: "bookmark-list", "aria-label": "Studies" }, ...rows)] : [html("p", { class: "bookmark-empty" }, NONE)]),
    ];
  }
  /** Open a study at its first chapter. @param {string} id */
  async function enter(id) {
    const found = await studies.read(id);
    study = found;
    state.set({ study: id, chapter: "1" }, "push");
    open(1);
  }
  /** @param {HTMLInputElement} file */
  async function bring(file) {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    const document = await chosen.text().then(JSON.parse).catch(() => null);
    if (!document) return note.say(`${chosen.name} is no JSON.`, null, true);
    const imported = await attempt(() => studies.bring(document), () => void bring(file));
    if (imported) note.say(`Imported “${imported.title}”.`);
    if (imported) await enter(imported.id).catch((error) => note.say(wordsOf(error), null, true));
  }

  async function load() {
    const id = state.get("study");
    try {
      study = id === null ? null : await (player.study?.(id) ?? studies.read(id));
      if (id !== state.get("study")) return;
      body.replaceChildren(...(study ? [...read(study), ...(isKept ? [button("All studies", () => state.set({ study: null, chapter: null }, "push"))] : [])] : isKept ? await offer() : [html("p", { class: "bookmark-empty" }, NOWHERE)]));
      if (isKept) restore();
      follow();
    } catch (error) {
      note.say(`The study cannot be shown. ${wordsOf(error)}`, { name: "Try again", run: () => void load() }, true);
    }
  }

  let isRequested = false;
  /** Load studies once the panel is in sight, or immediately if the address names one. */
  function wake() {
    if (isRequested) return;
    isRequested = true;
    void load();
  }
  state.on("study", () => isRequested && void load());
  state.on("chapter", () => study && body.replaceChildren(...read(study)));
  state.on("chapter", follow);
  state.on("thing", (thing) => thing && form.isOpen() && form.take(thing));
  if (state.get("study") !== null) wake();
  return {
    id: "study",
    title: "Study",
    element,
    show: wake,
  };
}
