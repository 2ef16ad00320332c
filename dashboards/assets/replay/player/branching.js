// @ts-check
// What if: a second board shows a branch of the match next to it, and the standings are those of the branch. Moves tried
// are sent to the server, which carries them out by the rules; the address names the branch shown.

import { html } from "../drawing/dom.js";
import { branches } from "../panels/branch-server.js";
import { createEntry } from "../panels/entry.js";
import { createStandings } from "../panels/standings.js";
import { chancesOfBranch } from "./reviewing.js";
import { pairing } from "./twin.js";

/** @typedef {import("../panels/branch-server.js").Answer} Answer */
/** @typedef {import("../panels/branch-server.js").Branch} Branch */
/** @typedef {import("../panels/branch-server.js").Then} Then */
/** @typedef {import("../parts.js").Player} Player */
/** @typedef {import("../scene.js").Scene} Scene */
/** @typedef {ReturnType<typeof createStandings>} Standings */
/** @typedef {ReturnType<typeof import("../panels/position-text.js").createPositionText>} PositionText */

const ROOT = -1;

/**
 * The frame after which a branch leaves the match: the current one. If that is among the effects of a decision, or the
 * end, it is the frame before that decision.
 * @param {Scene} scene @param {number} at
 */
export function leaves({ plies, frames }, at) {
  const isWhole = at < frames.length - 1 && plies[at + 1] !== plies[at];
  return isWhole ? at : Math.max(0, plies.indexOf(plies[at]) - 1);
}

/** The frame of the match to show next to the last frame of a branch. @param {Scene} scene @param {Scene} other @param {number} from @param {number | null} first the first difference */
function frameNextTo(scene, other, from, first) {
  const last = other.frames.length - 1;
  if (first === null && last < scene.frames.length) return last;
  const when = other.when[last];
  return Math.max(from, scene.when.findLastIndex((each) => each <= when));
}

/**
 * The standings of a branch, in the place of those of its match, and its position as text.
 * @param {Player} player @param {Standings} own @param {PositionText} position @param {() => number} frame the frame of the branch that is shown
 */
function createBranchStandings(player, own, position, frame) {
  const { reviewing } = player;
  /** @type {{answer: Answer, standings: Standings, chances: import("../parts.js").Chances | null} | null} */
  let shown = null;
  const valued = {
    ...reviewing,
    found: () => shown?.chances ?? null,
    why: () => (shown?.answer.chances.length === 0 ? "The model gives no chances for this branch." : reviewing.why()),
    on: () => {},
  };
  return {
    chances: () => shown?.chances ?? null,
    /** @param {Answer} answer */
    open(answer) {
      const branch = { ...player, scene: answer.scene, reviewing: valued, at: frame };
      const standings = createStandings(branch, true);
      (shown?.standings ?? own).element.replaceWith(standings.element);
      shown = { answer, standings, chances: null };
      position.branch(branch);
    },
    /** The review of the match may be new. */
    value: () => shown && (shown.chances = chancesOfBranch(shown.answer, reviewing.found())),
    draw: () => shown?.standings.draw(shown.answer.scene.frames[frame()], frame()),
    say: () => shown?.standings.say(shown.answer.scene.frames[frame()]),
    /** How the branch would end, in words; null for no branch. */
    ending: () => shown && `In the branch: ${shown.answer.scene.endings[shown.answer.scene.frames[frame()].e].text}`,
    close() {
      shown?.standings.element.replaceWith(own.element);
      shown = null;
      position.branch(null);
    },
  };
}

/**
 * @param {Player} player
 * @param {ReturnType<typeof import("./twin.js").createTwin>} twin the other board
 * @param {Standings} own the standings of the match
 * @param {PositionText} position
 */
export function createBranching(player, twin, own, position) {
  const { scene, state } = player;
  const leaving = new AbortController();
  const isServed = player.api("") !== null;
  /** @type {Answer | null} */
  let shown = null;
  /** Number of the last request; answers to earlier requests are ignored. */
  let latest = 0;
  const standings = createBranchStandings(player, own, position, twin.frame);
  const entry = createEntry(player, {
    play: (action, words) => void go({ action }, words ? `Played: ${words}.` : "Played."),
    write: (text) => void go({ text }, `Played: ${text}.`),
    goOn: (players, decisions) => void go({ go_on: { players, decisions } }, "The players continued the match."),
    go: (node) => shown && void send({ ...shown.branch, at: node }, null, ""),
    end: () => shown && arrive(shown),
    luck: (other) => shown && void begin(shown.branch.seq, other ? `other ${Math.floor(performance.now())}` : null),
    keep: (title) => void keep(title),
    close,
    check: async (action) => (shown ? branches.check(shown.branch, state.get("view"), action).catch(() => null) : null),
    playOut,
    preview: twin.preview,
    mark: twin.mark,
  });

  /** Show the end of a branch, and the match at the same time; if the future is hidden, the match at the point where they split. @param {Answer} answer */
  function arrive(answer) {
    const { twins, first } = pairing(scene, answer.scene, answer.from + 1);
    const frame = player.hidesFuture() ? answer.from : frameNextTo(scene, answer.scene, answer.from, first);
    twins.fill(answer.scene.frames.length - 1, frame);
    const heading = html("b", {}, `What if, from ply ${player.name(answer.from)}`);
    player.go(frame);
    twin.open(answer.scene, twins, entry.pick, heading);
    standings.open(answer);
    value();
    standings.say();
  }
  /** Show standings and chances at the positions next to each other, with the review that is there by now. */
  function value() {
    standings.value();
    standings.draw();
    compare();
  }
  function compare() {
    const match = player.reviewing.found();
    const isAtEnd = !shown || twin.frame() === shown.scene.frames.length - 1;
    entry.draw(match && match.byModel(player.at()), standings.chances()?.byModel(twin.frame()) ?? null, isAtEnd);
  }
  /** @param {Answer} answer */
  function take(answer) {
    shown = answer;
    arrive(answer);
    entry.show(answer);
  }

  /** @param {Branch} branch @param {Then | null} then @param {string} done */
  async function send(branch, then, done) {
    const number = (latest += 1);
    const again = () => void send(branch, then, done);
    const answer = await entry.attempt(() => branches.play(branch, state.get("view"), then), again);
    if (!answer || leaving.signal.aborted || number !== latest) return;
    const isNew = shown?.id !== answer.id;
    shown = answer;
    if (isNew) state.set({ branch: answer.id, with: null }, "push"); // first, since this removes a match shown next to this one
    take(answer);
    const { choices } = answer;
    entry.say([done, choices ? "" : "The match is over in this branch."].filter(Boolean).join(" "));
    entry.focus();
  }
  /** @param {Then} then @param {string} done */
  async function go(then, done) {
    if (shown) await send(shown.branch, then, done);
  }
  /** @param {number} seq @param {string | null} luck */
  const begin = (seq, luck) => send({ format: 1, match: scene.match, seq, luck, nodes: [], at: ROOT }, null, luck ? `The ${scene.terms.chance} are different from here on.` : "");
  async function start() {
    if (!isServed) return entry.showOffline();
    if (shown) return entry.focus();
    entry.element.hidden = false;
    await begin(leaves(scene, player.at()), null);
    entry.element.scrollIntoView({ block: "nearest" });
  }
  /** @param {string} title */
  async function keep(title) {
    if (!shown) return;
    const { branch } = shown;
    const answer = await entry.attempt(() => branches.keep(branch, state.get("view"), title), () => void keep(title));
    if (!answer || leaving.signal.aborted || shown.id !== answer.id) return;
    shown = answer;
    entry.show(answer);
    entry.say(`Kept as “${title}”.`);
  }
  /** @param {AbortSignal} signal @param {(shares: import("../panels/branch-server.js").Shares) => void} hear */
  async function playOut(signal, hear) {
    if (!shown) return;
    await branches.playOut(shown.id, AbortSignal.any([signal, leaving.signal]), hear);
  }
  function close() {
    if (shown) state.set({ branch: null }, "push");
    else entry.close();
    document.getElementById("replay-what-if")?.focus();
  }

  /** Show the branch that the address names. @param {string | null} id */
  async function follow(id) {
    if (id === (shown?.id ?? null)) return;
    const number = (latest += 1);
    if (id === null) {
      if (shown) twin.close();
      standings.close();
      shown = null;
      return entry.close();
    }
    const here = player.branch;
    if (!isServed && !here) return;
    const answer = await entry.attempt(() => (here ? here(id) : branches.read(id, state.get("view"))), () => void follow(id));
    if (leaving.signal.aborted || number !== latest) return;
    if (!answer) entry.element.hidden = false;
    else if (answer.branch.match === scene.match) take(answer);
    else entry.refuse(`This is a branch of ${answer.branch.match}, another match.`);
  }
  state.on("branch", (id) => void follow(id));
  player.reviewing.on(value);
  void follow(state.get("branch"));
  return {
    element: entry.element,
    start: () => void start(),
    step: entry.step,
    /** The match now shows another frame. */
    draw: standings.draw,
    say() {
      standings.say();
      compare();
    },
    ending: standings.ending,
    stop() {
      leaving.abort();
      entry.stop();
    },
  };
}
