// @ts-check
// Sentences on how many visits a target on the board had, and by whom.

import { visitsInWords } from "./traffic-counts.js";

/** @typedef {import("../scene.js").Scene} Scene */

/** @param {string[]} words */
export const joined = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`);

/** Each seat's count in words, the largest first. @param {Scene} scene @param {number[]} counts by seat */
export function shares(scene, counts) {
  const order = counts.map((_, seat) => seat).filter((seat) => counts[seat] > 0);
  order.sort((a, b) => counts[b] - counts[a] || a - b);
  return order.map((seat) => `${scene.seats[seat].name} ${counts[seat]}`).join(", ");
}

/** @param {Scene} scene @param {number[][]} visits */
const byWhom = (scene, visits) => shares(scene, scene.seats.map((_, seat) => visits.filter((visit) => visit[1] === seat).length));

/**
 * A sentence with the number of visits to a place or over a link, and the visitors.
 * @param {Scene} scene
 * @param {Scene["visits"]} visits
 * @param {number} frame
 * @param {boolean} hidesFuture
 */
export function visited(scene, visits, frame, hidesFuture) {
  const before = visits.filter(([at]) => at <= frame);
  if (hidesFuture) return before.length ? `${visitsInWords(before.length)} so far: ${byWhom(scene, before)}.` : "No visits so far.";
  return visits.length ? `${visitsInWords(visits.length)}, ${before.length} so far: ${byWhom(scene, visits)}.` : "No visits.";
}
