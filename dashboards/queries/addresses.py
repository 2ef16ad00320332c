"""Addresses on this server: building them, reading their query, and file paths as shown to readers."""

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlencode

from himalaya_core.names import normalize_name

__all__ = [
    "COUNT",
    "COUNTS",
    "PREFIX",
    "TEXT",
    "TEXTS",
    "Key",
    "Pairs",
    "Query",
    "Sort",
    "address",
    "counts_of",
    "download_name",
    "names_of",
    "number_of",
    "repeated",
    "shown_path",
    "text_of",
    "texts_of",
    "url",
    "without_folder",
    "without_folder_of",
]


LONG_NAME: Final = 90
"""Maximum number of characters of a selection in the name of a file."""


def without_folder(column: str) -> str:
    """Return SQL that reduces absolute paths in a column to their last part."""
    return f"case when starts_with({column}, '/') then parse_filename({column}) else {column} end"


def without_folder_of(database: Path, text: str) -> str:
    """Remove the folder from paths in a text that point to the database or to files next to it."""
    for folder in (database.resolve().parent, database.parent):
        text = text.replace(f"{folder}/", "") if folder.is_absolute() else text
    return text


def shown_path(path: Path) -> str:
    """Return a path as shown to readers, without its folder."""
    return path.name if path.is_absolute() else str(path)


PREFIX: ContextVar[str] = ContextVar("path prefix", default="")
"""Path prefix of the current request, such as `/himalaya`; empty if there is none."""
MOST_DIGITS: Final = 4

Query = Mapping[str, Any]
"""The keys of an address, each with one value or several."""
Pairs = list[tuple[str, str]]
TEXT: Final[dict[str, Any]] = {"type": "string"}
COUNT: Final[dict[str, Any]] = {"type": "integer", "minimum": 0}
TEXTS: Final[dict[str, Any]] = {"type": "array", "items": TEXT}
COUNTS: Final[dict[str, Any]] = {"type": "array", "items": COUNT}


@dataclass(frozen=True, slots=True)
class Key:
    """A key of an address, its meaning, and the JSON Schema of its value; a key with an array may be repeated."""

    name: str
    text: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sort:
    """Sort column of the list of matches, and whether the largest value comes first."""

    column: str = "match"
    descending: bool = False

    @classmethod
    def read(cls, query: Query) -> Self:
        """Return the sort order in an address: `sort=rounds`, or `sort=-rounds` for largest first."""
        text = text_of(query, "sort")
        return cls(text.lstrip("-"), text.startswith("-")) if text.lstrip("-") else cls()

    def pairs(self) -> Pairs:
        """Return the sort order as keys and values of an address; empty for the default order."""
        return [] if self == Sort() else [("sort", ("-" if self.descending else "") + self.column)]


def download_name(table: str, game: str, pairs: Iterable[tuple[str, str]]) -> str:
    """Return the name of a file without its ending: game, figure or table, and selection."""
    chosen = "-".join(f"{key}-{value}" for key, value in pairs if key not in {"game", "sort"})
    parts = (re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in (game, table, chosen[:LONG_NAME]))
    return "-".join(filter(None, ("himalaya", *parts)))


def url(path: str, *parts: Pairs) -> str:
    """Return the address of a page or route, below the path prefix of the current request."""
    return PREFIX.get() + path + address(*parts)


def address(*parts: Pairs) -> str:
    """Return the query of an address, with its question mark; empty without keys."""
    pairs = [pair for part in parts for pair in part]
    return "?" + urlencode(pairs) if pairs else ""


def texts_of(query: Query, key: str) -> tuple[str, ...]:
    """Return the values of a key, without duplicates."""
    value = query.get(key) or ()
    texts = (value,) if isinstance(value, str) else (str(item) for item in value)
    return tuple(dict.fromkeys(text for text in texts if text))


def names_of(query: Query, key: str) -> tuple[str, ...]:
    """Return the values of a key as normalised player names."""
    return tuple(dict.fromkeys(map(normalize_name, texts_of(query, key))))


def text_of(query: Query, key: str) -> str:
    """Return the first value of a key."""
    return next(iter(texts_of(query, key)), "").strip()


def counts_of(query: Query, key: str) -> tuple[int, ...]:
    """Return the values of a key as whole numbers from 1 to the largest that any table or board allows."""
    counts = (int(text) for text in texts_of(query, key) if _is_number(text))
    return tuple(dict.fromkeys(count for count in counts if count))


def number_of(query: Query, key: str, default: int, most: int) -> int:
    """Return the value of a key as a whole number from 0 to `most`."""
    text = text_of(query, key)
    return min(int(text), most) if _is_number(text) else default


def repeated(key: str, values: Iterable[object]) -> Pairs:
    """Return the key paired with each of its values."""
    return [(key, str(value)) for value in values]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < MOST_DIGITS
