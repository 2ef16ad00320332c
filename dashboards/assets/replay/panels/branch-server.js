// @ts-check
// Branches on the server: it plays, saves and continues them. The server decides what is allowed and what follows.

import { urlOf } from "../drawing/dom.js";
import { ask, stream } from "./server.js";

/** @typedef {import("../scene.js").Scene} Scene */
/**
 * Types of requests and answers. A decision that is still secret has a key `sealed`, and is sent back unchanged.
 * @typedef {{type: string, seat?: number, [data: string]: unknown}} Action
 * @typedef {{parent: number, action: Action, by: string}} Node `parent` -1: the position that the branch leaves from
 * @typedef {{
 *   format: 1, match: string, lines_sha256?: string, seq: number, luck: string | null, nodes: Node[], at: number
 * }} Branch `at`: the node at the shown position
 * @typedef {{action: Action, text: string, on: string[], written?: string, after?: number}} Choice `written`: in the notation of the table, if shown; `after`: words to be typed before it
 * @typedef {{at: number, ahead: number, text: string, is_void: boolean}} Step the node after a step, and the next node if it ends in between, or 0
 * @typedef {{legal: boolean, message?: string | null, ways?: Choice[] | null, steps?: Step[] | null}} Checked `ways`: whole actions, if a choice remains; `steps`: what each step of an allowed action would do
 * @typedef {{seat: number, expected: string, input: "list" | "plan" | "block", actions: Choice[]}} Choices
 * @typedef {{title: string, by: string | null, at: string}} Kept
 * @typedef {{
 *   id: string, branch: Branch, scene: Scene, from: number, choices: Choices | null,
 *   chances: {seq: number, chances: number[]}[], kept: Kept | null
 * }} Answer
 * @typedef {{action: Action} | {text: string} | {go_on: {players: (string | null)[] | null, decisions: number | null}}} Then
 * @typedef {{done: number, of: number, branch: number[], original: number[], difference: [number, number, number][], ended?: "all" | "precision" | "time"}} Shares
 *   by seat: share of wins in the branch and in the original, their difference with the ends of its interval; `ended`
 *   is in the last one only
 */

const BRANCHES = urlOf("/api/branches");
export const SAMPLES = 200;
/** Playing out ends early once each difference is known this well. */
export const PRECISION = 0.05;

/** @param {string} id @param {string} [part] */
export const branchAddress = (id, part = "") => `${BRANCHES}/${encodeURIComponent(id)}${part}`;
/** @param {string | null} view */
const asView = (view) => (view ? `?view=${encodeURIComponent(view)}` : "");

export const branches = {
  /** Play a branch, and then an action or programs after its shown node. @param {Branch} branch @param {string | null} view @param {Then | null} then @returns {Promise<Answer>} */
  play: (branch, view, then) => ask("POST", BRANCHES + asView(view), { ...branch, ...(then && { then }) }),
  /** @param {Branch} branch @param {string | null} view @param {string} title @returns {Promise<Answer>} */
  keep: (branch, view, title) => ask("POST", BRANCHES + asView(view), { ...branch, keep: title }),
  /** @param {string} id @param {string | null} view @returns {Promise<Answer>} */
  read: (id, view) => ask("GET", branchAddress(id) + asView(view)),
  /** Check whether an action is allowed; the answer says why not. @param {Branch} branch @param {string | null} view @param {Action} action @returns {Promise<Checked>} */
  check: (branch, view, action) => ask("POST", `${BRANCHES}/check${asView(view)}`, { ...branch, action }),
  /** Play out branch and original; each pair of playouts uses the same dice. @param {string} id @param {AbortSignal} signal @param {(shares: Shares) => void} hear */
  playOut: (id, signal, hear) => stream(branchAddress(id, "/playouts"), { samples: SAMPLES, precision: PRECISION, players: null }, signal, hear),
};
