// @ts-check
// What the page of recordings loads. The server answers with this module and all that it needs in one script
// (dashboards/replay/bundle.py).

export { show } from "./show.js";
