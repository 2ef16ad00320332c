"""Choices of a seat in a position, for pages and the API."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.games.analytics import analytics_of
from dashboards.games.choices import Choice, Way
from dashboards.replay.branch_document import write_action
from himalaya_core.game import Game
from himalaya_core.notation import expected, write

__all__ = ["Choices", "ListedAction", "choices_of", "listed"]


@dataclass(frozen=True, slots=True)
class ListedAction:
    """An allowed action, in words and in notation; `on` has the ids of its targets in the scene."""

    action: dict[str, Any]
    text: str
    on: list[str]
    written: str


@dataclass(frozen=True, slots=True)
class Choices:
    """Seat to choose, a sentence with the expected choice, and its form; not all plans and blocks are listed."""

    seat: int
    expected: str
    input: Way
    actions: list[ListedAction]

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data; `asdict` takes ten times as long."""
        listed = [
            {"action": each.action, "text": each.text, "on": each.on, "written": each.written} for each in self.actions
        ]
        return {"seat": self.seat, "expected": self.expected, "input": self.input, "actions": listed}


def choices_of(game: Game[Any, Any, Any], state: Any, seat: int, names: Sequence[str]) -> Choices:
    """Return the choices of a seat that may act in the position; they reveal no more than that seat sees."""
    visible = game.view(state, seat)
    offer = analytics_of(game.name).choices(game, visible, seat, names)
    return Choices(seat, expected(game, visible), offer.way, [listed(game, visible, each) for each in offer.listed])


def listed(game: Game[Any, Any, Any], state: Any, choice: Choice) -> ListedAction:
    """Return a choice in a position in the form of the API."""
    written = write(game, state, choice.action)
    return ListedAction(write_action(game, choice.action), choice.text, list(choice.on), written)
