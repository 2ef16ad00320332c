// @ts-check
// The frame of the player: the title with its buttons, the card of the board, or the message if there is no board.

import { html, textOf, urlOf } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";
import { KINDS } from "../kinds.js";

/** @typedef {import("../scene.js").Scene} Scene */

/** @param {HTMLElement} root @param {Error & {problems?: {line: number, message: string}[]}} error */
export function apologise(root, error) {
  const problems = (error.problems ?? []).map(({ line, message }) => html("li", {}, `Line ${line}: ${message}`));
  root.replaceChildren(
    html(
      "div",
      { class: "replay-none card notice", role: "alert" },
      html("h1", {}, "Replay"),
      html("p", { class: "notice-title" }, error.message),
      problems.length ? html("ul", {}, ...problems) : null,
      html("p", {}, html("a", { href: urlOf("/matches") }, "Choose a match")),
    ),
  );
}

const READ = 10_000; // milliseconds

/** Show an error over the unchanged page for a while, or as long as the reader points at it. @param {HTMLElement} root @param {string} what */
export function complain(root, what) {
  const close = html("button", { type: "button", class: "round-button", "aria-label": "Close" }, glyph("close", 14));
  const note = html("div", { class: "replay-complaint card", role: "alert" }, html("span", {}, what), close);
  close.addEventListener("click", () => note.remove());
  root.querySelector(".replay-complaint")?.remove();
  root.append(note);
  const leave = () => (note.matches(":hover, :focus-within") ? void window.setTimeout(leave, READ) : note.remove());
  window.setTimeout(leave, READ);
  return note;
}

/** @param {string} icon @param {string} text @param {string} id */
function action(icon, text, id) {
  return html("button", { type: "button", class: "button", id, title: text }, glyph(icon, 16), html("span", {}, text));
}

/** The length of a match in words, and a note if it is not over. @param {Scene} scene @param {boolean} hidesFuture */
function standing(scene, hidesFuture) {
  const players = `${scene.seats.length} players`;
  const isLive = scene.status === "live";
  if (hidesFuture) return isLive ? `${players}, live` : players;
  const rounds = Math.max(...scene.rounds); // 0 in a game without rounds
  if (isLive) return rounds ? `${players}, ${scene.terms.round.toLowerCase()} ${rounds}, live` : `${players}, live`;
  const counted = rounds === 1 ? scene.terms.round.toLowerCase() : scene.terms.rounds;
  const long = rounds ? `${players}, ${rounds} ${counted}` : players;
  return scene.status === "finished" ? long : `${long}, ${scene.status}`;
}

/**
 * The title, and actions on the whole match.
 * @param {import("../parts.js").Player} player
 * @param {() => void} help
 * @param {(HTMLElement | null)[]} menus
 */
export function createBar({ scene, state, api, hidesFuture }, help, menus) {
  const copy = action("link", "Copy link", "replay-copy");
  const keys = action("keyboard", "Shortcuts", "replay-shortcuts");
  const name = html("h1", {}, html("span", { class: "visually-hidden" }, "Replay of "), scene.match);
  const about = html("span", { class: "meta" });
  const say = textOf(about);
  const title = html("div", { class: "replay-title" }, name, about);
  function update() {
    const words = `${scene.title ?? scene.game} · ${standing(scene, hidesFuture())}`;
    say(words);
    title.title = `${scene.match}: ${words}`;
  }
  state.on("spoilers", update);
  update();
  copy.addEventListener("click", () => copyLink(copy, state.link()));
  keys.addEventListener("click", help);
  return html(
    "div",
    { class: "replay-bar" },
    title,
    html("div", { class: "actions" }, api("") ? copy : null, ...menus, keys),
  );
}

/** Copy an address, and confirm that in the button's label and icon. @param {HTMLButtonElement} button @param {string} address */
export async function copyLink(button, address) {
  const label = /** @type {HTMLElement} */ (button.lastElementChild);
  const confirm = (/** @type {string} */ icon) => button.firstElementChild?.replaceWith(glyph(icon, 16));
  try {
    await navigator.clipboard.writeText(address);
    label.textContent = "Copied";
    confirm("done");
  } catch {
    label.textContent = "In the address bar";
  }
  window.setTimeout(() => {
    label.textContent = "Copy link";
    confirm("link");
  }, 1600);
}

/** @param {string} name @param {boolean} on @param {(on: boolean) => void} run */
export function toggle(name, on, run) {
  const button = html("button", { type: "button", class: "toggle", "aria-pressed": String(on) }, name);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(now));
    run(now);
  });
  return button;
}

/**
 * The board with its legend, and the same as text; a second board if two matches are compared.
 * @param {import("../parts.js").Player} player
 * @param {{board: HTMLElement, words: HTMLElement, caption: HTMLElement, twin: HTMLElement}} parts
 * @param {{traffic: HTMLElement, draw: ReturnType<typeof import("../panels/draw.js").createDraw>}} layers controls of what is drawn over the board
 * @param {() => void} wordsShown
 */
export function createBoardCard({ scene, state, memory }, { board, words, caption, twin }, layers, wordsShown) {
  const kind = KINDS[scene.board.kind];
  const traffic = toggle("Traffic", state.get("layer") === "traffic", (on) =>
    state.set({ layer: on ? "traffic" : null }, "push"),
  );
  state.on("layer", (layer) => traffic.setAttribute("aria-pressed", String(layer === "traffic")));
  const halves = html("div", { class: "board-halves" }, html("div", { class: "board-half" }, caption, board), twin);
  /** A toggle that is remembered when the page is rebuilt. @param {string} name @param {boolean} usually @param {(on: boolean) => void} run */
  function lasting(name, usually, run) {
    const on = (memory.get(name) ?? String(usually)) === "true";
    if (on !== usually) run(on);
    return toggle(name, on, (now) => {
      memory.set(name, String(now));
      run(now);
    });
  }
  const toggles = [
    ...kind.toggles.map(([name, look]) => lasting(name, true, (on) => halves.classList.toggle(look, !on))),
    ...(scene.board.nodes.length ? [traffic] : []),
    lasting("Draw", false, layers.draw.toggle),
    lasting("As text", false, (on) => {
      words.hidden = !on;
      halves.hidden = on;
      wordsShown();
    }),
  ];
  return html(
    "section",
    { class: "card replay-board", "aria-label": "Board" },
    html("div", { class: "board-stage" }, halves, words),
    layers.traffic,
    html(
      "div",
      { class: "board-foot" },
      html("div", { class: "legend" }, ...kind.legend(scene)),
      layers.draw.element,
      html("div", { class: "toggles", role: "group", "aria-label": "What the board shows" }, ...toggles),
    ),
  );
}
