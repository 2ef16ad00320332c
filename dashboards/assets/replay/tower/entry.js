// @ts-check
// The form to move a block. Clicks on the tower choose it and set it down, arrow keys move it, keys or buttons turn it.
// Each trial position is drawn immediately, and checked by the rules.

import { afterQuiet, html, keyOf } from "../drawing/dom.js";
import { lying, squareOf, structure } from "./faces.js";

/** @typedef {import("../scene.js").Laying} Laying */
/** @typedef {import("../renderer.js").Choice} Choice */

const SOON = 60;
const MOST = 63;
/** A block's size and its six faces in the order top, +x, -x, +y, -y, bottom. @typedef {{dx: number, dy: number, dz: number, faces: string[]}} Turned */

/** How a block lies after it was tipped to a side or turned around. @type {Record<string, (block: Turned) => Turned>} */
const TURNS = {
  x: ({ dx, dy, dz, faces: [top, east, west, north, south, foot] }) => ({ dx: dz, dy, dz: dx, faces: [west, top, foot, north, south, east] }),
  y: ({ dx, dy, dz, faces: [top, east, west, north, south, foot] }) => ({ dx, dy: dz, dz: dy, faces: [south, east, west, top, foot, north] }),
  z: ({ dx, dy, dz, faces: [top, east, west, north, south, foot] }) => ({ dx: dy, dy: dx, dz, faces: [top, south, north, east, west, foot] }),
};
/** @type {[string, string, string][]} */
const BUTTONS = [
  ["z", "Turn", "around"],
  ["x", "Tip over", "over to the side"],
  ["y", "Tip back", "over to the back"],
];

/** @type {import("../renderer.js").CreateEntry<import("../scene.js").TowerScene, import("../scene.js").TowerFrame>} */
export function createBlockEntry(scene, { play, refuse, check, preview, mark }) {
  const { colours } = scene.board;
  const chosen = html("select", { id: "entry-block", autocomplete: "off" });
  const pad = html("div", { class: "entry-pad", tabindex: 0, role: "group", "aria-label": "Where the block goes: arrow keys move it; Z, X and Y turn it; S sets a climber in its way on another square; Enter moves it there" });
  const status = html("p", { class: "entry-legal", role: "status" });
  const commit = html("button", { type: "button", class: "button button-strong" }, "Move it there");
  const other = html("button", { type: "button", class: "button", title: "Set the climber on another square (S)", hidden: true }, "Another square", html("kbd", {}, "S"));
  const turns = BUTTONS.map(([key, name, words]) => {
    const button = html("button", { type: "button", class: "button", title: `Turn the block ${words} (${key.toUpperCase()})` }, name, html("kbd", {}, key.toUpperCase()));
    button.addEventListener("click", () => turn(key));
    return button;
  });
  const element = html(
    "div",
    { class: "entry-block" },
    html("div", { class: "entry-line" }, html("label", { class: "field", for: chosen.id }, html("span", {}, "Block"), chosen), ...turns),
    html("div", { class: "entry-line" }, pad, commit, other),
    status,
  );
  let seat = 0;
  let real = scene.layings.length;
  /** @type {import("../scene.js").TowerFrame} */
  let frame = scene.frames[scene.frames.length - 1];
  /** @type {(Laying | undefined)[]} */
  let lies = [];
  let block = -1;
  let [x, y] = [0, 0];
  /** @type {Turned} */
  let turned = { dx: 1, dy: 1, dz: 1, faces: [] };
  let latest = 0;
  /** Choices of where to set climbers that are in the block's way, and the chosen one. @type {Choice[]} */
  let ways = [];
  let way = 0;

  const action = () => ({ type: "move_block", seat, block, x, y, dx: turned.dx, dy: turned.dy, top: colours[turned.faces[0]] });
  /** Height of the ground under the block at its trial position, without the block itself. */
  function ground() {
    const without = structure({ ...scene, layings: lies.flatMap((laying) => (laying && laying[0] !== block ? [laying] : [])) }, lies.length);
    let height = 0;
    for (let right = x; right < x + turned.dx; right += 1) {
      for (let back = y; back < y + turned.dy; back += 1) height = Math.max(height, without.columns.get(squareOf(right, back))?.height ?? 0);
    }
    return height;
  }
  function update() {
    const is = block >= 0;
    commit.disabled = !is;
    for (const each of turns) each.disabled = !is;
    pad.textContent = is ? `x ${x}, y ${y}, ${turned.dx} × ${turned.dy}, ${turned.dz} high, ${colours[turned.faces[0]]} on top` : "Choose a block: on the tower or in the list";
  }
  const soon = afterQuiet(SOON, async () => {
    const question = (latest += 1);
    const answer = await check(action());
    if (question !== latest || block < 0 || !answer) return;
    [ways, way] = [answer.ways ?? [], 0];
    if (ways.length) return sayWay();
    status.textContent = answer.legal ? "Allowed: Enter moves it there." : `Not allowed: ${answer.message}`;
    element.classList.toggle("entry-refused", !answer.legal);
  });
  function sayWay() {
    element.classList.remove("entry-refused");
    other.hidden = ways.length < 2;
    status.textContent = `Allowed if a climber makes room: ${ways[way].text}. Enter does both.`;
    mark([`b${block}`, ...ways[way].on]);
  }
  function nextWay() {
    if (!ways.length) return;
    way = (way + 1) % ways.length;
    sayWay();
  }
  function lay() {
    latest += 1; // answers that arrive later are about the block's former place
    ways = [];
    other.hidden = true;
    status.textContent = "";
    element.classList.remove("entry-refused");
    update();
    refuse("");
    if (block < 0) return;
    // A trial is drawn as one more laying. The block tried before goes back to its former place.
    scene.layings.push(...lies.flatMap((laying) => (laying ? [laying] : [])));
    scene.layings.push([block, x, y, ground(), turned.dx, turned.dy, turned.dz, turned.faces.slice(0, 5).join("")]);
    preview({ ...frame, b: scene.layings.length, m: block });
    mark([`b${block}`]);
    soon.ask();
  }
  /** @param {number} next */
  function take(next) {
    const laying = lies[next];
    if (!laying) return;
    const [, left, low, , dx, dy, dz, letters] = laying;
    block = next;
    [x, y] = [left, low];
    const foot = Object.keys(colours).find((letter) => !letters.includes(letter));
    turned = { dx, dy, dz, faces: [...letters, new Set(letters).size === 5 && foot ? foot : letters[0]] };
    chosen.value = String(block);
    lay();
  }
  /** @param {string} key */
  function turn(key) {
    if (block < 0) return;
    turned = TURNS[key](turned);
    lay();
  }
  /** @param {number} right @param {number} back */
  function move(right, back) {
    [x, y] = [x + right, y + back].map((each) => Math.min(Math.max(each, 0), MOST));
    lay();
  }
  const enter = () => (block < 0 ? refuse("Choose a block first.") : play(ways[way]?.action ?? action()));
  chosen.addEventListener("change", () => take(Number(chosen.value)));
  commit.addEventListener("click", enter);
  other.addEventListener("click", nextWay);
  pad.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const key = keyOf(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way && block >= 0) move(way[0], way[1]);
    else if (key in TURNS) turn(key);
    else if (key === "s") nextWay();
    else if (key === "Enter") enter();
    else return;
    event.preventDefault();
  });
  return {
    element,
    focus: () => (block < 0 ? chosen : pad).focus({ preventScroll: true }),
    show(position) {
      seat = position.seat;
      frame = scene.frames[scene.frames.length - 1];
      scene.layings.length = real;
      lies = lying(scene, frame.b);
      block = -1;
      const options = lies.flatMap((laying, i) => (laying ? [html("option", { value: i }, scene.names[`b${i}`] ?? `Block ${i}`)] : []));
      chosen.replaceChildren(html("option", { value: -1 }, "–"), ...options);
      status.textContent = "";
      ways = [];
      other.hidden = true;
      update();
    },
    pick(thing) {
      const [kind, number] = [thing[0], Number(thing.slice(1))];
      if (kind !== "b" && kind !== "t") return refuse("Click on the block to move, then on the block to set it on.");
      if (block < 0) {
        take(number);
        return pad.focus({ preventScroll: true });
      }
      const on = lies[number];
      if (on && number !== block) [x, y] = [on[1], on[2]];
      lay();
      pad.focus({ preventScroll: true });
    },
    stop: soon.stop,
  };
}
