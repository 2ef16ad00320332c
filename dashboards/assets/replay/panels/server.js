// @ts-check
// Requests for people's notes and saved records, with a token if the server requires one.

import { tabMemory } from "../drawing/dom.js";

const UNREACHABLE = "The server cannot be reached. Nothing was changed; try again.";
const UNREADABLE = "The server's answer cannot be read; try again in a moment.";
const CUT = "The connection was lost.";

/**
 * Error for a refused request, with the reason in words; `token` is true if a token would help, `status` is the HTTP
 * status (0: no answer).
 */
export class Refused extends Error {
  /** @param {string} message @param {boolean} [token] @param {number} [status] */
  constructor(message, token = false, status = 0) {
    super(message);
    this.token = token;
    this.status = status;
  }
}

const token = tabMemory("token");

/** @param {string} secret */
export const useToken = (secret) => token.write(secret.trim());

/**
 * Send a request and return the answer; throws `Refused` unless the request succeeds.
 * @param {string} method
 * @param {string} address
 * @param {object} [body]
 * @param {Record<string, string>} [more] headers
 * @param {AbortSignal} [signal]
 */
export async function answered(method, address, body, more = {}, signal) {
  const secret = token.read();
  /** @type {Record<string, string>} */
  const headers = secret && method !== "GET" ? { ...more, Authorization: `Bearer ${secret}` } : { ...more };
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(address, { method, headers, body: body && JSON.stringify(body), priority: "low", signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused(UNREACHABLE);
  }
  if (response.ok) return response;
  const data = await response.json().catch(() => ({}));
  if (response.status === 401) token.write("");
  throw new Refused(data.message ?? `The server answered ${response.status}.`, response.status === 401, response.status);
}

/**
 * @param {string} method
 * @param {string} address
 * @param {object} [body]
 * @param {Record<string, string>} [more] headers
 */
export async function ask(method, address, body, more = {}) {
  return dataOf(await answered(method, address, body, more));
}

/** The data of an answer. @param {Response} response */
export const dataOf = async (response) => read(await response.text().catch(() => ""));

/** Data as JSON; throws `Refused` for anything else. @param {string} text */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(UNREADABLE);
  }
}

/**
 * Send a request with a long answer, and call `hear` with each line of the answer as it arrives. A line with `error`, or
 * a lost connection, throws `Refused`.
 * @param {string} address
 * @param {object} body
 * @param {AbortSignal} signal
 * @param {(line: any) => void} hear
 */
export async function stream(address, body, signal, hear) {
  const response = await answered("POST", address, body, {}, signal);
  const reader = /** @type {ReadableStream} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((error) => {
        throw signal.aborted ? error : new Refused(CUT);
      });
      const lines = `${rest}${value ?? ""}${done ? "\n" : ""}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter(Boolean)) {
        const found = read(line);
        if (found.error) throw new Refused(found.error);
        hear(found);
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
