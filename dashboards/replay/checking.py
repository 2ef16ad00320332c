"""Whether an action is allowed in a position, and where it says too little, the ways in which it can be completed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.games.analytics import analytics_of
from dashboards.games.choices import Choice
from dashboards.replay.branch_document import DocumentError, read_action, write_action
from himalaya_core.game import Game, IllegalAction
from himalaya_core.notation import told

__all__ = ["Checked", "ListedAction", "checked", "listed"]


@dataclass(frozen=True, slots=True)
class ListedAction:
    """An action that may be chosen, in words, and what on the board it is about, by the ids of the scene."""

    action: dict[str, Any]
    text: str
    on: list[str]


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether an action is allowed, and if not, why; `ways` are whole actions, where it leaves something to choose."""

    legal: bool
    message: str | None = None
    ways: list[ListedAction] | None = None


def checked(game: Game[Any, Any, Any], state: Any, said: Mapping[str, Any], names: Sequence[str]) -> Checked:
    """Return whether an action, as a log writes it with its seat, is allowed in a position; seats have names."""
    try:
        action = read_action(game, said)
    except DocumentError as error:
        return Checked(legal=False, message=str(error))
    try:
        game.decide(state, action)
    except IllegalAction as error:
        ways = [listed(game, each) for each in analytics_of(game.name).ways(game, state, action, names)]
        return Checked(legal=False, message=told(str(error), names), ways=ways or None)
    return Checked(legal=True)


def listed(game: Game[Any, Any, Any], choice: Choice) -> ListedAction:
    """Return a choice as answers have it."""
    return ListedAction(write_action(game, choice.action), choice.text, list(choice.on))
