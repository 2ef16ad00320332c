"""Bookmarks: users' notes on a match or a ply, which cannot be derived again from the logs.

A bookmark refers to its match by name, so it survives when the log is loaded again or the warehouse is upgraded. It is
deleted when the match is forgotten.
"""

import json
import re
import secrets
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from himalaya_core.names import normalize_name
from ingest.app_store import as_moment, as_text, now, one_line, shown
from ingest.errors import NoBookmark, NoMatch, TooMany, Unfit
from ingest.warehouse import Warehouse

__all__ = [
    "MOST_LABEL",
    "MOST_TAG",
    "MOST_TAGS",
    "PLY",
    "Bookmark",
    "Listed",
    "add_bookmark",
    "change_bookmark",
    "find_bookmarks",
    "last_ply",
    "matches_with_tags",
    "remove_bookmark",
]

MOST_LABEL: Final = 200
MOST_TAG: Final = 40
"""Maximum length of a label and of a tag, in characters."""
MOST_TAGS: Final = 12
MOST_OF_A_MATCH: Final = 1_000
MOST_SHOWN_TAGS: Final = 100
MOST_WORDS: Final = 10
"""Maximum number of words in a search; further words are ignored."""
PLY: Final = r"(0|[1-9][0-9]{0,5})(\.[1-9][0-9]{0,3})?"


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A bookmark, with the tournament and the line-up of its match.

    `ply` is numbered as in page addresses; `None` if the bookmark is on the whole match.
    """

    id: str
    match: str
    ply: str | None
    label: str
    tags: list[str]
    created_at: datetime
    changed_at: datetime
    tournament: str | None
    line_up: str | None


@dataclass(frozen=True, slots=True)
class Listed:
    """The bookmarks found, their `total` number, and all tags in use, most used first."""

    bookmarks: list[Bookmark]
    total: int
    tags: list[str]


# --- Finding bookmarks

COLUMNS: Final = "SELECT id, match, ply, label, tags, created_at, changed_at FROM bookmarks"
ABOUT: Final = "SELECT match, tournament, line_up FROM dim_matches WHERE list_contains($matches, match)"


def find_bookmarks(warehouse: Warehouse, *, match: str = "", find: str = "", tag: str = "", most: int = 100) -> Listed:
    """Return bookmarks, newest first, filtered by `match`, `tag` and search words.

    All words of `find` must occur in the bookmark or in the name, line-up or tournament of its match.
    """
    with warehouse.app.reading() as connection:
        every = connection.execute("SELECT tags FROM bookmarks").fetchall()
        where = "WHERE match = :match" if match else ""
        rows = connection.execute(f"{COLUMNS} {where} ORDER BY created_at DESC, id", {"match": match}).fetchall()
    used = Counter(each for (tags,) in every for each in json.loads(tags))
    by_use = sorted(used, key=lambda each: (-used[each], each))
    if tag:
        wanted = normalize_name(tag).lower()
        rows = [row for row in rows if wanted in map(str.lower, json.loads(row[4]))]
    words = [_plain(word) for word in normalize_name(find).split()[:MOST_WORDS]]
    about = _about(warehouse, {row[1] for row in (rows if words else rows[:most])})
    found = [_bookmark(row, about) for row in (rows if words else rows[:most])]
    if words:
        found = [each for each in found if all(word in _plain(_text(each)) for word in words)]
    return Listed(found[:most], len(found) if words else len(rows), by_use[:MOST_SHOWN_TAGS])


def matches_with_tags(warehouse: Warehouse, tags: Sequence[str]) -> list[str]:
    """Return the names of matches that have a bookmark with one of these tags."""
    sql = "SELECT DISTINCT match FROM bookmarks, json_each(tags) WHERE value IN (SELECT value FROM json_each(?))"
    with warehouse.app.reading() as connection:
        return [name for (name,) in connection.execute(f"{sql} ORDER BY match", (json.dumps(list(tags)),)).fetchall()]


def _about(warehouse: Warehouse, matches: Iterable[str]) -> dict[str, tuple[str | None, str | None]]:
    """Return the tournament and the line-up of matches, by match name."""
    with warehouse.reading() as connection:
        rows = connection.execute(ABOUT, {"matches": sorted(matches)}).fetchall()
    return {name: (tournament, line_up) for name, tournament, line_up in rows}


def _bookmark(row: Sequence[Any], about: Mapping[str, tuple[str | None, str | None]]) -> Bookmark:
    number, match, ply, label, tags, created_at, changed_at = row
    moments = as_moment(created_at), as_moment(changed_at)
    return Bookmark(number, match, ply, label, json.loads(tags), *moments, *about.get(match, (None, None)))


def _text(bookmark: Bookmark) -> str:
    """Return the searchable text of a bookmark."""
    parts = (bookmark.label, bookmark.match, bookmark.line_up, bookmark.tournament, *bookmark.tags)
    return "\n".join(part for part in parts if part)


def _plain(text: str) -> str:
    """Return a text in lower case without accents."""
    return "".join(each for each in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(each))


def _one(connection: sqlite3.Connection, number: str) -> tuple[Any, ...]:
    rows: list[tuple[Any, ...]] = connection.execute(f"{COLUMNS} WHERE id = ?", (number,)).fetchall()
    if not rows:
        raise NoBookmark(f"There is no bookmark {number[:40]}; it may have been removed.")
    return rows[0]


def _shown(warehouse: Warehouse, row: Sequence[Any]) -> Bookmark:
    return _bookmark(row, _about(warehouse, [row[1]]))


# --- Changing bookmarks


def add_bookmark(warehouse: Warehouse, match: str, said: Mapping[str, Any]) -> Bookmark:
    """Add a bookmark to a match: `said` must have a `label` and may have `ply` and `tags`.

    Raises `NoMatch`, `Unfit` or `TooMany` with the reason, or `WarehouseError` if the store cannot be written.
    """
    last = last_ply(warehouse, match)
    if last is None:
        raise NoMatch(f"There is no match {match[:80]} in this database.")
    values = _fields(last, match, {"label": None, "ply": None, "tags": []} | dict(said))
    values |= {"id": secrets.token_hex(8), "match": match} | dict.fromkeys(("created_at", "changed_at"), as_text(now()))
    with warehouse.app.writing() as connection:
        ((there,),) = connection.execute("SELECT count(*) FROM bookmarks WHERE match = ?", (match,)).fetchall()
        if there >= MOST_OF_A_MATCH:
            message = f"this match has {there} bookmarks already, the most that a match can have; remove one first"
            raise TooMany(message, MOST_OF_A_MATCH, there + 1)
        names = ", ".join(values)
        connection.execute(f"INSERT INTO bookmarks ({names}) VALUES (:{names.replace(', ', ', :')})", values)
        row = _one(connection, values["id"])
    return _shown(warehouse, row)


def change_bookmark(warehouse: Warehouse, number: str, said: Mapping[str, Any]) -> Bookmark:
    """Change one or more of `label`, `ply` and `tags` of a bookmark, and return it."""
    with warehouse.app.reading() as connection:
        match = _one(connection, number)[1]
    values = _fields(last_ply(warehouse, match) or 0, match, said) | {"changed_at": as_text(now())}
    with warehouse.app.writing() as connection:
        _one(connection, number)
        changes = ", ".join(f"{name} = :{name}" for name in values)
        connection.execute(f"UPDATE bookmarks SET {changes} WHERE id = :id", values | {"id": number})
        row = _one(connection, number)
    return _shown(warehouse, row)


def remove_bookmark(warehouse: Warehouse, number: str) -> Bookmark:
    """Remove a bookmark and return it."""
    with warehouse.app.writing() as connection:
        row = _one(connection, number)
        connection.execute("DELETE FROM bookmarks WHERE id = ?", (number,))
    return _shown(warehouse, row)


def last_ply(warehouse: Warehouse, match: str) -> int | None:
    """Return the last ply of a match; `None` if no such match is loaded."""
    with warehouse.reading() as connection:
        rows = connection.execute("SELECT plies FROM raw_matches WHERE match = $match", {"match": match}).fetchall()
    return int(rows[0][0]) if rows else None


# --- Validating fields


def _fields(last: int, match: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the validated fields in the form in which they are stored. Raises `Unfit` if one is invalid."""
    kept: dict[str, Any] = {}
    if "label" in said:
        kept["label"] = one_line(said["label"], "label", MOST_LABEL)
    if "tags" in said:
        kept["tags"] = json.dumps(_tags(said["tags"]), ensure_ascii=False)
    if "ply" in said:
        kept["ply"] = _ply(last, match, said["ply"])
    return kept


def _tags(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise Unfit(f"tags: expected a list of texts, found {shown(value)}")
    if len(value) > MOST_TAGS:
        raise Unfit(f"tags: expected at most {MOST_TAGS}, found {len(value)}", MOST_TAGS, len(value))
    tags = [one_line(tag, f"tag {number}", MOST_TAG) for number, tag in enumerate(value, 1)]
    for number, tag in enumerate(tags, 1):
        if "," in tag:
            raise Unfit(f"tag {number}: no comma allowed in a tag, found {tag!r}; give two tags instead")
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(tag.casefold(), tag)
    return list(first.values())


def _ply(last: int, match: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not re.fullmatch(PLY, value):
        raise Unfit(f'ply: expected "57", "57.3" or null, found {shown(value)}')
    if (found := int(value.partition(".")[0])) > last:
        raise Unfit(f"ply: expected at most {last}, the last of {match}, found {found}", last, found)
    return value
