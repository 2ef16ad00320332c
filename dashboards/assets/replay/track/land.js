// @ts-check
// The fixed part of a track: the mountain, the route, its slides and fields. It is drawn once for each layout.

import { attributeOf, svg, textOf } from "../drawing/dom.js";
import { strengthOf, visitsInWords } from "../drawing/traffic-counts.js";
import { mountain } from "./mountain.js";
import { bow } from "./route.js";
import { ARROW, FLAG, FLAKE, OUTLINES } from "./shapes.js";

/** @typedef {import("../scene.js").TrackScene} Scene */
/** @typedef {import("../renderer.js").Traffic} Traffic */
/** @typedef {import("./route.js").Route} Route */

const TRIM = 18;
/** @type {Record<string, string>} */
const NAMES = { base: "Base camp", cave: "Cave", summit: "Summit" };
const ROCKS = ["rock-0", "rock-1", "rock-2", "rock-3", "rock-snow"];

/** @param {{x: number, y: number}[]} points @param {string} between */
const joined = (points, between) => points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(between);

/** @param {Scene} scene */
function createMountain(scene) {
  const sky = svg("rect", { class: "sky" });
  const sun = svg("circle", { class: "sun" });
  const polygon = (/** @type {string} */ look) => svg("polygon", { class: look });
  const [far, near, shade] = ["far-range", "near-range", "rock-shade"].map(polygon);
  const [clouds, firs] = ["cloud", "firs"].map((look) => svg("path", { class: look }));
  const rocks = ROCKS.map((tone) => polygon(`rock ${tone}`));
  const snow = scene.board.nodes.filter((node) => node.kind === "snow").map((node) => node.n);
  /** @param {Route} laid */
  const layout = (laid) => {
    const outlines = mountain(laid, snow);
    const tiers = [outlines.whole, ...outlines.tiers];
    sky.setAttribute("width", String(laid.width));
    sky.setAttribute("height", String(laid.height));
    const disc = { cx: laid.width * 0.7, cy: laid.height * 0.2, r: 36 * laid.scale };
    for (const [name, value] of Object.entries(disc)) sun.setAttribute(name, value.toFixed(2));
    far.setAttribute("points", joined(outlines.far, " "));
    near.setAttribute("points", joined(outlines.near, " "));
    clouds.setAttribute("d", outlines.clouds);
    firs.setAttribute("d", outlines.firs);
    shade.setAttribute("points", joined(outlines.shade, " "));
    rocks.forEach((rock, at) => {
      const tier = at === ROCKS.length - 1 ? tiers[tiers.length - 1] : at < tiers.length - 1 ? tiers[at] : [];
      rock.setAttribute("points", joined(tier, " "));
      rock.setAttribute("display", tier.length ? "inline" : "none");
    });
  };
  return { elements: [sky, sun, far, near, clouds, ...rocks, shade, firs], layout };
}

/** A slide: its arrow, a line for traffic, and a wide line for the pointer. @param {Scene} scene @param {number} index */
function createSlide(scene, index) {
  const { a, b, style } = scene.board.links[index];
  const name = scene.names[`l${index}`] ?? "";
  const classes = ["link-picked", "link-traffic", "slide-casing", `slide slide-${style}`, "link-hit"];
  const lines = classes.map((name) => svg("path", { class: name }));
  lines[0].setAttribute("display", "none"); // hidden until the slide is picked
  const head = svg("path", { class: `slide-head head-${style}`, d: ARROW });
  const title = svg("title");
  const group = svg("g", { class: "link-group", "data-thing": `l${index}` }, title, ...lines, head);
  const write = textOf(title);
  const look = attributeOf(lines[1], "style");
  const fact = attributeOf(group, "data-visits");
  write(name);
  return {
    group,
    /** @param {Route} laid */
    layout({ points, scale }) {
      const bent = bow(points[a], points[b], scale, 1, TRIM * scale);
      for (const line of lines) line.setAttribute("d", bent.curve);
      head.setAttribute("transform", bent.head);
    },
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

/** @param {Scene} scene @param {number} index */
function createField(scene, index) {
  const { n, kind } = scene.board.nodes[index];
  const outline = OUTLINES[kind];
  const name = NAMES[kind];
  const look = `field-back field-${kind || "plain"}`;
  const number = svg("text", { class: kind === "cave" ? "field-number on-cave" : "field-number", y: outline?.number ?? 0.5 }, String(n));
  const title = svg("title", {}, scene.names[`n${n}`]);
  const group = svg(
    "g",
    { class: "field", "data-thing": `n${n}` },
    title,
    svg("circle", { class: "picked-ring", r: outline ? 34 : 23 }),
    kind === "snow" ? svg("path", { class: "field-flake", d: FLAKE }) : null,
    kind === "summit" ? svg("path", { class: "summit-flag", d: FLAG }) : null,
    outline ? svg("path", { class: look, d: outline.path }) : svg("circle", { class: look, r: 14.5 }),
    outline ? svg("path", { class: "field-rim", d: outline.rim }) : null,
    number,
    name ? svg("text", { class: "field-name", y: 28 }, name) : null,
  );
  return { group, at: attributeOf(group, "transform") };
}

/** @param {Scene} scene */
export function createTrackLand(scene) {
  const { nodes, links } = scene.board;
  const rock = createMountain(scene);
  const ways = ["route-casing", "route"].map((look) => svg("path", { class: look }));
  const slides = links.map((_, index) => createSlide(scene, index));
  const fields = nodes.map((_, index) => createField(scene, index));
  const label = `Route of ${nodes.length} fields up a mountain. “As text” lists what is where.`;
  const element = svg(
    "svg",
    { class: "track-land", role: "img", "aria-label": label },
    ...rock.elements,
    ...ways,
    ...slides.map((each) => each.group),
    ...fields.map((each) => each.group),
  );
  return {
    element,
    /** @param {Route} laid */
    layout(laid) {
      rock.layout(laid);
      for (const way of ways) way.setAttribute("d", `M${joined(laid.line, "L")}`);
      for (const slide of slides) slide.layout(laid);
      laid.points.forEach(({ x, y }, index) => fields[index].at(`translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${laid.scale.toFixed(2)})`));
    },
    /** @param {Traffic | null} counts */
    traffic: (counts) => slides.forEach((slide) => slide.traffic(counts)),
  };
}
