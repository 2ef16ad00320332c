"""The chosen set-up of a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from himalaya_core.caravan.pieces import SUPPLY
from himalaya_core.errors import OptionsError
from himalaya_core.game import Option

VARIANTS: Final = {
    "tokens": "event tokens (Yeti, snowstorm, market)",
    "full_inventory": "the winner chooses the reward",
    "village_cards": "village cards instead of the die",
}
OPTIONS: Final = (
    Option("first", "the First Caravaneer of round 1 (default: seat 0)", "SEAT"),
    *(Option(name, text) for name, text in VARIANTS.items()),
)


@dataclass(frozen=True, slots=True)
class Options:
    """`players`: number of seats; `first`: the First Caravaneer of round 1 (C-setup.first).

    `tokens`: event tokens are placed in phase I bis; `full_inventory`: its winner chooses the reward;
    `village_cards`: a deck of 20 cards instead of the die.
    """

    players: int = 4
    first: int = 0
    tokens: bool = False
    full_inventory: bool = False
    village_cards: bool = False


def parse_options(data: Mapping[str, Any]) -> Options:
    """Return checked options; `OptionsError` names the option that is wrong."""
    unknown = sorted(set(data) - {"players", "first", *VARIANTS})
    if unknown:
        raise OptionsError(f"option {unknown[0]!r} is unknown; caravan has players, first, {', '.join(VARIANTS)}")
    players = data.get("players", 4)
    if type(players) is not int or players not in SUPPLY:
        raise OptionsError(f"option players: expected one of {', '.join(map(str, SUPPLY))}, found {players!r}")
    first = data.get("first", 0)
    if type(first) is not int or not 0 <= first < players:
        raise OptionsError(f"option first: expected a seat 0..{players - 1}, found {first!r}")
    for variant in VARIANTS:
        if type(data.get(variant, False)) is not bool:
            raise OptionsError(f"option {variant}: expected true or false, found {data[variant]!r}")
    return Options(players, first, **{variant: data.get(variant, False) for variant in VARIANTS})
