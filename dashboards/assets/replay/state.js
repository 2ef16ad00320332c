// @ts-check
// What the page shows, kept in its address: match, ply, layer, window, seat view, filters. A choice makes a step for
// Back, moving through the match does not. Where an address cannot be written (a page opened from disk may not), it is
// kept in memory.

/** @typedef {import("./parts.js").State} State */

/**
 * @param {boolean} [shared] whether the address is worth sharing: that of a log dropped on the page is not
 * @returns {State}
 */
export function createState(shared = true) {
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

  // Back within one match is ours; Dash would fetch the whole page anew. Listening in the capture phase comes first.
  /** @param {PopStateEvent} event */
  function back(event) {
    const next = new URLSearchParams(window.location.search);
    if (!shared || next.get("match") !== values.get("match")) return;
    event.stopImmediatePropagation();
    become(next);
  }

  const { pathname } = window.location;
  /** @param {PopStateEvent} event */
  const listen = (event) => (window.location.pathname === pathname ? back(event) : undefined);
  window.addEventListener("popstate", listen, { capture: true });
  return {
    get: (key) => values.get(key),
    set(changes, how) {
      const next = new URLSearchParams(values);
      for (const [key, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(key);
        else next.set(key, value);
      }
      if (next.toString() === values.toString()) return;
      try {
        if (shared) window.history[how === "push" ? "pushState" : "replaceState"](window.history.state, "", link(next));
      } catch {
        // a page from disk: its address stays, and what is shown lives as long as the page
      }
      become(next);
    },
    on(key, run, signal) {
      const runs = listeners.get(key) ?? new Set();
      listeners.set(key, runs.add(run));
      signal?.addEventListener("abort", () => runs.delete(run));
    },
    link: () => link(values).href,
    stop() {
      window.removeEventListener("popstate", listen, { capture: true });
      listeners.clear();
    },
  };
}
