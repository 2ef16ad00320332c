// @ts-check
// What is of a kind of board, by kind: a game with another board adds its own here.

import { MAP } from "./kind-map.js";
import { TRACK } from "./kind-track.js";

/** @type {Record<import("./scene.js").Scene["board"]["kind"], import("./renderer.js").Kind>} */
export const KINDS = { map: MAP, track: TRACK };
