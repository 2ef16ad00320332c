// Types that several parts of the player share.

import type { Alternative, Confirmation, KeyMoment, Playouts, Review, StoryLine } from "./review.js";
import type { Scene } from "./scene.js";

/** The state of the page, as in its address. `push` makes a step for Back, `replace` does not. */
export type State = {
  get: (key: string) => string | null;
  set: (changes: Record<string, string | null>, how: "push" | "replace") => void;
  /** Call `run` for each change of a key, by `set` or by Back, until the signal; for parts of the player, until its end. */
  on: (key: string, run: (value: string | null) => void, signal?: AbortSignal) => void;
  link: () => string;
  stop: () => void;
};

/** The chances of a match, frame by frame; `isWhole` is true once the causes of changes are loaded. */
export type Chances = {
  review: Review;
  isWhole: boolean;
  /** A seat's chance of winning in a frame, as of the last decision; below, the same in whole per cent. */
  of: (frame: number, seat: number) => number;
  percent: (frame: number, seat: number) => string;
  /** The chances of all seats in a frame by the model alone, also if the last rounds were played out. */
  byModel: (frame: number) => number[];
  /** The mean error of the model's chances in points, such as "1.3". */
  error: string;
  /** The first frame whose chances are shares of playouts, and their error in points; null for none. */
  playedOut: { from: number; samples: number; error: string } | null;
  moments: readonly KeyMoment[];
  /** Decisions with a better alternative, by their names in the address. */
  better: ReadonlyMap<string, Alternative>;
};

/** The review of a match, which is loaded after the board. */
export type Reviewing = {
  /**
   * `offered` is true if the match can be reviewed; then the review so far, and a sentence on why parts are missing.
   */
  offered: boolean;
  found: () => Chances | null;
  /** The sentences of the match's story; null until they are known. */
  story: () => StoryLine[] | null;
  why: () => string;
  /** The frame to go to for a key moment; and a test: may the moment be shown at the current playhead? */
  stop: (moment: KeyMoment) => number;
  isShown: (moment: KeyMoment) => boolean;
  /** The better decision that the address names, if it may be shown. */
  better: (name: string | null) => Alternative | null;
  /** Playouts of the last rounds; null if they are not available. */
  playouts: () => Playouts | null;
  /** Request the playouts; they arrive later. */
  playOut: () => Promise<void>;
  /**
   * `offersChecks` is true if better decisions can be played out. Then the result for the decision at an event, and a
   * request for it.
   */
  offersChecks: boolean;
  checked: (seq: number) => Confirmation | null;
  check: (seq: number, ask: boolean, hear: () => void) => Promise<void>;
  /** Call `run` when the review has loaded or failed. */
  on: (run: () => void) => void;
};

/** The player, as panels, layers and menus use it. */
export type Player = {
  scene: Scene;
  state: State;
  /** The frame that is shown. */
  at: () => number;
  go: (frame: number, glide?: boolean) => void;
  /** The name of a frame in the address ("57", "57.3"), and the frame of such a name. */
  name: (frame: number) => string;
  frameOf: (name: string | null) => number;
  /** The place in the match ("Round 3 · action 2 · ply 57"), what happens there, and both in a sentence. */
  place: (frame: number) => string;
  text: (frame: number) => string;
  describe: (frame: number) => string;
  /** Pick a target on the board, or release it if it is picked already; and the ids of picked targets. */
  pick: (target: string | null) => void;
  picked: () => string[];
  /** The chances and key moments of the match. */
  reviewing: Reviewing;
  /** State that survives a rebuild of the page (another view, a match that continued) and is not in the address. */
  memory: Map<string, string>;
  /** Events played per second at speed 1. */
  pace: number;
  /** True if only events up to the playhead may be shown. */
  hidesFuture: () => boolean;
  /**
   * The address of a route of this match; null if no server has the match (a page from disk, a log dropped on the
   * page).
   */
  api: (path: string) => string | null;
  /** True if views of single seats are available. */
  views: boolean;
  /** A study included in the page, by its id; null if a server has it. */
  study: ((id: string) => Promise<import("./panels/study-server.js").Study>) | null;
  /** A branch included in the page, by its id, as it was saved; null if only a server can have it. */
  branch: ((id: string) => Promise<import("./panels/branch-server.js").Answer>) | null;
};

/** A panel of the tabbed card, updated at most six times a second and only while it is in sight. */
export type Panel = {
  id: string;
  title: string;
  /** Stands for the title on the tab, to save room. */
  icon?: string;
  element: HTMLElement;
  show: (frame: number) => void;
  stop?: () => void;
};
