// @ts-check
// Origin of the match, in a line above the board. If the reader came from a list of matches (`list` in the address),
// the line also links to the neighbours in that list and back to its row.

import { html, urlOf } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";
import { answerOf } from "./source.js";

/**
 * @typedef {{
 *   address: string, query: string, row: number | null, total: number, previous: string | null, next: string | null
 * }} InList
 * @typedef {{
 *   match: string, tournament: string | null, seed: string | null, board: string, options: string[],
 *   came_in: string | null, checked: string, listed: InList | null
 * }} Origin
 */

/** @param {string} day as 2026-11-23 */
const inWords = (day) =>
  new Date(day).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** @param {Origin} origin */
function facts({ tournament, seed, board, options, came_in, checked }) {
  const from = tournament && html("a", { href: urlOf(`/tournament?${new URLSearchParams({ tournament })}`) }, tournament);
  const lines = [
    from ? ["Tournament ", from] : ["No tournament"],
    [seed ? `Seed ${seed}` : "No seed named"],
    [options.length ? `With ${options.join(", ")}` : "Default options"],
    ...(came_in ? [[`Loaded ${inWords(came_in)} (UTC)`]] : []),
    [checked[0].toUpperCase() + checked.slice(1)],
    [`Board ${board}`],
  ];
  return lines.map((parts) => html("li", {}, ...parts));
}

/** @param {import("../parts.js").Player} player @param {AbortSignal} leaving */
export function createOrigin({ api, state, scene }, leaving) {
  const route = api("origin");
  if (!route) return null;
  const named = state.get("list");
  const way = html("nav", { class: "origin-way meta", "aria-label": "Matches of the list", hidden: named === null });
  const list = html("ul", { class: "origin-facts meta" });

  /** @param {string} match @param {string} query */
  const replay = (match, query) => {
    const spoilers = state.get("spoilers");
    return urlOf(`/replay?${new URLSearchParams({ match, ply: "0", list: query, ...(spoilers && { spoilers }) })}`);
  };
  /** @param {InList} listed */
  function lead({ address, query, row, total, previous, next }) {
    /** @param {string | null} match @param {string} icon @param {string} text */
    const link = (match, icon, text) =>
      match === null
        ? html("span", { class: "origin-none" }, glyph(icon, 14), text)
        : html("a", { href: replay(match, query), title: match }, glyph(icon, 14), text);
    const back = `${address}#${new URLSearchParams({ match: scene.match })}`;
    way.replaceChildren(
      html("a", { href: back }, "Back to the list"),
      ...(row === null ? [] : [link(previous, "back", "Previous"), `${row + 1} of ${total}`, link(next, "next", "Next")]),
    );
  }
  async function ask() {
    const query = named === null ? "" : `?${new URLSearchParams({ list: named })}`;
    const response = await fetch(`${route}${query}`, { signal: leaving, priority: "low" });
    /** @type {Origin} */
    const origin = await answerOf(response);
    if (leaving.aborted) return;
    list.replaceChildren(...facts(origin));
    list.title = [...list.children].map((fact) => fact.textContent).join(" · "); // for lines too long to be shown whole
    const { listed } = origin;
    if (!listed) return;
    lead(listed);
    state.on("spoilers", () => lead(listed));
  }
  ask().catch(() => {}); // the match is shown without its origin
  return html("div", { class: "replay-origin" }, way, list);
}
