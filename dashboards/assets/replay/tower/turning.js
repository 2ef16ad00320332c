// @ts-check
// Turning a tower: dragging turns it, the arrow keys turn and tilt it. A finger moving up or down scrolls. In the view
// from above, pointer and keys work as on any board.

import { look, viewed } from "./view.js";

const STILL = 4;
const BY_POINTER = { turn: 0.5, tilt: 0.3 };
const BY_KEY = { turn: 7.5, tilt: 4 };

/** @param {HTMLElement} sheet @param {() => boolean} turns true if the tower can be turned now */
export function listenToTurning(sheet, turns) {
  /** @type {{id: number, x: number, y: number, turns: boolean} | null} */
  let down = null;
  sheet.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0 || !turns()) return;
    down = { id: event.pointerId, x: event.clientX, y: event.clientY, turns: false };
    event.stopPropagation(); // keeps the page from stepping through the match, as a finger across other boards does
  });
  sheet.addEventListener("pointermove", (event) => {
    if (!down || event.pointerId !== down.id) return;
    const [across, along] = [event.clientX - down.x, event.clientY - down.y];
    if (!down.turns && Math.hypot(across, along) < STILL) return;
    if (!down.turns) sheet.setPointerCapture(event.pointerId); // so that the click at the end of the drag hits nothing
    const { turn, tilt } = viewed();
    look({ turn: turn - across * BY_POINTER.turn, tilt: tilt + along * BY_POINTER.tilt });
    down = { id: event.pointerId, x: event.clientX, y: event.clientY, turns: true };
  });
  for (const name of ["pointerup", "pointercancel"]) sheet.addEventListener(name, () => (down = null));
  /** @type {Record<string, [number, number]>} */
  const keys = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  sheet.addEventListener("keydown", (event) => {
    const way = keys[event.key];
    if (!way || !turns() || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault(); // keeps the page from stepping through the match
    const { turn, tilt } = viewed();
    look({ turn: turn + way[0] * BY_KEY.turn, tilt: tilt + way[1] * BY_KEY.tilt });
  });
}
