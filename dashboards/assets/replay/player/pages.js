// @ts-check
// The parts of the player that pages load. The server answers with this module and all its imports in one script, so
// that they are not fetched one by one (dashboards/replay/offline.py).

export { dismiss, show } from "./early.js";
export { listenForFiles } from "./upload.js";
