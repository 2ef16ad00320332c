// @ts-check
// The modules of a kind of board, by kind; a page loads only that of its scene. A game with another board adds its own.

/** @typedef {import("./scene.js").Scene["board"]["kind"]} Name */
/** @typedef {import("./renderer.js").Kind} Kind */

/** @type {Record<Name, () => Promise<Kind>>} */
const LOADERS = {
  map: async () => (await import("./map/kind.js")).MAP,
  track: async () => (await import("./track/kind.js")).TRACK,
  tower: async () => (await import("./tower/kind.js")).TOWER,
  plain: async () => (await import("./plain/kind.js")).PLAIN,
};

/** The loaded kinds; the kind of a scene is loaded before the scene is shown. */
export const KINDS = /** @type {Record<Name, Kind>} */ ({});

/** @param {Name} name */
export async function loadKind(name) {
  KINDS[name] ??= await LOADERS[name]();
}
