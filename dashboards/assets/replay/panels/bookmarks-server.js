// @ts-check
// Bookmarks as the server keeps them: asked for, set, changed, removed; a token goes along if the server wants one.

/**
 * A bookmark; `ply` as the address names it, null for the whole match.
 * @typedef {{id: string, match: string, ply: string | null, label: string, tags: string[], created_at: string}} Bookmark
 * @typedef {{label: string, ply: string | null, tags: string[]}} Said
 */

const BOOKMARKS = "/api/bookmarks";
const MOST = 1000;
const TOKEN = "himalaya.token";
const UNREACHABLE = "The server cannot be reached. Nothing was changed; try again.";

/** Why something was not done, in words; `token` if a token would help. */
export class Refused extends Error {
  /** @param {string} message @param {boolean} [token] */
  constructor(message, token = false) {
    super(message);
    this.token = token;
  }
}

/** The token of this tab; a browser that forbids keeping it has it as long as the page lives. */
const token = {
  value: "",
  read() {
    try {
      return window.sessionStorage.getItem(TOKEN) ?? this.value;
    } catch {
      return this.value;
    }
  },
  /** @param {string} value */
  write(value) {
    this.value = value;
    try {
      if (value) window.sessionStorage.setItem(TOKEN, value);
      else window.sessionStorage.removeItem(TOKEN);
    } catch {
      // it is in `value`
    }
  },
};

/** @param {string} secret */
export const useToken = (secret) => token.write(secret.trim());

/**
 * @param {string} method
 * @param {string} address
 * @param {object} [body]
 */
async function ask(method, address, body) {
  const secret = token.read();
  /** @type {Record<string, string>} */
  const headers = secret && method !== "GET" ? { Authorization: `Bearer ${secret}` } : {};
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(address, { method, headers, body: body && JSON.stringify(body), priority: "low" });
  } catch {
    throw new Refused(UNREACHABLE);
  }
  const data = await response.json().catch(() => ({}));
  if (response.ok) return data;
  if (response.status === 401) token.write("");
  throw new Refused(data.message ?? `The server answered ${response.status}.`, response.status === 401);
}

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
