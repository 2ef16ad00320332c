// @ts-check
// State of a target on a map: past visits, pieces there now, and other things there.

import { joined, shares, visited } from "../drawing/visits.js";

/** @typedef {import("../scene.js").MapScene} Scene */

/**
 * State of a target in a frame, in sentences.
 * @param {Scene} scene
 * @param {string} target
 * @returns {(at: number, hidesFuture: boolean) => string}
 */
export function describeMap(scene, target) {
  const number = Number(target.slice(1));
  const name = (/** @type {number} */ seat) => scene.seats[seat].name;
  const place = scene.board.nodes.findIndex((node) => node.n === number);
  switch (target[0]) {
    case "n": {
      const visits = scene.visits.filter((visit) => visit[2] === number);
      return (at, hidesFuture) => {
        const frame = scene.frames[at];
        const here = scene.seats.flatMap((seat, i) => (frame.c[i] === number && !frame.w?.[i] ? [seat.name] : []));
        const card = scene.names[`d${frame.o[place]}`];
        return [
          visited(scene, visits, at, hidesFuture),
          here.length ? `Here now: ${joined(here)}.` : "",
          frame.u[place] >= 0 ? `${scene.names[`u${number}`]}: ${name(frame.u[place])}.` : "",
          card ? `${card}.` : "",
        ].join(" ");
      };
    }
    case "l": {
      const visits = scene.visits.filter((visit) => visit[3] === number);
      return (at, hidesFuture) => visited(scene, visits, at, hidesFuture);
    }
    case "a": {
      const area = scene.board.areas.findIndex((each) => each.n === number);
      return (at) => {
        const { d, l } = scene.frames[at];
        const held = shares(scene, d[area]);
        const leader = l[area] < 0 ? "No leader" : `${name(l[area])} leads`;
        return held ? `${leader}: ${held}.` : `${leader}.`;
      };
    }
    case "u":
      return (at) => (scene.frames[at].u[place] >= 0 ? `Owner: ${name(scene.frames[at].u[place])}.` : "Not there yet.");
    default:
      return (at) => {
        const where = scene.board.nodes[scene.frames[at].o.indexOf(number)];
        return where ? `Now at ${where.name}.` : "Not on the board now.";
      };
  }
}
