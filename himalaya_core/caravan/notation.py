"""Written notation of a caravan match: villages by number, roads by their two villages, cubes and plans by letter.

Goods, actions and rewards may also be written as words, and an order disc by its goods and yaks.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from himalaya_core.caravan.pieces import Order
from himalaya_core.caravan.state import State
from himalaya_core.game import Form, as_json, counts, letters, marked, number, numbers, word

__all__ = ["NOTATION"]

CUBES: Final = {"s": "salt", "b": "barley", "t": "tea", "j": "jade", "g": "gold"}
ACTS: Final = {"s": "soil", "t": "stone", "i": "ice", "x": "trade", "r": "rest"}
TOKENS: Final = {"yeti": "yeti", "snow": "snowstorm", "market": "market"}
REWARDS: Final = {"y": "barter", "o": "offering", "d": "delegation"}
REWARD_WORDS: Final = {"yaks": "y", "barter": "y", "offering": "o", "stupa": "o", "delegation": "d", "delegations": "d"}


MOST_CUBES: Final = 20
"""Maximum number before a good; more cubes of a kind are never drawn or demanded."""


def _in_letters(values: Mapping[str, str], words: Iterable[str]) -> str:
    """Return letters for words that are names, or letters already; a number multiplies the next one."""
    letters = {name: letter for letter, name in values.items()}
    found, many = "", 1
    for text in words:
        if text.isdecimal() and 1 <= int(text) <= MOST_CUBES and many == 1:
            many = int(text)
            continue
        if text not in letters and not set(text) <= set(values):
            raise ValueError(text)
        found, many = found + letters.get(text, text) * many, 1
    if many != 1 or not found:
        raise ValueError(found)
    return found


def _seen_cubes(_state: State, _seat: int, words: list[str]) -> list[str]:
    return [words[0], _in_letters(CUBES, words[1:])]


def _seen_disc(state: State, _seat: int, words: list[str]) -> list[str]:
    """Find the disc by its goods and yaks; of discs with equal faces, take the first in the bag."""
    die, *goods, yaks = words
    demand = Counter(_in_letters(CUBES, goods))
    found = [each for each in _bag(state) if each.yaks == int(yaks) and Counter(_letters_of(each)) == demand]
    return [die, found[0].id]


def _shown_disc(state: State, data: Mapping[str, Any]) -> list[str] | None:
    order = state.board.order_by_id[data["order"]]
    words = [str(data["die"]), *_face(order).split()]
    return words if next((each.id for each in _bag(state) if _face(each) == _face(order)), None) == order.id else None


def _offered_discs(state: State) -> list[tuple[str, str]]:
    faces = Counter(_face(order) for order in _bag(state))
    return [(face, f"{count} in the bag") for face, count in faces.items()]


def _bag(state: State) -> list[Order]:
    """Return the discs in the bag in the order of the board."""
    return [order for order in state.board.orders if order in state.order_bag]


def _letters_of(order: Order) -> str:
    return "".join(resource[0] * count for resource, count in order.demand.items())


def _face(order: Order) -> str:
    goods = [str(resource) for resource, count in order.demand.items() for _ in range(count)]
    return " ".join([*goods, str(order.yaks)])


def _seen_plan(_state: State, _seat: int, words: list[str]) -> list[str]:
    return [_in_letters(ACTS, words)]


def _seen_delivery(_state: State, _seat: int, words: list[str]) -> list[str]:
    rewards = [text for text in words[1:] if not text.startswith("to:")]
    plain = [REWARD_WORDS.get(text, text) for text in rewards]
    return [words[0], "".join(plain), *(text for text in words[1:] if text.startswith("to:"))]


def _split(regions: Mapping[str, int]) -> str:
    return ",".join(f"{region}x{many}" for region, many in regions.items())


def _regions(text: str) -> dict[str, int]:
    pairs = (each.split("x") for each in text.lower().split(","))
    return {str(int(region)): int(many) for region, many in pairs}


VILLAGE: Final = number("village", "VILLAGE")
NOTATION: Final[Mapping[str, Form]] = {
    "roll_resources": Form(
        "",
        (number("die", "DIE"), counts("drawn", "CUBES", CUBES)),
        "the die and the cubes drawn (s b t j g)",
        _seen_cubes,
    ),
    "roll_order": Form(
        "",
        (number("die", "DIE"), as_json("order", "GOODS YAKS", str, str.lower)),
        "the die and the disc drawn, such as 17 barley tea 5",
        _seen_disc,
        _shown_disc,
        _offered_discs,
    ),
    "place_caravan": Form("", (VILLAGE,), "a village for the caravan"),
    "place_token": Form(
        "put",
        (
            word("token", "yeti|snow|market", TOKENS),
            marked("on:", numbers("road", "FROM-TO")),
            marked("in:", number("village", "VILLAGE")),
        ),
        "a token",
    ),
    "pass_token": Form("pass", (), "no token"),
    "commit_plan": Form(
        "", (letters("plan", "PLAN", ACTS),), "six letters of s soil, t stone, i ice, x trade, r rest", _seen_plan
    ),
    "collect": Form("take", (word("resource", "s|b|t|j|g", CUBES),), "a cube"),
    "deliver": Form(
        "deliver",
        (
            letters("rewards", "REWARDS", REWARDS),
            marked("to:", as_json("regions", "REGIONxMANY,…", _split, _regions), absent={}),
        ),
        "the order with its rewards (y yaks, o offering, d delegation)",
        _seen_delivery,
    ),
    "decline_trade": Form("no", (), "no trade"),
    "take_marker": Form("marker", (), "the marker"),
    "send_inventory_delegations": Form("region", (number("region", "REGION"),), "a region for two delegations"),
    "place_inventory_stupa": Form("stupa", (VILLAGE,), "a village for a stupa"),
}
