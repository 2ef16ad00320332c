// @ts-check
// The renderer of maps. It has two layers: the land, which is drawn once, and above it trails, places and everything
// that changes.

import { attributeOf, html, svg } from "../drawing/dom.js";
import { addLooks } from "../drawing/looks.js";
import { listenForPicks, showPicked } from "../drawing/picking.js";
import { sizeOf } from "../drawing/traffic-counts.js";
import { createCaravans, createTrails } from "./caravans.js";
import { createLand } from "./land.js";
import { MAP_LOOKS } from "./looks.js";
import { createMarkers } from "./markers.js";
import { createPlanned } from "./planned.js";
import { createCouncil, createPlace } from "./pieces.js";

addLooks(MAP_LOOKS);

/** @typedef {import("../scene.js").MapScene} Scene */
/** @typedef {import("../scene.js").MapFrame} Frame */
/** @typedef {{x: number, y: number}} Point */

const MARGIN = { side: 54, top: 50, bottom: 50 };
const LEAST_WIDTH = 760;
const NAME = { halfWidth: 36, top: -27, bottom: 17 };
const PLACE = { halfWidth: 37, top: -27, bottom: 42 };
const NARROW = "(max-width: 599px)";
const LABEL = { long: { halfWidth: 31, halfHeight: 6, gap: 11 }, short: { halfWidth: 10, halfHeight: 8, gap: 11 } };
const NUDGES = [0, 1, 2, 3, 4].flatMap((far) =>
  [-far, 0, far].flatMap((right) => [-far, 0, far].map((down) => [right * 13, down * 9])),
);

/**
 * Fit a map to the available room: on a narrow screen everything is larger, and the land is stretched.
 * @param {Point[]} nodes
 * @param {number} width
 * @param {number} height
 */
function fit(nodes, width, height) {
  const xs = nodes.map((node) => node.x);
  const ys = nodes.map((node) => node.y);
  const [west, north] = [Math.min(...xs), Math.min(...ys)];
  const [spanX, spanY] = [Math.max(...xs) - west, Math.max(...ys) - north];
  const scale = Math.min(2.4, Math.max(1.12, LEAST_WIDTH / width));
  const boxWidth = spanX + 2 * MARGIN.side * scale;
  const margins = (MARGIN.top + MARGIN.bottom) * scale;
  const stretch = Math.min(2.4, Math.max(0.8, ((boxWidth * height) / width - margins) / spanY));
  const [left, top] = [west - MARGIN.side * scale, north * stretch - MARGIN.top * scale];
  return {
    scale,
    box: `0 0 ${boxWidth.toFixed(1)} ${(spanY * stretch + margins).toFixed(1)}`,
    /** @param {Point} point */
    put: (point) => ({ x: point.x - left, y: point.y * stretch - top }),
  };
}

/**
 * Position of an area's name and badges: as given by the map, or close to that if they cover less there.
 * @param {Point} point
 * @param {Point[]} places
 * @param {number} scale
 */
function besidePlaces(point, places, scale) {
  let best = point;
  let least = Infinity;
  for (const [right, down] of NUDGES) {
    const at = { x: point.x + right * scale, y: point.y + down * scale };
    let cost = Math.hypot(right, down);
    for (const place of places) {
      const across = NAME.halfWidth + PLACE.halfWidth - Math.abs(at.x - place.x) / scale;
      const [top, bottom] = [(at.y - place.y) / scale + NAME.top, (at.y - place.y) / scale + NAME.bottom];
      const along = Math.min(bottom, PLACE.bottom) - Math.max(top, PLACE.top);
      if (across > 0 && along > 0) cost += across * along;
    }
    if (cost < least) [best, least] = [at, cost];
  }
  return best;
}

/**
 * Distance of each name below its place; negative (above it) if other discs and names cover less of the name there.
 * @param {Point[]} places
 * @param {number[]} radii
 * @param {number} scale
 */
function besideDiscs(places, radii, scale) {
  const { halfWidth, halfHeight, gap } = matchMedia(NARROW).matches ? LABEL.short : LABEL.long;
  /** @type {(Point & {halfWidth: number, halfHeight: number})[]} */
  const taken = places.map((place, i) => ({ ...place, halfWidth: radii[i], halfHeight: radii[i] }));
  return places.map((place, index) => {
    const far = radii[index] + gap;
    const cost = (/** @type {number} */ down) => {
      let covered = 0;
      taken.forEach((other, i) => {
        if (i === index) return;
        const across = halfWidth + other.halfWidth - Math.abs(place.x - other.x) / scale;
        const along = halfHeight + other.halfHeight - Math.abs((place.y - other.y) / scale + down);
        if (across > 0 && along > 0) covered += Math.min(across, 2 * halfWidth) * Math.min(along, 2 * halfHeight);
      });
      return covered;
    };
    const down = cost(far) <= cost(-far) ? far : -far;
    taken.push({ x: place.x, y: place.y + down * scale, halfWidth, halfHeight });
    return down;
  });
}

/** @type {import("../renderer.js").CreateRenderer<Scene, Frame>} */
export function createMap(scene, asks = {}) {
  const { nodes, areas } = scene.board;
  const most = {
    cubes: Math.max(1, ...scene.frames.flatMap((frame) => frame.n.map((letters) => letters.length))),
    demand: Math.max(1, ...scene.discs.map((disc) => disc.demand.length)),
  };
  /** @type {Map<number, Point>} */
  const points = new Map();
  /** @type {Set<string>} */
  let marked = new Set();
  const places = nodes.map((_, index) => createPlace(scene, index, most, (target) => marked.has(target)));
  const land = createLand(scene);
  const trails = createTrails(scene, points);
  const councils = areas.map((_, index) => createCouncil(scene, index));
  const markers = createMarkers(scene, points);
  const caravans = createCaravans(
    scene,
    points,
    places.map((place) => place.top),
  );
  const planned = createPlanned(
    points,
    places.map((place) => place.top),
  );
  const live = svg("svg", { class: "map-live", "aria-hidden": "true" });
  live.append(trails.element, planned.land, ...[...councils, ...places].map((each) => each.group), markers.element, caravans.element);
  live.append(...places.map((place) => place.words), planned.element);
  const sheet = html("div", { class: "board-sheet" }, land.element, live);
  const element = html("div", { class: "board-drawing replay-map" }, sheet);
  if (asks.pick) listenForPicks(element, asks.pick);
  /** @type {Frame | null} */
  let frame = null;
  /** @type {import("../renderer.js").Traffic | null} */
  let counts = null;
  let scale = 1;

  function layout() {
    const { clientWidth: width, clientHeight: height } = element;
    if (!width || !height) return;
    Object.assign(sheet.style, { width: `${width}px`, height: `${height}px` });
    const fitted = fit(nodes, width, height);
    scale = fitted.scale;
    for (const layer of [land.element, live]) layer.setAttribute("viewBox", fitted.box);
    element.style.setProperty("--map-scale", String(scale));
    /** @param {Point} point */
    const at = ({ x, y }) => `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale})`;
    nodes.forEach((node, index) => {
      const point = fitted.put(node);
      points.set(node.n, point);
      places[index].at(at(point));
    });
    const allPoints = [...points.values()];
    areas.forEach((area, index) => councils[index].at(at(besidePlaces(fitted.put(area), allPoints, scale))));
    land.layout(points);
    trails.forget();
    count();
    if (frame) draw(frame);
  }

  /** @param {Frame} next */
  function draw(next) {
    frame = next;
    if (!points.size) return;
    trails.draw(next, scale);
    for (const each of councils) each.draw(next);
    for (const each of places) each.draw(next);
    markers.draw(next, scale);
    caravans.draw(next, scale);
    planned.draw(next, scale);
  }

  /** Draw the traffic counts, and place names so that they are not covered. */
  function count() {
    if (!counts || !points.size) return places.forEach((place) => place.traffic(counts, 0));
    const { nodes: visits } = counts;
    const radii = visits.map((visit) => sizeOf(visit, visits).radius);
    const labels = besideDiscs([...points.values()], radii, scale);
    places.forEach((place, index) => place.traffic(counts, labels[index]));
  }

  const watcher = new ResizeObserver(layout);
  watcher.observe(element);
  const gliding = attributeOf(caravans.element, "class");
  return {
    element,
    draw,
    glide: (yes) => gliding(yes ? "pieces gliding" : "pieces"),
    mark(targets) {
      marked = new Set(targets);
      land.mark(marked);
      showPicked(element, marked);
    },
    layer(next) {
      counts = next;
      element.classList.toggle("with-traffic", next !== null);
      land.traffic(next);
      count();
    },
    stop: () => watcher.disconnect(),
  };
}
