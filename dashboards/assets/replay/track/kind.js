// @ts-check
// Everything in the player that belongs to tracks.

import { createTrackHoldings } from "./holdings.js";
import { describeTrack } from "./inspector.js";
import { trackLegend } from "./legend.js";
import { createTrack } from "./renderer.js";
import { createTrackTables } from "./tables.js";

/** @type {import("../renderer.js").Kind<import("../scene.js").TrackScene, import("../scene.js").TrackFrame>} */
export const TRACK = {
  create: createTrack,
  holdings: createTrackHoldings,
  first: null,
  tables: createTrackTables,
  describe: describeTrack,
  legend: trackLegend,
  toggles: [["Moves", "no-trails"]],
  position: ({ c, s, h, u, b, d, k, r, w }) => [c, s, h, u, b, d, k, r, w],
};
