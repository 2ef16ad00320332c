"""Matches with a planted blunder: one plan of a seat is six rests; named players make all other plans."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import fmean
from typing import Any, Final

from himalaya_core.boards import shipped_board
from himalaya_core.caravan.actions import CommitPlan
from himalaya_core.caravan.pieces import PLAN_LENGTH, Act, Plan
from himalaya_core.caravan.state import State
from himalaya_core.games import GAMES
from himalaya_core.players import NamedPlayer
from himalaya_core.players.caravan.hindsight import FORESEEN, hindsight, real_plans
from himalaya_core.players.caravan.rounds import chances_after, reference, rounds, samples
from himalaya_core.players.caravan.trade_search import carry_out
from himalaya_core.players.named import make_player
from himalaya_core.replay import Replay
from himalaya_core.tournament.plan import Pairing, play_between, seed_of
from himalaya_core.winprob.key_moments import Kind, Swing
from himalaya_core.winprob.model import chances, shipped
from himalaya_core.winprob.review import key_moments

GAME: Final = GAMES["caravan"]
PLAYER: Final = "planner:samples=1"
"""The player of all seats, which is also the reference in reviews.

A round of rest costs it 9 points on average. Other players make several plans per match that cost or gain more than
that in hindsight.
"""
ROUNDS: Final = range(5, 12)
OPEN: Final = (0.15, 0.85)
"""Range of a seat's chance before its plan in which the match is still open; otherwise a blunder changes little."""
LARGEST: Final = 3
SAMPLES: Final = 64


class Blunderer:
    """A player that rests for a whole round."""

    def __init__(self, player: NamedPlayer, number: int) -> None:
        self._player = player
        self._number = number
        self.name, self.version, self.params = player.name, player.version, player.params
        self.swapped: Plan = ()
        """The plan that it replaced by rests."""

    def choose(self, view: Any, seat: int, /) -> Any:
        """Choose like the player, but rest in the given round."""
        action = self._player.choose(view, seat)
        if isinstance(action, CommitPlan) and view.round == self._number:
            self.swapped = action.plan
            return CommitPlan(seat, (Act.REST,) * PLAN_LENGTH)  # type: ignore[arg-type]
        return action


@dataclass(frozen=True)
class Planted:
    """A match, the seat and round of its blunder, and the plan that was replaced."""

    replay: Replay
    seat: int
    round: int
    swapped: Plan

    @property
    def is_blunder(self) -> bool:
        """True if there was something to lose: the match was open for the seat, and its own plan would have delivered.

        Rests must also cost at least the model's error. That is measured on samples of the rivals' plans that the
        review does not use. Cheaper blunders may not become key moments.
        """
        each = next(each for each in rounds(self.replay) if each.number == self.round)
        state, (least, most) = self.replay.states[each.planning], OPEN
        real, player = real_plans(self.replay, each), reference(self.replay)
        after = carry_out(state, {**real, self.seat: self.swapped}, [player] * len(state.seats))
        if not least <= value()(state)[self.seat] <= most or not _delivered(state, after, self.seat):
            return False
        chance = chances_after(state, self.seat, player, value())
        rivals = samples(state, self.seat, player, FORESEEN + SAMPLES)[FORESEEN:]
        cost = fmean(chance(self.swapped, some) - chance(real[self.seat], some) for some in rivals)
        return cost >= error()

    @property
    def is_found(self) -> bool:
        """True if the blunder is among the largest key moments, as a loss."""
        moments = key_moments(self.replay, hindsight(self.replay, value()), (), error())
        largest = sorted(moments, key=lambda moment: -moment.size)[:LARGEST]
        return any(_is_of(moment.swing, self) for moment in largest)


def _is_of(swing: Swing, match: Planted) -> bool:
    """Return whether a swing is the cost of this match's blunder."""
    is_loss = swing.amounts[match.seat] < 0 or swing.cost > 0
    return is_loss and (swing.kind, swing.by, swing.round) == (Kind.PLAN, match.seat, match.round)


def _delivered(before: State, after: State, seat: int) -> bool:
    """Return whether a seat delivered between two positions: each delivery earns a disc, a stupa or delegations."""
    earned = [(each.herds[seat], each.stupas_left[seat], each.delegations_left[seat]) for each in (before, after)]
    return earned[0] != earned[1]


def value() -> Any:
    model = shipped(GAME)
    assert model is not None
    return partial(chances, model)


def error() -> float:
    model = shipped(GAME)
    assert model is not None
    return model.calibration_error


def planted(count: int) -> Iterator[Planted]:
    """Yield matches of three to six players, each with a blunder of a seat that had something to lose."""
    number = 0
    while count:
        number += 1
        match = _planted(f"planted-{number}")
        if match.is_blunder:
            yield match
            count -= 1


def _planted(name: str) -> Planted:
    draws = Random(name)
    line_up = (PLAYER,) * draws.randint(3, 6)
    seat, number = draws.randrange(len(line_up)), draws.choice(ROUNDS)
    players = [make_player(GAME, each, seed_of(name, each, place)) for place, each in enumerate(line_up)]
    players[seat] = blunderer = Blunderer(players[seat], number)
    _, log = play_between(GAME, shipped_board("caravan"), {}, Pairing(name, line_up, name), players)
    return Planted(Replay.read(log.splitlines(keepends=True)), seat, number, blunderer.swapped)
