// The types that the parts of the player share.

import type { Alternative, Confirmation, KeyMoment, Playouts, Review } from "./review.js";
import type { Scene } from "./scene.js";

/** What the page shows, as its address says. `push` makes a step for Back, `replace` does not. */
export type State = {
  get: (key: string) => string | null;
  set: (changes: Record<string, string | null>, how: "push" | "replace") => void;
  /** Hear of each change of a key, by `set` or by Back, until the signal. What the player gives its parts ends with it. */
  on: (key: string, run: (value: string | null) => void, signal?: AbortSignal) => void;
  link: () => string;
  stop: () => void;
};

/** What is known of the chances of a match, frame by frame; `isWhole` once it is known what changed them. */
export type Chances = {
  review: Review;
  isWhole: boolean;
  /** A seat's chance of winning in a frame, as of the last decision; the same in whole per cent. */
  of: (frame: number, seat: number) => number;
  percent: (frame: number, seat: number) => string;
  /** By how many points the model's chances are off on average, as "1.3". */
  error: string;
  /** The frame from which on chances are shares of playouts, and by how many points these are off; none: null. */
  playedOut: { from: number; samples: number; error: string } | null;
  moments: readonly KeyMoment[];
  /** By its name in the address, each decision with a better one to show for it. */
  better: ReadonlyMap<string, Alternative>;
};

/** The review of a match, which comes after the board is there. */
export type Reviewing = {
  /** Whether the match can be reviewed at all; what there is of it so far; why there is no more, in a sentence. */
  offered: boolean;
  found: () => Chances | null;
  why: () => string;
  /** Where a key moment is gone to, and whether it may be told with the playhead there. */
  stop: (moment: KeyMoment) => number;
  told: (moment: KeyMoment) => boolean;
  /** The better decision that the address names, if there is one that may be told. */
  better: (name: string | null) => Alternative | null;
  /** What is known of playing the last rounds out; null where nobody can. */
  playouts: () => Playouts | null;
  /** Have them played out; they come a while later. */
  playOut: () => Promise<void>;
  /** Whether a better decision can be played out; what came of that for the decision at an event; have it done, or look. */
  offersChecks: boolean;
  checked: (seq: number) => Confirmation | null;
  check: (seq: number, ask: boolean, hear: () => void) => Promise<void>;
  /** Hear that the review has come, or cannot come. */
  on: (run: () => void) => void;
};

/** What a panel, a layer or a menu may ask of the player and have it do. */
export type Player = {
  scene: Scene;
  state: State;
  /** The frame that is shown. */
  at: () => number;
  go: (frame: number, glide?: boolean) => void;
  /** The name of a frame in the address ("57", "57.3"), and the frame of such a name. */
  name: (frame: number) => string;
  frameOf: (name: string | null) => number;
  /** Where in the match ("Round 3 · action 2 · ply 57"), what happens there, and both in a sentence. */
  place: (frame: number) => string;
  text: (frame: number) => string;
  describe: (frame: number) => string;
  /** Point at a target on the board, or let go of it if it is the one; the ids of what is pointed at. */
  pick: (target: string | null) => void;
  picked: () => string[];
  /** The chances and key moments of the match. */
  reviewing: Reviewing;
  /** What outlives the page when it is built anew (another view, a match that went on) and is not in the address. */
  kept: Map<string, string>;
  /** How many events are played in a second at speed 1. */
  pace: number;
  /** Whether only what has happened up to the playhead may be told. */
  hidesFuture: () => boolean;
  /** The address of a route of this match; null where no server knows it (a page from disk, a log dropped on the page). */
  api: (path: string) => string | null;
  /** Whether the match can be had as a seat knew it. */
  views: boolean;
  /** A study that comes with the page, by its id; null where a server is asked. */
  study: ((id: string) => Promise<import("./panels/study-server.js").Study>) | null;
  /** A branch that comes with the page, by its id, as it was kept; null where a server is asked, or nobody can be. */
  branch: ((id: string) => Promise<import("./panels/branch-server.js").Answer>) | null;
};

/** A part of the tabbed card. It is shown at most six times a second, and only while it is the one in sight. */
export type Panel = {
  id: string;
  title: string;
  element: HTMLElement;
  show: (frame: number) => void;
  stop?: () => void;
};
