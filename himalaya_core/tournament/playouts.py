"""Play matches out: the end of one from each position of its last rounds, or a branch and its match pair by pair."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any, Final

from himalaya_core.engine import step
from himalaya_core.errors import HimalayaError
from himalaya_core.game import CHANCE, Game
from himalaya_core.games import GAMES
from himalaya_core.log.envelope import Header
from himalaya_core.players import NamedPlayer
from himalaya_core.players.named import make_player
from himalaya_core.pool import ordered
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.tournament.branch import Branch, BranchError, by_seat
from himalaya_core.tournament.plan import seed_of
from himalaya_core.tournament.reproducibility import NotAsked, player_of
from himalaya_core.winprob.key_moments import Valued, decisions

__all__ = [
    "LEAST_SAMPLES",
    "Pairs",
    "PlayedOut",
    "PlayoutError",
    "between",
    "is_open",
    "paired",
    "play_out",
    "played_on",
    "playouts",
    "standard_error",
]


ROUNDS: Final = 2
"""Number of rounds before the end that are played out: in earlier ones a model is as accurate, at far lower cost."""
LEAST_SAMPLES: Final = 20
MOST_SAMPLES: Final = 200
SECONDS: Final = 20.0
"""Seconds of processor time for one match."""


class PlayoutError(HimalayaError, ValueError):
    """A match that cannot be played out; the message says why."""


@dataclass(frozen=True)
class PlayedOut:
    """Shares of wins of each seat after decisions of the last rounds, over so many playouts of each position.

    `error` is the largest standard error of a share.
    """

    samples: int
    error: float
    chances: Sequence[Valued]

    @property
    def document(self) -> dict[str, Any]:
        """Playouts as plain JSON, `chances` as in a review."""
        rows = [{"seq": each.seq, "chances": list(each.chances)} for each in self.chances]
        return {"samples": self.samples, "error": round(self.error, 4), "chances": rows}


def play_out(
    replay: Replay, samples: int | None = None, report: Callable[[int, int], None] = lambda _done, _all: None
) -> PlayedOut:
    """Play a finished match out from each decision of its last two rounds; the same samples give the same shares.

    Each sample has its own dice, which all positions share, so that differences between positions are not due to dice.
    Without `samples` there are as many as the time allows, at least 20. `report` receives the playouts done and their
    total. `PlayoutError` if the match is not over, a player of it cannot be queried, or they take too long.
    """
    ends = _last_decisions(replay)
    open_ends = [end for end in ends if is_open(replay, end)]
    started = time.process_time()
    wins = {end: list(_shares(replay, end, 0)) for end in open_ends}
    wanted = samples or _samples(time.process_time() - started)
    for number in range(1, wanted):
        report(number, wanted)
        for end in open_ends:
            wins[end] = [had + share for had, share in zip(wins[end], _shares(replay, end, number), strict=True)]
    return _summed(replay, ends, wins, wanted)


def _samples(seconds: float) -> int:
    """Return how many samples the time allows, given the time of one."""
    found = int(SECONDS / max(seconds, SECONDS / MOST_SAMPLES))
    if found < LEAST_SAMPLES:
        raise PlayoutError(f"its players take {seconds:.1f} s to play the last rounds once, too long for many times")
    return found


def _last_decisions(replay: Replay) -> list[int]:
    if replay.game.outcome(replay.states[-1]) is None:
        raise PlayoutError("it is not over")
    last = max(entry.round for entry in replay.entries)
    return [end for end in decisions(replay) if replay.entries[end].round > last - ROUNDS]


def is_open(replay: Replay, end: int) -> bool:
    """Say whether nothing is hidden after an entry."""
    state = replay.states[end]
    return all(replay.game.view(state, seat) == state for seat in range(len(replay.header.seats)))


def _shares(replay: Replay, end: int, number: int) -> tuple[float, ...]:
    """Return the parts of the win if the match continues from a position with the dice of a sample."""
    seed = f"{replay.entries[0].match}|playout|{number}"
    return played_on(replay.game, replay.states[end], _players(replay, seed), Seed(seed))


def played_on(game: Game[Any, Any, Any], state: Any, players: Sequence[NamedPlayer], seed: Seed) -> tuple[float, ...]:
    """Return the parts of the win if players, one for each seat, continue from a position with the dice of a seed."""
    while actors := game.actors(state):
        actor = actors[0]
        action = (
            game.sample_chance(state, seed)
            if actor == CHANCE
            else players[actor].choose(game.view(state, actor), actor)
        )
        state = step(game, state, action)[-1][1]
    outcome = game.outcome(state)
    assert outcome is not None, "no seat has a choice left"
    return outcome.shares


def _players(replay: Replay, seed: str) -> list[NamedPlayer]:
    try:
        return [player_of(replay, info, (), seed) for info in replay.header.seats]
    except NotAsked as error:
        raise PlayoutError(str(error)) from None


def _summed(replay: Replay, ends: Sequence[int], wins: dict[int, list[float]], samples: int) -> PlayedOut:
    valued = list[Valued]()
    for end in ends:
        entry = replay.entries[end]
        if end in wins:
            valued.append(Valued(entry.seq, entry.ply, entry.round, tuple([each / samples for each in wins[end]])))
        elif valued:
            valued.append(Valued(entry.seq, entry.ply, entry.round, valued[-1].chances))
    errors = [standard_error(chance, samples) for each in valued for chance in each.chances]
    return PlayedOut(samples, max(errors, default=0.0), valued)


def standard_error(share: float, samples: int) -> float:
    """Return the standard error of a share, above zero for none and for all too (Agresti and Coull 1998)."""
    near = (share * samples + 2) / (samples + 4)
    return sqrt(near * (1 - near) / (samples + 4))


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
