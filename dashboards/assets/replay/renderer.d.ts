// What draws a board. The player knows boards only by this, so that a map, a track and a tower are drawn by modules of
// their own; RENDERERS in player.js names the module for each kind of board.

import type { Frame, Scene } from "./scene.js";

/** How many arrivals there were, by node (in the order of `board.nodes`) and by link (in that of `board.links`). */
export type Traffic = { nodes: number[]; links: number[] };

/** What a board may ask of the page. */
export type Asks = {
  /** Something on the board was clicked or tapped: a key of `scene.names`. */
  pick?: (thing: string) => void;
};

/**
 * A board on the page. All its elements are made at once; later calls only change what differs.
 *
 * What stands for a thing carries its id in `data-thing`, pieces and delegations their seat in `data-seat`. The board is
 * for eyes and pointers: it is `aria-hidden` but for its label, and what it tells is told by the panels and by
 * "As text" too.
 */
export type Renderer = {
  element: HTMLElement;
  /** Show a position. Called in each animation frame while the match is scrubbed, so it has 1 ms at most. */
  draw: (frame: Frame) => void;
  /** Whether pieces glide to where they go or are there at once. */
  glide: (yes: boolean) => void;
  /** Make these things stand out, by shape as well as by colour, and nothing else. */
  mark: (things: string[]) => void;
  /** Lay counts of traffic over the board, and let the rest of it step back; null takes them away. */
  layer: (counts: Traffic | null) => void;
  stop: () => void;
};

export type CreateRenderer = (scene: Scene, asks?: Asks) => Renderer;
