// @ts-check
// How the parts of a map look.

import { scaled } from "../drawing/looks.js";

/** @type {Record<string, import("../drawing/looks.js").Look>} */
export const MAP_LOOKS = {
  stupa: { "stroke-width": 1.4 },
  area: { stroke: "var(--land-line)", "stroke-width": 1, "stroke-linejoin": "round" },
  "area-0": { fill: "var(--land-1)" },
  "area-1": { fill: "var(--land-2)" },
  "link-casing": { stroke: "var(--road-casing)", "stroke-width": scaled(9), "stroke-linecap": "round" },
  link: { "stroke-width": scaled(4.4), fill: "none" },
  "link-soil": { stroke: "var(--road-soil)" },
  "link-stone": { stroke: "var(--road-stone)", "stroke-dasharray": `${scaled(11)} ${scaled(6)}` },
  "link-ice": { stroke: "var(--road-ice)", "stroke-width": scaled(5), "stroke-linecap": "round", "stroke-dasharray": `0 ${scaled(9.5)}` },
  "village-wall": { fill: "var(--village)", stroke: "var(--village-line)", "stroke-width": 1.7, "stroke-linejoin": "round" },
  "village-rim": { fill: "none", stroke: "var(--village-line)", "stroke-width": 1.3 },
  "village-number": { fill: "var(--village-line)", "font-size": 13.5, "font-weight": 700 },
  "cube-box": { stroke: "var(--cube-line)", "stroke-width": 1 },
  "cube-salt": { fill: "var(--salt)", color: "var(--cube-text)" },
  "cube-barley": { fill: "var(--barley)", color: "var(--cube-text)" },
  "cube-tea": { fill: "var(--tea)", color: "#ffffff" },
  "cube-jade": { fill: "var(--jade)", color: "var(--cube-text)" },
  "cube-gold": { fill: "var(--gold)", color: "var(--cube-text)" },
  "cube-letter": { "font-size": 10, "font-weight": 700, fill: "currentColor" },
  "order-pill": { fill: "var(--card)", stroke: "var(--village-line)", "stroke-width": 1.2 },
  "order-coin": { fill: "var(--village-line)" },
  "order-pays": { fill: "var(--village)", "font-size": 12, "font-weight": 700 },
  "area-name": { fill: "var(--land-text)", "font-size": 11.5, "font-weight": 600, "letter-spacing": 0.69, "text-transform": "uppercase" },
  badge: { "stroke-width": 1.3 },
  "badge-count": { "font-size": 12, "font-weight": 700 },
  "badge-crown": { fill: "var(--text)", stroke: "var(--land-1)", "stroke-width": 1, "paint-order": "stroke" },
  "marker-back": { fill: "var(--card)", stroke: "var(--village-line)", "stroke-width": 1.4, "stroke-linejoin": "round" },
  marker: { color: "var(--text)" },
  "marker-letter": { "font-size": 13, "font-weight": 750, fill: "var(--text)" },
  piece: { "stroke-width": 1.8 },
  "link-picked-casing": { stroke: "var(--road-casing)", "stroke-width": scaled(10.5), fill: "none" },
};
