"""What a page shows, as plain records that are read from an address and written back to it.

Each record drives the reader, the inputs on the page, the address and the CSV links, so the four agree.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import urlencode

__all__ = [
    "LAST_ROUND",
    "NO_TOURNAMENT",
    "OPTION_NAME",
    "STATUSES",
    "BookmarkFilter",
    "Filter",
    "MatchFilter",
    "Sort",
    "address",
]

NO_TOURNAMENT: Final = "(none)"  # no tournament can be called that, names have no brackets
STATUSES: Final = ("finished", "abandoned", "unfinished", "live")
LAST_ROUND: Final = 999
"""No end: more rounds than any match has."""
OPTION_NAME: Final = re.compile("[a-z_]+")
MOST_DIGITS: Final = 4

Query = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sort:
    """By which column of the list of matches, and whether the greatest comes first."""

    column: str = "match"
    descending: bool = False

    @classmethod
    def read(cls, query: Query) -> Self:
        """Read `sort=rounds` or `sort=-rounds`."""
        text = _text(query, "sort")
        return cls(text.lstrip("-"), text.startswith("-")) if text.lstrip("-") else cls()

    def pairs(self) -> list[tuple[str, str]]:
        """Return what an address says about it; nothing for the usual order."""
        return [] if self == Sort() else [("sort", ("-" if self.descending else "") + self.column)]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which matches, and which seats and rounds in them: what every figure, table, export and report goes by.

    Empty means any, but for `game`, where it means the game most played in the filter's tournaments. `options` are
    `name=value` as a log has them and all of them must hold; of other fields one value must. `versions` are `player
    version`. Seats count from 0 here and from 1 in an address, as people count them. `results` are `won`, `lost`,
    `outlasted` (lost without being eliminated), or what a seat was eliminated by. Rounds, whatever the game calls
    them, go from `first` to `last`, 0 is the set-up. `board` is the id of a board.
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

    @classmethod
    def read(cls, query: Query, prefix: str = "") -> Self:
        """Read a filter from the keys of an address; what makes no sense is left out.

        Rounds the wrong way round are turned. With a prefix (`b.`) the second of two selections is read: `b.seat`.
        """
        first, last = sorted((_number(query, f"{prefix}from", 0), _number(query, f"{prefix}to", LAST_ROUND)))
        return cls(
            game=_text(query, f"{prefix}game"),
            tournaments=_texts(query, f"{prefix}tournament"),
            options=tuple(option for option in _texts(query, f"{prefix}option") if _is_option(option)),
            sizes=_counts(query, f"{prefix}players"),
            players=_texts(query, f"{prefix}player"),
            versions=_texts(query, f"{prefix}version"),
            seats=tuple(seat - 1 for seat in _counts(query, f"{prefix}seat")),
            results=_texts(query, f"{prefix}result"),
            first=first,
            last=last,
            board=_text(query, f"{prefix}board"),
        )

    def pairs(self, prefix: str = "") -> list[tuple[str, str]]:
        """Return the keys and values for an address; nothing for what is not filtered."""
        pairs = [
            *([("game", self.game)] if self.game else []),
            *_repeated("tournament", self.tournaments),
            *_repeated("option", self.options),
            *_repeated("players", map(str, self.sizes)),
            *_repeated("player", self.players),
            *_repeated("version", self.versions),
            *_repeated("seat", (str(seat + 1) for seat in self.seats)),
            *_repeated("result", self.results),
            *([("from", str(self.first))] if self.first > 0 else []),
            *([("to", str(self.last))] if self.last < LAST_ROUND else []),
            *([("board", self.board)] if self.board else []),
        ]
        return [(prefix + key, value) for key, value in pairs]


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches are listed: those of a filter, and a part of a name, players, statuses, endings, tags.

    `together` are players of whom all sat at the table. `endings` are ways in which a match ends (`games.py`).
    `tags` are those of bookmarks: matches on which, or on a ply of which, somebody put one of them.
    """

    where: Filter = Filter()
    find: str = ""
    together: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @classmethod
    def read(cls, query: Query) -> Self:
        """Read a filter from the keys of an address; what makes no sense is left out."""
        return cls(
            where=Filter.read(query),
            find=_text(query, "find"),
            together=_texts(query, "with"),
            statuses=tuple(status for status in _texts(query, "status") if status in STATUSES),
            endings=_texts(query, "ending"),
            tags=_texts(query, "tag"),
        )

    def pairs(self) -> list[tuple[str, str]]:
        """Return the keys and values for an address; nothing for what is not filtered."""
        return [
            *self.where.pairs(),
            *([("find", self.find)] if self.find else []),
            *_repeated("with", self.together),
            *_repeated("status", self.statuses),
            *_repeated("ending", self.endings),
            *_repeated("tag", self.tags),
        ]


@dataclass(frozen=True, slots=True)
class BookmarkFilter:
    """Which bookmarks: with all these words in them or in what is known of their match, with this tag."""

    find: str = ""
    tag: str = ""

    @classmethod
    def read(cls, query: Query) -> Self:
        """Read a filter from the keys of an address."""
        return cls(find=_text(query, "q"), tag=_text(query, "tag"))

    def pairs(self) -> list[tuple[str, str]]:
        """Return the keys and values for an address; nothing for what is not filtered."""
        return [*([("q", self.find)] if self.find else []), *([("tag", self.tag)] if self.tag else [])]


def address(*parts: list[tuple[str, str]]) -> str:
    """Return the query part of an address, with its question mark; empty when nothing is asked."""
    pairs = [pair for part in parts for pair in part]
    return "?" + urlencode(pairs) if pairs else ""


def _texts(query: Query, key: str) -> tuple[str, ...]:
    value = query.get(key) or ()
    texts = (value,) if isinstance(value, str) else (str(item) for item in value)
    return tuple(dict.fromkeys(text for text in texts if text))


def _text(query: Query, key: str) -> str:
    return next(iter(_texts(query, key)), "").strip()


def _counts(query: Query, key: str) -> tuple[int, ...]:
    """Return what counts something: whole numbers from 1, and not beyond what any table or board has."""
    counts = (int(text) for text in _texts(query, key) if _is_number(text))
    return tuple(dict.fromkeys(count for count in counts if count))


def _number(query: Query, key: str, default: int) -> int:
    text = _text(query, key)
    return min(int(text), LAST_ROUND) if _is_number(text) else default


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < MOST_DIGITS


def _is_option(text: str) -> bool:
    name, found, _ = text.partition("=")
    return bool(found and OPTION_NAME.fullmatch(name))


def _repeated(key: str, values: Iterable[str]) -> list[tuple[str, str]]:
    return [(key, value) for value in values]
