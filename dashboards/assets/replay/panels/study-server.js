// @ts-check
// Studies on the server: list, read, save, change from a known version, remove.

import { urlOf } from "../drawing/dom.js";
import { ask } from "./server.js";

/**
 * @typedef {import("../drawing/marks.js").Drawn} Drawn
 * @typedef {{
 *   title: string, match: string, ply: string | null, branch: string | null, text: string, shapes: Drawn[], hidden: boolean
 * }} Chapter
 * @typedef {Chapter & {html: string, is_there: boolean}} ReadChapter
 * @typedef {{id: string, title: string, made_by: string, digest: string, chapters: ReadChapter[]}} Study
 * @typedef {{id: string, title: string, chapters: number}} Listed
 */

const STUDIES = urlOf("/api/studies");

/** @param {string} id */
export const addressOf = (id) => `${STUDIES}/${encodeURIComponent(id)}`;

/** The body of a request that saves a study. @param {string} title @param {Chapter[]} chapters */
function documentOf(title, chapters) {
  const exported = chapters.map(({ title: name, match, ply, branch, text, shapes, hidden }) => ({
    ...{ title: name, match, ply, branch, text, hidden },
    shapes: shapes.map(({ start, end, colour }) => ({ ...(end === null ? { around: start } : { start, end }), ...(colour && { colour }) })),
  }));
  return { format: 1, title, chapters: exported };
}

export const studies = {
  /** @returns {Promise<Listed[]>} */
  list: async () => (await ask("GET", STUDIES)).studies,
  /** @param {string} id @returns {Promise<Study>} */
  read: (id) => ask("GET", `${addressOf(id)}/reading`),
  /** @param {string} title @param {Chapter[]} chapters @returns {Promise<Listed>} */
  add: (title, chapters) => ask("POST", STUDIES, documentOf(title, chapters)),
  /** Replace the chapters of a study. @param {Study} before @param {string} title @param {Chapter[]} chapters @returns {Promise<Listed>} */
  change: ({ id, digest }, title, chapters) => ask("PUT", addressOf(id), documentOf(title, chapters), { "If-Match": `"${digest}"` }),
  /** Save a study from a file, unchanged. @param {object} document @returns {Promise<Listed>} */
  bring: (document) => ask("POST", STUDIES, document),
  /** @param {string} id */
  remove: (id) => ask("DELETE", addressOf(id)),
};
