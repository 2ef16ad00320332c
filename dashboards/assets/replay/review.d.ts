// The types of a review and of what is played out. Seats count from 0; -1 is nobody or nothing.

// As dashboards/replay/reviews.py says: `seq` is a frame, chances and what they change by are parts of one.

/** A better decision, by the model: what was chosen at `seq` cost `cost`; `on` is what it touches on the board. */
export interface Alternative {
  seq: number;
  shown: number;
  round: number;
  seat: number;
  cost: number;
  low: number;
  high: number;
  words: string;
  on: string[];
}
/** A swing of the chances: it begins after `since` and is complete with `seq`; `by` -1: the dice. */
export interface KeyMoment {
  since: number;
  seq: number;
  round: number;
  seat: number;
  by: number;
  cause: string;
  swing: number;
  /** What it cost the seat as it could be judged then; 0 where that is not known, or nothing. */
  cost: number;
  text: string;
  alternative: Alternative | null;
}
/** What each cause changed for a seat in a round. */
export interface Share { round: number; seat: number; causes: Record<string, number> }
export interface Review {
  /** Why there are no chances; null where there are. */
  not_valued: string | null;
  model: { name: string; quality: { calibration_error: number } } | null;
  chances: { seq: number; chances: number[] }[];
  moments: KeyMoment[];
  split: Share[];
  judgements: Alternative[];
}
/** Chances alone, as dashboards/replay/chances.py says: they are there at once, what changed them has to be worked out. */
export interface ChancesAlone {
  not_valued: string | null;
  model: { name: string; calibration_error: number } | null;
  chances: { seq: number; chances: number[] }[];
}

/** What came of playing a better decision out, as dashboards/web/playouts.py says; `text` is what is shown. */
export interface Confirmation {
  state: "not asked" | "waiting" | "done" | "impossible";
  /** Why it is impossible. */
  reason: string | null;
  is_confirmed: boolean;
  text: string | null;
}

/** The last rounds played out by the players of the match, as dashboards/web/playouts.py says. */
export interface Playouts {
  state: "not asked" | "waiting" | "done" | "impossible";
  /** Why it is impossible. */
  reason: string | null;
  samples: number;
  /** The largest standard error of a share. */
  error: number;
  chances: { seq: number; chances: number[] }[];
}
