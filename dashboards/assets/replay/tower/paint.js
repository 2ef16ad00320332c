// @ts-check
// Paint a tower: faces, climbers and discs as paths from back to front, so that the front covers the back. Path
// elements are created once and reused: each shows whatever is painted at its position in the order.

import { attributeOf, svg } from "../drawing/dom.js";
import { seatPath } from "../drawing/shapes.js";
import { faces, sidesOf, squareOf, structure } from "./faces.js";
import { createGhosts } from "./ghosts.js";
import { FOOT, HEAD, STAND, STROKES, UNIT, discPath } from "./shapes.js";

/** @typedef {import("../scene.js").TowerScene} Scene */
/** @typedef {import("../scene.js").TowerFrame} Frame */
/** @typedef {import("./faces.js").Face} Face */
/** @typedef {import("../scene.js").Laying} Laying */
/** @typedef {import("./faces.js").Point} Point */
/** @typedef {import("./view.js").Projection} Projection */
/** @typedef {{d: string, look: string, target?: string, seat?: number, at?: string}} Stroke */

const MOST = 900;
/** The shadow at the foot of blocks on the ground, from its edge inwards. */
const SHADOWS = ["far", "near", "foot"];
const INSET = 0.13;
const RING = 15;
/** Half the width of a seam, and its distance from its ends, where other lines are. */
const SEAM = { half: 1.5, ends: 1 };

/** @param {[number, number]} point */
const at = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** @param {[number, number][]} points */
const closed = (points) => `M${points.map(at).join("L")}Z`;

/** @param {Point[]} ring @param {Projection} projection */
const outline = (ring, { project }) => closed(ring.map(project));

/**
 * The ground with the shadows of everything on it.
 * @param {(Laying | undefined)[]} lies @param {Projection} projection @returns {Stroke[]}
 */
function ground(lies, projection) {
  const { middle, radius } = projection.ground;
  const [[x, y], r] = [projection.project(middle), radius * projection.scale];
  const [across, along] = [r.toFixed(1), (r * projection.sine).toFixed(1)];
  const d = `M${at([x - r, y])}A${across} ${along} 0 1 0 ${at([x + r, y])}A${across} ${along} 0 1 0 ${at([x - r, y])}Z`;
  const feet = lies.flatMap((laying) => (laying?.[3] === 0 ? [laying] : []));
  const rings = feet.map(([, left, low, , dx, dy]) =>
    outline([[left, low, 0], [left + dx, low, 0], [left + dx, low + dy, 0], [left, low + dy, 0]], projection),
  );
  const shadow = rings.join("");
  return [{ d, look: "tower-ground" }, ...SHADOWS.map((name) => ({ d: shadow, look: `tower-shadow shadow-${name}` }))];
}

/** A stroke that hides the line between two parts of a face. @param {[Point, Point]} ends @param {Projection} projection */
function seam(ends, { project }) {
  const [[x1, y1], [x2, y2]] = ends.map(project);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length <= 2 * SEAM.ends) return "";
  const [across, along] = [(x2 - x1) / length, (y2 - y1) / length];
  /** @param {number} x @param {number} y @param {number} on @param {number} aside */
  const corner = (x, y, on, aside) => at([x + across * on - along * aside, y + along * on + across * aside]);
  const { half, ends: short } = SEAM;
  return `M${corner(x1, y1, short, half)}L${corner(x2, y2, -short, half)}L${corner(x2, y2, -short, -half)}L${corner(x1, y1, short, -half)}Z`;
}

/** A letter drawn in the plane that three points define. @param {string} letter @param {Point[]} mark @param {Projection} projection */
function lettering(letter, mark, { project }) {
  if (!mark.length) return "";
  const [corner, right, up] = mark.map(project);
  /** @param {number} x @param {number} y @returns {[number, number]} */
  const point = (x, y) => [
    corner[0] + (right[0] - corner[0]) * x + (up[0] - corner[0]) * y,
    corner[1] + (right[1] - corner[1]) * x + (up[1] - corner[1]) * y,
  ];
  return (STROKES[letter] ?? []).map(([x1, y1, x2, y2]) => `M${at(point(x1, y1))}L${at(point(x2, y2))}`).join("");
}

/** A polygon shrunk a little. @param {Point[]} ring @returns {Point[]} */
function inset(ring) {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return ring.map(([x, y, z]) => [x + (x === left ? INSET : x === right ? -INSET : 0), y + (y === low ? INSET : y === high ? -INSET : 0), z]);
}

/** @param {Scene} scene */
export function createPaint(scene) {
  const pool = Array.from({ length: MOST }, () => {
    const path = svg("path", { display: "none" });
    const write = (/** @type {string} */ name) => attributeOf(path, name);
    const set = { d: write("d"), look: write("class"), target: write("data-thing"), seat: write("data-seat"), at: write("transform") };
    return { path, ...set, show: write("display") };
  });
  const element = svg("g", { class: "tower-faces" }, ...pool.map((each) => each.path));
  /** @type {Map<number, import("./faces.js").Structure>} */
  const structures = new Map();
  /** @type {Map<string, Face[]>} */
  const cached = new Map();

  /** @param {number} count */
  function structureOf(count) {
    const found = structures.get(count) ?? structure(scene, count);
    structures.set(count, found);
    return found;
  }
  /** @param {number} count @param {[number, number]} front */
  function facesOf(count, front) {
    const key = `${count},${front}`;
    const found = cached.get(key) ?? faces(structureOf(count), scene.board.room, front);
    cached.set(key, found);
    return found;
  }

  /** Climbers and discs on a square. @param {Frame} frame @param {Projection} projection @returns {Map<number, ((point: Point) => Stroke)[]>} */
  function standing(frame, { scale, sine, project }) {
    /** @type {Map<number, ((point: Point) => Stroke)[]>} */
    const found = new Map();
    const size = scale / UNIT;
    /** @param {number[]} cell @param {(point: Point) => Stroke} run */
    const put = ([x, y], run) => found.set(squareOf(x, y), [...(found.get(squareOf(x, y)) ?? []), run]);
    frame.d.forEach(([block, ...cell], seat) => {
      if (block < 0) return;
      put(cell, (point) => {
        const move = `translate(${at(project(point))}) scale(${size.toFixed(3)} ${(size * sine).toFixed(3)})`;
        return { d: discPath(seat), look: `tower-disc seat-fill seat-${seat}`, target: `d${seat}`, seat, at: move };
      });
    });
    frame.c.forEach((cell, seat) => {
      if (!cell.length) return;
      const move = (/** @type {Point} */ point) => `translate(${at(project(point))}) scale(${size.toFixed(3)})`;
      const who = { target: `c${seat}`, seat };
      put(cell, (point) => ({
        d: FOOT,
        look: "tower-foot",
        at: `translate(${at(project(point))}) scale(${size.toFixed(3)} ${(size * sine).toFixed(3)})`,
      }));
      put(cell, (point) => ({ d: STAND, look: `tower-climber seat-fill seat-${seat}`, ...who, at: move(point) }));
      put(cell, (point) => {
        const [x, y] = project(point);
        const head = `translate(${at([x, y + HEAD.y * size])}) scale(${size.toFixed(3)})`;
        return { d: seatPath(seat, HEAD.r), look: `tower-climber seat-fill seat-${seat}`, ...who, at: head };
      });
    });
    return found;
  }

  /**
   * Strokes above everything else, so that blocks never hide them: pieces moved this turn and their former places,
   * steps, and picked targets.
   * @param {Frame} frame @param {Projection} projection @param {Set<string>} picked
   * @returns {Stroke[]}
   */
  function over(frame, projection, picked) {
    const { lies } = structureOf(frame.b);
    const boxes = lies.filter((laying) => laying !== undefined);
    /** @type {Stroke[]} */
    const found = [];
    if (frame.m >= 0) {
      const before = scene.layings.slice(0, frame.b).filter((laying) => laying[0] === frame.m && laying !== lies[frame.m]);
      const was = before[before.length - 1];
      if (was) {
        const [, x, y, z, dx, dy] = was;
        found.push({ d: outline([[x, y, z], [x + dx, y, z], [x + dx, y + dy, z], [x, y + dy, z]], projection), look: "tower-was" });
      }
      found.push({ d: outlines(boxes.filter(([block]) => block === frame.m)), look: "tower-moved" });
    }
    for (const [seat, from, to] of frame.t) {
      if (from.length < 3) continue;
      const [start, end] = [from, to].map(([x, y, z]) => at(projection.project([x + 0.5, y + 0.5, z])));
      found.push({ d: `M${start}L${end}`, look: "tower-step-casing" }, { d: `M${start}L${end}`, look: `tower-step seat-line-${seat}`, seat });
    }
    const chosen = boxes.filter(([block]) => picked.has(`b${block}`));
    const tops = boxes.filter(([block]) => picked.has(`t${block}`));
    if (chosen.length || tops.length) found.push({ d: outlines(chosen) + outlines(tops, 1), look: "tower-picked" });
    frame.c.forEach((cell, seat) => picked.has(`c${seat}`) && cell.length && found.push(ring(cell, HEAD.y / 2)));
    frame.d.forEach(([block, ...cell], seat) => picked.has(`d${seat}`) && block >= 0 && found.push(ring(cell, 0)));
    return found;

    /** The front sides of blocks, at most `most` of each block. @param {Laying[]} layings @param {number} [most] */
    function outlines(layings, most = 3) {
      return layings.flatMap((laying) => sidesOf(laying, projection.front).slice(0, most).map((ring) => outline(ring, projection))).join("");
    }
    /** @param {number[]} cell @param {number} lower @returns {Stroke} */
    function ring([x, y], lower) {
      const height = structureOf(frame.b).columns.get(squareOf(x, y))?.height ?? 0;
      const [right, down] = projection.project([x + 0.5, y + 0.5, height]);
      const r = (RING * projection.scale) / UNIT;
      const middle = down + (lower * projection.scale) / UNIT;
      return { d: `M${at([right - r, middle])}a${at([r, r])} 0 1 1 ${at([2 * r, 0])}a${at([r, r])} 0 1 1 ${at([-2 * r, 0])}Z`, look: "tower-picked" };
    }
  }

  /** @param {Stroke | undefined} stroke @param {number} index */
  function put(stroke, index) {
    const each = pool[index];
    each.show(stroke ? null : "none");
    if (!stroke) return;
    each.d(stroke.d);
    each.look(stroke.look);
    each.target(stroke.target ?? null);
    each.seat(stroke.seat ?? null);
    each.at(stroke.at ?? null);
  }

  let painted = 0;
  return {
    element,
    structure: structureOf,
    /**
     * @param {Frame} frame @param {Projection} projection @param {number} reach seat to show the reach of @param {Set<string>} picked
     * @param {number[]} [opened] the places that a move would open to that seat, by their first squares
     */
    draw(frame, projection, reach, picked, opened = []) {
      const all = facesOf(frame.b, projection.front);
      const stands = standing(frame, projection);
      const { side } = scene.board;
      /** @param {number[]} places */
      const squares = (places) => new Set(places.map((n) => squareOf(n % side, Math.floor(n / side))));
      const [within, nearly] = [squares(reach < 0 ? [] : scene.reaches[frame.r[reach]]), squares(opened)];
      const strokes = ground(structureOf(frame.b).lies, projection);
      const ghosts = createGhosts(frame, projection);
      for (const face of all) {
        if (face.kind === "stands") {
          for (const run of stands.get(face.square) ?? []) strokes.push(run(face.at));
          ghosts.stand(face);
          continue;
        }
        if (face.kind === "shade") {
          strokes.push({ d: face.rings.map((ring) => outline(ring, projection)).join(""), look: "tower-shade" });
          continue;
        }
        if (face.kind === "seam") {
          strokes.push({ d: seam(face.ends, projection), look: `face-seam face-${face.side === "top" ? "" : `${face.side}-`}${face.letter}` });
          continue;
        }
        const isTop = face.kind === "top";
        const rings = face.rings.map((ring) => ring.map(projection.project));
        ghosts.cover(rings);
        const d = rings.map(closed).join("") + lettering(face.letter, face.mark, projection);
        strokes.push({ d, look: `face face-${isTop ? "" : `${face.kind}-`}${face.letter}`, target: `${isTop ? "t" : "b"}${face.block}` });
        if (isTop && (within.has(face.place) || nearly.has(face.place))) {
          const inner = outline(inset(face.rings[0]), projection);
          const [casing, look] = within.has(face.place) ? ["", ""] : [" tower-opened-casing", " tower-opened"];
          strokes.push({ d: inner, look: `tower-reach-casing${casing}` }, { d: inner, look: `tower-reach${look} seat-line-${reach}` });
        }
      }
      strokes.push(...over(frame, projection, picked), ...ghosts.strokes());
      const count = Math.min(strokes.length, MOST);
      for (let index = 0; index < Math.max(count, painted); index += 1) put(index < count ? strokes[index] : undefined, index);
      painted = count;
    },
  };
}
