// @ts-check
// The caption over a board that is shown next to another: the match, the current event, the standings.

import { html, textOf, urlOf } from "../drawing/dom.js";
import { roundOf } from "../drawing/rounds.js";
import { participant, seatIcon } from "../drawing/shapes.js";

/** @typedef {import("../scene.js").Scene} Scene */

/** @param {Scene} scene @param {HTMLElement} [heading] replaces its name */
export function createBoardCaption(scene, heading) {
  const text = html("span", { class: "meta" });
  const seats = scene.seats.map((seat, i) => {
    const figures = html("span", { class: "figures" });
    const who = html("span", { class: "twin-seat", title: scene.measures.map((measure) => measure.name).join(", ") });
    who.append(seatIcon(i, 14), participant(seat), figures);
    return { who, write: textOf(figures) };
  });
  const element = html(
    "div",
    { class: "twin-caption" },
    heading ?? html("a", { href: urlOf(`/replay?match=${encodeURIComponent(scene.match)}`) }, scene.match),
    ...seats.map((seat) => seat.who),
    text,
  );
  const write = textOf(text);
  const round = roundOf(scene);
  let moment = 0;
  return {
    element,
    /** @param {number} frame */
    draw(frame) {
      if (scene.moments[moment].at > frame) moment = 0;
      while (scene.moments[moment + 1]?.at <= frame) moment += 1;
      write([round(frame), scene.moments[moment].text].filter(Boolean).join(": "));
      seats.forEach((seat, i) => seat.write(scene.frames[frame].f[i].join("–")));
    },
  };
}
