// @ts-check
// The renderer of boards that are maps: land, ways, places and what lies on them. Three layers: the land, which is
// drawn once; the trails; and above them the places with everything that comes and goes.

import { attributeOf, svg, textOf } from "./dom.js";
import { CROWN, PLACES, STUPA, inkShift, seatPath } from "./shapes.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Frame} Frame */
/** @typedef {{x: number, y: number}} Point */

const CUBE = 14;
const MARGIN = { side: 54, top: 50, bottom: 50 };
const LANE = 5;

/** @param {SVGElement} element */
const shower = (element) => {
  const set = attributeOf(element, "display");
  return (/** @type {boolean} */ yes) => set(yes ? null : "none");
};

/** @param {Scene} scene */
const byLetter = (scene) => new Map(scene.tokens.map((token) => [token.letter, token.key]));

/**
 * A row of cubes, made for the most there can be.
 * @param {number} most
 * @param {Map<string, string>} keys
 */
function cubes(most, keys) {
  const group = svg("g");
  const pool = Array.from({ length: most }, (_, i) => {
    const text = svg("text", { x: i * CUBE + CUBE / 2 - 0.5, y: 0.5, class: "cube-letter" });
    const rect = svg("rect", { x: i * CUBE, y: -CUBE / 2 + 0.5, width: CUBE - 1, height: CUBE - 1, rx: 2.5 });
    const cube = svg("g", { display: "none" }, rect, text);
    group.append(cube);
    return { kind: attributeOf(cube, "class"), show: shower(cube), letter: textOf(text) };
  });
  /** @param {string} letters */
  const draw = (letters) => {
    pool.forEach((cube, i) => {
      const letter = letters[i];
      cube.show(letter !== undefined);
      if (letter === undefined) return;
      cube.kind(`cube cube-${keys.get(letter)}`);
      cube.letter(letter);
    });
  };
  return { group, draw };
}

/**
 * A place: its silhouette with its number, a stupa beside it, cubes or an order below.
 * @param {Scene} scene
 * @param {number} index
 * @param {{cubes: number, demand: number}} most
 */
function place(scene, index, most) {
  const node = scene.board.nodes[index];
  const keys = byLetter(scene);
  const outline = PLACES[node.icon] ?? PLACES.house;
  const areas = scene.board.areas.filter((area) => area.corners.includes(node.n)).map((area) => area.n);
  const stupaBody = svg("path", { d: STUPA });
  const stupaTop = svg("path", { transform: "translate(0 -20.500)" });
  const stupa = svg("g", { transform: "translate(-31 15)", display: "none" }, stupaBody, stupaTop);
  const offered = cubes(most.cubes, keys);
  const wanted = cubes(most.demand, keys);
  wanted.group.setAttribute("transform", "translate(12 0)");
  const pill = svg("rect", { x: -13, y: -12, height: 24, rx: 12, class: "order-pill" });
  const pays = svg("text", { y: 0.5, class: "order-pays" });
  const order = svg("g", { class: "order", display: "none" }, pill, svg("circle", { r: 9.5, class: "order-coin" }), pays, wanted.group);
  const goods = svg("g", { class: "goods" }, offered.group, order);
  const group = svg(
    "g",
    { class: "village" },
    svg("title", {}, `${node.name}, ${node.icon}${areas.length ? `, borders region ${areas.join(", ")}` : ""}`),
    svg("path", { d: outline.path, class: "village-wall" }),
    svg("path", { d: outline.lines, class: "village-rim" }),
    svg("text", { y: 7, class: "village-number" }, String(node.n)),
    stupa,
    goods,
  );
  const set = {
    stupa: attributeOf(stupa, "class"),
    stupaTop: attributeOf(stupaTop, "d"),
    stupaShown: shower(stupa),
    orderShown: shower(order),
    offeredShown: shower(offered.group),
    width: attributeOf(pill, "width"),
    pays: textOf(pays),
    offeredAt: attributeOf(offered.group, "transform"),
    orderAt: attributeOf(order, "transform"),
  };
  /** @type {{cubes: string, order: number, stupa: number}} */
  const shown = { cubes: "", order: -1, stupa: -1 };
  /** @param {Frame} frame */
  const draw = (frame) => {
    const letters = frame.n[index];
    if (letters !== shown.cubes) {
      shown.cubes = letters;
      offered.draw(letters);
      set.offeredShown(letters.length > 0);
      set.offeredAt(`translate(${(-letters.length * CUBE) / 2} 25)`);
    }
    const lying = frame.o[index];
    if (lying !== shown.order) {
      shown.order = lying;
      set.orderShown(lying >= 0);
      if (lying >= 0) {
        const disc = scene.discs[lying];
        const width = 28 + disc.demand.length * CUBE;
        wanted.draw(disc.demand);
        set.pays(disc.pays);
        set.width(width);
        set.orderAt(`translate(${13 - width / 2} 29)`);
      }
    }
    const owner = frame.u[index];
    if (owner !== shown.stupa) {
      shown.stupa = owner;
      set.stupaShown(owner >= 0);
      if (owner >= 0) {
        set.stupa(`stupa seat-fill seat-${owner}`);
        set.stupaTop(seatPath(owner, 4.5));
      }
    }
  };
  return { group, at: attributeOf(group, "transform"), draw, top: outline.top };
}

/**
 * The delegations in an area: one badge for each seat that has any, a crown on the leader's.
 * @param {Scene} scene
 * @param {number} index
 */
function council(scene, index) {
  const area = scene.board.areas[index];
  const group = svg("g", { class: "council" }, svg("text", { y: -19, class: "area-name" }, `Region ${area.n}`));
  const badges = scene.seats.map((_, seat) => {
    const count = svg("text", { y: 0.5 + inkShift(seat) * 10, class: `badge-count ink-${seat}` });
    const crown = svg("path", { d: CROWN, transform: "translate(0 -10.500)", class: "badge-crown" });
    const badge = svg("g", { display: "none" }, svg("path", { d: seatPath(seat, 10), class: `badge seat-fill seat-${seat}` }), crown, count);
    group.append(badge);
    return { at: attributeOf(badge, "transform"), show: shower(badge), crown: shower(crown), count: textOf(count) };
  });
  let shown = "";
  /** @param {Frame} frame */
  const draw = (frame) => {
    const row = frame.d[index];
    const key = `${row.join()}/${frame.l[index]}`;
    if (key === shown) return;
    shown = key;
    const present = row.filter((count) => count > 0).length;
    let slot = 0;
    badges.forEach((badge, seat) => {
      badge.show(row[seat] > 0);
      if (row[seat] === 0) return;
      badge.at(`translate(${(slot - (present - 1) / 2) * 27} 6)`);
      badge.crown(frame.l[index] === seat);
      badge.count(row[seat]);
      slot += 1;
    });
  };
  return { group, at: attributeOf(group, "transform"), draw };
}

/**
 * @param {Scene} scene
 * @returns {{element: HTMLElement, draw: (frame: Frame) => void, glide: (yes: boolean) => void, stop: () => void}}
 */
export function createMap(scene) {
  const { nodes, links, areas } = scene.board;
  const most = {
    cubes: Math.max(1, ...scene.frames.flatMap((frame) => frame.n.map((letters) => letters.length))),
    demand: Math.max(1, ...scene.discs.map((disc) => disc.demand.length)),
  };
  const label = `Map of ${nodes.length} villages. “As text” tells what lies where.`;
  const land = svg("svg", { class: "map-land", role: "img", "aria-label": label });
  const live = svg("svg", { class: "map-live", "aria-hidden": "true" });
  const element = document.createElement("div");
  element.className = "replay-map";
  element.append(land, live);

  const shapes = areas.map((area) => svg("polygon", { class: `area area-${area.tone}` }));
  const casings = links.map(() => svg("line", { class: "link-casing" }));
  const lines = links.map((link) => svg("line", { class: `link link-${link.style}` }));
  land.append(...shapes, ...casings, ...lines);

  const trails = scene.seats.map((_, seat) => {
    const casing = svg("path", { class: "trail-casing" });
    const line = svg("path", { class: `trail seat-line-${seat}` });
    return { casing, line, drawCasing: attributeOf(casing, "d"), drawLine: attributeOf(line, "d"), shown: "" };
  });
  const trailLayer = svg("g", { class: "trails" }, ...trails.flatMap((trail) => [trail.casing, trail.line]));
  const councils = areas.map((_, index) => council(scene, index));
  const places = nodes.map((_, index) => place(scene, index, most));
  const pieces = scene.seats.map((seat, index) => {
    const ring = svg("circle", { r: 14, class: "piece-ring", display: "none" });
    const body = svg("path", { d: seatPath(index, 9.5), class: `piece seat-fill seat-${index}` });
    const group = svg("g", { display: "none" }, svg("title", {}, `Caravan of ${seat.name}`), ring, body);
    return { group, show: shower(group), ring: shower(ring), at: "" };
  });
  const pieceLayer = svg("g", { class: "pieces" }, ...pieces.map((piece) => piece.group));
  live.append(trailLayer, ...councils.map((each) => each.group), ...places.map((each) => each.group), pieceLayer);

  /** @type {Frame | null} */
  let frame = null;
  let scale = 1;
  /** @type {Map<number, Point>} */
  const points = new Map();

  /** Lay everything out in the room there is: taller on a narrow screen, and everything larger there. */
  function layout() {
    const width = element.clientWidth;
    const height = element.clientHeight;
    if (!width || !height) return;
    const xs = nodes.map((node) => node.x);
    const ys = nodes.map((node) => node.y);
    const spanX = Math.max(...xs) - Math.min(...xs);
    const spanY = Math.max(...ys) - Math.min(...ys);
    scale = Math.min(2.4, Math.max(1.12, 760 / width));
    const boxWidth = spanX + 2 * MARGIN.side * scale;
    const room = (boxWidth * height) / width - (MARGIN.top + MARGIN.bottom) * scale;
    const stretch = Math.min(2.4, Math.max(0.8, room / spanY));
    const boxHeight = spanY * stretch + (MARGIN.top + MARGIN.bottom) * scale;
    const box = `0 0 ${boxWidth.toFixed(1)} ${boxHeight.toFixed(1)}`;
    land.setAttribute("viewBox", box);
    live.setAttribute("viewBox", box);
    const left = Math.min(...xs) - MARGIN.side * scale;
    const top = Math.min(...ys) * stretch - MARGIN.top * scale;
    /** @param {Point} point */
    const put = (point) => ({ x: point.x - left, y: point.y * stretch - top });
    nodes.forEach((node) => points.set(node.n, put(node)));
    still(put);
    trails.forEach((trail) => (trail.shown = ""));
    pieces.forEach((piece) => (piece.at = ""));
    if (frame) draw(frame);
  }

  /** @param {(point: Point) => Point} put */
  function still(put) {
    areas.forEach((area, index) => {
      const corners = area.corners.map((n) => points.get(n)).filter((corner) => corner !== undefined);
      shapes[index].setAttribute("points", corners.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
      const { x, y } = put(area);
      councils[index].at(`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale})`);
    });
    links.forEach((link, index) => {
      const a = points.get(link.a);
      const b = points.get(link.b);
      if (!a || !b) return;
      for (const line of [casings[index], lines[index]]) {
        line.setAttribute("x1", a.x.toFixed(1));
        line.setAttribute("y1", a.y.toFixed(1));
        line.setAttribute("x2", b.x.toFixed(1));
        line.setAttribute("y2", b.y.toFixed(1));
      }
    });
    nodes.forEach((node, index) => {
      const { x, y } = /** @type {Point} */ (points.get(node.n));
      places[index].at(`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale})`);
    });
    const root = element.style;
    root.setProperty("--map-scale", String(scale));
  }

  /**
   * The way a piece took, beside the road so that others' trails stay visible.
   * @param {number} seat
   * @param {number[]} way
   */
  function trailPath(seat, way) {
    const side = (seat - (scene.seats.length - 1) / 2) * LANE * scale;
    const gap = 20 * scale;
    let path = "";
    for (let i = 1; i < way.length; i += 1) {
      const from = points.get(way[i - 1]);
      const to = points.get(way[i]);
      if (!from || !to || from === to) continue;
      const length = Math.hypot(to.x - from.x, to.y - from.y);
      const ux = (to.x - from.x) / length;
      const uy = (to.y - from.y) / length;
      const turn = way[i - 1] < way[i] ? side : -side;
      const nx = -uy * turn;
      const ny = ux * turn;
      path += `M${(from.x + ux * gap + nx).toFixed(1)} ${(from.y + uy * gap + ny).toFixed(1)}`;
      path += `L${(to.x - ux * gap + nx).toFixed(1)} ${(to.y - uy * gap + ny).toFixed(1)}`;
    }
    return path;
  }

  /** @param {Frame} next */
  function drawPieces(next) {
    const here = next.c;
    here.forEach((n, seat) => {
      const piece = pieces[seat];
      piece.show(n > 0);
      const point = points.get(n);
      if (!point) return;
      let before = 0;
      let together = 0;
      here.forEach((other, index) => {
        if (other !== n) return;
        together += 1;
        if (index < seat) before += 1;
      });
      const x = point.x + (before - (together - 1) / 2) * 21 * scale;
      const y = point.y + (places[n - 1].top - 9) * scale;
      const at = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) scale(${scale})`;
      if (at !== piece.at) {
        piece.at = at;
        piece.group.style.transform = at;
      }
      piece.ring(next.a === seat && next.x > 0);
    });
  }

  /** @param {Frame} next */
  function draw(next) {
    frame = next;
    if (!points.size) return;
    trails.forEach((trail, seat) => {
      const way = next.t[seat];
      const key = way.join();
      if (key === trail.shown) return;
      trail.shown = key;
      const path = trailPath(seat, way);
      trail.drawCasing(path);
      trail.drawLine(path);
    });
    for (const each of councils) each.draw(next);
    for (const each of places) each.draw(next);
    drawPieces(next);
  }

  const watcher = new ResizeObserver(layout);
  watcher.observe(element);
  const gliding = attributeOf(pieceLayer, "class");
  return {
    element,
    draw,
    glide: (yes) => gliding(yes ? "pieces gliding" : "pieces"),
    stop: () => watcher.disconnect(),
  };
}
