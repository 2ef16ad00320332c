// @ts-check
// Step through the match by wheel or finger. The wheel works over the timeline, and over the board if the page cannot
// scroll; a finger works across the board. Moving a finger up or down still scrolls, and Ctrl with the wheel still
// zooms.

const NOTCH = 100;
const LINE = 34;
const SWIPE = 36;

/**
 * @param {{board: HTMLElement, timeline: HTMLElement}} parts
 * @param {(by: number) => void} step
 * @param {AbortSignal} signal
 */
export function listenToGestures({ board, timeline }, step, signal) {
  let turned = 0;
  /** @param {WheelEvent} event */
  const roll = (event) => {
    const { scrollHeight, clientHeight } = document.documentElement;
    if (event.ctrlKey || event.defaultPrevented) return;
    if (event.currentTarget === board && scrollHeight > clientHeight) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
    const by = event.deltaY * unit;
    if (by * turned < 0) turned = 0;
    turned += by;
    const steps = Math.trunc(turned / NOTCH);
    if (!steps) return;
    turned = 0;
    step(steps);
  };
  for (const element of [board, timeline]) element.addEventListener("wheel", roll, { passive: false, signal });

  /** @type {{id: number, x: number, y: number} | null} */
  let down = null;
  board.addEventListener(
    "pointerdown",
    (event) => (down = event.pointerType === "touch" && event.isPrimary ? { id: event.pointerId, x: event.clientX, y: event.clientY } : null),
    { signal },
  );
  board.addEventListener(
    "pointerup",
    (event) => {
      if (!down || event.pointerId !== down.id) return;
      const [across, along] = [event.clientX - down.x, event.clientY - down.y];
      down = null;
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(along)) step(across < 0 ? 1 : -1);
    },
    { signal },
  );
  board.addEventListener("pointercancel", () => (down = null), { signal });
}
