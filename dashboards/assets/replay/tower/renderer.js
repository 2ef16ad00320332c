// @ts-check
// The renderer of towers: blocks on a table with the climbers on them, seen from any side. Dragging, arrow keys (if it
// has the focus) and buttons turn the view. The view from above is a map of heights.

import { attributeOf, html, shower, svg } from "../drawing/dom.js";
import { addLooks } from "../drawing/looks.js";
import { listenForPicks } from "../drawing/picking.js";
import { seatPath } from "../drawing/shapes.js";
import { createAbove } from "./above.js";
import { TOWER_LOOKS } from "./looks.js";
import { createOpened } from "./opened.js";
import { createPaint } from "./paint.js";
import { createTools } from "./tools.js";
import { listenToTurning } from "./turning.js";
import { TOWERS, keepInAddress, onLook, projection, repaint, viewed } from "./view.js";

addLooks(TOWER_LOOKS);

/** @typedef {import("../scene.js").TowerScene} Scene */
/** @typedef {import("../scene.js").TowerFrame} Frame */

const NAMES = { tower: "Tower: the arrow keys turn and tilt it", above: "Tower from above" };
const LINE = { x: 14, up: 18, words: 112, apart: 24 };

/** The climbers still on the table, shown in a corner. @param {Scene} scene */
function createTable(scene) {
  const words = svg("text", { class: "tower-words", x: LINE.x }, "On the table");
  const waiting = scene.seats.map((_, seat) => {
    const path = svg("path", { d: seatPath(seat, 8), class: `tower-climber seat-fill seat-${seat}`, "data-thing": `c${seat}`, "data-seat": seat });
    return { path, show: shower(path), at: attributeOf(path, "transform") };
  });
  const group = svg("g", { class: "tower-table" }, words, ...waiting.map((each) => each.path));
  const [lower, spoken] = [attributeOf(words, "y"), shower(words)];
  return {
    group,
    /** @param {Frame} frame @param {number} height */
    draw(frame, height) {
      const seats = frame.c.flatMap((cell, seat) => (cell.length ? [] : [seat]));
      spoken(seats.length > 0);
      lower(height - LINE.up);
      waiting.forEach(({ show, at }, seat) => {
        const place = seats.indexOf(seat);
        show(place >= 0);
        if (place >= 0) at(`translate(${LINE.x + LINE.words + place * LINE.apart} ${height - LINE.up})`);
      });
    },
  };
}

/** @type {import("../renderer.js").CreateRenderer<Scene, Frame>} */
export function createTower(scene, asks = {}) {
  const [paint, above, table] = [createPaint(scene), createAbove(scene), createTable(scene)];
  const drawing = svg("svg", { class: "tower-drawing", "aria-hidden": "true" }, paint.element, above.element, table.group);
  const sheet = html("div", { class: "board-sheet", tabindex: 0, role: "group", "aria-label": NAMES.tower }, drawing);
  const element = html("div", { class: "board-drawing replay-tower" }, sheet);
  const tools = asks.state ? createTools(scene, asks.opens !== undefined) : null; // tools of the main board turn all towers
  if (tools) element.append(tools.element);
  if (asks.pick) {
    listenToTurning(sheet, () => !isFlat());
    listenForPicks(element, asks.pick);
  }
  const label = attributeOf(sheet, "aria-label");
  const shown = { tower: shower(paint.element), above: shower(above.element) };
  /** @type {Frame | null} */
  let frame = null;
  /** @type {Set<string>} */
  let picked = new Set();
  /** @type {import("../renderer.js").Traffic | null} */
  let traffic = null;
  const opened = asks.opens ? createOpened(asks.opens, () => frame && scene.frames.indexOf(frame), () => paintNow()) : null;
  const tower = { scene, count: 0, width: 0, height: 0 };
  const towers = asks.pick ? TOWERS.add(tower) : new Set([tower]); // a drawing for a file is alone
  let pending = 0;
  let painted = "";
  const isFlat = () => viewed().above || traffic !== null;

  function paintNow() {
    pending = 0;
    const { width, height } = tower;
    if (!frame || !width) return;
    const { turn, tilt, reach, hides } = viewed();
    const who = reach < scene.seats.length ? reach : -1;
    const flat = isFlat();
    const opens = opened && viewed().opens && who >= 0 ? opened.of(scene.frames.indexOf(frame), who) : [];
    const scale = [...towers].map((each) => [each.scene.layings.length, hides ? each.count : 0, each.width, each.height]);
    const key = JSON.stringify([scale, opens, frame.b, frame.c, frame.d, who < 0 ? 0 : frame.r, frame.m, frame.t, turn, tilt, flat, who, hides, [...picked]]);
    if (key === painted && !traffic) return;
    painted = key;
    shown.tower(!flat);
    shown.above(flat);
    label(flat ? NAMES.above : NAMES.tower);
    element.classList.toggle("is-flat", flat);
    if (flat) above.draw(frame, paint.structure(frame.b), who, picked, traffic, tower, towers);
    else paint.draw(frame, projection(towers, tower, { turn, tilt }), who, picked, opens);
    table.draw(frame, height);
  }
  /** Paint once before the next animation frame, however often this is called. */
  const soon = () => {
    pending ||= window.requestAnimationFrame(paintNow);
  };

  const repaintOthers = () => towers.size > 1 && repaint();

  function layout() {
    const { clientWidth: width, clientHeight: height } = element;
    if (!width || !height) return;
    Object.assign(tower, { width, height });
    Object.assign(sheet.style, { width: `${width}px`, height: `${height}px` });
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    painted = "";
    paintNow();
    repaintOthers();
  }
  const watcher = new ResizeObserver(layout);
  watcher.observe(element);
  const ends = [onLook(soon), tools && onLook(tools.draw), asks.state && keepInAddress(asks.state, scene.seats.length)];
  return {
    element,
    draw(next) {
      frame = next;
      tower.count = next.b;
      paintNow();
      repaintOthers();
    },
    glide() {},
    mark(targets) {
      picked = new Set(targets);
      paintNow();
    },
    layer(next) {
      element.classList.toggle("with-traffic", next !== null);
      traffic = next;
      painted = "";
      paintNow();
    },
    stop() {
      watcher.disconnect();
      opened?.stop();
      for (const end of ends) end?.();
      if (towers.delete(tower) && asks.pick) repaint();
      window.cancelAnimationFrame(pending);
    },
  };
}
