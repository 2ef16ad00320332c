// @ts-check
// State of a target on a track: past visits to a field and pawns there now, or the place of a climber or the Yeti.

import { joined, visited } from "../drawing/visits.js";

/** @typedef {import("../scene.js").TrackScene} Scene */
/** @typedef {import("../scene.js").TrackFrame} Frame */

/** Pawns on a field, in a sentence. @param {Scene} scene @param {Frame} frame @param {number} field */
function hereNow(scene, frame, field) {
  const here = scene.seats.flatMap(({ name }, seat) => {
    const count = frame.s[seat].filter((at) => at === field).length;
    const sherpas = count ? [count === 1 ? `a Sherpa of ${name}` : `${count} Sherpas of ${name}`] : [];
    return [...(frame.c[seat] === field ? [`the climber of ${name}`] : []), ...sherpas];
  });
  const all = frame.b === field ? [...here, "the Yeti"] : here;
  return all.length ? `Here now: ${joined(all)}.` : "";
}

/**
 * @param {Scene} scene
 * @param {string} target
 * @returns {(at: number, hidesFuture: boolean) => string}
 */
export function describeTrack(scene, target) {
  const number = Number(target.slice(1));
  switch (target[0]) {
    case "n": {
      const visits = scene.visits.filter((visit) => visit[2] === number);
      return (at, hidesFuture) => `${visited(scene, visits, at, hidesFuture)} ${hereNow(scene, scene.frames[at], number)}`.trim();
    }
    case "l": {
      const visits = scene.visits.filter((visit) => visit[3] === number);
      return (at, hidesFuture) => visited(scene, visits, at, hidesFuture);
    }
    case "c":
      return (at) => {
        const field = scene.frames[at].c[number];
        const left = scene.board.nodes.length - 1 - field;
        return `${scene.names[`n${field}`]}${left ? `, ${left} below the summit` : ""}.`;
      };
    default:
      return (at) => `${scene.names[`n${scene.frames[at].b}`]}.`;
  }
}
