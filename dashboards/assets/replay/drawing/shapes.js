// @ts-check
// Shapes of seats and icons of things. A seat is a colour and a shape; every icon fits a box of 20 × 20.

import { svg } from "./dom.js";

/** @param {number} corners @param {number} radius @param {number} [inner] */
function star(corners, radius, inner = radius) {
  const points = [];
  const count = inner === radius ? corners : corners * 2;
  for (let i = 0; i < count; i += 1) {
    const angle = (i / count) * 2 * Math.PI - Math.PI / 2;
    const reach = i % 2 && inner !== radius ? inner : radius;
    points.push(`${(Math.cos(angle) * reach).toFixed(2)} ${(Math.sin(angle) * reach).toFixed(2)}`);
  }
  return `M${points.join("L")}Z`;
}

/**
 * The name of a participant: the player and the label of its seat, `trader (Bhotia)`.
 * @param {{ name: string, player: string }} seat
 */
export const participant = ({ name, player }) => `${player} (${name})`;

/** Cache of outlines by shape: a board needs the same few in every frame. @type {Map<number, string>[]} */
const outlines = Array.from({ length: 6 }, () => new Map());

/**
 * The outline of a seat's shape around 0 0, as a path. All shapes look equally large.
 * @param {number} seat
 * @param {number} radius
 */
export function seatPath(seat, radius) {
  const cached = outlines[seat % 6];
  const path = cached.get(radius) ?? outline(seat % 6, radius);
  cached.set(radius, path);
  return path;
}

/** @param {number} shape @param {number} r */
function outline(shape, r) {
  switch (shape) {
    case 0:
      return `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`;
    case 1: {
      const a = r * 0.88;
      return `M${-a} ${-a}H${a}V${a}H${-a}Z`;
    }
    case 2:
      return star(4, r * 1.22);
    case 3:
      return `M0 ${-r * 1.16}L${r * 1.18} ${r * 0.88}H${-r * 1.18}Z`;
    case 4:
      return star(5, r * 1.12);
    default:
      return star(5, r * 1.3, r * 0.62);
  }
}

/**
 * If the rules of the game deal colours to seats, use these colours within an element.
 * @param {HTMLElement} element @param {import("../scene.js").Seat[]} seats
 */
export function assignColours(element, seats) {
  seats.forEach(({ colour }, seat) => {
    if (colour) element.style.setProperty(`--seat-${seat}`, `var(--seat-${colour})`);
    else element.style.removeProperty(`--seat-${seat}`);
  });
}

/** How far below the middle of a seat's shape its number is, as a fraction of the radius. @param {number} seat */
export const inkShift = (seat) => (seat % 6 === 3 ? 0.22 : 0);

/** @param {number} seat @param {number} [size] */
export function seatIcon(seat, size = 16) {
  const path = svg("path", { d: seatPath(seat, 7), class: `seat-fill seat-${seat}` });
  return svg(
    "svg",
    { viewBox: "-10 -10 20 20", width: size, height: size, "aria-hidden": "true", class: "seat-icon" },
    path,
  );
}

const PAWS =
  "M7 17.5c-2 0-3-2-2.4-4.3.5-2 1.9-3.4 5.4-3.4s4.9 1.4 5.4 3.4c.6 2.3-.4 4.3-2.4 4.3-1.4 0-1.8-.8-3-.8s-1.6.8-3 .8ZM2.6 8.2a1.5 2 0 1 1 3 0a1.5 2 0 1 1-3 0ZM6.3 5a1.5 2.2 0 1 1 3 0a1.5 2.2 0 1 1-3 0ZM10.7 5a1.5 2.2 0 1 1 3 0a1.5 2.2 0 1 1-3 0ZM14.4 8.2a1.5 2 0 1 1 3 0a1.5 2 0 1 1-3 0Z";

/** Icons drawn as filled outlines. @type {Record<string, string>} */
const SOLID = {
  stupa: "M3 17v-2.6h2V12.6h1.4a3.9 3.9 0 0 1 2.6-4V6.8L10 2.5l1 4.3v1.8a3.9 3.9 0 0 1 2.6 4H15v1.8h2V17Z",
  flag: "M5 2.5h1.6V4h8.6l-2 3.2 2 3.3H6.6V17.5H5Z",
  crown: "M3.5 15.5V6.2l3.6 3.2L10 4.5l2.9 4.9 3.6-3.2v9.3Z",
  moment: "M11.500 2 4 11.500h4.800L7.500 18 16 8h-5.300Z",
  yeti: PAWS,
  chase: PAWS,
  play: "M6 3.6v12.8a.7.7 0 0 0 1.1.6l9.6-6.4a.7.7 0 0 0 0-1.2L7.1 3a.7.7 0 0 0-1.1.6Z",
  pause: "M5 3.5h3.6v13H5ZM11.4 3.5H15v13h-3.6Z",
};

/** Icons drawn as lines. @type {Record<string, string>} */
const LINES = {
  first: "M4.5 4v12M16 4.5 8.5 10l7.5 5.5Z",
  last: "M15.5 4v12M4 4.5 11.5 10 4 15.5Z",
  "round-back": "m10 5-5 5 5 5M16 5l-5 5 5 5",
  back: "m12.5 5-5 5 5 5",
  next: "m7.5 5 5 5-5 5",
  "round-next": "m4 5 5 5-5 5M10 5l5 5-5 5",
  link: "M8.2 11.8a3 3 0 0 0 4.3 0l3-3a3 3 0 0 0-4.3-4.3l-.7.7M11.8 8.2a3 3 0 0 0-4.3 0l-3 3a3 3 0 0 0 4.3 4.3l.7-.7",
  done: "m4 10.5 4 4 8-9",
  download: "M10 3v9.5M6 9l4 4 4-4M4 16.5h12",
  keyboard: "M2.5 5.5h15v9h-15ZM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M7 11.7h6",
  close: "m5 5 10 10M15 5 5 15",
  wide: "M11.500 4H16v4.500M16 4l-5.500 5.500M8.500 16H4v-4.500M4 16l5.500-5.500",
  down: "m5 8 5 5 5-5",
  compare: "M3 5.5h6v9H3ZM11 5.5h6v9h-6Z",
  fork: "M3 10h5M8 10 13 5h4M8 10l5 5h4M14.500 2.500 17 5l-2.500 2.500M14.500 12.500 17 15l-2.500 2.500",
  bookmark: "M5.5 3.5h9v13L10 13l-4.5 3.5Z",
  trade: "M4 7.2h11M12 4l3.2 3.2L12 10.4M16 12.8H5M8 9.6l-3.2 3.2L8 16",
  rest: "M6 5.5h8l-8 9h8",
  filter: "M3 4.5h14l-5.5 6v5.5l-3 1.5v-7Z",
  pass: "M10 3.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM7 10h6",
  hidden: "M7 7.6a3 3 0 1 1 4.6 2.6c-1 .6-1.6 1.2-1.6 2.4M10 15.6h.01",
  void: "m6 6 8 8M14 6l-8 8",
  move: "M3.5 10h12M11 5.5l4.5 4.5-4.5 4.5",
  deliver: "M3.5 7 10 4l6.5 3v6.5L10 16.5l-6.5-3ZM3.5 7 10 10l6.5-3M10 10v6.5",
  collect: "M10 3v8M6.5 8 10 11.5 13.5 8M4 11v5h12v-5",
  inventory: "M4 16.5v-5M8 16.5v-9M12 16.5V4M16 16.5V9.5",
  refill: "M16 8A6.3 6.3 0 0 0 4.6 6.6M4 3.2v3.6h3.6M4 12a6.3 6.3 0 0 0 11.4 1.4M16 16.8v-3.6h-3.6",
  plan: "M5 3.5h10v13H5ZM8 7.5h4M8 10.5h4M8 13.5h2",
  reveal: "M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5ZM10 8a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
  round: "M10 3.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM10 6.5V10l2.5 2",
  place: "M10 17s5.5-4.8 5.5-9a5.5 5.5 0 0 0-11 0c0 4.2 5.5 9 5.5 9Z",
  score: "M4 16.5v-5M8 16.5v-9M12 16.5V4M16 16.5V9.5",
  out: "M8.5 4H4v12h4.5M8 10h8.5M13 6.5l3.5 3.5-3.5 3.5",
  start: "M5.5 17V3.5h9l-2 3.5 2 3.5h-9",
  end: "M5.5 17V3.5h9l-2 3.5 2 3.5h-9",
  snowstorm: "M10 2.5v15M3.5 6.2l13 7.6M16.5 6.2l-13 7.6M7.6 3.6 10 6l2.4-2.4M7.6 16.4 10 14l2.4 2.4",
  camp: "M2.5 16.500 10 4l7.500 12.500ZM7.500 16.500 10 11.500l2.500 5M10 4V1.500",
  climb: "M2.5 16.5 8 6l3 5 1.800-2.500 4.700 8ZM8 6V2.500l3.500 1.200L8 5",
  along: "M3 6.500h9M9 3.500l3 3-3 3M3 13.500h13M13 10.500l3 3-3 3",
  ladder: "M6.500 2.500v15M13.500 2.500v15M6.500 6h7M6.500 10h7M6.500 14h7",
  disc: "M10 3.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13ZM7 7l6 6M13 7l-6 6",
  block: "M3.500 6.500 10 3.500l6.500 3v7L10 16.500l-6.500-3ZM3.500 6.500 10 9.500l6.500-3M10 9.500v7",
  slide: "M4 3.500v4a4.500 4.500 0 0 0 4.500 4.500H15M11.500 8.500 15 12l-3.500 3.500",
  throw: "M4 4h12v12H4ZM7.500 7.500h.01M12.500 7.500h.01M10 10h.01M7.500 12.500h.01M12.500 12.500h.01",
  forfeit: "M4 4h12v12H4ZM7 13l6-6",
  supply: "M5.500 3h9v14h-9ZM8 12l4-4M8 7.500h.01M12 12.500h.01",
  shuffle: "M3 6.500h3.500l6 7H17M14.500 11l2.500 2.500-2.500 2.500M3 13.500h3.500l1.500-1.700M11 8.200l1.500-1.700H17M14.500 4 17 6.500 14.500 9",
  weather: "M6 12.500a3.400 3.400 0 0 1 .4-6.700 4.600 4.600 0 0 1 8.600.9 3 3 0 0 1-.4 5.800ZM8 14.500l-1 2.500M12 14.500l-1 2.500",
  market: "M3.5 8 5 3.5h10L16.5 8a2.2 2.2 0 0 1-4.3 0 2.2 2.2 0 0 1-4.4 0A2.2 2.2 0 0 1 3.5 8ZM5 11v5.5h10V11",
  token: "M10 3.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM10 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Z",
  soil: "M2.5 10h15",
  stone: "M2.5 10h15",
  ice: "M2.5 10h15.1",
};

/**
 * A letter on a small background shape, for legends.
 * @param {number} size @param {SVGElement} ground @param {string} look the letter's class @param {number} type its size @param {string} letter
 */
export function letterIcon(size, ground, look, type, letter) {
  const middle = { x: size / 2, y: size / 2, "text-anchor": "middle", "dominant-baseline": "central" };
  const text = svg("text", { ...middle, class: look, "font-size": type, "font-weight": 700 }, letter);
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, width: size, height: size, "aria-hidden": "true", class: "glyph" }, ground, text);
}

/** The silhouette of a kind of place. @param {string} name @param {number} size */
export function placeIcon(name, size) {
  const wall = svg("path", { d: PLACES[name].path, class: "village-wall" });
  const rim = svg("path", { d: PLACES[name].rim, class: "village-rim" });
  return svg(
    "svg",
    { viewBox: "-23 -29 46 47", width: size, height: size, "aria-hidden": "true", class: "glyph" },
    wall,
    rim,
  );
}

/** @param {string} name */
export const iconPath = (name) => SOLID[name] ?? LINES[name] ?? "";
/** @param {string} name */
export const iconClass = (name) => (name in SOLID ? "glyph-solid" : `glyph-line glyph-${name}`);

/** @param {string} name @param {number} [size] */
export function glyph(name, size = 18) {
  const path = svg("path", { d: iconPath(name), class: iconClass(name) });
  return svg("svg", { viewBox: "0 0 20 20", width: size, height: size, "aria-hidden": "true", class: "glyph" }, path);
}

/** Silhouettes of kinds of places around 0 0, with room for a number. @type {Record<string, {path: string, rim: string, top: number, number: number}>} */
export const PLACES = {
  house: { path: "M-12 14V-2H-16L0-16 16-2H12V14Z", rim: "M-12-2H12", top: -16, number: 6 },
  temple: {
    path: "M-13 16V1H-19Q-13-2-10-9H-13Q-7-12 0-21 7-12 13-9H10Q13-2 19 1H13V16Z",
    rim: "M-13 1H13M-10-9H10",
    top: -21,
    number: 8.5,
  },
  monastery: {
    path: "M-21 16-18-5H-21L-14.5-13-8-5H-9L-10-8Q-7-13-6-17H-9Q-4-19 0-27 4-19 9-17H6Q7-13 10-8L9-5H8L14.5-13 21-5H18L21 16Z",
    rim: "M-18-5H-8M8-5H18M-6-17H6M-10-8H10",
    top: -27,
    number: 6.5,
  },
};

/** A stupa standing on 0 0; the seat's shape is its finial. */
export const STUPA = "M-10 0V-4H-8V-7.5H-6.5A6.5 6.5 0 0 1-2-14V-17H2V-14A6.5 6.5 0 0 1 6.5-7.5H8V-4H10V0Z";
export const CROWN = "M-6.5 0V-6.5L-3.2-3.6 0-8 3.2-3.6 6.5-6.5V0Z";
