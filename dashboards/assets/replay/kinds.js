// @ts-check
// The module for each kind of board. A page loads only the one for its scene. A game with a new kind of board adds a
// module.

/** @typedef {import("./scene.js").Scene["board"]["kind"]} Name */
/** @typedef {import("./renderer.js").Kind} Kind */

/** @type {Record<Name, () => Promise<Kind>>} */
const LOADERS = {
  map: async () => (await import("./map/kind.js")).MAP,
  track: async () => (await import("./track/kind.js")).TRACK,
  tower: async () => (await import("./tower/kind.js")).TOWER,
  plain: async () => (await import("./plain/kind.js")).PLAIN,
};

/** The kinds loaded so far; a scene's kind is loaded before the scene is shown. */
export const KINDS = /** @type {Record<Name, Kind>} */ ({});

/** @param {Name} name */
export async function loadKind(name) {
  KINDS[name] ??= await LOADERS[name]();
}
