// The types of a scene, as dashboards/boards/scene.py and the scene.py of each kind of board say. Seats count from 0; -1 is
// nobody or nothing.

export interface Link { a: number; b: number; style: string }
/** `colour`: which one it has by a rule of the game, as `--seat-…` in the style sheets; else that of its number. */
export interface Seat { name: string; player: string; version: string; colour?: string }
export interface Measure { key: string; short: string; name: string }
export interface Named { icon: string; name: string }
/** `over`: whether it ended so, or would if it ended now. */
export interface Ending { head: string; over: boolean; out: [number, string][]; win: number[]; text: string }
/** `on`: ids of what it touched, see `Scene.names`. */
export interface Moment { at: number; seat: number; kind: string; key?: boolean; text: string; on?: string[] }
export interface Note { text: string; at: number; seat: number }
/** What notes of a kind are listed under, and what is said where there are none. */
export interface Heading { title: string; nothing: string }
/** A round: its frames, what each seat gained by measure and in words, notes by `Terms.notes`. */
export interface Summary { round: number; at: number; end: number; gains: number[][]; got: string[]; notes: Note[][] }
export interface Lane { name: string; icon: string; marks: [number, number][] }
/** What a game calls the parts of its matches: "Round", "rounds", "R" before a number, "action" for `Frame.x`. */
export interface Terms {
  round: string;
  rounds: string;
  short: string;
  step: string;
  setup: string;
  keys: string;
  secrets: string;
  notes: Heading[];
}

export interface Frame {
  /** By seat: its measures. */
  f: number[][];
  /** Who acts, in which of the steps that `Terms.step` names (0: none), the ending. */
  a: number;
  x: number;
  e: number;
}

export interface Scene {
  format: number;
  match: string;
  game: string;
  status: string;
  /** The seat whose knowledge this is; -1: all. */
  view: number;
  terms: Terms;
  seats: Seat[];
  measures: Measure[];
  /** A name for each kind of moment that occurs. */
  kinds: Record<string, string>;
  /** By id: n + number of a node, l + index of a link, and what else a board has. */
  names: Record<string, string>;
  /** What the targets are called whose ids start with a letter. */
  groups: Record<string, string>;
  board: MapBoard | TrackBoard | TowerBoard | PlainBoard;
  plies: number[];
  rounds: number[];
  /** By frame: never falls; equal numbers are the same moment of the calendar in any two matches of a game. */
  when: number[];
  frames: Frame[];
  endings: Ending[];
  moments: Moment[];
  /** Arrivals of pieces: frame, seat, node, index of the link (-1: by none). */
  visits: [number, number, number, number][];
  summaries: Summary[];
  lanes: Lane[];
  /** The frame that is shown first; by default the first one. */
  opens?: number;
  /** Where the match can be reviewed: whether what changed the chances is told apart by round. */
  review?: Reviewed;
}

/** What a review has beside chances and key moments. */
export interface Reviewed { causes: boolean }

// A review, as dashboards/replay/reviews.py says: `seq` is a frame, chances and what they change by are parts of one.

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

/** What came of playing a better decision out, as dashboards/http/playouts.py says; `text` is what is shown. */
export interface Confirmation {
  state: "not asked" | "waiting" | "done" | "impossible";
  /** Why it is impossible. */
  reason: string | null;
  is_confirmed: boolean;
  text: string | null;
}

/** The last rounds played out by the players of the match, as dashboards/http/playouts.py says. */
export interface Playouts {
  state: "not asked" | "waiting" | "done" | "impossible";
  /** Why it is impossible. */
  reason: string | null;
  samples: number;
  /** The largest standard error of a share. */
  error: number;
  chances: { seq: number; chances: number[] }[];
}

// A map

export interface Place { n: number; x: number; y: number; icon: string; name: string }
export interface Area { n: number; x: number; y: number; tone: 0 | 1; corners: number[] }
export interface Level { icon: string; short: string; name: string }
export interface MapBoard {
  kind: "map";
  size: [number, number];
  levels: Level[];
  nodes: Place[];
  links: Link[];
  areas: Area[];
}
export interface Token { key: string; letter: string; name: string }
export interface Marker { icon: string; letter: string; name: string }
export interface Disc { demand: string; pays: number }

export interface MapFrame extends Frame {
  /** By node: letters of its cubes, its order (index into `discs`), whose stupa. */
  n: string[];
  o: number[];
  u: number[];
  /** By area: delegations of each seat, who leads. */
  d: number[][];
  l: number[];
  /** By seat: node of its piece (0: none yet), trail, cubes held, supplies, what became of the plan `p`. */
  c: number[];
  t: number[][];
  h: number[][];
  s: number[][];
  /** A plan that the view does not see is "??????". */
  p: string[];
  m: string[];
  /** Who is first. */
  y: number;
  /** Only in a scene with markers. Those on the board: index, whose, its node twice or the two nodes of its link. */
  k?: [number, number, number, number][];
  /** By seat: the node its piece is on its way to (0: none), letters of the markers it has left. */
  w?: number[];
  q?: string[];
}

/** Things besides nodes and links: a + number of an area, u + node of a building, d + disc. */
export interface MapScene extends Scene {
  tokens: Token[];
  supplies: Named[];
  markers?: Marker[];
  acts: Record<string, Named>;
  voids: Record<string, string>;
  discs: Disc[];
  board: MapBoard;
  frames: MapFrame[];
}

// A track

export interface Field {
  n: number;
  kind: "" | "base" | "camp" | "cave" | "landslide" | "avalanche" | "snow" | "summit";
  name: string;
}
export interface TrackBoard { kind: "track"; nodes: Field[]; links: Link[]; dice: number; cards: number }

export interface TrackFrame extends Frame {
  /** By seat: field of its climber, fields of its Sherpas, supply cards it has and has used, camps it was supplied in. */
  c: number[];
  s: number[][];
  h: string[][];
  u: string[][];
  v: number[][];
  /** The field of the Yeti, the dice of the last throw (negative: taken). */
  b: number;
  d: number[];
  /** Yeti cards seen, how many are to come, whether bad weather is among them (1) or has come (2). */
  k: number[];
  r: number;
  w: number;
  /** Moves of this turn: seat, pawn (0: climber), from, to, how ("m" moved, "a" along, "s" slid, "y" chased). */
  t: [number, number, number, number, string][];
}

/** Things besides fields and slides: c + seat of a climber, y0 the Yeti. */
export interface TrackScene extends Scene {
  initials: string[];
  board: TrackBoard;
  frames: TrackFrame[];
}

// A tower

export interface Square { n: number; x: number; y: number; name: string }
/** The squares that blocks lie on at some time, and the greatest height. */
export interface Room { x: number; y: number; dx: number; dy: number; height: number }
export interface TowerBoard {
  kind: "tower";
  nodes: Square[];
  links: Link[];
  side: number;
  room: Room;
  /** Names of colours by their letter. */
  colours: Record<string, string>;
}

/** Block, lowest corner (x, y, z), edges, letters of its faces: top, to greater x, smaller x, greater y, smaller y. */
export type Laying = [number, number, number, number, number, number, number, string];

export interface TowerFrame extends Frame {
  /** How many of the layings are done; the letters of the seats' colours, "" before they are dealt. */
  b: number;
  p: string;
  /** By seat: square of its climber ([]: on the table), ladders it has, block and square of its disc (-1 in hand, -2 gone). */
  c: number[][];
  h: string[];
  d: number[][];
  /** By seat: what its climber can get to, as an index. */
  r: number[];
  /** The block moved in this turn, and in the turn before. */
  m: number;
  o: number;
  /** Steps of this turn: seat, from and to (x, y, level), "s" or "l" for a ladder. */
  t: [number, number[], number[], string][];
  /** Turns in a row without a rise. */
  k: number;
}

/** Things: b + block, t + block for its top, c and d + seat for climbers and discs. */
export interface TowerScene extends Scene {
  board: TowerBoard;
  frames: TowerFrame[];
  layings: Laying[];
  /** Places that can be got to, each by its first square. */
  reaches: number[][];
}

// No board: positions as text

export interface PlainBoard { kind: "plain"; nodes: never[]; links: never[] }
export interface PlainFrame extends Frame {
  /** The index of its text. */
  p: number;
}

/** `texts` are the positions, each in lines. Nothing is on the board, so `names` is empty. */
export interface PlainScene extends Scene {
  board: PlainBoard;
  frames: PlainFrame[];
  texts: string[][];
}
