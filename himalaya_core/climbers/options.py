"""Options of a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from himalaya_core.climbers.pieces import PLAYERS
from himalaya_core.document import as_json, as_seat
from himalaya_core.errors import OptionsError
from himalaya_core.game import SEAT, Option

OPTIONS: Final = (
    Option("first", "the start player (default: by lot)", SEAT),
    Option("shift_all", "a mover may shift every climber on the tops that the block comes to lie on", reading=True),
)


@dataclass(frozen=True, slots=True)
class Options:
    """`players`: number of seats; `first`: the start player, or `None` for a draw by lot (L-5.start).

    `shift_all`: the mover may shift every climber on a top that the moved block is placed on (L-3.whom).
    """

    players: int = 4
    first: int | None = None
    shift_all: bool = False


def parse_options(data: Mapping[str, Any]) -> Options:
    """Parse options; `OptionsError` names the invalid one."""
    unknown = sorted(set(data) - {"players", "first", "shift_all"})
    if unknown:
        raise OptionsError(f"option {unknown[0]!r} is unknown; climbers has players, first, shift_all")
    players = data.get("players", 4)
    if type(players) is not int or players not in PLAYERS:
        raise OptionsError(f"climbers needs {min(PLAYERS)} to {max(PLAYERS)} players; you named {as_json(players)}")
    first = data.get("first")
    if first is not None and (type(first) is not int or not 0 <= first < players):
        raise OptionsError(f"option first: expected a seat from 1 to {players}, found {as_seat(first)}")
    shift_all = data.get("shift_all", False)
    if type(shift_all) is not bool:
        raise OptionsError(f"option shift_all: expected true or false, found {as_json(shift_all)}")
    return Options(players, first, shift_all)
