"""A branch and its match played out many times from where they part, each pair on the same seed.

Both continue after as many decisions. The branch continues after the decisions that were tried, the match after those
that its players made there, and after its draw of chance there if the branch has drawn too. The dice of the pairs are
drawn from the seed of the branch, so that another seed is another, independent sample. The two of a pair share their
dice, so the difference of their shares of the win has a narrower interval than that of two separate series (common
random numbers: Law, *Simulation Modeling and Analysis*, 11.2).
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any, Final

from himalaya_core.arena.asking import NotAsked, player_of
from himalaya_core.arena.branch import Branch, BranchError, by_seat
from himalaya_core.arena.playouts import played_on
from himalaya_core.arena.record import seed_of
from himalaya_core.engine import step
from himalaya_core.games import GAMES
from himalaya_core.log.codec import Header
from himalaya_core.players import NamedPlayer
from himalaya_core.players.named import make_player
from himalaya_core.pool import ordered
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed

__all__ = ["Pairs", "between", "paired", "playouts"]

NORMAL: Final = 1.959964
"""Standard errors on either side of a mean, for 95 %."""
Shares = tuple[float, ...]
Players = Sequence[str | None]


@dataclass(frozen=True)
class Pairs:
    """Shares of the win of each seat after `done` pairs `of` so many, and how the branch differs from the match.

    A difference is its mean, and the lowest and the highest of its 95 % interval.
    """

    done: int
    of: int
    branch: Shares
    original: Shares
    difference: tuple[tuple[float, float, float], ...]

    @property
    def document(self) -> dict[str, Any]:
        """Result of the pairs as plain JSON."""
        return {
            "done": self.done,
            "of": self.of,
            "branch": [round(each, 4) for each in self.branch],
            "original": [round(each, 4) for each in self.original],
            "difference": [[round(part, 4) for part in each] for each in self.difference],
        }


def playouts(
    branch: Branch,
    players: Players | None,
    samples: int,
    report: Callable[[dict[str, Any]], None] = lambda _: None,
    jobs: int = 2,
) -> dict[str, Any]:
    """Play pairs out and return results as JSON; `report` receives them after each, and may end it by an exception.

    `BranchError` if a player cannot be queried.
    """
    last: dict[str, Any] = {}
    found = paired(branch, players, samples, jobs)
    try:
        for pairs in found:
            last = pairs.document
            report(last)
    finally:
        found.close()
    return last


def paired(branch: Branch, players: Players | None, samples: int, jobs: int = 1) -> Generator[Pairs, None, None]:
    """Yield the results of pairs, after each of so many; close the iterator to stop early.

    Players are named by seat, `None` is the one that sat there. `BranchError` if one cannot be queried.
    """
    states = branch.state, _meanwhile(branch)
    yield from between(branch.origin, states, players, samples, luck=branch.luck, jobs=jobs)


def between(
    origin: Replay, states: tuple[Any, Any], players: Players | None, samples: int, *, luck: str | None, jobs: int = 1
) -> Generator[Pairs, None, None]:
    """Yield results of pairs that continue from two positions of a match, as `paired` does; the second is its own."""
    match = origin.entries[0].match
    given = by_seat(players, len(origin.header.seats))
    case = _Case(origin.game.name, origin.header, match if luck is None else f"{match}|{luck}", states, given)
    case.players(case.name)  # immediately report players that cannot be queried
    sums = _Sums(len(given))
    pairs = ordered(partial(_pair, case), range(samples), min(jobs, samples) or 1)
    try:
        for mine, theirs in pairs:
            sums.add(mine, theirs)
            yield sums.pairs(samples)
    finally:
        pairs.close()


@dataclass(frozen=True)
class _Case:
    """Data for a process to play a pair: the positions of branch and match, the players, and its dice."""

    game: str
    header: Header
    name: str
    states: tuple[Any, Any]
    given: tuple[str | None, ...]

    def players(self, seed: str) -> list[NamedPlayer]:
        game = GAMES[self.game]
        replay = Replay(game, None, self.header, (), (), None)
        made: list[NamedPlayer] = []
        for info, name in zip(self.header.seats, self.given, strict=True):
            try:
                asked = name and make_player(game, name, seed_of(seed, name, info.seat))
                made.append(asked or player_of(replay, info, (), seed))
            except NotAsked as error:
                message = f"{info.player} in seat {info.seat + 1} cannot continue: {error}; name another player"
                raise BranchError(message) from None
        return made


def _pair(case: _Case, number: int) -> tuple[Shares, Shares]:
    seed = f"{case.name}|branch|{number}"
    game = GAMES[case.game]
    mine, theirs = (played_on(game, state, case.players(seed), Seed(seed)) for state in case.states)
    return mine, theirs


def _meanwhile(branch: Branch) -> Any:
    """Return the position of the match after as many decisions of players as the branch has, or after its last.

    If several may decide, as on secret plans, it is the decisions of the same seats. If chance acted last
    in the branch, it acts last in the match: otherwise one of a pair would know its dice.
    """
    origin = branch.origin
    seats = [getattr(each.action, "seat", None) for each in branch.steps if each.action is not None]
    state = origin.states[branch.seq]
    free = origin.game.actors(state)
    theirs = {entry.seat: entry.action for entry, _ in reversed([*_following(branch)]) if entry.action is not None}
    if len(free) > 1 and len(seats) == len(set(seats)) and set(seats) <= set(free) & set(theirs):
        for seat in seats:
            state = step(origin.game, state, theirs[seat])[-1][1]
        return state
    left, is_drawn = sum(seat is not None for seat in seats), bool(seats) and seats[-1] is None
    for entry, after in _following(branch):
        if entry.action is not None:
            if left == 0 and (entry.seat is not None or not is_drawn):
                break
            left -= entry.seat is not None
        state = after
    return state


def _following(branch: Branch) -> Iterator[tuple[Any, Any]]:
    origin = branch.origin
    return zip(origin.entries[branch.seq + 1 :], origin.states[branch.seq + 1 :], strict=True)


class _Sums:
    """Sums over pairs, by seat."""

    def __init__(self, seats: int) -> None:
        self._done = 0
        self._mine, self._theirs = [0.0] * seats, [0.0] * seats
        self._squares = [0.0] * seats

    def add(self, mine: Shares, theirs: Shares) -> None:
        self._done += 1
        for seat, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            self._mine[seat] += one
            self._theirs[seat] += other
            self._squares[seat] += (one - other) ** 2

    def pairs(self, of: int) -> Pairs:
        mine, theirs = (tuple([each / self._done for each in sums]) for sums in (self._mine, self._theirs))
        difference = tuple([self._interval(seat, mine[seat] - theirs[seat]) for seat in range(len(mine))])
        return Pairs(self._done, of, mine, theirs, difference)

    def _interval(self, seat: int, mean: float) -> tuple[float, float, float]:
        """Return a mean difference and its interval by Agresti and Min (2005): as with half a pair more of each kind.

        So it is no single point while no pair differs.
        """
        done = self._done + 2
        middle = mean * self._done / done
        reach = NORMAL * sqrt(((self._squares[seat] + 1) / done - middle**2) / done)
        return mean, max(middle - reach, -1.0), min(middle + reach, 1.0)
