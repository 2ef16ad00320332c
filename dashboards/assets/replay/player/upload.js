// @ts-check
// A log dropped on the page, or chosen from the disk: it is replayed and not stored. The server reads it as strictly as
// an imported one, and reports errors in the same words.

import { html, urlOf } from "../drawing/dom.js";
import { mount } from "./player.js";
import { Refusal, answerOf } from "./source.js";

/** @typedef {{match: string, status: string, players: number, events: number}} Choice */

/** @typedef {import("../scene.js").Scene & {problems?: {line: number, message: string}[]}} Answer */

/** @type {Record<string, string>} */
const ENCODINGS = { gz: "gzip", zst: "zstd" };
const PROBLEMS = 20;
/** Number of retries if the server is busy and names a time to try again. */
const TRIES = 20;

/**
 * Send a log; the answer is a scene, or the matches to choose from.
 * @param {File} file
 * @param {{match?: string | null, view?: string | null, part?: string}} fields
 * @param {AbortSignal} signal
 */
async function send(file, fields, signal) {
  const ending = file.name.split(".").pop() ?? "";
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/jsonl" };
  if (Object.hasOwn(ENCODINGS, ending)) headers["Content-Encoding"] = ENCODINGS[ending];
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) if (value) query.set(key, value);
  for (let left = TRIES; ; left -= 1) {
    const response = await fetch(urlOf(`/api/replay?${query}`), { method: "POST", headers, body: file, signal });
    const wait = response.headers.get("Retry-After");
    if (response.status !== 503 || wait === null || !left) return answerOf(response);
    await new Promise((done) => window.setTimeout(done, 1000 * Number(wait)));
    signal.throwIfAborted();
  }
}

/** A log from the disk; for the view of a seat it is sent to the server again. @param {File} file @param {Answer} scene */
function fromFile(file, scene) {
  return {
    /** @param {string | null} view @param {AbortSignal} signal */
    async load(view, signal) {
      return { scene: view ? await send(file, { match: scene.match, view }, signal) : scene, stamp: `view ${view}` };
    },
    chances: null,
    playouts: null,
    confirmation: null,
    /** @param {string | null} view @param {AbortSignal} signal */
    review: (view, signal) => send(file, { match: scene.match, view, part: "review" }, signal),
    api: () => null,
    views: true,
    shared: false,
  };
}

/**
 * @param {HTMLElement} place target for dropped files
 * @param {{
 *   input: HTMLInputElement, status: HTMLElement, root: HTMLElement, signal: AbortSignal, opening?: () => void
 * }} parts `root` is the place of the match, `status` the place of messages; `opening` removes the previous
 *   match
 */
export function listenForFiles(place, { input, status, root, signal, opening }) {
  /** @type {(() => void) | null} */
  let leave = null;
  const note = html("div", { class: "replay-note meta", role: "status" });
  signal.addEventListener("abort", () => {
    leave?.();
    note.remove();
  });

  /** @param {File} file @param {string | null} match */
  async function open(file, match) {
    status.replaceChildren(`Reading ${file.name} …`);
    try {
      const answer = await send(file, { match }, signal);
      if (signal.aborted) return;
      if (answer.frames) show(file, answer);
      else say(choices(file, answer));
    } catch (error) {
      if (!signal.aborted) say(refusal(file, /** @type {Error} */ (error)));
    }
  }
  /** Show a message or a choice, and scroll to it. @param {HTMLElement[]} parts */
  function say(parts) {
    status.replaceChildren(...parts);
    status.tabIndex = -1;
    status.focus({ preventScroll: true });
    status.scrollIntoView({ block: "nearest" });
  }
  /** @param {File} file @param {Answer} scene */
  function show(file, scene) {
    (leave ?? opening)?.();
    status.replaceChildren();
    place.hidden = true;
    root.hidden = false;
    leave = mount(root, fromFile(file, scene));
    status.classList.add("replay-note");
    place.before(status);
    root.after(note);
    note.replaceChildren(...list(scene.problems ?? []));
    window.scrollTo({ top: 0 });
  }
  /** @param {File} file @param {{matches: Choice[], problems: {line: number, message: string}[]}} answer */
  function choices(file, { matches, problems }) {
    const rows = matches.map((found) => {
      const button = html("button", { type: "button", class: "button" }, found.match);
      button.addEventListener("click", () => open(file, found.match));
      return html("li", {}, button, ` ${found.players} players, ${found.events} events, ${found.status}`);
    });
    return [html("p", {}, `${file.name} holds ${matches.length} matches; which one?`), html("ul", {}, ...rows), ...list(problems)];
  }
  /** @param {{line: number, message: string}[]} problems */
  function list(problems) {
    const more = problems.length - PROBLEMS;
    const rows = problems.slice(0, PROBLEMS).map(({ line, message }) => html("li", {}, `Line ${line}: ${message}`));
    if (more > 0) rows.push(html("li", {}, `and ${more} more`));
    return rows.length ? [html("p", {}, "Not valid:"), html("ul", { class: "problems" }, ...rows)] : [];
  }
  /** @param {File} file @param {Error} error */
  const refusal = (file, error) => [
    html("p", { class: "notice-title" }, `${file.name} cannot be replayed. ${error.message}`),
    ...list(error instanceof Refusal ? error.problems : []),
  ];

  input.addEventListener("change", () => input.files?.[0] && open(input.files[0], null), { signal });
  for (const kind of /** @type {const} */ (["dragenter", "dragover"])) {
    document.addEventListener(
      kind,
      (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        place.classList.add("drop-here");
      },
      { signal },
    );
  }
  document.addEventListener("dragleave", (event) => event.relatedTarget ?? place.classList.remove("drop-here"), { signal });
  document.addEventListener(
    "drop",
    (event) => {
      const file = event.dataTransfer?.files[0];
      place.classList.remove("drop-here");
      if (!file) return;
      event.preventDefault();
      void open(file, null);
    },
    { signal },
  );
}
