// @ts-check
// What pages load of the player. The server answers with this module and all that it needs in one script, so that nobody
// waits for them one by one (dashboards/replay/bundle.py).

export { dismiss, show } from "./early.js";
export { listenForFiles } from "./upload.js";
