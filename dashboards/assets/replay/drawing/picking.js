// @ts-check
// Targets on a board, which can be picked: an element that represents one carries its id in `data-thing`.

/**
 * Listen for clicks, and highlight the target under the mouse. One listener serves all of some two hundred targets.
 * @param {HTMLElement} element
 * @param {(target: string) => void} pick
 */
export function listenForPicks(element, pick) {
  let over = "";
  /** @param {Event} event */
  const targetAt = (event) => {
    const element = event.target instanceof Element ? event.target.closest("[data-thing]") : null;
    return element?.getAttribute("data-thing") ?? "";
  };
  /** @param {string} target */
  const hover = (target) => {
    if (target === over) return;
    over = target;
    for (const each of element.querySelectorAll("[data-hovered]")) each.removeAttribute("data-hovered");
    if (!target) return;
    for (const each of element.querySelectorAll(`[data-thing="${target}"]`)) each.setAttribute("data-hovered", "");
  };
  element.classList.add("pickable");
  element.addEventListener("click", (event) => {
    const target = targetAt(event);
    if (target) pick(target);
  });
  element.addEventListener("pointerover", (event) => hover(event.pointerType === "touch" ? "" : targetAt(event)));
  element.addEventListener("pointerleave", () => hover(""));
}

/**
 * Highlight only these targets.
 * @param {HTMLElement} element
 * @param {Set<string>} targets
 */
export function showPicked(element, targets) {
  for (const each of element.querySelectorAll("[data-thing]")) {
    each.toggleAttribute("data-picked", targets.has(each.getAttribute("data-thing") ?? ""));
  }
}
