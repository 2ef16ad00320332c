// @ts-check
// Everything of the player that is of maps.

import { createMapHeld } from "./held-map.js";
import { describeMap } from "./here-map.js";
import { mapLegend } from "./legend-map.js";
import { createMap } from "./map.js";
import { createMapTables } from "./words-map.js";

/** @type {import("./renderer.js").Kind<import("./scene.js").MapScene, import("./scene.js").MapFrame>} */
export const MAP = {
  create: createMap,
  held: createMapHeld,
  first: { title: "First Caravaneer this round", of: (frame) => frame.y },
  tables: createMapTables,
  describe: describeMap,
  legend: mapLegend,
  toggles: [
    ["Trails", "no-trails"],
    ["Goods", "no-goods"],
  ],
  position: ({ n, o, u, d, c, h, s, p, k, w, q }) => [n, o, u, d, c, h, s, p, k, w, q],
};
