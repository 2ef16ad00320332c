// @ts-check
// Everything in the player that belongs to towers.

import { createBlockEntry } from "./entry.js";
import { lying } from "./faces.js";
import { createTowerHoldings } from "./holdings.js";
import { describeTower } from "./inspector.js";
import { towerLegend } from "./legend.js";
import { createTower } from "./renderer.js";
import { createTowerTables } from "./tables.js";

/** @type {import("../renderer.js").Kind<import("../scene.js").TowerScene, import("../scene.js").TowerFrame>} */
export const TOWER = {
  create: createTower,
  holdings: createTowerHoldings,
  first: null,
  tables: createTowerTables,
  describe: describeTower,
  legend: towerLegend,
  toggles: [["Moves", "no-trails"]],
  keys: [["← → ↑ ↓", "turn and tilt the tower while it has the focus"]],
  entry: createBlockEntry,
  position: ({ b, c, h, d, o, k }, scene) => [lying(scene, b), c, h, d, o, k],
};
