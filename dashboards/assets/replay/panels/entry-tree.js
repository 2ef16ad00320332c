// @ts-check
// Lines tried so far, as a tree of buttons: people's decisions, and the points where lines split or end. Decisions of
// programs and chance results in between are only counted.

import { html } from "../drawing/dom.js";

/** @typedef {import("./branch-server.js").Branch} Branch */

const ROOT = -1;
const CHANCE = "chance";

/** A decision in a few words. @param {import("./branch-server.js").Action} action @param {string[]} seats */
export function wordsOfAction({ type, seat, ...data }, seats) {
  const who = seat === undefined ? "" : `${seats[seat]}: `;
  if ("sealed" in data) return `${who}a choice that is still secret`;
  const written = Object.values(data).filter((value) => value !== null && value !== undefined && value !== "none");
  const facts = written.map((value) => (Array.isArray(value) && value.every((each) => typeof each !== "object") ? value.join(" ") : JSON.stringify(value).replace(/[{}"[\]]/g, "")));
  return `${who}${[type.replaceAll("_", " "), ...facts].join(" ")}`.trim();
}

/**
 * The decisions before and after a node. If a chance result followed a decision, its position is the node after the
 * result.
 * @param {Branch} branch
 */
export function createPaths({ nodes }) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  nodes.forEach(({ parent }, number) => children.set(parent, [...(children.get(parent) ?? []), number]));
  const after = (/** @type {number} */ node) => children.get(node) ?? [];
  const isChance = (/** @type {number} */ node) => nodes[node]?.by === CHANCE;
  /** Last node of the chance results that follow a node; the node itself if none follow. @param {number} node */
  function settled(node) {
    let found = node;
    for (let next = after(found).find(isChance); next !== undefined; next = after(found).find(isChance)) found = next;
    return found;
  }
  return {
    after,
    settled,
    /** Node of the previous decision; null before the first. @param {number} node */
    back(node) {
      let found = node;
      while (found !== ROOT && isChance(found)) found = nodes[found].parent;
      if (found === ROOT) return null;
      return settled(nodes[found].parent);
    },
    /** Node of the next decision; the latest one tried if there are several. @param {number} node */
    forward(node) {
      const next = after(node).findLast((each) => !isChance(each));
      return next === undefined ? null : settled(next);
    },
  };
}

/** @param {string[]} seats names @param {((node: number) => void) | null} go null if the tree is only shown */
export function createEntryTree(seats, go) {
  const list = html("ol", { class: "entry-tree", "aria-label": "Tried so far" });
  return {
    element: list,
    /** @param {Branch} branch */
    show(branch) {
      const { nodes, at } = branch;
      const paths = createPaths(branch);
      /** @type {HTMLElement[]} */
      const rows = [];
      /** @param {number} node @param {string} words @param {number} depth @param {number} passed */
      function row(node, words, depth, passed) {
        const label = go ? html("button", { type: "button", class: "menu-row entry-node" }, words) : html("p", { class: "entry-node" }, words);
        if (passed) label.prepend(html("span", { class: "meta" }, passed === 1 ? "1 decision, then " : `${passed} decisions, then `));
        label.style.paddingLeft = `${8 + 14 * depth}px`;
        if (paths.settled(node) === at) label.setAttribute("aria-current", "true");
        label.addEventListener("click", () => go?.(paths.settled(node)));
        rows.push(html("li", {}, label));
      }
      row(ROOT, "The position of the match", 0, 0);
      /** @type {[number, number, number][]} node, depth, decisions passed over */
      const waiting = paths.after(ROOT).toReversed().map((node) => [node, paths.after(ROOT).length > 1 ? 1 : 0, 0]);
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [node, depth, passed] = next;
        const { by, parent, action } = nodes[node];
        const following = paths.after(node);
        const isShown = by !== CHANCE && (by === "person" || paths.after(parent).length > 1 || paths.settled(node) === at || !paths.after(paths.settled(node)).length);
        if (isShown) row(node, wordsOfAction(action, seats), depth, passed);
        const left = isShown ? 0 : passed + Number(by !== CHANCE);
        for (const each of following.toReversed()) waiting.push([each, depth + Number(following.length > 1), left]);
      }
      list.replaceChildren(...rows);
    },
  };
}
