// @ts-check
// The renderer of boards that are maps: land, ways, places and what lies on them. Two layers: the land, which is drawn
// once, and above it the trails, the places and everything that comes and goes.

import { attributeOf, html, svg } from "./dom.js";
import { createMarkers, standing } from "./markers.js";
import { createCouncil, createPlace, shower } from "./pieces.js";
import { seatPath } from "./shapes.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Frame} Frame */
/** @typedef {{x: number, y: number}} Point */

const MARGIN = { side: 54, top: 50, bottom: 50 };
const LANE = 5;
const GAP = 20;
const LEAST_WIDTH = 760;
const NAME = { halfWidth: 36, top: -27, bottom: 17 };
const PLACE = { halfWidth: 37, top: -27, bottom: 42 };
const NUDGES = [0, 1, 2, 3, 4].flatMap((far) =>
  [-far, 0, far].flatMap((right) => [-far, 0, far].map((down) => [right * 13, down * 9])),
);

/**
 * How a map fits into the room there is: everything larger on a narrow screen, and the land stretched to the room.
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
 * Where the name of an area and its badges go: where the map says, or close to it if they would cover less there.
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
 * The way a piece took, beside the roads so that others' trails stay visible.
 * @param {Map<number, Point>} points
 * @param {number[]} way
 * @param {number} side how far beside
 * @param {number} gap how far from the places
 */
function trailPath(points, way, side, gap) {
  let path = "";
  for (let i = 1; i < way.length; i += 1) {
    const from = points.get(way[i - 1]);
    const to = points.get(way[i]);
    if (!from || !to) continue;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const turn = way[i - 1] < way[i] ? side : -side;
    const [nx, ny] = [-uy * turn, ux * turn];
    path += `M${(from.x + ux * gap + nx).toFixed(1)} ${(from.y + uy * gap + ny).toFixed(1)}`;
    path += `L${(to.x - ux * gap + nx).toFixed(1)} ${(to.y - uy * gap + ny).toFixed(1)}`;
  }
  return path;
}

/** The land: areas and links, drawn once for each layout. @param {Scene} scene */
function createLand(scene) {
  const { links, areas, nodes } = scene.board;
  const label = `Map of ${nodes.length} villages. “As text” tells what lies where.`;
  const element = svg("svg", { class: "map-land", role: "img", "aria-label": label });
  const shapes = areas.map((area) => svg("polygon", { class: `area area-${area.tone}` }));
  const casings = links.map(() => svg("line", { class: "link-casing" }));
  const lines = links.map((link) => svg("line", { class: `link link-${link.style}` }));
  element.append(...shapes, ...casings, ...lines);
  /** @param {Map<number, Point>} points */
  const layout = (points) => {
    areas.forEach((area, index) => {
      const corners = area.corners.map((n) => /** @type {Point} */ (points.get(n)));
      shapes[index].setAttribute("points", corners.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
    });
    links.forEach((link, index) => {
      const a = /** @type {Point} */ (points.get(link.a));
      const b = /** @type {Point} */ (points.get(link.b));
      const ends = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
      for (const line of [casings[index], lines[index]]) {
        for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value.toFixed(1));
      }
    });
  };
  return { element, layout };
}

/**
 * The caravans, beside each other where several stand at one place.
 * @param {Scene} scene
 * @param {Map<number, Point>} points
 * @param {number[]} tops how high each place reaches
 */
function createCaravans(scene, points, tops) {
  const pieces = scene.seats.map((seat, index) => {
    const ring = svg("circle", { r: 14, class: "piece-ring", display: "none" });
    const body = svg("path", { d: seatPath(index, 9.5), class: `piece seat-fill seat-${index}` });
    const group = svg("g", { display: "none" }, svg("title", {}, `Caravan of ${seat.name}`), ring, body);
    return { group, show: shower(group), ring: shower(ring), at: "" };
  });
  const element = svg("g", { class: "pieces" }, ...pieces.map((piece) => piece.group));
  /** @param {Frame} frame @param {number} scale */
  const draw = (frame, scale) => {
    const spots = frame.c.map((_, seat) => standing(frame, seat, points, scale));
    frame.c.forEach((n, seat) => {
      const piece = pieces[seat];
      piece.show(n > 0);
      const { key, point, onWay } = spots[seat];
      if (!point) return;
      const together = spots.reduce((sum, other) => sum + Number(other.key === key), 0);
      const before = spots.reduce((sum, other, index) => sum + Number(other.key === key && index < seat), 0);
      const x = point.x + (before - (together - 1) / 2) * 21 * scale;
      const y = point.y + (onWay ? 0 : tops[n - 1] - 9) * scale;
      const at = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) scale(${scale})`;
      if (at !== piece.at) {
        piece.at = at;
        piece.group.style.transform = at;
      }
      piece.ring(frame.a === seat && frame.x > 0);
    });
  };
  return { element, draw };
}

/** The trails of this round. @param {Scene} scene @param {Map<number, Point>} points */
function createTrails(scene, points) {
  const trails = scene.seats.map((_, seat) => {
    const casing = svg("path", { class: "trail-casing" });
    const line = svg("path", { class: `trail seat-line-${seat}` });
    return { casing, line, drawCasing: attributeOf(casing, "d"), drawLine: attributeOf(line, "d"), shown: "" };
  });
  const element = svg("g", { class: "trails" }, ...trails.flatMap((trail) => [trail.casing, trail.line]));
  /** @param {Frame} frame @param {number} scale */
  const draw = (frame, scale) => {
    trails.forEach((trail, seat) => {
      const key = frame.t[seat].join();
      if (key === trail.shown) return;
      trail.shown = key;
      const side = (seat - (scene.seats.length - 1) / 2) * LANE * scale;
      const path = trailPath(points, frame.t[seat], side, GAP * scale);
      trail.drawCasing(path);
      trail.drawLine(path);
    });
  };
  const forget = () => {
    for (const trail of trails) trail.shown = "";
  };
  return { element, draw, forget };
}

/**
 * @param {Scene} scene
 * @returns {{element: HTMLElement, draw: (frame: Frame) => void, glide: (yes: boolean) => void, stop: () => void}}
 */
export function createMap(scene) {
  const { nodes, areas } = scene.board;
  const most = {
    cubes: Math.max(1, ...scene.frames.flatMap((frame) => frame.n.map((letters) => letters.length))),
    demand: Math.max(1, ...scene.discs.map((disc) => disc.demand.length)),
  };
  /** @type {Map<number, Point>} */
  const points = new Map();
  const places = nodes.map((_, index) => createPlace(scene, index, most));
  const land = createLand(scene);
  const trails = createTrails(scene, points);
  const councils = areas.map((_, index) => createCouncil(scene, index));
  const markers = createMarkers(scene, points);
  const caravans = createCaravans(
    scene,
    points,
    places.map((place) => place.top),
  );
  const live = svg("svg", { class: "map-live", "aria-hidden": "true" });
  live.append(trails.element, ...[...councils, ...places].map((each) => each.group), markers.element, caravans.element);
  const element = html("div", { class: "replay-map" }, land.element, live);
  /** @type {Frame | null} */
  let frame = null;
  let scale = 1;

  function layout() {
    const { clientWidth: width, clientHeight: height } = element;
    if (!width || !height) return;
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
    const around = [...points.values()];
    areas.forEach((area, index) => councils[index].at(at(besidePlaces(fitted.put(area), around, scale))));
    land.layout(points);
    trails.forget();
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
  }

  const watcher = new ResizeObserver(layout);
  watcher.observe(element);
  const gliding = attributeOf(caravans.element, "class");
  return {
    element,
    draw,
    glide: (yes) => gliding(yes ? "pieces gliding" : "pieces"),
    stop: () => watcher.disconnect(),
  };
}
