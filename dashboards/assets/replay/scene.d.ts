// The types of a scene, as dashboards/replay/scene.py makes it. Seats count from 0; -1 is nobody or nothing.

export type Place = { n: number; x: number; y: number; icon: string; name: string };
export type Link = { a: number; b: number; style: string };
export type Area = { n: number; x: number; y: number; tone: 0 | 1; corners: number[] };
export type Level = { icon: string; short: string; name: string };
export type Board = {
  kind: "map";
  size: [number, number];
  levels: Level[];
  nodes: Place[];
  links: Link[];
  areas: Area[];
};
export type Seat = { name: string; player: string; version: string };
export type Measure = { key: string; short: string; name: string };
export type Token = { key: string; letter: string; name: string };
export type Marker = { icon: string; letter: string; name: string };
export type Named = { icon: string; name: string };
export type Disc = { demand: string; pays: number };
export type Ending = { head: string; out: [number, string][]; win: number[]; text: string };
/** `on`: ids of what it touched, see `Scene.names`. */
export type Moment = { at: number; seat: number; kind: string; key?: boolean; text: string; on?: string[] };
export type Note = { text: string; at: number; seat: number };
/** A round: its frames, what each seat gained by measure and in words, what was remarkable. */
export type Summary = {
  round: number;
  at: number;
  end: number;
  gains: number[][];
  got: string[];
  contested: Note[];
  late: Note[];
};
export type Lane = { name: string; icon: string; marks: [number, number][] };

export type Frame = {
  /** By node: letters of its cubes, its order (index into `discs`), whose stupa. */
  n: string[];
  o: number[];
  u: number[];
  /** By area: delegations of each seat, who leads. */
  d: number[][];
  l: number[];
  /** By seat: node of its piece (0: none yet), trail, measures, cubes held, supplies, what became of the plan `p`. */
  c: number[];
  t: number[][];
  f: number[][];
  h: number[][];
  s: number[][];
  /** A plan that the view does not see is "??????". */
  p: string[];
  m: string[];
  /** Who acted, with which of the six actions (0: none), the ending, who is first. */
  a: number;
  x: number;
  e: number;
  y: number;
  /** Only in a scene with markers. Those on the board: index, whose, its node twice or the two nodes of its link. */
  k?: [number, number, number, number][];
  /** By seat: the node its piece is on its way to (0: none), letters of the markers it has left. */
  w?: number[];
  q?: string[];
};

export type Scene = {
  format: number;
  match: string;
  game: string;
  status: string;
  /** The seat whose knowledge this is; -1: all. */
  view: number;
  seats: Seat[];
  measures: Measure[];
  tokens: Token[];
  supplies: Named[];
  markers?: Marker[];
  acts: Record<string, Named>;
  voids: Record<string, string>;
  /** A name for each kind of moment that occurs. */
  kinds: Record<string, string>;
  /** By id: n + number of a node, l + index of a link, a + number of an area, u + node of a building, d + disc. */
  names: Record<string, string>;
  /** What the things are called whose ids start with a letter. */
  groups: Record<string, string>;
  discs: Disc[];
  board: Board;
  plies: number[];
  rounds: number[];
  /** By frame: never falls; equal numbers are the same moment of the calendar in any two matches of a game. */
  when: number[];
  frames: Frame[];
  endings: Ending[];
  moments: Moment[];
  /** Arrivals of pieces: frame, seat, node, index of the link (-1: it was put there). */
  visits: [number, number, number, number][];
  summaries: Summary[];
  lanes: Lane[];
};
