"""Play out the end of a match: from each position of its last rounds, the same players continue many times.

Near the end of a match this is more accurate than a model: it knows the players. A playout knows only what is known to
everybody at the table. If something is hidden, such as an unrevealed plan, the chances before it was hidden still hold.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from himalaya_core.arena.asking import NotAsked, player_of
from himalaya_core.engine import step
from himalaya_core.errors import HimalayaError
from himalaya_core.game import CHANCE, Game
from himalaya_core.players import NamedPlayer
from himalaya_core.replay import Replay
from himalaya_core.review.course import Valued, decisions
from himalaya_core.seed import Seed

__all__ = ["LEAST_SAMPLES", "PlayedOut", "PlayoutError", "is_open", "play_out", "played_on", "standard_error"]

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
