"""Origin of a match: tournament, seed, options, board, load time; and other matches with the same seed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs

from dashboards.games.analytics import terms_of
from dashboards.queries.addresses import Sort, url
from dashboards.queries.logs import match_record, matches_of_same_seed
from dashboards.queries.matches import MatchFilter, neighbours
from dashboards.queries.reader import Reader
from himalaya_core.errors import OptionsError
from himalaya_core.games import GAMES
from himalaya_core.log.envelope import Header
from himalaya_core.verification import DiceVerdict
from ingest.validate.after_load import Verdict

__all__ = ["InList", "Origin", "Sibling", "Siblings", "origin_of", "siblings"]


MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Sibling:
    """A match with the same seed; `alike` counts the seats with the same player as in the given match."""

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
    """Matches with the same seed, at most `MOST`: most players in common first, then latest. `total` counts all."""

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
    """Return the options of a log, with the rules' defaults for missing ones."""
    document = json.loads(text)
    try:
        return GAMES[game].parse_options(document)
    except (KeyError, OptionsError):
        return document


CHECKED: Final[Mapping[str, str]] = {
    Verdict.CLEAN: "follows the rules",
    Verdict.WAITING: "not checked yet",
    Verdict.UNJUDGED: "not checked: its rules or board are not installed",
}
DICE: Final[Mapping[str, str]] = {
    DiceVerdict.FOLLOWS: "and its {} match the seed",
    DiceVerdict.DIFFERS: "but its {} do not match the seed",
}
QUARANTINED: Final = "in quarantine"


@dataclass(frozen=True, slots=True)
class InList:
    """A match in a list: its row from 0 (`None` if not in the list), the list's length, and the neighbouring matches.

    `address` leads to the page with the list; `query` is the filter and sort order that define it.
    """

    address: str
    query: str
    row: int | None
    total: int
    previous: str | None
    next: str | None


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a match; `options` are those that differ from the defaults, in words.

    `came_in` is the day of loading (UTC), `None` for a match in quarantine; logs have no date of play. `checked` has
    the results of the rules check and the seed check, in words. `listed` is `None` unless the reader came from a list.
    """

    match: str
    tournament: str | None
    seed: str | None
    board: str
    options: list[str]
    came_in: str | None
    checked: str
    listed: InList | None


def origin_of(reader: Reader, match: str, header: Header, query: str | None) -> Origin:
    """Return the origin of a match, and its place in the list of matches that `query` defines, if given."""
    record = match_record(reader, match)
    chance = terms_of(header.game).chance
    parts = [CHECKED[record.verdict], DICE.get(record.luck_verdict or "", "").format(chance)] if record else []
    return Origin(
        match=match,
        tournament=record.tournament if record else header.tournament,
        seed=header.luck,
        board=header.board.id,
        options=_in_words(header.options),
        came_in=record.came_in if record else None,
        checked=" ".join(filter(None, parts)) or QUARANTINED,
        listed=None if query is None else _listed(reader, match, query),
    )


def _in_words(options: Mapping[str, Any]) -> list[str]:
    """Return options in words ("tokens", "first 2"), without the number of players and options that are off."""
    named = {name.replace("_", " "): value for name, value in options.items() if name != "players"}
    return [name if value is True else f"{name} {value}" for name, value in named.items() if value not in (False, None)]


def _listed(reader: Reader, match: str, query: str) -> InList:
    keys = parse_qs(query)
    where, sort = MatchFilter.read(keys), Sort.read(keys)
    found = neighbours(reader, where, sort, match)
    return InList(url("/matches", where.pairs(), sort.pairs()), query, *found)
