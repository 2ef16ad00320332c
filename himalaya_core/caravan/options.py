"""Options of a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from himalaya_core.caravan.pieces import SUPPLY
from himalaya_core.document import as_json, as_seat
from himalaya_core.errors import OptionsError
from himalaya_core.game import SEAT, Option

VARIANTS: Final = {
    "tokens": "event tokens (Yeti, snowstorm, market)",
    "full_inventory": "the winner chooses the reward",
    "village_cards": "village cards instead of the die",
}
READINGS: Final = {"fewer_rewards": "a delivery may earn fewer rewards and send fewer delegations"}
SWITCHES: Final = (*VARIANTS, *READINGS)
OPTIONS: Final = (
    Option("first", "the First Caravaneer of round 1 (default: seat 1)", SEAT),
    *(Option(name, text) for name, text in VARIANTS.items()),
    *(Option(name, text, reading=True) for name, text in READINGS.items()),
)


@dataclass(frozen=True, slots=True)
class Options:
    """`players`: number of seats; `first`: the First Caravaneer of round 1 (C-setup.first).

    `tokens`: event tokens are placed in phase I bis. `full_inventory`: the winner of an inventory chooses the reward.
    `village_cards`: a deck of 20 cards replaces the die. `fewer_rewards`: "may" in the rules is taken literally
    (C-III.may).
    """

    players: int = 4
    first: int = 0
    tokens: bool = False
    full_inventory: bool = False
    village_cards: bool = False
    fewer_rewards: bool = False


def parse_options(data: Mapping[str, Any]) -> Options:
    """Parse options; `OptionsError` names the invalid one."""
    unknown = sorted(set(data) - {"players", "first", *SWITCHES})
    if unknown:
        raise OptionsError(f"option {unknown[0]!r} is unknown; caravan has players, first, {', '.join(SWITCHES)}")
    players = data.get("players", 4)
    if type(players) is not int or players not in SUPPLY:
        raise OptionsError(f"caravan needs {min(SUPPLY)} to {max(SUPPLY)} players; you named {as_json(players)}")
    first = data.get("first", 0)
    if type(first) is not int or not 0 <= first < players:
        raise OptionsError(f"option first: expected a seat from 1 to {players}, found {as_seat(first)}")
    for switch in SWITCHES:
        if type(data.get(switch, False)) is not bool:
            raise OptionsError(f"option {switch}: expected true or false, found {as_json(data[switch])}")
    return Options(players, first, **{switch: data.get(switch, False) for switch in SWITCHES})
