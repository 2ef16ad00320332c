// The types of a recording session, as in /api/records. Seats count from 0; -1 is chance.

import type { Action, Choices } from "../panels/branch-server.js";
import type { Scene } from "../scene.js";

export interface DraftSeat {
  name: string | null;
  kind: "person" | "program";
  /** True if the seat has a program, a person at the table, or a person who claimed it. */
  taken: boolean;
  /** True if this browser decides for the seat. */
  mine: boolean;
}

/** `text` is null while the entry is secret to this browser; `frame` is the scene's frame after the entry. */
export interface Entered { text: string | null; seat: number | null; round: number; at: string | null; by: string; frame: number }

export interface HandedIn { match: string; receipt: string; entries: number }

/** A recording session as this browser may see it; `changes` counts its changes. */
export interface Draft {
  id: string;
  changes: number;
  match: string;
  game: string;
  game_title: string;
  title: string;
  made_by: string;
  at: string;
  kind: "table" | "play";
  dice: "entered" | "drawn";
  over: boolean;
  seats: DraftSeat[];
  entries: Entered[];
  scene: Scene;
  due: number[];
  turn: number | null;
  choices: Choices | null;
  expected: string | null;
  /** Texts that may follow the first word of the next entry. */
  offers: { text: string; about: string }[];
  waiting: string | null;
  handed_in: HandedIn | null;
}

export interface ListedDraft {
  id: string;
  game: string;
  game_title: string;
  title: string;
  players: (string | null)[];
  made_by: string;
  made_at: string;
  changed_at: string;
  entries: number;
  over: boolean;
  handed_in: HandedIn | string | boolean | null;
}

/** An entry to make. */
export type Then = { text: string } | { action: Action } | { draw: true };

/** A seat as it is set up: a person, a program, or open. */
export type SeatSetUp = { name: string | null } | { program: string };
export interface SetUp {
  game: string;
  board: string;
  options: Record<string, unknown>;
  seats: SeatSetUp[];
  dice: "entered" | "drawn";
  title?: string;
  take?: number[];
}

/**
 * A game for the page: possible and default numbers of seats, boards by id, options, programs from the weakest, a word
 * (plural) for what a seed decides.
 */
export interface GameSetUp {
  name: string;
  title: string;
  seats: number[];
  usual: number;
  board: string;
  boards: { id: string; title: string }[];
  options: { name: string; text: string; kind: "switch" | "seat" | "number"; usual: string }[];
  programs: string[];
  chance: string;
}
