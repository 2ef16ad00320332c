// The types of a scene. Made from dashboards/boards/scene.py and the scene.py of each kind of board by
// `python -m tests.dashboards.boards.scene_types`. Seats count from 0; -1 is nobody or nothing.

/** A link between two nodes; `style` names how its line is drawn. */
export interface Link {
  a: number;
  b: number;
  style: string;
}

/** Name, player and version of a seat.
 *
 * Seats have the colours of assets/app.css, unless the rules of the game fix a seat's `colour`: "red" is `--seat-red`
 * in the style sheets. */
export interface Seat {
  name: string;
  player: string;
  version: string;
  colour?: string;
}

/** A column of the standings; `short` is its heading. */
export interface Measure {
  key: string;
  short: string;
  name: string;
}

/** An icon and its label. */
export interface Named {
  icon: string;
  name: string;
}

/** The result as of a frame: seats that are out, in the order of leaving and with the reason; the winners; a text.
 *
 * `over` is true if the match has ended; otherwise this is the result if it stopped now. */
export interface Ending {
  head: string;
  over: boolean;
  out: [number, string][];
  win: number[];
  text: string;
}

/** A line of the event list; it lasts from its frame to the next moment's.
 *
 * `on` has the ids of the things it touched: a letter for the kind of thing and a number, as in `Scene.names`. */
export interface Moment {
  at: number;
  seat: number;
  kind: string;
  key?: boolean;
  text: string;
  on?: string[];
}

/** A note on a round: its text, the frame that it is about, and its seat. */
export interface Note {
  text: string;
  at: number;
  seat: number;
}

/** The heading for one kind of notes, and the text to show if there are none. */
export interface Heading {
  title: string;
  nothing: string;
}

/** A round: its first and last frames, each seat's gains by measure and in words, notes by kind (`Terms.notes`). */
export interface Summary {
  round: number;
  at: number;
  end: number;
  gains: number[][];
  got: string[];
  notes: Note[][];
}

/** A row of marks on the timeline: frame and seat of each. */
export interface Lane {
  name: string;
  icon: string;
  marks: [number, number][];
}

/** A game's words for the parts of its matches.
 *
 * `round` and `rounds` are the words for one and several rounds; `short` is the letter before a round's number. `step`
 * is the word for what `Frame.x` counts. `setup` names the time before the first round, `keys` the key events.
 * `secrets` names what seats hide from each other ("" for nothing), `notes` the kinds of notes on a round. `chance` is
 * a plural for what a seed decides, such as "dice". */
export interface Terms {
  round: string;
  rounds: string;
  short: string;
  step: string;
  setup: string;
  keys: string;
  secrets: string;
  notes: Heading[];
  chance: string;
}

/** Optional parts of a match's review: `causes` is true if it splits changes of chances by cause and round. */
export interface Reviewed {
  causes: boolean;
}

/** Parts common to the positions of all games.
 *
 * `f` has each seat's measures, `a` is the seat to act, `e` the ending. `x` is the number of the current step, which
 * `Terms.step` names (0: none). */
export interface Frame {
  f: number[][];
  a: number;
  x: number;
  e: number;
}

/** A match ready to be drawn, as the seat `view` sees it (-1: everything). `board` and `frames` are of one kind.
 *
 * `plies`, `rounds` and `when` have a value for each frame. `when` never decreases, and equal values mean the same
 * point of the game's calendar in all its matches. `kinds` names the kinds of moments that occur. `names` has a name
 * for each thing on the board by its id: "n" with the number of a node, "l" with the index of a link, and the letters
 * of the kind of board; `groups` names each kind of thing by its letter. `visits` are the arrivals of pieces: frame,
 * seat, node (-1: the piece was carried off), and the index of the link used (-1: none). `summaries` has an entry for
 * each round that has begun. `opens` is the frame shown at the start, by default 0. `review` is present if the match
 * can be reviewed. `title` is the game's name for readers. */
export interface Scene {
  format: number;
  match: string;
  game: string;
  status: string;
  view: number;
  terms: Terms;
  seats: Seat[];
  measures: Measure[];
  kinds: Record<string, string>;
  names: Record<string, string>;
  groups: Record<string, string>;
  plies: number[];
  rounds: number[];
  when: number[];
  endings: Ending[];
  moments: Moment[];
  visits: [number, number, number, number][];
  summaries: Summary[];
  lanes: Lane[];
  opens?: number;
  review?: Reviewed;
  title?: string;
  board: MapBoard | TrackBoard | TowerBoard | PlainBoard;
  frames: Frame[];
}

/** A place on a map for pieces; `icon` names its silhouette. */
export interface Place {
  n: number;
  x: number;
  y: number;
  icon: string;
  name: string;
}

/** A region of the map: the nodes around it in order (none if links do not enclose it), and its name's position. */
export interface Area {
  n: number;
  x: number;
  y: number;
  tone: 0 | 1;
  corners: number[];
}

/** A kind of node: its silhouette, a mark for the legend, and its description. */
export interface Level {
  icon: string;
  short: string;
  name: string;
}

/** The part of a map that stays the same during a match. */
export interface MapBoard {
  kind: "map";
  size: [number, number];
  levels: Level[];
  nodes: Place[];
  links: Link[];
  areas: Area[];
}

/** A kind of cube: frames use its letter, and its key names its colour. */
export interface Token {
  key: string;
  letter: string;
  name: string;
}

/** A kind of piece that is on the board for a while; each seat has one of each kind. */
export interface Marker {
  icon: string;
  letter: string;
  name: string;
}

/** An order: the letters of its demands, and its pay. */
export interface Disc {
  demand: string;
  pays: number;
}

/** A position on a map.
 *
 * By node (from 1, so index 0 is the first): `n` letters of its cubes, `o` its order (index into `discs`), `u` the
 * owner of its stupa. By area: `d` the delegations of each seat, `l` the leader. By seat: `c` the node of its piece
 * (0: none yet), `t` the nodes it passed this round, `h` its cubes by kind, `s` its supplies, `p` its plan as letters
 * of `acts` ("?" if the view does not see it), `m` the result of each planned action ("+" done, "." to come, or a
 * letter of `voids`). `y` is the first seat; `x` counts planned actions.
 *
 * Only in a scene with `markers`: `k` are the markers on the board: index, owner, and the two nodes of its link, or
 * its own node twice. By seat, `w` is the node its piece is on its way to (0: none) and `q` the letters of the markers
 * it has left. */
export interface MapFrame extends Frame {
  n: string[];
  o: number[];
  u: number[];
  d: number[][];
  l: number[];
  c: number[];
  t: number[][];
  h: number[][];
  s: number[][];
  p: string[];
  m: string[];
  y: number;
  k?: [number, number, number, number][];
  w?: number[];
  q?: string[];
}

/** A match on a map. Besides "n" and "l", ids of things start with "a" (areas), "u" (buildings) or "d" (discs). */
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

/** A field of the track; `kind` names its drawing, "" for a plain one. */
export interface Field {
  n: number;
  kind: "" | "base" | "camp" | "cave" | "landslide" | "avalanche" | "snow" | "summit";
  name: string;
}

/** The fixed part of a track: its fields from the first to the last, and links that lead back down it.
 *
 * `dice` are thrown together; `cards` is the number of Yeti cards including the bad weather. */
export interface TrackBoard {
  kind: "track";
  nodes: Field[];
  links: Link[];
  dice: number;
  cards: number;
}

/** A position on a track.
 *
 * By seat: `c` the field of its climber, `s` those of its Sherpas, `h` the supply cards it has, `u` those it has used,
 * `v` the camps where it took a used card back. `b` is the field of the Yeti. `d` are the dice of the last throw in
 * ascending order; taken dice are negative. `k` are the Yeti cards seen since they were shuffled, in order. `r` is the
 * number of cards left in the pile, and `w` is 1 if bad weather is among them, 2 if it was drawn. `t` are the moves of
 * this turn: seat, pawn (0 the climber, 1 to 4 a Sherpa), from, to, and the reason: "m" moved by a number, "a" taken
 * along or continuing, "s" sliding, "y" chased by the Yeti. `x` is the number of the turn. */
export interface TrackFrame extends Frame {
  c: number[];
  s: number[][];
  h: string[][];
  u: string[][];
  v: number[][];
  b: number;
  d: number[];
  k: number[];
  r: number;
  w: number;
  t: [number, number, number, number, string][];
}

/** A match on a track. Ids of things other than fields and slides: "c" and the seat for a climber, "y0" the Yeti.
 *
 * `initials` are the letters on the pawns of each seat; no two are the same. */
export interface TrackScene extends Scene {
  initials: string[];
  board: TrackBoard;
  frames: TrackFrame[];
}

export type Laying = [number, number, number, number, number, number, number, string];

export type Step = [number, number[], number[], string];

/** A square of the table on which a climber stood, at any height; `n` counts squares row by row. */
export interface Square {
  n: number;
  x: number;
  y: number;
  name: string;
}

/** The rectangle of all squares that have blocks at any time in the match, and the greatest height. */
export interface Room {
  x: number;
  y: number;
  dx: number;
  dy: number;
  height: number;
}

/** The fixed part of a tower: the table's width in squares, and the colours of faces by letter. `links` is empty. */
export interface TowerBoard {
  kind: "tower";
  nodes: Square[];
  links: Link[];
  side: number;
  room: Room;
  colours: Record<string, string>;
}

/** A position on a tower.
 *
 * `b` is the number of `TowerScene.layings` done so far, `p` the letters of the seats' colours (none before they are
 * dealt). By seat: `c` the square of its climber (x, y; empty: on the table), `h` letters of the ladders it has ("s"
 * short, "l" long), `d` its disc: its block and the square (x, y), -1 alone: in its hand, -2 alone: out of the game;
 * `r` the places in reach of its climber (an index into `TowerScene.reaches`).
 *
 * `m` is the block that was moved in this turn, `o` the one moved in the turn before, which may not be moved now (-1:
 * none). `t` are the steps of this turn, `k` the number of turns in a row without a climber rising. */
export interface TowerFrame extends Frame {
  b: number;
  p: string;
  c: number[][];
  h: string[];
  d: number[][];
  r: number[];
  m: number;
  o: number;
  t: [number, number[], number[], string][];
  k: number;
}

/** A match on a tower. Ids of things: "b" and a block, "t" for its top, "c" and "d" for a seat's climber and disc.
 *
 * `layings` are all placements of blocks, in order of time. `reaches` are lists of the places that a climber can reach
 * by steps alone; each place is named by the `Square.n` of its first square. */
export interface TowerScene extends Scene {
  board: TowerBoard;
  frames: TowerFrame[];
  layings: [number, number, number, number, number, number, number, string][];
  reaches: number[][];
}

/** An empty board, for games without a drawing. It has no places to draw or select. */
export interface PlainBoard {
  kind: "plain";
  nodes: never[];
  links: never[];
}

/** A position: `p` is the index of its text. */
export interface PlainFrame extends Frame {
  p: number;
}

/** A match of a game without a drawing. `texts` are its positions, each in lines of at most 96 characters. */
export interface PlainScene extends Scene {
  board: PlainBoard;
  frames: PlainFrame[];
  texts: string[][];
}
