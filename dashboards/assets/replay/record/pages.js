// @ts-check
// The parts that the page of recordings loads. The server answers with this module and all its imports in one script
// (dashboards/replay/offline.py).

export { show } from "./show.js";
