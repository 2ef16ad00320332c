// @ts-check
// The state of the page, in its address: match, ply, layer, window, seat view, filters. A choice adds a step for
// Back; moving through the match does not. If the address cannot be written (a page opened from disk may not), the
// state is in memory.

import { atMostEvery } from "../drawing/dom.js";

/** @typedef {import("../parts.js").State} State */

const FIRST = ["match", "ply"];
const WRITE_EVERY = 400; // milliseconds: Safari allows 100 changes of the address within 30 seconds

/**
 * Let the match on the page handle Back and Forward before Dash, which would load the page again; `back` handles steps
 * within the match. Call this before Dash adds its listener, since a window calls listeners in order.
 * @param {() => HTMLElement | null} root place of the match
 */
export function takeBack(root) {
  window.addEventListener("popstate", (event) => {
    if (root()?.dispatchEvent(new Event("back", { cancelable: true })) === false) event.stopImmediatePropagation();
  });
}

/**
 * Return an address of the given pairs: match and ply first, in a fixed order, then the rest in the given order.
 * @param {[string, string | null][]} pairs
 */
function placed(pairs) {
  /** @param {[string, string]} pair */
  const place = ([key]) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
  const given = /** @type {[string, string][]} */ (pairs.filter(([, value]) => value !== null && value !== ""));
  return new URLSearchParams(given.sort((one, other) => place(one) - place(other)));
}

/**
 * @param {HTMLElement} root
 * @param {boolean} shared true if the address can be shared; that of a log dropped on the page cannot
 * @returns {State}
 */
export function createState(root, shared) {
  /** @type {Map<string, Set<(value: string | null) => void>>} */
  const listeners = new Map();
  let values = new URLSearchParams(shared ? window.location.search : "");

  /** @param {URLSearchParams} next */
  function become(next) {
    const before = values;
    values = next;
    for (const [key, runs] of listeners) {
      if (before.get(key) !== next.get(key)) for (const run of runs) run(next.get(key));
    }
  }

  /** @param {URLSearchParams} next */
  function link(next) {
    const address = new URL(window.location.href);
    address.search = next.toString();
    return address;
  }

  const { pathname } = window.location;
  /** @param {Event} event */
  function back(event) {
    const next = new URLSearchParams(window.location.search);
    if (!shared || window.location.pathname !== pathname || next.get("match") !== values.get("match")) return;
    event.preventDefault();
    become(next);
  }

  let isWritten = true;
  /** @param {"pushState" | "replaceState"} way @param {URLSearchParams} written */
  function write(way, written) {
    isWritten = true;
    try {
      if (shared && window.location.pathname === pathname) window.history[way](window.history.state, "", link(written));
    } catch {
      // on a page from disk the address cannot change; the state is kept in memory
    }
  }
  const soon = atMostEvery(WRITE_EVERY, () => write("replaceState", values));

  root.addEventListener("back", back);
  return {
    get: (key) => values.get(key),
    set(changes, how) {
      const next = placed(Object.entries({ ...Object.fromEntries(values), ...changes }));
      if (next.toString() === values.toString()) return;
      if (how === "push") {
        if (!isWritten) write("replaceState", values);
        write("pushState", next);
      }
      become(next);
      if (how === "push") return;
      isWritten = false;
      soon.ask();
    },
    on(key, run, signal) {
      const runs = listeners.get(key) ?? new Set();
      listeners.set(key, runs.add(run));
      signal?.addEventListener("abort", () => runs.delete(run));
    },
    link: () => link(values).href,
    stop() {
      soon.stop();
      root.removeEventListener("back", back);
      listeners.clear();
    },
  };
}
