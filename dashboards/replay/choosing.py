"""What a seat may choose in a position, as a page offers it and the API tells it."""

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
    """An action that may be chosen, in words and as it is written; `on`: ids of the scene of what it is about."""

    action: dict[str, Any]
    text: str
    on: list[str]
    written: str


@dataclass(frozen=True, slots=True)
class Choices:
    """Whose choice it is, what is expected in a sentence, and how it is made; not all plans and blocks are listed."""

    seat: int
    expected: str
    input: Way
    actions: list[ListedAction]

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it; `asdict` takes ten times as long."""
        listed = [
            {"action": each.action, "text": each.text, "on": each.on, "written": each.written} for each in self.actions
        ]
        return {"seat": self.seat, "expected": self.expected, "input": self.input, "actions": listed}


def choices_of(game: Game[Any, Any, Any], state: Any, seat: int, names: Sequence[str]) -> Choices:
    """Return what a seat may choose, which is one of the position's actors; it sees no more than that seat does."""
    seen = game.view(state, seat)
    offer = analytics_of(game.name).choices(game, seen, seat, names)
    return Choices(seat, expected(game, seen), offer.way, [listed(game, seen, each) for each in offer.listed])


def listed(game: Game[Any, Any, Any], state: Any, choice: Choice) -> ListedAction:
    """Return a choice in a position as answers have it."""
    written = write(game, state, choice.action)
    return ListedAction(write_action(game, choice.action), choice.text, list(choice.on), written)
