"""Written notation of a caravan match: villages by number, roads by their two villages, cubes and plans by letter."""

from collections.abc import Mapping
from typing import Final

from himalaya_core.game import Form, as_json, counts, letters, marked, number, numbers, word

__all__ = ["NOTATION"]

CUBES: Final = {"s": "salt", "b": "barley", "t": "tea", "j": "jade", "g": "gold"}
ACTS: Final = {"s": "soil", "t": "stone", "i": "ice", "x": "trade", "r": "rest"}
TOKENS: Final = {"yeti": "yeti", "snow": "snowstorm", "market": "market"}
REWARDS: Final = {"y": "barter", "o": "offering", "d": "delegation"}


def _split(regions: Mapping[str, int]) -> str:
    return ",".join(f"{region}x{many}" for region, many in regions.items())


def _regions(text: str) -> dict[str, int]:
    pairs = (each.split("x") for each in text.lower().split(","))
    return {str(int(region)): int(many) for region, many in pairs}


VILLAGE: Final = number("village", "VILLAGE")
NOTATION: Final[Mapping[str, Form]] = {
    "roll_resources": Form(
        "", (number("die", "DIE"), counts("drawn", "CUBES", CUBES)), "the die and the cubes drawn (s b t j g)"
    ),
    "roll_order": Form(
        "", (number("die", "DIE"), as_json("order", "DISC", str, str.lower)), "the die and the disc drawn (such as o17)"
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
    "commit_plan": Form("", (letters("plan", "PLAN", ACTS),), "six letters of s soil, t stone, i ice, x trade, r rest"),
    "collect": Form("take", (word("resource", "s|b|t|j|g", CUBES),), "a cube"),
    "deliver": Form(
        "deliver",
        (
            letters("rewards", "REWARDS", REWARDS),
            marked("to:", as_json("regions", "REGIONxMANY,…", _split, _regions), absent={}),
        ),
        "the order with its rewards (y yaks, o offering, d delegation)",
    ),
    "decline_trade": Form("no", (), "no trade"),
    "take_marker": Form("marker", (), "the marker"),
    "send_inventory_delegations": Form("region", (number("region", "REGION"),), "a region for two delegations"),
    "place_inventory_stupa": Form("stupa", (VILLAGE,), "a village for a stupa"),
}
