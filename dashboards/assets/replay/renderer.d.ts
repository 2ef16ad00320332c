// What draws a board and tells of it. The player knows boards only by this, so that a map, a track and a tower are drawn
// by modules of their own; kinds.js names them for each kind of board.

import type { Action, Checked, Choice } from "./panels/branch-server.js";
import type { State } from "./parts.js";
import type { Frame, Scene } from "./scene.js";

export type { Choice };

/** How many arrivals there were, by node (in the order of `board.nodes`) and by link (in that of `board.links`). */
export type Traffic = { nodes: number[]; links: number[] };

/** What a board may ask of the page. */
export type Asks = {
  /** Something on the board was clicked or tapped: a key of `scene.names`. */
  pick?: (target: string) => void;
  /** The nodes that one move would open to a seat in a frame; absent where nobody can be asked. */
  opens?: (at: number, seat: number) => Promise<number[]>;
  /** The address, for the one board that the page is about: how it is looked at may be kept there. */
  state?: State;
};

/**
 * A board on the page. All its elements are made at once; later calls only change what differs.
 *
 * What stands for a target carries its id in `data-thing`, pieces their seat in `data-seat`. The board is
 * for eyes and pointers: it is `aria-hidden` but for its label, and what it tells is told by the panels and by
 * "As text" too.
 */
export type Renderer<F extends Frame = any> = {
  element: HTMLElement;
  /** Show a position. Called in each animation frame while the match is scrubbed, so it has 1 ms at most. */
  draw: (frame: F) => void;
  /** Whether pieces glide to where they go or are there at once. */
  glide: (yes: boolean) => void;
  /** Make these targets stand out, by shape as well as by colour, and nothing else. */
  mark: (targets: string[]) => void;
  /** Lay counts of traffic over the board, and let the rest of it step back; null takes them away. */
  layer: (counts: Traffic | null) => void;
  stop: () => void;
};

export type CreateRenderer<S extends Scene = any, F extends Frame = any> = (scene: S, asks?: Asks) => Renderer<F>;

/** What stands below a seat's name in the standings: what it holds. `say` is for what need not be told at once. */
export type Holdings<F extends Frame = any> = { element: HTMLElement; draw: (frame: F) => void; say: (frame: F) => void };

/** Tables that tell a position, for whoever cannot or would rather not look at the board. */
export type Tables<F extends Frame = any> = { elements: HTMLElement[]; draw: (frame: F) => void };

/** What a form for a decision may have done. `refuse` says why not, or takes back what was said. */
export type EntryAsks<F extends Frame = any> = {
  play: (action: Action) => void;
  refuse: (why: string) => void;
  /** Ask the rules whether an action is allowed; null if nobody could be asked. */
  check: (action: Action) => Promise<Checked | null>;
  /** Draw a position that is none of the scene's, and make things on the board stand out. */
  preview: (frame: F) => void;
  mark: (targets: string[]) => void;
  /** Where all that is entered is written, on a page that has a field for it: a form that is written too has none of its own. */
  field?: HTMLInputElement;
};

/** A form for decisions that are too many to be listed. `pick` is a click on the board: a key of `scene.names`. */
export type Entry = {
  element: HTMLElement;
  show: (position: { seat: number }) => void;
  pick: (target: string) => void;
  focus: () => void;
  stop: () => void;
};
export type CreateEntry<S extends Scene = any, F extends Frame = any> = (scene: S, asks: EntryAsks<F>) => Entry;

/** Everything of the player that is of a kind of board. */
export type Kind<S extends Scene = any, F extends Frame = any> = {
  create: CreateRenderer<S, F>;
  holdings: (scene: S, seat: number) => Holdings<F>;
  /** The seat that acts first: how it is marked, and what that means; null where nobody is. */
  first: { short: string; title: string; of: (frame: F) => number } | null;
  tables: (scene: S) => Tables<F>;
  /** Say in sentences what is at a target (a key of `scene.names`) in a frame. */
  describe: (scene: S, target: string) => (at: number, hidesFuture: boolean) => string;
  legend: (scene: S) => HTMLElement[];
  /** What can be left out of the drawing: the name of the toggle, and the class that hides it. */
  toggles: [string, string][];
  /** Keys that only this kind of board has, and what they do. */
  keys?: [string, string][];
  /** The form for decisions of its games that are too many to be listed. */
  entry?: CreateEntry<S, F>;
  /** What of a frame is the position; the rest is how it came about. */
  position: (frame: F, scene: S) => unknown;
};
