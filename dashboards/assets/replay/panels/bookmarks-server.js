// @ts-check
// Bookmarks on the server: list, set, change, remove.

import { urlOf } from "../drawing/dom.js";
import { ask } from "./server.js";

/**
 * A bookmark; `ply` as the address names it, null for the whole match.
 * @typedef {{id: string, match: string, ply: string | null, label: string, tags: string[], created_at: string}} Bookmark
 * @typedef {{label: string, ply: string | null, tags: string[]}} Said
 */

const BOOKMARKS = urlOf("/api/bookmarks");
const MOST = 1000;

/** @param {string} match */
export function bookmarksOf(match) {
  return {
    /** @returns {Promise<{bookmarks: Bookmark[], tags: string[]}>} */
    list: () => ask("GET", `${BOOKMARKS}?${new URLSearchParams({ match, limit: String(MOST) })}`),
    /** @param {Said} said @returns {Promise<Bookmark>} */
    add: (said) => ask("POST", BOOKMARKS, { match, ...said }),
    /** @param {string} id @param {Said} said @returns {Promise<Bookmark>} */
    change: (id, said) => ask("PATCH", `${BOOKMARKS}/${encodeURIComponent(id)}`, said),
    /** @param {string} id @returns {Promise<Bookmark>} */
    remove: (id) => ask("DELETE", `${BOOKMARKS}/${encodeURIComponent(id)}`),
  };
}
