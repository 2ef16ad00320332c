"""Branches: play a recorded match on from the position after one of its events, with different decisions.

A branch is played and logged like any other match. Its header names the original match. By default its dice come from
the original seed, so the same situations give the same rolls. Another seed can be chosen.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from himalaya_core.boards import carried
from himalaya_core.engine import settle, step
from himalaya_core.errors import HimalayaError
from himalaya_core.game import CHANCE, Outcome, Step
from himalaya_core.log.codec import BranchOrigin
from himalaya_core.log.encoder import LogEncoder
from himalaya_core.match import MOST_PLIES, RunawayMatch, decide
from himalaya_core.players import NamedPlayer
from himalaya_core.players.named import make_player
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.tournament.plan import seed_of
from himalaya_core.tournament.reproducibility import NotAsked, player_of

__all__ = ["Branch", "BranchError", "begin", "by_seat"]


class BranchError(HimalayaError, ValueError):
    """A branch that cannot begin or continue; the message gives the reason."""


@dataclass(frozen=True)
class Branch:
    """A continuation of a match after event `seq`. `luck` is the seed of its dice; if `None`, the match's own seed."""

    origin: Replay
    seq: int
    luck: str | None
    steps: tuple[Step[Any, Any, Any], ...] = ()

    @property
    def state(self) -> Any:
        """The current position."""
        return self.steps[-1].state if self.steps else self.origin.states[self.seq]

    @property
    def actors(self) -> tuple[int, ...]:
        """The actors that may act now; empty when the branch is over."""
        return self.origin.game.actors(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """The ranking and scores; `None` until the branch is over."""
        return self.origin.game.outcome(self.state)

    @property
    def seed(self) -> Seed:
        """The seed of the branch's dice. Raises `BranchError` if there is none."""
        name = self.luck or _luck(self.origin, self.seq)
        if name is None:
            raise BranchError("the match names no seed, so its dice are not known; name one for the branch")
        return Seed(name)

    @property
    def ply(self) -> int:
        """The number of the last ply."""
        return self.steps[-1].ply if self.steps else self.origin.entries[self.seq].ply

    def play(self, action: Any) -> "Branch":
        """Return the branch after an action. Raises `IllegalAction` with the reason if it is illegal."""
        return _with(self, step(self.origin.game, self.state, action), self.ply + 1, action)

    def draw(self) -> "Branch":
        """Return the branch after all chance actions that are due now."""
        branch = self
        while CHANCE in branch.actors:
            branch = branch.play(branch.origin.game.sample_chance(branch.state, branch.seed))
        return branch

    def go_on(
        self,
        players: Sequence[str | None] | None = None,
        plies: int | None = None,
        before_each: Callable[[], object] = lambda: None,
    ) -> "Branch":
        """Return the branch after players have made `plies` more decisions, or by default at the end of the match.

        `players` names a player for each seat. `None` means the original player, which continues as in the match: it
        first replays its earlier decisions, so its random draws resume correctly. With the original seed, original
        players and no changed action, the branch therefore repeats the match, however many calls play it.

        `before_each` is called before each decision; an exception that it raises ends play. Raises `BranchError` if a
        player cannot be run here, and `PlayerFailure` if a player raises an error or chooses an illegal action.
        """
        game, branch = self.origin.game, self
        names = by_seat(players, len(self.origin.header.seats))
        made: dict[int, NamedPlayer] = {}
        while branch.actors and plies != 0:
            actor = branch.actors[0]
            if actor == CHANCE:
                branch = branch.draw()
                continue
            before_each()
            if actor not in made:
                made[actor] = self._player(actor, names[actor])
            branch = _decided(branch, actor, made[actor])
            plies = None if plies is None else plies - 1
            if branch.ply > MOST_PLIES:
                raise RunawayMatch(f"{game.name}: no end after {MOST_PLIES} plies")
        return branch.draw() if branch.actors else branch

    def log(self, name: str) -> bytes:
        """Return the log of the branch: a separate match with a header that marks it as a branch."""
        game, origin = self.origin.game, self.origin
        encoder = LogEncoder(game, name)
        luck = self.luck or _luck(origin, self.seq)
        branch = BranchOrigin(origin.entries[0].match, _digest(origin), self.seq, luck)
        header = replace(origin.header, tournament=None, pairing=None, luck=None, branch=branch)
        lines = [encoder.start(header, carried(game, origin.board))]
        lines += [encoder.step(each) for each in (*_steps(origin, self.seq), *self.steps)]
        outcome = self.outcome
        if outcome is not None:
            lines.append(encoder.end(self.ply, self.state, outcome))
        return b"".join(lines)

    def _player(self, seat: int, name: str | None) -> NamedPlayer:
        """Return the player of a seat, after replaying that seat's decisions so that its random draws resume correctly.

        A player that joined when the branch began replays decisions of the branch only.
        """
        origin = self.origin
        if name is not None:
            player = make_player(origin.game, name, seed_of(self.seed.name, name, seat))
            asked = self._decided(seat)
        else:
            player = self._that_sat(seat)
            asked = [*_decided_in(origin, self.seq, seat), *self._decided(seat)]
        for before in asked:
            player.choose(origin.game.view(before, seat), seat)
        return player

    def _that_sat(self, seat: int) -> NamedPlayer:
        origin, info = self.origin, self.origin.header.seats[seat]
        try:
            return player_of(origin, info, (), _luck(origin, self.seq) or self.luck)
        except NotAsked as error:
            raise BranchError(
                f"{info.player} in seat {seat + 1} cannot continue: {error}; name another player"
            ) from None

    def _decided(self, seat: int) -> list[Any]:
        """Return the positions of the branch in which this seat decided."""
        states = [self.origin.states[self.seq], *(each.state for each in self.steps)]
        pairs = zip(self.steps, states, strict=False)
        return [before for each, before in pairs if getattr(each.action, "seat", None) == seat]


def begin(replay: Replay, seq: int, luck: str | None = None) -> Branch:
    """Return a new branch that begins after event `seq` of a match (0: `match_started`), before any decision.

    Automatic events that follow are applied. Raises `BranchError` for an event that does not exist, and for one inside
    a ply, because the rest of that ply would be lost.

    >>> import himalaya_core as hm
    >>> from himalaya_core.tournament.branch import begin
    >>> replay = hm.play("caravan", ["trader", "pilgrim", "greedy"], seed="monday").replay
    >>> seq = next(entry.seq for entry in replay.entries if entry.type == "plan_committed") - 1
    >>> branch = begin(replay, seq)
    >>> branch.go_on().outcome.ranking == replay.ended.ranking
    True
    >>> tried = branch.play(replay.game.legal_actions(branch.state, branch.actors[0])[0])
    >>> hm.verify(tried.go_on().log("tried"))
    []
    """
    last = len(replay.entries) - 1
    if not 0 <= seq <= last:
        raise BranchError(f"there is no event {seq}; the last is {last}")
    if luck is not None and not luck:
        raise BranchError("the seed is empty: give it a name")
    branch = Branch(replay, seq, luck)
    automatic = settle(replay.game, branch.state)
    following = replay.entries[seq + 1] if seq < last else None
    if following and following.action is None and (automatic[0][0] if automatic else replay.ended) != following.event:
        raise BranchError(f"event {seq} is in the middle of a decision; take its last event")
    return _with(branch, automatic, replay.entries[seq].ply, None)


def by_seat(players: Sequence[str | None] | None, seats: int) -> tuple[str | None, ...]:
    """Return one player name per seat; `None` is the original player. Raises `BranchError` for a wrong count."""
    if players is None:
        return (None,) * seats
    if len(players) != seats:
        raise BranchError(f"the match has {seats} seats; you named {len(players)} players")
    return tuple(players)


def _luck(replay: Replay, seq: int) -> str | None:
    """Return the seed of the dice after an event. In a branch, its own seed applies after the branch point."""
    header = replay.header
    if header.branch is not None and seq >= header.branch.seq:
        return header.branch.luck
    return header.luck


def _decided_in(replay: Replay, seq: int, seat: int) -> list[Any]:
    pairs = zip(replay.entries[1 : seq + 1], replay.states, strict=False)
    return [before for entry, before in pairs if entry.action is not None and entry.seat == seat]


def _with(branch: Branch, transitions: Sequence[tuple[Any, Any]], ply: int, action: Any) -> Branch:
    new = [Step(ply, event, state, None) for event, state in transitions]
    new[:1] = [each._replace(action=action) for each in new[:1]]
    return replace(branch, steps=(*branch.steps, *new))


def _decided(branch: Branch, seat: int, player: NamedPlayer) -> Branch:
    action, transitions = decide(branch.origin.game, branch.state, player, seat, branch.ply + 1)
    return _with(branch, transitions, branch.ply + 1, action)


def _steps(replay: Replay, seq: int) -> list[Step[Any, Any, Any]]:
    """Return the events of a match up to event `seq`, as steps for the encoder."""
    there = zip(replay.entries[1 : seq + 1], replay.states[1 : seq + 1], strict=True)
    return [Step(entry.ply, entry.event, state, entry.action) for entry, state in there if entry.event != replay.ended]


def _digest(replay: Replay) -> str:
    """Return the digest of a match's lines. For an unfinished match, encode its events so far."""
    if replay.ended is not None:
        return replay.ended.lines_sha256
    encoder = LogEncoder(replay.game, replay.entries[0].match)
    encoder.start(replay.header, _carried(replay.entries[0].extra))
    for each in _steps(replay, len(replay.entries) - 1):
        encoder.step(each)
    return encoder.lines_sha256


def _carried(extra: Mapping[str, Any]) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = extra.get("board")
    return found
