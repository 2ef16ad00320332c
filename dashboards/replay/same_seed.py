"""Other matches with the same seed: same dice, other players."""

import json
from dataclasses import dataclass
from typing import Any, Final

from dashboards.warehouse.logs import matches_of_same_seed
from dashboards.warehouse.reader import Reader
from himalaya_core.errors import OptionsError
from himalaya_core.games import GAMES

__all__ = ["Sibling", "Siblings", "siblings"]

MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Sibling:
    """A match of the same seed; `alike` counts the seats with the same player as in the given match."""

    match: str
    line_up: str
    winner: str | None
    margin: int | None
    status: str
    rounds: int
    events: int
    tournament: str | None
    alike: int


@dataclass(frozen=True, slots=True)
class Siblings:
    """The first matches of the same seed, most alike first, then latest first, and their total number."""

    matches: list[Sibling]
    total: int


def siblings(reader: Reader, match: str) -> Siblings:
    """Return the other matches of the same seed on the same board with the same options."""
    found = [
        Sibling(*(row[name] for name in Sibling.__slots__))
        for row in matches_of_same_seed(reader, match).iter_rows(named=True)
        if _options(row["game"], row["options"]) == _options(row["game"], row["chosen_options"])
    ]
    return Siblings(found[:MOST], len(found))


def _options(game: str, text: str) -> Any:
    """Return the options of a log; missing ones have the defaults of the rules."""
    document = json.loads(text)
    try:
        return GAMES[game].parse_options(document)
    except (KeyError, OptionsError):
        return document
