// @ts-check
// Everything in the player that belongs to maps.

import { createPlanEntry } from "./entry.js";
import { createMapHoldings } from "./holdings.js";
import { describeMap } from "./inspector.js";
import { mapLegend } from "./legend.js";
import { createMap } from "./renderer.js";
import { createMapTables } from "./tables.js";

/** @type {import("../renderer.js").Kind<import("../scene.js").MapScene, import("../scene.js").MapFrame>} */
export const MAP = {
  create: createMap,
  holdings: createMapHoldings,
  first: { short: "starts", title: "First Caravaneer: acts first this round", of: (frame) => frame.y },
  tables: createMapTables,
  describe: describeMap,
  legend: mapLegend,
  toggles: [
    ["Trails", "no-trails"],
    ["Goods", "no-goods"],
  ],
  entry: createPlanEntry,
  position: ({ n, o, u, d, c, h, s, p, k, w, q }) => [n, o, u, d, c, h, s, p, k, w, q],
};
