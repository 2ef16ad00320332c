"""The course of a plan as its seat may foresee it: by the rules, as if all other seats rested."""

from collections.abc import Sequence
from typing import Any, Final

from dashboards.games.analytics import ForeseenStep, without_name
from dashboards.games.caravan.replay.text import decision_in_words
from himalaya_core.caravan.actions import CommitPlan
from himalaya_core.caravan.events import ActionVoided, Collected, Delivered, Moved, Rested, StormEntered
from himalaya_core.caravan.pieces import PLAN_LENGTH, Act
from himalaya_core.caravan.state import State, evolve
from himalaya_core.engine import step
from himalaya_core.game import Game

__all__ = ["foreseen_steps"]

STEPS: Final = (ActionVoided, Collected, Delivered, Moved, Rested, StormEntered)
"""Each action of a plan causes one of these events."""
RESTS: Final = (Act.REST, Act.REST, Act.REST, Act.REST, Act.REST, Act.REST)


def foreseen_steps(game: Game[Any, Any, Any], state: State, action: Any, names: Sequence[str]) -> list[ForeseenStep]:
    """Return what each action of a plan would do; other plans are replaced by rests, so none is revealed.

    At a trade the first legal choice is taken: neither choice moves the caravan.
    """
    if not isinstance(action, CommitPlan):
        return []
    seat = action.seat
    state = evolve(state, plans=(None,) * len(state.seats))
    plans = [action if other == seat else CommitPlan(other, RESTS) for other in state.seats]
    found = list[ForeseenStep]()
    while plans or (game.actors(state) == (seat,) and 1 <= state.step <= PLAN_LENGTH):
        taken = step(game, state, plans.pop() if plans else game.legal_actions(state, seat)[0])
        found += [
            _step(event, after, names) for event, after in taken if isinstance(event, STEPS) and event.seat == seat
        ]
        state = taken[-1][1]
    return found


def _step(event: Any, after: State, names: Sequence[str]) -> ForeseenStep:
    text = without_name(decision_in_words([event], names), str(names[event.seat]))
    return ForeseenStep(
        after.caravans[event.seat], after.storms[event.seat], text, is_void=isinstance(event, ActionVoided)
    )
