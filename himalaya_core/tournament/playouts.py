"""Playouts: play positions of the last rounds to the end, or play a branch and its match out in pairs."""

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
"""Number of final rounds that are played out. For earlier rounds, a model is as accurate and much faster."""
LEAST_SAMPLES: Final = 20
MOST_SAMPLES: Final = 200
SECONDS: Final = 20.0
"""Time limit for one match, in seconds of processor time."""


class PlayoutError(HimalayaError, ValueError):
    """A match that cannot be played out; the message gives the reason."""


@dataclass(frozen=True)
class PlayedOut:
    """Each seat's share of wins after the decisions of the last rounds, over `samples` playouts per position.

    `error` is the largest standard error of these shares.
    """

    samples: int
    error: float
    chances: Sequence[Valued]

    @property
    def document(self) -> dict[str, Any]:
        """The results as a JSON document; `chances` has the same form as in a review."""
        rows = [{"seq": each.seq, "chances": list(each.chances)} for each in self.chances]
        return {"samples": self.samples, "error": round(self.error, 4), "chances": rows}


def play_out(
    replay: Replay, samples: int | None = None, report: Callable[[int, int], None] = lambda _done, _all: None
) -> PlayedOut:
    """Play out each decision of a match's last two rounds. Return the shares of wins, reproducible for equal `samples`.

    In one sample, all positions use the same dice, so differences between positions are not caused by dice. By default
    the time limit sets the number of samples, at least 20. `report` receives the number of playouts done and their
    total.

    Raises `PlayoutError` if the match is not over, if a player cannot be run here, or if playouts take too long.
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
    """Return whether every seat knows the whole position after an entry."""
    state = replay.states[end]
    return all(replay.game.view(state, seat) == state for seat in range(len(replay.header.seats)))


def _shares(replay: Replay, end: int, number: int) -> tuple[float, ...]:
    """Return each seat's share of the win after one sampled playout from a position."""
    seed = f"{replay.entries[0].match}|playout|{number}"
    return played_on(replay.game, replay.states[end], _players(replay, seed), Seed(seed))


def played_on(game: Game[Any, Any, Any], state: Any, players: Sequence[NamedPlayer], seed: Seed) -> tuple[float, ...]:
    """Let `players`, one per seat, play a position to the end with this seed. Return each seat's share of the win."""
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
    """Return the standard error of a share; above zero even if the share is 0 or 1 (Agresti and Coull 1998)."""
    near = (share * samples + 2) / (samples + 4)
    return sqrt(near * (1 - near) / (samples + 4))


NORMAL: Final = 1.959964
"""Number of standard errors on each side of a 95 % confidence interval."""
Shares = tuple[float, ...]
Players = Sequence[str | None]


@dataclass(frozen=True)
class Pairs:
    """Each seat's shares of the win in the branch and in the match, after `done` of `of` pairs, and their difference.

    A difference is a triple: its mean, and the ends of its 95 % interval.
    """

    done: int
    of: int
    branch: Shares
    original: Shares
    difference: tuple[tuple[float, float, float], ...]

    @property
    def reach(self) -> float:
        """Half the width of the widest interval."""
        return max((high - low) / 2 for _, low, high in self.difference)

    @property
    def document(self) -> dict[str, Any]:
        """The results as a JSON document."""
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
    *,
    jobs: int = 2,
    precision: float = 0.0,
) -> dict[str, Any]:
    """Play out pairs; return the results as JSON. `report` gets them after each pair, and may raise to stop.

    Stops early once each difference is known within `precision`. Raises `BranchError` if a player cannot be run here.
    """
    last: dict[str, Any] = {}
    found = paired(branch, players, samples, jobs)
    try:
        for pairs in found:
            last = pairs.document
            report(last)
            if pairs.done >= LEAST_SAMPLES and pairs.reach <= precision:
                break
    finally:
        found.close()
    return last


def paired(branch: Branch, players: Players | None, samples: int, jobs: int = 1) -> Generator[Pairs, None, None]:
    """Yield the results after every pair. Close the iterator to stop early.

    `players` names one player per seat; `None` is the original one. Raises `BranchError` if a player cannot be run
    here.
    """
    states = branch.state, _meanwhile(branch)
    yield from between(branch.origin, states, players, samples, luck=branch.luck, jobs=jobs)


def between(
    origin: Replay, states: tuple[Any, Any], players: Players | None, samples: int, *, luck: str | None, jobs: int = 1
) -> Generator[Pairs, None, None]:
    """Yield the results of pairs continued from two positions, as in `paired`. The second position is the match's."""
    match = origin.entries[0].match
    given = by_seat(players, len(origin.header.seats))
    case = _Case(origin.game.name, origin.header, match if luck is None else f"{match}|{luck}", states, given)
    case.players(case.name)  # fail early if a player cannot be run here
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
    """All data a worker process needs to play a pair: both positions, the players, and the seed."""

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
    """Return the match's position after as many player decisions as the branch has had, or at the match's end.

    While several seats decide secretly, decisions of the same seats count. If chance acted last in the branch, include
    chance's next action in the match too. Otherwise the players of only one continuation would know the roll.
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
        """Return a mean difference and its interval after Agresti and Min (2005), which add half a pair of each kind.

        The interval therefore has a width even while all pairs are equal.
        """
        done = self._done + 2
        middle = mean * self._done / done
        reach = NORMAL * sqrt(((self._squares[seat] + 1) / done - middle**2) / done)
        return mean, max(middle - reach, -1.0), min(middle + reach, 1.0)
