// @ts-check
// The land of a map: areas and links, drawn once for each layout, and the highlight of one of them.

import { attributeOf, svg, textOf } from "../drawing/dom.js";
import { strengthOf, visitsInWords } from "../drawing/traffic-counts.js";

/** @typedef {import("../scene.js").MapScene} Scene */
/** @typedef {import("../renderer.js").Traffic} Traffic */
/** @typedef {{x: number, y: number}} Point */

let lands = 0;

/** @param {Point[]} points @param {string} between */
const joined = (points, between) => points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(between);

/** A link has three lines: its drawing, one for traffic, and a wide invisible one for the pointer. */
function createLink(/** @type {Scene} */ scene, /** @type {number} */ index) {
  const { style } = scene.board.links[index];
  const name = scene.names[`l${index}`] ?? "";
  const lines = ["link-traffic", `link link-${style}`, "link-hit"].map((look) => svg("line", { class: look }));
  const title = svg("title");
  const group = svg("g", { class: "link-group", "data-thing": `l${index}` }, title, ...lines);
  const write = textOf(title);
  const look = attributeOf(lines[0], "style");
  const fact = attributeOf(group, "data-visits");
  write(name);
  return {
    group,
    lines,
    /** @param {Traffic | null} counts */
    traffic(counts) {
      const count = counts?.links[index] ?? 0;
      const { width, strength } = strengthOf(count, counts?.links ?? []);
      look(counts && `--width: ${width}; --strength: ${strength}`);
      fact(counts && count);
      write(counts ? `${name}: ${visitsInWords(count)}` : name);
    },
  };
}

/** @param {Scene} scene */
export function createLand(scene) {
  const { links, areas, nodes } = scene.board;
  lands += 1;
  const label = `Map of ${nodes.length} villages. “As text” lists what is where.`;
  const shapes = areas.map((area) =>
    svg("polygon", { class: `area area-${area.tone}`, "data-thing": `a${area.n}` }, svg("title", {}, scene.names[`a${area.n}`] ?? "")),
  );
  const casings = links.map(() => svg("line", { class: "link-casing" }));
  const drawn = links.map((_, index) => createLink(scene, index));
  const inside = svg("path");
  const clip = svg("clipPath", { id: `picked-area-${lands}` }, inside);
  const picked = {
    area: svg("path", { class: "area-picked", "clip-path": `url(#${clip.id})` }),
    link: svg("path", { class: "link-picked" }),
    casing: svg("path", { class: "link-picked-casing" }),
  };
  const element = svg(
    "svg",
    { class: "map-land", role: "img", "aria-label": label },
    clip,
    ...shapes,
    picked.area,
    ...casings,
    picked.link,
    picked.casing,
    ...drawn.map((link) => link.group),
  );
  /** @type {Map<number, Point>} */
  let points = new Map();
  /** @type {Set<string>} */
  let marked = new Set();
  /** @param {number[]} corners */
  const pointsOf = (corners) => corners.map((n) => /** @type {Point} */ (points.get(n)));

  function mark() {
    if (!points.size) return;
    const chosen = areas.filter((area) => marked.has(`a${area.n}`) && area.corners.length);
    const area = chosen.map(({ corners }) => `M${joined(pointsOf(corners), "L")}Z`).join("");
    const link = links
      .filter((_, index) => marked.has(`l${index}`))
      .map(({ a, b }) => `M${joined(pointsOf([a, b]), "L")}`)
      .join("");
    for (const path of [inside, picked.area]) path.setAttribute("d", area);
    for (const path of [picked.link, picked.casing]) path.setAttribute("d", link);
  }

  return {
    element,
    /** @param {Map<number, Point>} placed */
    layout(placed) {
      points = placed;
      areas.forEach((area, index) => shapes[index].setAttribute("points", joined(pointsOf(area.corners), " ")));
      links.forEach(({ a, b }, index) => {
        const [from, to] = pointsOf([a, b]);
        const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
        for (const line of [casings[index], ...drawn[index].lines]) {
          for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value.toFixed(1));
        }
      });
      mark();
    },
    /** @param {Set<string>} targets */
    mark(targets) {
      marked = targets;
      mark();
    },
    /** @param {Traffic | null} counts */
    traffic: (counts) => drawn.forEach((link) => link.traffic(counts)),
  };
}
