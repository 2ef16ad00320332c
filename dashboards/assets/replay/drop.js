// @ts-check
// A log dropped on the page, or chosen from the disk: it is replayed and not kept. The server reads it with the same
// strictness as one that is taken in, and says in the same words what is wrong with it.

import { html } from "./dom.js";
import { mount } from "./player.js";
import { Refusal, answerOf, fromHere } from "./source.js";

/** @typedef {{match: string, status: string, players: number, events: number}} Choice */

const ENCODINGS = { gz: "gzip", zst: "zstd" };
const PROBLEMS = 20;

/**
 * Send a log; the answer is a scene, or the matches to choose from.
 * @param {Blob} file
 * @param {string} name
 * @param {string | null} match
 */
async function send(file, name, match) {
  const ending = /** @type {keyof typeof ENCODINGS} */ (name.split(".").pop() ?? "");
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/jsonl" };
  if (ENCODINGS[ending]) headers["Content-Encoding"] = ENCODINGS[ending];
  const address = match ? `/api/replay?match=${encodeURIComponent(match)}` : "/api/replay";
  return answerOf(await fetch(address, { method: "POST", headers, body: file }));
}

/**
 * @param {HTMLElement} place where files can be dropped
 * @param {{
 *   input: HTMLInputElement, told: HTMLElement, root: HTMLElement, signal: AbortSignal, opening?: () => void
 * }} parts `root` is where the match is shown, `told` where is said what there is to say; `opening` takes away what was
 *   shown before
 */
export function listenForFiles(place, { input, told, root, signal, opening }) {
  /** @type {(() => void) | null} */
  let leave = null;
  const aside = html("div", { class: "replay-note meta", role: "status" });
  signal.addEventListener("abort", () => {
    leave?.();
    aside.remove();
  });

  /** @param {File} file @param {string | null} match */
  async function open(file, match) {
    told.replaceChildren(`Reading ${file.name} …`);
    try {
      const answer = await send(file, file.name, match);
      if (signal.aborted) return;
      if (answer.frames) show(answer);
      else told.replaceChildren(...choices(file, answer));
    } catch (error) {
      if (!signal.aborted) told.replaceChildren(...refusal(file, /** @type {Error} */ (error)));
    }
  }
  /** @param {import("./scene.js").Scene & {problems?: {line: number, message: string}[]}} scene */
  function show(scene) {
    (leave ?? opening)?.();
    told.replaceChildren();
    place.hidden = true;
    root.hidden = false;
    leave = mount(root, fromHere(scene, false));
    root.after(aside);
    aside.replaceChildren(...list(scene.problems ?? []));
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
