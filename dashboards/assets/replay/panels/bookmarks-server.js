// @ts-check
// Bookmarks on the server: list, add, change, remove.

import { urlOf } from "../drawing/dom.js";
import { ask } from "./server.js";

/**
 * A bookmark; `ply` as the address names it, null for the whole match.
 * @typedef {{id: string, match: string, ply: string | null, label: string, tags: string[], created_at: string}} Bookmark
 * @typedef {{label: string, ply: string | null, tags: string[]}} Fields
 */

const BOOKMARKS = urlOf("/api/bookmarks");
const MOST = 1000;

/** @param {string} match */
export function bookmarksOf(match) {
  return {
    /** @returns {Promise<{bookmarks: Bookmark[], tags: string[]}>} */
    list: () => ask("GET", `${BOOKMARKS}?${new URLSearchParams({ match, limit: String(MOST) })}`),
    /** @param {Fields} fields @returns {Promise<Bookmark>} */
    add: (fields) => ask("POST", BOOKMARKS, { match, ...fields }),
    /** @param {string} id @param {Fields} fields @returns {Promise<Bookmark>} */
    change: (id, fields) => ask("PATCH", `${BOOKMARKS}/${encodeURIComponent(id)}`, fields),
    /** @param {string} id @returns {Promise<Bookmark>} */
    remove: (id) => ask("DELETE", `${BOOKMARKS}/${encodeURIComponent(id)}`),
  };
}
