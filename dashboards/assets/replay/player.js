// @ts-check
// The player: gets a scene, shows it, and gets it again when another view is asked for or the match goes on.

import { apologise } from "./page.js";
import { fromHere, fromServer } from "./source.js";
import { start } from "./stage.js";
import { createState } from "./state.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./source.js").Source} Source */

const LOOK_AGAIN = 2000;
const AT_WORK = "dialog[open], :popover-open, :active, input:focus:not([type=range]), .bookmark-form:not([hidden])";

/**
 * Show a match in `root`; what is returned takes everything away again.
 * @param {HTMLElement} root
 * @param {Source} [source] from where; by default the page itself holds the scene, or names the match
 */
export function mount(root, source = sourceOf(root)) {
  const leaving = new AbortController();
  const state = createState(root, source.shared);
  /** @type {ReturnType<typeof start> | null} */
  let shown = null;
  /** @type {string | null} */
  let stamp = null;
  let timer = 0;

  /** Get the scene, and build the page unless it is the one that is shown. */
  async function load() {
    const loaded = await source.load(state.get("view"), leaving.signal);
    if (leaving.signal.aborted) return;
    if (shown && stamp && loaded.stamp === stamp) return;
    stamp = loaded.stamp;
    build(loaded.scene);
  }
  /** @param {Scene} scene */
  function build(scene) {
    const before = shown && { at: shown.at(), ended: shown.atEnd(), focus: focused() };
    shown?.stop();
    const last = scene.frames.length - 1;
    const live = scene.status === "live";
    const at = before && (before.ended ? last : Math.min(before.at, last));
    shown = start(root, scene, state, source, at);
    if (before?.focus) document.getElementById(before.focus)?.focus({ preventScroll: true });
    window.clearTimeout(timer);
    if (live) timer = window.setTimeout(follow, LOOK_AGAIN);
  }
  // A match that goes on is looked at again, but not while something is open or pressed that would be lost.
  function follow() {
    timer = window.setTimeout(follow, LOOK_AGAIN);
    if (document.hidden || root.querySelector(AT_WORK)) return;
    load().catch(() => {}); // the server may be away for a while
  }
  /** @param {Error} error */
  const fail = (error) => {
    if (!leaving.signal.aborted) apologise(root, error);
  };
  load().catch(fail);
  state.on("view", () => load().catch(fail));
  const scheme = followScheme((theme) => state.set({ theme }, "replace"));
  return () => {
    leaving.abort();
    window.clearTimeout(timer);
    scheme.disconnect();
    shown?.stop();
    state.stop();
    root.replaceChildren();
    root.removeAttribute("data-ready");
  };
}

/** The id of what has the focus; of a menu's button if it lies in the menu, which closes. */
function focused() {
  const element = document.activeElement;
  return element?.closest("[popover]")?.previousElementSibling?.id ?? element?.id;
}

/** Hear of a colour scheme that is chosen on the page. @param {(scheme: string) => void} run */
function followScheme(run) {
  const name = "data-mantine-color-scheme";
  const page = document.documentElement;
  let before = page.getAttribute(name);
  const watcher = new MutationObserver(() => {
    const now = page.getAttribute(name);
    if (now && now !== before) run((before = now));
  });
  watcher.observe(page, { attributeFilter: [name] });
  return watcher;
}

/** @param {HTMLElement} root */
function sourceOf(root) {
  const kept = document.getElementById("replay-scene");
  return kept ? fromHere(JSON.parse(kept.textContent ?? ""), true) : fromServer(root.dataset.match ?? "");
}
