// @ts-check
// The renderer of boards that are tracks: a route up a mountain, the pawns on it, the dice and cards next to it. It has
// two layers: the land, which is drawn once for a size, and above it everything that moves.

import { attributeOf, html, svg } from "../drawing/dom.js";
import { addLooks } from "../drawing/looks.js";
import { listenForPicks, showPicked } from "../drawing/picking.js";
import { createCount } from "../drawing/traffic-counts.js";
import { createTrackLand } from "./land.js";
import { TRACK_LOOKS } from "./looks.js";
import { createMoves, createPawns, createYeti } from "./pawns.js";
import { layOut } from "./route.js";
import { createDice, createWeather, createYetiCards } from "./table.js";

addLooks(TRACK_LOOKS);

/** @typedef {import("../scene.js").TrackScene} Scene */
/** @typedef {import("../scene.js").TrackFrame} Frame */

const LABEL = 11;

/** @type {import("../renderer.js").CreateRenderer<Scene, Frame>} */
export function createTrack(scene, asks = {}) {
  const { nodes } = scene.board;
  const land = createTrackLand(scene);
  const [moves, yeti, pawns] = [createMoves(), createYeti(scene), createPawns(scene)];
  const [weather, dice, cards] = [createWeather(), createDice(scene), createYetiCards(scene)];
  const counts = nodes.map((node) => createFieldCount(node));
  const live = svg("svg", { class: "track-live", "aria-hidden": "true" }, ...counts.flatMap((each) => each.elements));
  live.append(weather.group, moves.element, yeti.element, pawns.element, dice.group, cards.group);
  const sheet = html("div", { class: "board-sheet" }, land.element, live);
  const element = html("div", { class: "board-drawing replay-track" }, sheet);
  if (asks.pick) listenForPicks(element, asks.pick);
  const gliding = [yeti, pawns].map((each) => attributeOf(each.element, "class"));
  /** @type {Frame | null} */
  let frame = null;
  /** @type {import("./route.js").Route | null} */
  let laid = null;

  function layout() {
    const { clientWidth: width, clientHeight: height } = element;
    if (!width || !height) return;
    laid = layOut(nodes.length, width, height);
    Object.assign(sheet.style, { width: `${width}px`, height: `${height}px` });
    for (const layer of [land.element, live]) layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    element.style.setProperty("--map-scale", laid.scale.toFixed(3));
    land.layout(laid);
    for (const part of [moves, pawns]) part.forget();
    weather.layout(laid);
    dice.layout(laid.scale);
    cards.layout(laid.scale, width);
    const { points, scale, named } = laid;
    counts.forEach((count, index) => {
      count.at(`translate(${points[index].x.toFixed(1)} ${points[index].y.toFixed(1)}) scale(${scale.toFixed(2)})`);
      count.named(named[index]);
    });
    if (frame) draw(frame);
  }

  /** @param {Frame} next */
  function draw(next) {
    frame = next;
    if (!laid) return;
    moves.draw(next, laid);
    yeti.draw(next, laid);
    pawns.draw(next, laid);
    weather.draw(next);
    dice.draw(next);
    cards.draw(next);
  }

  const watcher = new ResizeObserver(layout);
  watcher.observe(element);
  return {
    element,
    draw,
    glide: (yes) => gliding.forEach((look) => look(yes ? "pieces gliding" : "pieces")),
    mark: (targets) => showPicked(element, new Set(targets)),
    layer(next) {
      element.classList.toggle("with-traffic", next !== null);
      land.traffic(next);
      counts.forEach((count, index) => count.draw(next && next.nodes[index], next?.nodes ?? []));
    },
    stop: () => watcher.disconnect(),
  };
}

/** The traffic count over a field. @param {import("../scene.js").Field} node */
function createFieldCount(node) {
  const title = svg("title");
  const count = createCount(node, (words) => (title.textContent = words));
  const group = svg("g", { class: "field-count", "data-thing": `n${node.n}` }, title, count.group, count.words);
  const visits = attributeOf(group, "data-visits");
  let side = 0;
  /** @type {[number, number[]] | null} */
  let drawn = null;
  const write = () => drawn && count.draw(...drawn, count.radius(...drawn) + LABEL, side);
  return {
    elements: [group],
    at: attributeOf(group, "transform"),
    /** @param {number | null} visited @param {number[]} all */
    draw(visited, all) {
      visits(visited);
      drawn = visited === null ? null : [visited, all];
      write();
    },
    /** Position of the name. @param {number} next */
    named(next) {
      side = next;
      write();
    },
  };
}
