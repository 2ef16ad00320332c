// @ts-check
// The player: loads a scene and shows it. It reloads the scene if another view is requested or a live match continues.

import { memory as stored } from "../drawing/dom.js";
import { loadKind } from "../kinds.js";
import { apologise, complain } from "./page.js";
import { fromHere, fromServer } from "./source.js";
import { start } from "./stage.js";
import { createState } from "./state.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("./source.js").Source} Source */

const LOOK_AGAIN = 2000;
const TYPING = 3000;
const AT_WORK = "dialog[open], :popover-open, :active, .bookmark-form:not([hidden]), .replay-entry:not([hidden])";
const FOCUSABLE = "button, a[href], input, select, [tabindex]";

/**
 * Show a match in `root`; returns a function that removes everything again.
 * @param {HTMLElement} root
 * @param {Source} [source] where the scene comes from; by default the page contains the scene or names the match
 * @param {() => void} [settled] runs when the match or the reason for its absence is shown
 */
export function mount(root, source = sourceOf(root), settled = () => {}) {
  const leaving = new AbortController();
  const state = createState(root, source.shared);
  if (stored.read("hide-winners", "off") === "on" && !state.get("spoilers")) state.set({ spoilers: "off" }, "replace");
  /** @type {ReturnType<typeof start> | null} */
  let shown = null;
  /** @type {Map<string, string>} */
  const memory = new Map();
  /** @type {string | null} */
  let stamp = null;
  /** @type {string | null} */
  let view = null;
  let timer = 0;
  let typed = -Infinity;

  /** Load the scene. Build the page unless this scene is shown already or no longer wanted. */
  async function load() {
    const wanted = state.get("view");
    const loaded = await source.load(wanted, leaving.signal);
    await loadKind(loaded.scene.board.kind);
    if (leaving.signal.aborted || wanted !== state.get("view")) return;
    if (shown && stamp && loaded.stamp === stamp) return;
    stamp = loaded.stamp;
    view = wanted;
    build(loaded.scene);
  }
  /** @param {Scene} scene */
  function build(scene) {
    const before = shown?.leave();
    const focus = before ? rememberFocus(root) : null;
    const last = scene.frames.length - 1;
    const at = before ? (before.ended ? last : Math.min(before.at, last)) : null;
    shown = start(root, scene, state, source, memory, at);
    if (before?.playing) shown.play();
    focus?.();
    window.clearTimeout(timer);
    if (scene.status === "live") timer = window.setTimeout(follow, LOOK_AGAIN);
  }
  // A live match is reloaded, but not while an open menu, a pressed button or typed text would be lost.
  function follow() {
    timer = window.setTimeout(follow, LOOK_AGAIN);
    if (document.hidden || root.querySelector(AT_WORK) || performance.now() < typed + TYPING) return;
    load().catch(() => {}); // the server may be unreachable for a while
  }
  /** @param {Error} error */
  function fail(error) {
    if (leaving.signal.aborted) return;
    if (!shown) return apologise(root, error);
    state.set({ view }, "replace"); // keep the match on the page, and restore its address
    complain(root, error.message);
  }
  load().catch(fail).finally(settled);
  state.on("view", (wanted) => (wanted === view ? undefined : load().catch(fail)));
  root.addEventListener("input", () => (typed = performance.now()), { signal: leaving.signal });
  const scheme = followScheme((theme) => state.set({ theme }, "replace"));
  return () => {
    leaving.abort();
    window.clearTimeout(timer);
    scheme.disconnect();
    shown?.leave();
    state.stop();
    root.replaceChildren();
    root.removeAttribute("data-ready");
  };
}

/**
 * Remember the focused element; returns a function that gives it the focus on a rebuilt page. An element in a menu,
 * which closes, is replaced by its button; an element without a name is found by its place.
 * @param {HTMLElement} root
 */
function rememberFocus(root) {
  const held = document.activeElement;
  const element = held?.closest("[popover]")?.previousElementSibling ?? held;
  if (!element || !root.contains(element)) return () => {};
  const place = [...root.querySelectorAll(FOCUSABLE)].indexOf(element);
  const [from, to] = element instanceof HTMLInputElement && element.type === "search" ? [element.selectionStart, element.selectionEnd] : [];
  return () => {
    const again = element.id ? document.getElementById(element.id) : root.querySelectorAll(FOCUSABLE)[place];
    if (!(again instanceof HTMLElement)) return;
    again.focus({ preventScroll: true });
    if (again instanceof HTMLInputElement && from !== undefined) again.setSelectionRange(from, to ?? from);
  };
}

/** Call `run` when a colour scheme is chosen on the page. @param {(scheme: string) => void} run */
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
  const [scene, review, played] = ["replay-scene", "replay-review", "replay-playouts"].map((part) => JSON.parse(document.getElementById(part)?.textContent ?? "null"));
  return scene ? fromHere(scene, review, played, true) : fromServer(root.dataset.match ?? "");
}
