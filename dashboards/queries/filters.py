"""Filters of pages, exports and reports. Each criterion defines its address keys, its SQL and its words in one place.

A `Filter` is read from an address and written back to it. `where.py` combines the SQL of the criteria, `in_words` their
words. Values are passed as parameters, so no text from a user becomes SQL.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from dashboards.queries.addresses import (
    COUNT,
    COUNTS,
    TEXT,
    TEXTS,
    Key,
    Pairs,
    Query,
    counts_of,
    names_of,
    number_of,
    repeated,
    text_of,
    texts_of,
)
from dashboards.queries.participants import version_of
from himalaya_core.games import title_of
from himalaya_core.names import normalize_name
from ingest.validate.after_load import Verdict

__all__ = [
    "DESCRIBED_KEYS",
    "FILTER_KEYS",
    "LAST_ROUND",
    "NO_TOURNAMENT",
    "PARTS",
    "RESULTS",
    "VERDICTS",
    "BookmarkFilter",
    "Filter",
    "Where",
    "conjunction",
    "in_tournaments",
    "in_words",
    "listed",
    "most_played",
]

NO_TOURNAMENT: Final = "(none)"  # not a possible tournament name, because names have no brackets
LAST_ROUND: Final = 999
"""Default end of the range of rounds: more rounds than any match has."""
OPTION_NAME: Final = re.compile("[a-z_]+")
MOST_NAMED: Final = 12
RESULTS: Final = {"won": "{0}.won", "lost": "not {0}.won", "outlasted": "(not {0}.won and {0}.ending is null)"}
"""SQL for the results of a seat; any other result is specific to a game, such as a cause of elimination."""

VERDICTS: Final[Mapping[str, str]] = {
    Verdict.CLEAN: "clean: follows from the rules",
    Verdict.WAITING: "not yet verified",
    Verdict.UNJUDGED: "unjudged: rules or board not installed",
}
"""Verdicts of the rules check on matches, with their meanings."""
VERDICT: Final[dict[str, Any]] = {"type": "array", "items": {"enum": [str(verdict) for verdict in VERDICTS]}}

Where = tuple[str, dict[str, Any]]
"""An SQL condition, and the values of its parameters."""
SeatRows = Literal["seats", "listed", "cohorts"]
"""Rows that a condition on seats applies to: seats of finished matches, seats of all matches, or cohorts of seats.

The SQL alias is `s` for seats and `c` for cohorts.
"""
ANYTHING: Final[Where] = ("true", {})
"""Condition of a criterion that does not filter."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A selection of matches, and of seats and rounds in them, for every figure, table, export and report.

    An empty field does not restrict the selection. Most fields are lists of which one value must match.
    - `game`: if empty, the game most played in the filter's tournaments.
    - `options`: `name=value` as in a log; all of these must match.
    - `versions`: `player version`.
    - `seats`: counted from 0 here and from 1 in an address.
    - `results`: `won`, `lost`, `outlasted` (lost without being eliminated), or a cause of elimination.
    - `first`, `last`: the range of rounds, whatever the game calls them; 0 is the set-up.
    - `board`: the id of a board.
    - `verdicts`: keys of `VERDICTS`. If empty, lists show all matches, but statistics count only clean ones.
    """

    game: str = ""
    tournaments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    players: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    results: tuple[str, ...] = ()
    first: int = 0
    last: int = LAST_ROUND
    board: str = ""
    verdicts: tuple[str, ...] = ()

    @classmethod
    def read(cls, query: Query, prefix: str = "") -> Self:
        """Read a filter from the keys of an address; invalid values are dropped.

        If the first round is after the last, the two are swapped. With the prefix `b.`, the second of two selections is
        read (`b.seat`).
        """
        fields: dict[str, Any] = {}
        for part in PARTS:
            fields |= part.read(query, prefix)
        return cls(**fields)

    def pairs(self, prefix: str = "") -> Pairs:
        """Return the filter as keys and values of an address; criteria that do not filter are omitted."""
        return [(prefix + key, value) for part in PARTS for key, value in part.pairs(self)]


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of a filter: its keys in an address, its condition in SQL, and its words.

    - `read` returns fields of `Filter` from a query and a key prefix.
    - `words` describes the selection, given the game's word for rounds.
    - `of_matches` is a condition on the rows of an SQL alias. These are matches, or cohorts, which have the columns
      that their matches share.
    - `of_seats` is a condition on the rows of one kind of `SeatRows`.

    The criterion for rounds has neither condition, because figures by round apply the range themselves.
    """

    keys: tuple[Key, ...]
    read: Callable[[Query, str], dict[str, Any]]
    pairs: Callable[[Filter], Pairs]
    words: Callable[[Filter, str], list[str]]
    of_matches: Callable[[Filter, str], Where] | None = None
    of_seats: Callable[[Filter, SeatRows], Where] | None = None


def in_words(where: Filter, rounds: str) -> str:
    """Return a filter in words; `rounds` is the game's word for rounds."""
    return "; ".join(words for part in PARTS for words in part.words(where, rounds)) or "all matches"


def listed(names: Iterable[str], most: int = MOST_NAMED) -> str:
    """Return names as a list in words, as in "a, b and c", with at most `most` of them."""
    every = list(names)
    if len(every) > most:
        return f"{', '.join(every[:most])} and {len(every) - most:,} more"
    return " and ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)


def conjunction(parts: Sequence[str]) -> str:
    """Return the condition that all parts hold."""
    return " and ".join(part for part in parts if part != "true") or "true"


def _named(one: str, several: str, names: Iterable[str]) -> list[str]:
    every = list(names)
    return [f"{one if len(every) == 1 else several} {listed(every)}"] if every else []


# --- The game, and the tournaments that determine the game


def _game_condition(where: Filter, alias: str) -> Where:
    if where.game:
        return f"{alias}.game = $game", {"game": where.game}
    return f"{alias}.game = {most_played(where)[0]}", {}  # the condition on tournaments already binds the parameters


def most_played(where: Filter) -> Where:
    """Return the query for the most played game in a filter's tournaments, for a filter that names no game."""
    condition, values = in_tournaments(where.tournaments, "dim_matches")
    sql = f"""(select game from dim_matches where {condition}
        group by game order by count(*) filter (status = 'finished') desc, count(*) desc, game limit 1)"""
    return sql, values


def in_tournaments(names: Sequence[str], alias: str = "m") -> Where:
    """Return the condition that a match belongs to one of these tournaments; always true if none is named."""
    if not names:
        return ANYTHING
    part = f"list_contains($tournaments, coalesce({alias}.tournament, $none))"
    return part, {"tournaments": list(names), "none": NO_TOURNAMENT}


def _tournament_words(where: Filter, _: str) -> list[str]:
    names = ["none" if name == NO_TOURNAMENT else name for name in where.tournaments]
    return _named("tournament", "tournaments", names)


# --- Options


def _is_option(text: str) -> bool:
    name, found, _ = text.partition("=")
    return bool(found and OPTION_NAME.fullmatch(name))


def _options_condition(where: Filter, alias: str) -> Where:
    parts: list[str] = []
    values: dict[str, Any] = {}
    for place, option in enumerate(where.options):
        name, _, value = option.partition("=")
        if not OPTION_NAME.fullmatch(name):
            return "false", {}
        parts.append(f"coalesce(json_extract_string({alias}.options, $option_{place}), 'false') = $value_{place}")
        values |= {f"option_{place}": f'$."{name}"', f"value_{place}": value}
    return conjunction(parts), values


# --- Versions and results of seats


def _versions_condition(where: Filter, rows: SeatRows) -> Where:
    if not where.versions:
        return ANYTHING
    values = {"versions": [*where.versions, *map(normalize_name, where.versions)]}
    named = f"list_contains($versions, k.player || ' ' || {version_of('k')})"
    if rows == "seats":
        return f"s.cohort in (select k.cohort from dim_cohorts k where {named})", values
    if rows == "listed":  # settings are slow to read, and any_value avoids reading them before grouping
        texts = "player || ' ' || version || params::varchar"
        kinds = f"""(select {texts} as text, any_value(player) as player, any_value(version) as version,
            any_value(params) as params from dim_seats group by 1)"""
        own = "s.player || ' ' || s.version || s.params::varchar"
        return f"{own} in (select k.text from {kinds} k where {named})", values
    return f"list_contains($versions, c.player || ' ' || {version_of('c')})", values


def _results_condition(where: Filter, rows: SeatRows) -> Where:
    if not where.results:
        return ANYTHING
    alias = _alias(rows)
    ways = [RESULTS[result].format(alias) for result in where.results if result in RESULTS]
    own = f"coalesce(list_contains($results, {alias}.ending), false)"
    return f"({' or '.join([*ways, own])})", {"results": list(where.results)}


# --- Rounds


def _read_rounds(query: Query, prefix: str) -> dict[str, Any]:
    ends = ((f"{prefix}from", 0), (f"{prefix}to", LAST_ROUND))
    first, last = sorted(number_of(query, key, default, LAST_ROUND) for key, default in ends)
    return {"first": first, "last": last}


def _round_pairs(where: Filter) -> Pairs:
    first = [("from", str(where.first))] if where.first > 0 else []
    return [*first, *([("to", str(where.last))] if where.last < LAST_ROUND else [])]


def _round_words(where: Filter, rounds: str) -> list[str]:
    if where.last == LAST_ROUND:
        return [f"{rounds} from {where.first} on"] if where.first else []
    return [f"{rounds} {where.first} to {where.last}"]


def _any_of(field: str, column: str) -> Callable[[Filter, str], Where]:
    """Return a function for the condition that a column has one of the values of a field."""

    def condition(where: Filter, alias: str) -> Where:
        values = list(getattr(where, field))
        return (f"list_contains(${field}, {alias}.{column})", {field: values}) if values else ANYTHING

    return condition


def _of_any_seat(field: str, column: str) -> Callable[[Filter, SeatRows], Where]:
    condition = _any_of(field, column)
    return lambda where, rows: condition(where, _alias(rows))


def _alias(rows: SeatRows) -> str:
    return "c" if rows == "cohorts" else "s"


def _board_condition(where: Filter, alias: str) -> Where:
    return (f"{alias}.board_id = $board_id", {"board_id": where.board}) if where.board else ANYTHING


PARTS: Final = (
    Criterion(
        (Key("game", "of this game; if left out, of the one most played", TEXT),),
        read=lambda query, prefix: {"game": text_of(query, f"{prefix}game")},
        pairs=lambda where: [("game", where.game)] if where.game else [],
        words=lambda where, _: [title_of(where.game)] if where.game else [],
        of_matches=_game_condition,
    ),
    Criterion(
        (Key("tournament", "of one of these tournaments, `(none)` for none", TEXTS),),
        read=lambda query, prefix: {"tournaments": texts_of(query, f"{prefix}tournament")},
        pairs=lambda where: repeated("tournament", where.tournaments),
        words=_tournament_words,
        of_matches=lambda where, alias: in_tournaments(where.tournaments, alias),
    ),
    Criterion(
        (Key("option", "all of these options hold, each as name=value", TEXTS),),
        read=lambda query, prefix: {"options": tuple(filter(_is_option, texts_of(query, f"{prefix}option")))},
        pairs=lambda where: repeated("option", where.options),
        words=lambda where, _: _named("option", "options", where.options),
        of_matches=_options_condition,
    ),
    Criterion(
        (Key("players", "of one of these sizes of table", COUNTS),),
        read=lambda query, prefix: {"sizes": counts_of(query, f"{prefix}players")},
        pairs=lambda where: repeated("players", where.sizes),
        words=lambda where, _: _named("table of", "tables of", [f"{size} players" for size in where.sizes]),
        of_matches=_any_of("sizes", "players"),
    ),
    Criterion(
        (Key("player", "a seat of one of these; one seat fits this and the next three", TEXTS),),
        read=lambda query, prefix: {"players": names_of(query, f"{prefix}player")},
        pairs=lambda where: repeated("player", where.players),
        words=lambda where, _: _named("player", "players", where.players),
        of_seats=_of_any_seat("players", "player"),
    ),
    Criterion(
        (Key("version", "a seat of one of these versions, each as in `envoy 1:horizon=2`", TEXTS),),
        read=lambda query, prefix: {"versions": texts_of(query, f"{prefix}version")},
        pairs=lambda where: repeated("version", where.versions),
        words=lambda where, _: _named("version", "versions", where.versions),
        of_seats=_versions_condition,
    ),
    Criterion(
        (Key("seat", "one of these seats, from 1", COUNTS),),
        read=lambda query, prefix: {"seats": tuple(seat - 1 for seat in counts_of(query, f"{prefix}seat"))},
        pairs=lambda where: repeated("seat", (seat + 1 for seat in where.seats)),
        words=lambda where, _: _named("seat", "seats", [str(seat + 1) for seat in where.seats]),
        of_seats=_of_any_seat("seats", "seat"),
    ),
    Criterion(
        (Key("result", "a seat that won, lost, or was eliminated by this", TEXTS),),
        read=lambda query, prefix: {"results": texts_of(query, f"{prefix}result")},
        pairs=lambda where: repeated("result", where.results),
        words=lambda where, _: _named("result", "results", where.results),
        of_seats=_results_condition,
    ),
    Criterion(
        (
            Key("from", "from this round on, 0 is the set-up; figures of whole matches ignore it", COUNT),
            Key("to", "up to this round; figures of whole matches ignore it", COUNT),
        ),
        read=_read_rounds,
        pairs=_round_pairs,
        words=_round_words,
    ),
    Criterion(
        (Key("board", "on the board of this id", TEXT),),
        read=lambda query, prefix: {"board": text_of(query, f"{prefix}board")},
        pairs=lambda where: [("board", where.board)] if where.board else [],
        words=lambda where, _: [f"board {where.board}"] if where.board else [],
        of_matches=_board_condition,
    ),
    Criterion(
        (Key("verdict", "on which the rules gave one of these verdicts", VERDICT),),
        read=lambda query, prefix: {
            "verdicts": tuple(name for name in texts_of(query, f"{prefix}verdict") if name in VERDICTS)
        },
        pairs=lambda where: repeated("verdict", where.verdicts),
        words=lambda where, _: _named("verdict", "verdicts", where.verdicts),
        of_matches=_any_of("verdicts", "verdict"),
    ),
)
"""All criteria of a filter, in the order in which they appear in an address."""
DESCRIBED_KEYS: Final = tuple(key for part in PARTS for key in part.keys)
"""The keys of a filter, with their meanings."""
FILTER_KEYS: Final = tuple(key.name for key in DESCRIBED_KEYS)
"""The names of a filter's keys in an address."""


@dataclass(frozen=True, slots=True)
class BookmarkFilter:
    """Selection of bookmarks by tag and by words, which must all occur in the bookmark or its match's summary."""

    find: str = ""
    tag: str = ""

    @classmethod
    def read(cls, query: Query) -> Self:
        """Return the filter in the keys of an address."""
        return cls(find=text_of(query, "q"), tag=text_of(query, "tag"))

    def pairs(self) -> Pairs:
        """Return the filter as keys and values of an address; criteria that do not filter are omitted."""
        return [*([("q", self.find)] if self.find else []), *([("tag", self.tag)] if self.tag else [])]
