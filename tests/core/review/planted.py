"""Matches with a blunder planted in them: one plan of a seat is six rests, all else is played by named players."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

from himalaya_core.arena.record import Pairing, play_between, seed_of
from himalaya_core.boards import shipped_board
from himalaya_core.caravan.actions import CommitPlan
from himalaya_core.caravan.pieces import PLAN_LENGTH, Act
from himalaya_core.games import GAMES
from himalaya_core.players import NamedPlayer
from himalaya_core.players.caravan.hindsight import hindsight
from himalaya_core.players.caravan.rounds import rounds
from himalaya_core.players.named import make_player
from himalaya_core.replay import Replay
from himalaya_core.review.model import chances, shipped
from himalaya_core.review.reviewing import key_moments
from himalaya_core.review.swings import Cause

GAME: Final = GAMES["caravan"]
PLAYER: Final = "planner"
"""Everybody's: in a line-up of simple players many plans are greater blunders than a round of rest."""
ROUNDS: Final = range(5, 12)
OPEN: Final = (0.15, 0.85)
"""The chances, before the plan, of a seat for which the match is not decided: else a blunder changes none."""
LARGEST: Final = 3


class Blunderer:
    """A player that rests for a whole round."""

    def __init__(self, player: NamedPlayer, number: int) -> None:
        self._player = player
        self._number = number
        self.name, self.version, self.params = player.name, player.version, player.params

    def choose(self, view: Any, seat: int, /) -> Any:
        """Choose as the player does, but rest in the round."""
        action = self._player.choose(view, seat)
        if isinstance(action, CommitPlan) and view.round == self._number:
            return CommitPlan(seat, (Act.REST,) * PLAN_LENGTH)  # type: ignore[arg-type]
        return action


@dataclass(frozen=True)
class Planted:
    """A match, and the seat and round of its blunder."""

    replay: Replay
    seat: int
    round: int

    @property
    def is_open(self) -> bool:
        """Whether the match was not decided for the seat before it blundered."""
        place = next(each.start for each in rounds(self.replay) if each.number == self.round)
        least, most = OPEN
        return least <= value()(self.replay.states[place])[self.seat] <= most

    @property
    def is_found(self) -> bool:
        """Whether the blunder is among the largest key moments."""
        model = shipped(GAME)
        assert model is not None
        moments = key_moments(self.replay, hindsight(self.replay, value()), (), model.calibration_error)
        largest = sorted(moments, key=lambda moment: -moment.swing.size)[:LARGEST]
        return any(
            (moment.seat, moment.swing.round, moment.cause) == (self.seat, self.round, Cause.OWN_PLAN)
            and moment.change < 0
            for moment in largest
        )


def value() -> Any:
    model = shipped(GAME)
    assert model is not None
    return partial(chances, model)


def planted(count: int) -> Iterator[Planted]:
    """Yield so many matches of three to six, with the blunder of any seat, in which the match was open for it."""
    number = 0
    while count:
        number += 1
        match = _planted(f"planted-{number}")
        if match.is_open:
            yield match
            count -= 1


def _planted(name: str) -> Planted:
    draws = Random(name)
    line_up = (PLAYER,) * draws.randint(3, 6)
    seat, number = draws.randrange(len(line_up)), draws.choice(ROUNDS)
    players = [make_player(GAME, each, seed_of(name, each, place)) for place, each in enumerate(line_up)]
    players[seat] = Blunderer(players[seat], number)
    _, log = play_between(GAME, shipped_board("caravan"), {}, Pairing(name, line_up, name), players)
    return Planted(Replay.read(log.splitlines(keepends=True)), seat, number)
