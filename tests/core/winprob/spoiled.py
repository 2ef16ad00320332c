"""Matches in which one decision of a good player is replaced by a bad one; play continues with the same dice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from himalaya_core.api import play
from himalaya_core.climbers.actions import MoveBlock, SkipBlock
from himalaya_core.engine import step
from himalaya_core.games import GAMES
from himalaya_core.players.named import make_player
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.summit.actions import Reroll
from himalaya_core.winprob.key_moments import Value, review_of
from himalaya_core.winprob.model import chances, shipped

__all__ = ["Spoiled", "spoiled"]


@dataclass(frozen=True)
class Spoiled:
    """A match with a blunder at an entry: its cost according to the review, and its ranks by size, from 1.

    `by_swing` is the rank of its turn among the swings, `by_cost` its rank among the evaluated decisions of all seats.
    """

    replay: Replay
    seq: int
    cost: float
    by_swing: int
    by_cost: int


class Blunderer:
    """Plays like another player, except in one of the decisions that allow a blunder; `at` is its number, from 1."""

    name = "blunderer"

    def __init__(self, inner: Any, blunder: Callable[[Any, int, Any], Any], at: int) -> None:
        self._inner, self._blunder, self._at = inner, blunder, at
        self.chances = 0

    def choose(self, view: Any, seat: int) -> Any:
        good = self._inner.choose(view, seat)
        bad = self._blunder(view, seat, good)
        self.chances += bad is not None
        return bad if bad is not None and self.chances == self._at else good


def worst_die(value: Value, view: Any, seat: int, _good: Any) -> Any:
    """Return the worst die or card, if there is a choice."""
    game = GAMES["summit"]
    choices = [action for action in game.legal_actions(view, seat) if not isinstance(action, Reroll)]
    return min(choices, key=lambda action: value(step(game, view, action)[-1][1])[seat]) if len(choices) > 1 else None


def no_block(_value: Value, _view: Any, seat: int, good: Any) -> Any:
    """Return the action that moves no block."""
    return SkipBlock(seat) if isinstance(good, MoveBlock) else None


BLUNDERS: Final[dict[str, Callable[[Value, Any, int, Any], Any]]] = {"summit": worst_die, "climbers": no_block}


def spoiled(game: str, good: str, rivals: Sequence[str], number: int) -> Spoiled | None:
    """Play a match with a blunder at a random decision; `None` if no decision allowed one or it changed nothing.

    The number of the match determines how many rivals sit before the good player.
    """
    model = shipped(GAMES[game])
    assert model is not None, "a model ships"
    value, seat, seed = partial(chances, model), number % (len(rivals) + 1), f"spoiled-{game}-{number}"

    def played(at: int) -> tuple[Blunderer, Replay]:
        player = Blunderer(make_player(GAMES[game], good, seed), partial(BLUNDERS[game], value), at)
        line_up = [*rivals[:seat], player, *rivals[seat:]]
        return player, play(game, line_up, seed=seed).replay

    player, as_it_was = played(0)
    if not player.chances:
        return None
    _, replay = played(1 + Seed(seed).dice("blunder", 0, 0).below(player.chances))
    pairs = zip(as_it_was.entries, replay.entries, strict=False)
    seq = next((one.seq for one, other in pairs if one.action != other.action or one.event != other.event), None)
    return None if seq is None else _found(replay, value, seq)


def _found(replay: Replay, value: Value, seq: int) -> Spoiled:
    while replay.entries[seq].action is None:
        seq -= 1
    game = review_of(replay.game.name)
    swings = sorted(game.swings(replay, value), key=lambda swing: -swing.size)
    by_swing = 1 + next(place for place, swing in enumerate(swings) if swing.since < seq <= swing.seq)
    judged = sorted(game.judgements(replay, value), key=lambda judged: -judged.cost)
    by_cost, cost = next((place, each.cost) for place, each in enumerate(judged, start=1) if each.seq == seq)
    return Spoiled(replay, seq, cost, by_swing, by_cost)
