// The types of a review and of playouts. Seats count from 0; -1 means no seat.

// As in dashboards/replay/reviews.py: `seq` is a frame; chances and their changes are from 0 to 1.

/**
 * A better decision found by the model. Compared with it, the decision made at `seq` cost `cost`. `on` has the ids of
 * what the better decision touches on the board.
 */
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
/**
 * A large change of the chances: it begins after `since` and is complete at `seq`. `by` is the seat that caused it, -1
 * for the dice.
 */
export interface KeyMoment {
  since: number;
  seq: number;
  round: number;
  seat: number;
  by: number;
  cause: string;
  swing: number;
  /** The moment's cost to the seat as expected at the time; 0 if none or unknown. */
  cost: number;
  text: string;
  alternative: Alternative | null;
  /** Place by size among all moments of the match; 1 is the largest. */
  rank: number;
}
/** How much each cause changed a seat's chances in a round. */
export interface Share { round: number; seat: number; causes: Record<string, number> }
/** A sentence of the match's story: the frame that shows it, and its seat (-1 for none). */
export interface StoryLine { at: number; seat: number; text: string }
export interface Review {
  /** Reason why there are no chances; null if there are chances. */
  not_valued: string | null;
  model: { name: string; quality: { calibration_error: number } } | null;
  chances: { seq: number; chances: number[] }[];
  moments: KeyMoment[];
  /** Other changes above the model's error, those without a cause included. */
  changes: KeyMoment[];
  split: Share[];
  judgements: Alternative[];
  /** At most five sentences on the match; null until they are known. */
  story: StoryLine[] | null;
}
/** Chances alone, as in dashboards/replay/reviews.py: they are available immediately, their causes only later. */
export interface ChancesAlone {
  not_valued: string | null;
  model: { name: string; calibration_error: number } | null;
  chances: { seq: number; chances: number[] }[];
}

/** Playouts of a better decision, as in dashboards/web/playouts.py; `text` is the sentence to show. */
export interface Confirmation {
  state: "not asked" | "waiting" | "done" | "impossible";
  /** Reason why the playouts are impossible; null if they are possible. */
  reason: string | null;
  is_confirmed: boolean;
  text: string | null;
}

/** Playouts of the last rounds by the players of the match, as in dashboards/web/playouts.py. */
export interface Playouts {
  state: "not asked" | "waiting" | "done" | "impossible";
  /** Reason why the playouts are impossible; null if they are possible. */
  reason: string | null;
  samples: number;
  /** The largest standard error of a share. */
  error: number;
  chances: { seq: number; chances: number[] }[];
}
