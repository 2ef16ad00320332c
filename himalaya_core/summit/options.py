"""Options of a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from himalaya_core.document import as_json, as_seat
from himalaya_core.errors import OptionsError
from himalaya_core.game import SEAT, Option
from himalaya_core.summit.pieces import PLAYERS

OPTIONS: Final = (Option("first", "the start player (default: by lot)", SEAT),)


@dataclass(frozen=True, slots=True)
class Options:
    """`players`: number of seats; `first`: the start player, or `None` for a draw by lot (S-4.start)."""

    players: int = 4
    first: int | None = None


def parse_options(data: Mapping[str, Any]) -> Options:
    """Parse options; `OptionsError` names the invalid one."""
    unknown = sorted(set(data) - {"players", "first"})
    if unknown:
        raise OptionsError(f"option {unknown[0]!r} is unknown; summit has players, first")
    players = data.get("players", 4)
    if type(players) is not int or players not in PLAYERS:
        raise OptionsError(f"summit needs {min(PLAYERS)} to {max(PLAYERS)} players; you named {as_json(players)}")
    first = data.get("first")
    if first is not None and (type(first) is not int or not 0 <= first < players):
        raise OptionsError(f"option first: expected a seat from 1 to {players}, found {as_seat(first)}")
    return Options(players, first)
