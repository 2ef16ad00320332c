// @ts-check
// Asks the server for what people note and keep; a token goes along if the server wants one.

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
 * @param {Record<string, string>} [more] headers
 */
export async function ask(method, address, body, more = {}) {
  const secret = token.read();
  /** @type {Record<string, string>} */
  const headers = secret && method !== "GET" ? { ...more, Authorization: `Bearer ${secret}` } : { ...more };
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
