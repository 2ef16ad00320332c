// @ts-check
// The types of a scene, as dashboards/replay/scene.py makes it. Seats count from 0; -1 is nobody or nothing.

/** @typedef {{n: number, x: number, y: number, icon: string, name: string}} Node */
/** @typedef {{a: number, b: number, style: string}} Link */
/** @typedef {{n: number, x: number, y: number, tone: 0 | 1, corners: number[]}} Area */
/** @typedef {{kind: "map", size: [number, number], nodes: Node[], links: Link[], areas: Area[]}} Board */
/** @typedef {{name: string, player: string, version: string}} Seat */
/** @typedef {{key: string, short: string, name: string}} Measure */
/** @typedef {{key: string, letter: string, name: string}} Token */
/** @typedef {{icon: string, name: string}} Named */
/** @typedef {{demand: string, pays: number}} Disc */
/** @typedef {{head: string, out: [number, string][], win: number[], text: string}} Ending */
/** @typedef {{at: number, seat: number, kind: string, key?: boolean, text: string}} Moment */
/** @typedef {{name: string, icon: string, marks: [number, number][]}} Lane */

/**
 * A position. By node: `n` letters of cubes, `o` order, `u` whose stupa. By area: `d` delegations of each seat, `l` who
 * leads. By seat: `c` node, `t` trail, `f` measures, `h` cubes held, `s` supplies, `p` plan, `m` what became of it.
 * `a` who acted, `x` which planned action (0: none), `e` ending, `y` who is first.
 * @typedef {{
 *   n: string[], o: number[], u: number[], d: number[][], l: number[],
 *   c: number[], t: number[][], f: number[][], h: number[][], s: number[][], p: string[], m: string[],
 *   a: number, x: number, e: number, y: number
 * }} Frame
 */

/**
 * @typedef {{
 *   format: number, match: string, game: string, status: string,
 *   seats: Seat[], measures: Measure[], tokens: Token[], supplies: Named[],
 *   acts: Record<string, Named>, voids: Record<string, string>, discs: Disc[],
 *   board: Board, plies: number[], rounds: number[], frames: Frame[],
 *   endings: Ending[], moments: Moment[], lanes: Lane[]
 * }} Scene
 */

export {};
