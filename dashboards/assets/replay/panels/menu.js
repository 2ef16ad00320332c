// @ts-check
// A button with a menu under it: the browser's own popover, which closes on Escape or a click outside it and gives the
// focus back.

import { html } from "../drawing/dom.js";
import { glyph } from "../drawing/shapes.js";

const GAP = 4;

/**
 * @param {{id: string, icon: string, label: string, title?: string}} names
 * @param {...(Node | string)} content
 */
export function createMenu({ id, icon, label, title = label }, ...content) {
  const panel = html("div", { id: `${id}-menu`, class: "menu", popover: "auto", role: "group", "aria-label": title }, ...content);
  const text = html("span", {}, label);
  const button = html(
    "button",
    { type: "button", class: "button", id, popovertarget: panel.id, "aria-expanded": "false", title },
    glyph(icon, 16),
    text,
    glyph("down", 12),
  );
  panel.addEventListener("beforetoggle", (event) => {
    const opens = /** @type {ToggleEvent} */ (event).newState === "open";
    button.setAttribute("aria-expanded", String(opens));
    if (!opens) return;
    const { bottom, right } = button.getBoundingClientRect();
    panel.style.top = `${bottom + GAP}px`;
    panel.style.right = `${Math.max(GAP, document.documentElement.clientWidth - right)}px`;
  });
  return {
    element: html("span", { class: "menu-holder" }, button, panel),
    button,
    panel,
    close: () => panel.hidePopover(),
    /** @param {string} words */
    say: (words) => (text.textContent = words),
  };
}
