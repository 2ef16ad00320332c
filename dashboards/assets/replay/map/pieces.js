// @ts-check
// Things on a map: cubes, orders and stupas at a place, delegations in an area. Elements exist for the largest possible
// number, and are redrawn only if something changed since the last frame.

import { attributeOf, shower, svg, textOf } from "../drawing/dom.js";
import { CROWN, PLACES, STUPA, inkShift, seatPath } from "../drawing/shapes.js";
import { createCount } from "../drawing/traffic-counts.js";

/** @typedef {import("../scene.js").MapScene} Scene */
/** @typedef {import("../scene.js").MapFrame} Frame */
/** @typedef {import("../renderer.js").Traffic} Traffic */

const CUBE = 14;

/** @param {Scene} scene */
const byLetter = (scene) => new Map(scene.tokens.map((token) => [token.letter, token.key]));

/**
 * A row of cubes, made for the largest possible number.
 * @param {number} most
 * @param {Map<string, string>} keys
 */
function cubes(most, keys) {
  const group = svg("g");
  const pool = Array.from({ length: most }, (_, i) => {
    const text = svg("text", { x: i * CUBE + CUBE / 2 - 0.5, y: 0.5, class: "cube-letter" });
    const rect = svg("rect", { x: i * CUBE, y: -CUBE / 2 + 0.5, width: CUBE - 1, height: CUBE - 1, rx: 2.5, class: "cube-box" });
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
 * A place: a silhouette with its number, a stupa next to it, and cubes or an order below.
 * @param {Scene} scene
 * @param {number} index
 * @param {{cubes: number, demand: number}} most
 * @param {(target: string) => boolean} isMarked
 */
export function createPlace(scene, index, most, isMarked) {
  const node = scene.board.nodes[index];
  const keys = byLetter(scene);
  const outline = PLACES[node.icon] ?? PLACES.house;
  const areas = scene.board.areas.filter((area) => area.corners.includes(node.n)).map((area) => area.n);
  const stupaBody = svg("path", { d: STUPA });
  const stupaTop = svg("path", { transform: "translate(0 -20.5)" });
  const stupa = svg(
    "g",
    { transform: "translate(-31 15)", display: "none", "data-thing": `u${node.n}` },
    svg("circle", { cy: -10, r: 15, class: "picked-ring" }),
    stupaBody,
    stupaTop,
  );
  const offered = cubes(most.cubes, keys);
  const wanted = cubes(most.demand, keys);
  wanted.group.setAttribute("transform", "translate(12 0)");
  const pill = svg("rect", { x: -13, y: -12, height: 24, rx: 12, class: "order-pill" });
  const pays = svg("text", { y: 0.5, class: "order-pays" });
  const order = svg(
    "g",
    { class: "order", display: "none" },
    pill,
    svg("circle", { r: 9.5, class: "order-coin" }),
    pays,
    wanted.group,
  );
  const goods = svg("g", { class: "goods" }, offered.group, order);
  const title = svg("title");
  const say = textOf(title);
  const words = `${node.name}, ${node.icon}${areas.length ? `, borders region ${areas.join(", ")}` : ""}`;
  const count = createCount(node, say);
  say(words);
  const group = svg(
    "g",
    { class: "village", "data-thing": `n${node.n}` },
    title,
    svg("circle", { cy: -3, r: 27, class: "picked-ring" }),
    svg("path", { d: outline.path, class: "village-wall" }),
    svg("path", { d: outline.rim, class: "village-rim" }),
    svg("text", { y: outline.number, class: "village-number" }, String(node.n)),
    stupa,
    goods,
    count.group,
  );
  const set = {
    disc: attributeOf(order, "data-thing"),
    visits: attributeOf(group, "data-visits"),
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
      set.offeredAt(`translate(${(-letters.length * CUBE) / 2} 26)`);
    }
    const lying = frame.o[index];
    if (lying !== shown.order) {
      shown.order = lying;
      set.orderShown(lying >= 0);
      if (lying >= 0) {
        const disc = scene.discs[lying];
        const width = 28 + disc.demand.length * CUBE;
        set.disc(`d${lying}`);
        order.toggleAttribute("data-picked", isMarked(`d${lying}`));
        wanted.draw(disc.demand);
        set.pays(disc.pays);
        set.width(width);
        set.orderAt(`translate(${13 - width / 2} 30)`);
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
  /** @param {Traffic | null} counts @param {number} labelAt how far below the middle the name is */
  const traffic = (counts, labelAt) => {
    set.visits(counts && counts.nodes[index]);
    if (counts) count.draw(counts.nodes[index], counts.nodes, labelAt);
    else say(words);
  };
  const moves = [group, count.words].map((each) => attributeOf(each, "transform"));
  /** @param {string} transform */
  const at = (transform) => moves.forEach((move) => move(transform));
  return { group, words: count.words, at, draw, traffic, top: outline.top };
}

/**
 * The delegations in an area: one badge for each seat that has any, a crown on the leader's.
 * @param {Scene} scene
 * @param {number} index
 */
export function createCouncil(scene, index) {
  const area = scene.board.areas[index];
  const name = { class: "council", "data-thing": `a${area.n}` };
  const group = svg("g", name, svg("text", { y: -19, class: "area-name" }, `Region ${area.n}`));
  const badges = scene.seats.map((_, seat) => {
    const count = svg("text", { y: 0.5 + inkShift(seat) * 10, class: `badge-count ink-${seat}` });
    const crown = svg("path", { d: CROWN, transform: "translate(0 -10.5)", class: "badge-crown" });
    const badge = svg(
      "g",
      { display: "none", "data-seat": seat },
      svg("path", { d: seatPath(seat, 10), class: `badge seat-fill seat-${seat}` }),
      crown,
      count,
    );
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
