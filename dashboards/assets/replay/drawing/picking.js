// @ts-check
// Things on a board that can be picked: what stands for one carries its id in `data-thing`.

/**
 * Hear what is clicked, and lift what the mouse is over. One listener for all: there are some two hundred things.
 * @param {HTMLElement} element
 * @param {(thing: string) => void} pick
 */
export function listenForPicks(element, pick) {
  let over = "";
  /** @param {Event} event */
  const thingAt = ({ target }) => {
    const thing = target instanceof Element ? target.closest("[data-thing]") : null;
    return thing?.getAttribute("data-thing") ?? "";
  };
  /** @param {string} thing */
  const hover = (thing) => {
    if (thing === over) return;
    over = thing;
    for (const each of element.querySelectorAll("[data-hovered]")) each.removeAttribute("data-hovered");
    if (!thing) return;
    for (const each of element.querySelectorAll(`[data-thing="${thing}"]`)) each.setAttribute("data-hovered", "");
  };
  element.classList.add("pickable");
  element.addEventListener("click", (event) => {
    const thing = thingAt(event);
    if (thing) pick(thing);
  });
  element.addEventListener("pointerover", (event) => hover(event.pointerType === "touch" ? "" : thingAt(event)));
  element.addEventListener("pointerleave", () => hover(""));
}

/**
 * Make these things stand out, and nothing else.
 * @param {HTMLElement} element
 * @param {Set<string>} things
 */
export function showPicked(element, things) {
  for (const each of element.querySelectorAll("[data-thing]")) {
    each.toggleAttribute("data-picked", things.has(each.getAttribute("data-thing") ?? ""));
  }
}
