// The interface of boards: drawing and describing them. The player uses boards only through it, so that maps, tracks
// and towers have separate modules; kinds.js lists them by kind of board.

import type { Action, Checked, Choice, Step } from "./panels/branch-server.js";
import type { State } from "./parts.js";
import type { Frame, Scene } from "./scene.js";

export type { Choice, Step };

/** Arrivals, by node (in the order of `board.nodes`) and by link (in that of `board.links`). */
export type Traffic = { nodes: number[]; links: number[] };

/** Functions that the page gives to a board. */
export type Asks = {
  /** Called when something on the board is clicked or tapped, with a key of `scene.names`. */
  pick?: (target: string) => void;
  /** The nodes that one move would open to a seat in a frame; absent without a server. */
  opens?: (at: number, seat: number) => Promise<number[]>;
  /** The state in the address, for the main board of the page, which may store its view there. */
  state?: State;
};

/**
 * A board on the page. All its elements are made together; later calls only change what differs.
 *
 * An element of a target has the target's id in `data-thing`, a piece its seat in `data-seat`. The board is `aria-hidden`
 * except for its label; the panels and "As text" have the same information in words.
 */
export type Renderer<F extends Frame = any> = {
  element: HTMLElement;
  /**
   * Show a position. This is called in each animation frame while the reader drags the slider, so it may take at most 1
   * ms.
   */
  draw: (frame: F) => void;
  /** Set whether pieces glide or jump to their new places. */
  glide: (yes: boolean) => void;
  /** Highlight these targets and no others, by shape as well as by colour. */
  mark: (targets: string[]) => void;
  /** Show counts of traffic over a dimmed board; null removes them. */
  layer: (counts: Traffic | null) => void;
  stop: () => void;
};

export type CreateRenderer<S extends Scene = any, F extends Frame = any> = (scene: S, asks?: Asks) => Renderer<F>;

/** Holdings of a seat, below its name in the standings. `say` updates what may wait, such as texts for screen readers. */
export type Holdings<F extends Frame = any> = { element: HTMLElement; draw: (frame: F) => void; say: (frame: F) => void };

/** Tables of a position, for readers who cannot see the board or prefer tables. */
export type Tables<F extends Frame = any> = { elements: HTMLElement[]; draw: (frame: F) => void };

/**
 * Functions that the page gives to a form for decisions. `refuse` shows why an action is not allowed; "" removes the
 * message.
 */
export type EntryAsks<F extends Frame = any> = {
  play: (action: Action) => void;
  refuse: (why: string) => void;
  /** Check an action against the rules; null if that was not possible. */
  check: (action: Action) => Promise<Checked | null>;
  /** Draw a position that is not in the scene, and highlight things on the board. */
  preview: (frame: F) => void;
  mark: (targets: string[]) => void;
  /** The page's field for entries in writing, if there is one; then the form has no separate field. */
  field?: HTMLInputElement;
};

/**
 * A form for decisions with too many choices to list. `pick` handles a click on the board, with a key of `scene.names`.
 */
export type Entry = {
  element: HTMLElement;
  show: (position: { seat: number }) => void;
  pick: (target: string) => void;
  focus: () => void;
  stop: () => void;
};
export type CreateEntry<S extends Scene = any, F extends Frame = any> = (scene: S, asks: EntryAsks<F>) => Entry;

/** Everything in the player that depends on the kind of board. */
export type Kind<S extends Scene = any, F extends Frame = any> = {
  create: CreateRenderer<S, F>;
  holdings: (scene: S, seat: number) => Holdings<F>;
  /** The seat that acts first: its mark, and the meaning of the mark; null for games without one. */
  first: { short: string; title: string; of: (frame: F) => number } | null;
  tables: (scene: S) => Tables<F>;
  /** Describe in sentences what is at a target (a key of `scene.names`) in a frame. */
  describe: (scene: S, target: string) => (at: number, hidesFuture: boolean) => string;
  legend: (scene: S) => HTMLElement[];
  /** Parts of the drawing that can be hidden: the name of the toggle, and the class that hides it. */
  toggles: [string, string][];
  /** Keyboard keys that only this kind of board has, and their effects. */
  keys?: [string, string][];
  /** The form for decisions with too many choices to list. */
  entry?: CreateEntry<S, F>;
  /** The position in a frame, without the course of play that led there. */
  position: (frame: F, scene: S) => unknown;
};
