// @ts-check
// The Save menu: the log, the position, the picture, a clip, and the whole match as one file that plays from disk.
// Items that need a server are left out if there is none.

import { html, textOf, urlOf } from "../drawing/dom.js";
import { createMenu } from "./menu.js";

/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../renderer.js").Renderer} Renderer */

const SHARP = 2;
const FRESH = 60_000;
const STAGE = 900;

/** Download a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = html("a", { href: address, download: name });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), FRESH);
}

/** The log embedded in a page from disk, unpacked. @param {HTMLElement} element */
async function embeddedLog(element) {
  const bytes = Uint8Array.from(atob((element.textContent ?? "").trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Blob([await new Response(stream).arrayBuffer()], { type: "application/jsonl" });
}

/** @param {string} label @param {string} meaning */
const row = (label, meaning) => [html("b", {}, label), html("span", { class: "meta" }, meaning)];

/**
 * @param {Scene} scene
 * @param {Player} player
 * @param {Renderer} board the board on the page
 * @param {() => Renderer} copy makes another such board
 */
export function createSave(scene, player, board, copy) {
  const status = html("p", { class: "meta save-status", role: "status" });
  const say = textOf(status);
  /** @param {string} ending */
  const fileName = (ending) => `${scene.match}-ply-${player.name(player.at())}.${ending}`;

  /** The query of the frame shown. @param {Record<string, string>} [more] */
  function queryOf(more = {}) {
    const query = new URLSearchParams(more);
    const view = player.state.get("view");
    if (view) query.set("view", view);
    const text = query.toString();
    return text && `?${text}`;
  }

  /**
   * A menu item for a file that the server makes; the link's address is set on click.
   * @param {string} label @param {string} meaning @param {string} ending @param {() => string | null} address
   */
  function link(label, meaning, ending, address) {
    const element = html("a", { class: "menu-row", href: address(), download: fileName(ending) }, ...row(label, meaning));
    const renew = () => {
      element.href = address() ?? "";
      element.download = ending.startsWith(".") ? `${scene.match}${ending}` : fileName(ending);
    };
    element.addEventListener("click", () => {
      renew();
      menu.close();
    });
    return { element, renew };
  }

  /**
   * A menu item for a file that this page makes.
   * @param {string} label @param {string} meaning @param {() => Promise<unknown>} run
   */
  function made(label, meaning, run) {
    const element = html("button", { type: "button", class: "menu-row" }, ...row(label, meaning));
    element.addEventListener("click", async () => {
      say("");
      try {
        await run();
        menu.close();
      } catch (error) {
        say(error instanceof Error ? error.message : String(error));
      }
    });
    return { element, renew: () => {} };
  }

  /** Picture of the board as shown, also while the position's text replaces the board on the page. */
  async function shownPicture() {
    const { picture } = await import("../drawing/picture.js"); // rarely needed, so loaded on demand
    const frame = player.at();
    const words = { title: scene.match, caption: `${player.place(frame)}: ${player.text(frame)}` };
    if (board.element.clientWidth) return picture(scene, board.element, words);
    const { createStage } = await import("./clip.js");
    const stage = createStage(board, copy, STAGE);
    try {
      await stage.ready();
      stage.board.draw(scene.frames[frame]);
      return await picture(scene, stage.board.element, words);
    } finally {
      stage.stop();
    }
  }

  const embedded = document.getElementById("replay-log");
  const served = player.api("") !== null;
  /** @type {ReturnType<import("./clip-dialog.js")["createClipDialog"]> | null} */
  let clips = null;
  async function openClips() {
    const { createClipDialog } = await import("./clip-dialog.js");
    if (!clips) menu.element.append((clips = createClipDialog(player, board, copy, download)).dialog);
    menu.close();
    clips.open();
  }
  const log = urlOf(`/api/matches/${encodeURIComponent(scene.match)}`);
  // In a seat's view there is no log, since it has facts that the seat does not know.
  const files = [
    scene.view >= 0
      ? null
      : served
        ? link("Log", "all events, JSON Lines", ".jsonl", () => log)
        : embedded && made("Log", "all events, JSON Lines", async () => download(await embeddedLog(embedded), `${scene.match}.jsonl`)),
    served &&
      link("Position as data", "JSON", "json", () => player.api(`position.json${queryOf({ ply: player.name(player.at()) })}`)),
    served &&
      link("Position as text", "what is where", "txt", () => player.api(`position.txt${queryOf({ ply: player.name(player.at()) })}`)),
    made("Picture, SVG", "sharp at any size", async () =>
      download(new Blob([await shownPicture()], { type: "image/svg+xml" }), fileName("svg")),
    ),
    made("Picture, PNG", "for slides and chats", async () => {
      const { toPng } = await import("../drawing/picture.js");
      download(await toPng(await shownPicture(), SHARP), fileName("png"));
    }),
    made("Clip …", "an animated WebP of some events", openClips),
    served && link("Offline replay", "one HTML file that plays from disk", ".html", () => player.api(`offline.html${queryOf()}`)),
  ].filter((file) => !!file);

  const list = html("ul", { class: "menu-list save-list" }, ...files.map(({ element }) => html("li", {}, element)));
  const menu = createMenu({ id: "replay-save", icon: "download", label: "Save", title: "Save this match" }, list, status);
  menu.panel.classList.add("save-menu");
  menu.panel.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
    say("");
    for (const file of files) file.renew();
    files[0].element.focus();
  });
  menu.panel.addEventListener("keydown", (event) => {
    const places = files.map(({ element }) => element);
    const at = places.findIndex((element) => element === document.activeElement);
    /** @type {Record<string, number>} */
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: places.length - 1 };
    if (!(event.key in next)) return;
    event.preventDefault();
    places[(next[event.key] + places.length) % places.length].focus();
  });
  return { element: menu.element, stop: () => clips?.stop() };
}
