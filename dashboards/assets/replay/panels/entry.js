// @ts-check
// The card of a branch: the seat to decide and the form for its decision, steps back and forward, programs that
// continue, lines tried, chances, playouts, and saving. The card only shows; `asks` carries out the actions.

import { html, textOf } from "../drawing/dom.js";
import { glyph, seatIcon } from "../drawing/shapes.js";
import { KINDS } from "../kinds.js";
import { createAttempts } from "./attempts.js";
import { branchAddress } from "./branch-server.js";
import { createBranchChances, createPlayout } from "./entry-chances.js";
import { createGoOn } from "./entry-go-on.js";
import { createEntryList } from "./entry-list.js";
import { createEntryTree, createPaths } from "./entry-tree.js";

/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("./branch-server.js").Answer} Answer */
/** @typedef {import("./branch-server.js").Action} Action */
/** @typedef {import("./branch-server.js").Checked} Checked */

const NO_SERVER = "New tries need a server that has this match: here it was opened from a file. The file has everything played so far.";
const AS_KEPT = "This is the branch as it was kept. New tries need a server that has this match.";

/**
 * Functions by which the card requests actions.
 * @typedef {{
 *   play: (action: Action, words: string) => void, write: (text: string) => void, goOn: (players: (string | null)[] | null, decisions: number | null) => void,
 *   go: (node: number) => void, end: () => void, luck: (other: boolean) => void, keep: (title: string) => void, close: () => void,
 *   check: (action: Action) => Promise<Checked | null>,
 *   playOut: (signal: AbortSignal, hear: (shares: import("./branch-server.js").Shares) => void) => Promise<unknown>,
 *   preview: (frame: import("../scene.js").Frame) => void, mark: (targets: string[]) => void
 * }} Asks
 */

/** @param {string} label @param {() => void} run */
function button(label, run) {
  const element = html("button", { type: "button", class: "button" }, label);
  element.addEventListener("click", run);
  return element;
}

/** @param {string} icon @param {string} label @param {string} keys @param {() => void} run */
function iconButton(icon, label, keys, run) {
  const element = html("button", { type: "button", class: "round-button", "aria-label": label, title: keys ? `${label} (${keys})` : label }, glyph(icon, 14));
  element.addEventListener("click", run);
  return element;
}

/** The line for saving and sharing a branch. @param {Asks} asks */
function createKeeping({ keep }) {
  const title = html("input", { id: "entry-title", type: "text", maxlength: 200, autocomplete: "off", required: true });
  const form = html("form", { class: "entry-line" }, html("label", { class: "field", for: title.id }, html("span", {}, "Title"), title), html("button", { type: "submit", class: "button" }, "Keep"));
  const about = html("p", { class: "meta" });
  const writeAbout = textOf(about);
  const log = html("a", { class: "button" }, "Download log");
  const file = html("a", { class: "button" }, "Offline file");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (title.value.trim()) keep(title.value.trim());
  });
  const element = html("details", { class: "entry-keep" }, html("summary", {}, "Keep and share"), form, about, html("div", { class: "entry-line" }, log, file));
  return {
    element,
    /** @param {Answer} answer @param {string | null} view */
    show({ id, kept, branch }, view) {
      const query = view ? `?${new URLSearchParams({ view })}` : "";
      writeAbout(kept ? `Kept as “${kept.title}”${kept.by ? ` by ${kept.by}` : ""}. The address of this page opens it.` : "The address of this page opens it for a while; keep it here to make that permanent.");
      if (kept && document.activeElement !== title) title.value = kept.title;
      log.href = branchAddress(id, "/log.jsonl");
      file.href = branchAddress(id, `/offline.html${query}`);
      log.download = `${branch.match}-branch.jsonl`;
      file.download = `${branch.match}-branch.html`;
    },
  };
}

/** @param {Player} player @param {Asks} asks */
export function createEntry(player, asks) {
  const { scene, state } = player;
  const isServed = player.api("") !== null;
  const seats = scene.seats.map(({ name }) => name);
  const { note, token, attempt } = createAttempts(() => {}, "entry-token");
  const refuse = (/** @type {string} */ why) => note.say(why, null, true);
  const close = iconButton("close", "Close what if", "", asks.close);
  const from = html("span", { class: "meta" });
  const expected = html("p", { class: "entry-expected", "aria-live": "polite", tabindex: -1 });
  const list = createEntryList({
    play: ({ action, text }) => asks.play(action, text),
    write: asks.write,
    refuse,
    mark: asks.mark,
    name: (target) => scene.names[target] ?? "what was clicked",
  });
  const listed = html("div", { class: "entry-listed" });
  const form = html("div", { class: "entry-form" });
  const back = iconButton("back", "The decision before", "[", () => step(-1));
  const forward = iconButton("next", "The decision after", "]", () => step(1));
  back.hidden = forward.hidden = !isServed;
  const end = html("div", { class: "entry-line", hidden: true }, html("span", { class: "meta" }, "An earlier position is shown."), button("Show the position in question", asks.end));
  const go = createGoOn(scene, asks);
  const tree = createEntryTree(seats, isServed ? asks.go : null);
  const tried = html("summary", {});
  const tellTried = textOf(tried);
  const chances = createBranchChances(scene);
  const playout = createPlayout(scene, asks.playOut, token.ask);
  const keeping = createKeeping(asks);
  const listing = html("details", {}, tried, tree.element);
  const tools = [html("details", {}, html("summary", {}, "Play out"), playout.element), keeping.element];
  const shown = isServed ? [listed, form, token.element, note.element, end, chances.element, go.element, listing, ...tools] : [note.element, end, chances.element, listing];
  const parts = html("div", { class: "entry-parts" }, ...shown);
  const element = html(
    "section",
    { class: "card replay-entry", "aria-label": "What if", hidden: true },
    html("div", { class: "card-head" }, html("h2", {}, "What if"), from, back, forward, close),
    expected,
    parts,
  );
  /** @type {Answer | null} */
  let answer = null;
  /** The board's form for actions that are not listed. @type {import("../renderer.js").Entry | null} */
  let entry = null;

  /** @param {number} by */
  function step(by) {
    if (!answer || !isServed) return;
    const paths = createPaths(answer.branch);
    const node = by < 0 ? paths.back(answer.branch.at) : paths.forward(answer.branch.at);
    if (node !== null) asks.go(node);
  }

  /** Show what can be done at the position, if a server can carry it out. @param {Answer} next */
  function offer(next) {
    if (!isServed) return void (expected.textContent = AS_KEPT);
    const paths = createPaths(next.branch);
    back.disabled = paths.back(next.branch.at) === null;
    forward.disabled = paths.forward(next.branch.at) === null;
    go.show(next.branch);
    keeping.show(next, state.get("view"));
  }

  /** Show the form for the next decision. @param {Answer} next */
  function ask({ choices, scene: there }) {
    entry?.stop();
    entry = null;
    listed.replaceChildren();
    form.replaceChildren();
    expected.replaceChildren(...(choices ? [seatIcon(choices.seat, 16), html("span", {}, `${seats[choices.seat]} is to decide.`)] : ["The match is over here: step back, or close."]));
    if (!choices) return asks.mark([]);
    const create = choices.input === "list" ? null : KINDS[there.board.kind].entry;
    if (create) {
      entry = create(there, { play: (action) => asks.play(action, ""), refuse, check: asks.check, preview: asks.preview, mark: asks.mark });
      form.replaceChildren(entry.element);
      entry.show(choices);
      const others = choices.actions.map(({ action, text }) => button(text, () => asks.play(action, text)));
      listed.replaceChildren(...(others.length ? [html("div", { class: "entry-line" }, ...others)] : []));
      form.after(listed);
      return asks.mark([]);
    }
    listed.replaceChildren(list.element);
    list.show(choices.actions, choices.expected);
  }

  /** Focus the entry field, but not on a screen with a keyboard that would cover the board. */
  function focus() {
    if (window.matchMedia("(pointer: coarse)").matches) return expected.focus({ preventScroll: true });
    if (entry) entry.focus();
    else if (listed.contains(list.element)) list.input.focus({ preventScroll: true });
    else back.focus({ preventScroll: true });
  }

  return {
    element,
    attempt,
    focus,
    step,
    refuse,
    say: (/** @type {string} */ words) => note.say(words),
    /** @param {Answer} next */
    show(next) {
      const moved = !answer || answer.id !== next.id;
      answer = next;
      element.hidden = parts.hidden = false;
      const { branch, from: frame } = next;
      from.textContent = `from ${player.place(frame)}`;
      if (moved) {
        if (isServed) ask(next);
        playout.forget();
      }
      offer(next);
      const count = branch.nodes.filter(({ by }) => by !== "chance").length;
      tellTried(`Tried so far (${count === 1 ? "1 decision" : `${count} decisions`})`);
      tree.show(branch);
    },
    /** If nothing can be tried without a server, show what is available. */
    showOffline() {
      element.hidden = false;
      parts.hidden = true;
      expected.textContent = NO_SERVER;
      close.focus();
    },
    /** Show the chances of match and branch at the positions next to each other. @param {number[] | null} match @param {number[] | null} branch @param {boolean} isAtEnd true for the position in question */
    draw(match, branch, isAtEnd) {
      end.hidden = isAtEnd;
      chances.show(branch, match);
      if (isAtEnd) playout.expect(branch);
    },
    /** Something on the board of the branch was clicked. @param {string} target */
    pick(target) {
      if (entry) entry.pick(target);
      else if (listed.contains(list.element)) list.pick(target);
    },
    close() {
      entry?.stop();
      entry = null;
      answer = null;
      playout.forget();
      note.say("");
      element.hidden = true;
    },
    stop() {
      entry?.stop();
      playout.stop();
    },
  };
}
