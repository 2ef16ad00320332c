// @ts-check
// The settings of a clip: its start and end, its speed, its size. While the clip is made, the dialog shows a progress
// bar and Cancel.

import { html, textOf } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";
import { LAST_STAYS, clip, refusal } from "./clip.js";

/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../renderer.js").Renderer} Renderer */

const SPEEDS = [0.5, 1, 2, 4, 8];
/** @type {[number, string][]} */
const SIZES = [
  [480, "Small, 480"],
  [720, "Medium, 720"],
  [960, "Large, 960"],
];

/** @param {number} bytes */
const size = (bytes) => (bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`);

/** @param {string} id @param {string} label @param {HTMLElement} input */
const field = (id, label, input) => html("label", { for: id }, html("span", {}, label), input);

/** @param {string} id @param {[number, string][]} options @param {number} chosen */
const select = (id, options, chosen) =>
  html("select", { id }, ...options.map(([value, text]) => html("option", { value, selected: value === chosen }, text)));

/**
 * The suggested range of a clip: the window chosen on the timeline, or else the current round.
 * @param {Player} player
 */
function usual({ scene, state, at, frameOf, hidesFuture }) {
  const [from, to] = [state.get("from"), state.get("to")];
  if (from && to) return { from: frameOf(from), to: frameOf(to) };
  const round = scene.rounds[at()];
  return { from: scene.rounds.indexOf(round), to: hidesFuture() ? at() : scene.rounds.lastIndexOf(round) };
}

/**
 * @param {Player} player
 * @param {Renderer} shown
 * @param {() => Renderer} copy
 * @param {(blob: Blob, name: string) => void} give
 */
export function createClipDialog(player, shown, copy, give) {
  const text = { type: "text", inputmode: "decimal", pattern: "\\d+(\\.\\d+)?", required: true, autocomplete: "off" };
  const from = html("input", { ...text, id: "clip-from" });
  const to = html("input", { ...text, id: "clip-to" });
  const speed = select("clip-speed", SPEEDS.map((each) => [each, `${each}×`]), 1);
  const width = select("clip-size", SIZES, 720);
  const close = html("button", { type: "button", class: "round-button", "aria-label": "Close" }, glyph("close"));
  const make = html("button", { type: "submit", class: "button button-main" }, "Make the clip");
  const cancel = html("button", { type: "button", class: "button", hidden: true }, "Cancel");
  const bar = html("progress", { max: 1, value: 0, hidden: true, "aria-label": "Frames drawn" });
  const about = html("p", { class: "meta clip-about", role: "status" });
  const say = textOf(about);
  const form = html(
    "form",
    { method: "dialog" },
    html("div", { class: "clip-fields" }, field("clip-from", "From ply", from), field("clip-to", "To ply", to)),
    html("div", { class: "clip-fields" }, field("clip-speed", "Speed", speed), field("clip-size", "Size", width)),
    about,
    bar,
    html("div", { class: "actions" }, make, cancel),
  );
  const dialog = html(
    "dialog",
    { class: "clip-dialog", "aria-labelledby": "clip-title" },
    html("div", { class: "card-head" }, html("h2", { id: "clip-title" }, "Clip"), close),
    form,
  );
  /** @type {AbortController | null} */
  let making = null;

  /** If the future is hidden, a clip ends at the playhead, since a longer one would reveal later events. @param {number} frame */
  const shownUpTo = (frame) => (player.hidesFuture() ? Math.min(frame, player.at()) : frame);
  const range = () => ({ from: shownUpTo(player.frameOf(from.value)), to: shownUpTo(player.frameOf(to.value)) });
  function describe() {
    const { from: first, to: last } = range();
    const count = last - first + 1;
    const seconds = count / (player.pace * Number(speed.value)) + LAST_STAYS / 1000;
    const named = from.validity.valid && to.validity.valid;
    const problem = named ? refusal(first, last) : "A ply is a number, such as 57 or 57.3.";
    make.disabled = problem !== null;
    say(problem ?? `${count} ${count === 1 ? "event" : "events"}, ${seconds.toFixed(0)} seconds, an animated WebP.`);
  }

  /** @param {boolean} busy */
  function busy(busy) {
    for (const input of [from, to, speed, width, make]) input.disabled = busy;
    bar.hidden = cancel.hidden = !busy;
    bar.value = 0;
    if (busy) cancel.focus();
  }

  async function run() {
    const wish = { ...range(), speed: Number(speed.value), width: Number(width.value) };
    const name = `${player.scene.match}-ply-${player.name(wish.from)}-to-${player.name(wish.to)}.webp`;
    making = new AbortController();
    busy(true);
    let words;
    try {
      const onProgress = (/** @type {number} */ done, /** @type {number} */ all) => (bar.value = done / all);
      say(`Drawing ${wish.to - wish.from + 1} frames …`);
      const blob = await clip(player, shown, copy, { ...wish, onProgress, signal: making.signal });
      give(blob, name);
      words = `Saved as ${name}, ${size(blob.size)}.`;
    } catch (error) {
      words = making.signal.aborted ? "Cancelled." : error instanceof Error ? error.message : String(error);
    }
    making = null;
    busy(false);
    if (dialog.open) make.focus();
    say(words);
  }

  const stop = () => making?.abort();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void run();
  });
  form.addEventListener("input", describe);
  cancel.addEventListener("click", stop);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", stop);
  return {
    dialog,
    open() {
      const { from: first, to: last } = usual(player);
      from.value = player.name(shownUpTo(first));
      to.value = player.name(shownUpTo(last));
      describe();
      dialog.showModal();
    },
    stop,
  };
}
