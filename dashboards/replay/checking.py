"""Check whether an action is allowed in a position; an incomplete one gets its possible completions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.games.analytics import analytics_of
from dashboards.replay.choosing import ListedAction, listed
from himalaya_core.game import Game, IllegalAction
from himalaya_core.notation import refusal_in_words

__all__ = ["Checked", "checked"]


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether an action is allowed, and if not, why; `ways` are the complete actions of an incomplete one."""

    legal: bool
    message: str | None = None
    ways: list[ListedAction] | None = None


def checked(game: Game[Any, Any, Any], state: Any, action: Any, names: Sequence[str]) -> Checked:
    """Return whether an action is allowed in a position; all seats have names."""
    try:
        game.decide(state, action)
    except IllegalAction as error:
        ways = [listed(game, state, each) for each in analytics_of(game.name).ways(game, state, action, names)]
        return Checked(legal=False, message=refusal_in_words(str(error), names), ways=ways or None)
    return Checked(legal=True)
