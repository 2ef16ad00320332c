// @ts-check
// Everything of the player that is of towers.

import { createTowerHeld } from "./held-tower.js";
import { describeTower } from "./here-tower.js";
import { towerLegend } from "./legend-tower.js";
import { lying } from "./tower-faces.js";
import { createTower } from "./tower.js";
import { createTowerTables } from "./words-tower.js";

/** @type {import("./renderer.js").Kind<import("./scene.js").TowerScene, import("./scene.js").TowerFrame>} */
export const TOWER = {
  create: createTower,
  held: createTowerHeld,
  first: null,
  tables: createTowerTables,
  describe: describeTower,
  legend: towerLegend,
  toggles: [["Moves", "no-trails"]],
  keys: [["← → ↑ ↓", "turn and tilt the tower, where it has the focus"]],
  position: ({ b, c, h, d, o, k }, scene) => [lying(scene, b), c, h, d, o, k],
};
