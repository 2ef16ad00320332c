"""The chosen set-up of a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from himalaya_core.caravan.pieces import SUPPLY
from himalaya_core.game import OptionsError


@dataclass(frozen=True, slots=True)
class Options:
    """`players`: number of seats; `first`: the First Caravaneer of round 1 (C-setup.first)."""

    players: int = 4
    first: int = 0


def parse_options(data: Mapping[str, Any]) -> Options:
    """Return checked options; `OptionsError` names the option that is wrong."""
    unknown = sorted(set(data) - {"players", "first"})
    if unknown:
        raise OptionsError(f"option {unknown[0]!r} is unknown; caravan has players and first")
    players = data.get("players", 4)
    if type(players) is not int or players not in SUPPLY:
        raise OptionsError(f"option players: expected one of {', '.join(map(str, SUPPLY))}, found {players!r}")
    first = data.get("first", 0)
    if type(first) is not int or not 0 <= first < players:
        raise OptionsError(f"option first: expected a seat 0..{players - 1}, found {first!r}")
    return Options(players, first)
