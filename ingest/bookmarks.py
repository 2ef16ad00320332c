"""Bookmarks: notes of people on a match, or on a ply of it. Nothing can derive them again.

A bookmark refers to its match by name, so it survives when the log is loaded again or the warehouse is upgraded. It is
deleted when the match is forgotten.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Final

import duckdb

from himalaya_core.names import normalize_name
from ingest.errors import NoBookmark, NoMatch, TooMany, Unfit
from ingest.one_line import one_line, shown
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
    "remove_bookmark",
]

MOST_LABEL: Final = 200
MOST_TAG: Final = 40
"""Letters of a label, and of a tag."""
MOST_TAGS: Final = 12
MOST_OF_A_MATCH: Final = 1_000
MOST_SHOWN_TAGS: Final = 100
MOST_WORDS: Final = 10
"""Of a search; more do not narrow it."""
PLY: Final = r"(0|[1-9][0-9]{0,5})(\.[1-9][0-9]{0,3})?"


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A bookmark, with tournament and line-up of its match; `ply` as addresses write it, `None` for the whole match."""

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
    """The bookmarks found, how many there are in `total`, and all tags in use, the most used first."""

    bookmarks: list[Bookmark]
    total: int
    tags: list[str]


# --- Reading

COLUMNS: Final = """
SELECT id, match, ply, label, tags, created_at, changed_at, tournament, line_up
FROM bookmarks LEFT JOIN (SELECT match, tournament, line_up FROM dim_matches) USING (match)
"""
TEXT: Final = "concat_ws(chr(10), label, match, line_up, tournament, array_to_string(tags, chr(10)))"
IN_USE: Final = """
SELECT tag FROM (SELECT unnest(tags) AS tag FROM bookmarks) GROUP BY tag ORDER BY count(*) DESC, tag LIMIT $most
"""


def find_bookmarks(warehouse: Warehouse, *, match: str = "", find: str = "", tag: str = "", most: int = 100) -> Listed:
    """Return bookmarks, newest first: of a `match`, with all words of `find` in them or their match, with a `tag`."""
    parts, values = ["true"], dict[str, Any]()
    if match:
        parts.append("match = $match")
        values["match"] = match
    if tag:
        parts.append("lower($tag) IN (SELECT lower(unnest(tags)))")
        values["tag"] = normalize_name(tag)
    for number, word in enumerate(normalize_name(find).split()[:MOST_WORDS]):
        parts.append(f"contains(strip_accents(lower({TEXT})), strip_accents(lower($word_{number})))")
        values[f"word_{number}"] = word
    asked = f"{COLUMNS} WHERE {' AND '.join(parts)}"
    with warehouse.reading() as connection:
        connection.begin()  # the list and its length are of the same moment
        ((total,),) = connection.execute(f"SELECT count(*) FROM ({asked})", values).fetchall()
        order = "ORDER BY created_at DESC, id LIMIT $most"
        rows = connection.execute(f"{asked} {order}", values | {"most": most}).fetchall()
        tags = [name for (name,) in connection.execute(IN_USE, {"most": MOST_SHOWN_TAGS}).fetchall()]
        connection.rollback()
    return Listed([_bookmark(row) for row in rows], total, tags)


def _bookmark(row: Sequence[Any]) -> Bookmark:
    values = dict(zip((each.name for each in fields(Bookmark)), row, strict=True))
    for moment in ("created_at", "changed_at"):
        values[moment] = values[moment].replace(tzinfo=UTC)
    return Bookmark(**values)


def _one(connection: duckdb.DuckDBPyConnection, number: str) -> Bookmark:
    rows = connection.execute(f"{COLUMNS} WHERE id = $id", {"id": number}).fetchall()
    if not rows:
        raise NoBookmark(f"There is no bookmark {number[:40]}; it may have been removed.")
    return _bookmark(rows[0])


# --- Writing


def add_bookmark(warehouse: Warehouse, match: str, said: Mapping[str, Any]) -> Bookmark:
    """Add a bookmark to a match: `said` has a `label` and may have `ply` and `tags`.

    Raises `NoMatch`, `Unfit` or `TooMany` with the reason, and `WarehouseError` if nothing can be written.
    """
    now = datetime.now(UTC).replace(tzinfo=None)
    values = {"id": secrets.token_hex(8), "match": match, "created_at": now, "changed_at": now}
    with warehouse.writing_at_once() as connection:
        _check_match(connection, match)
        values |= _fields(connection, match, {"label": None, "ply": None, "tags": []} | dict(said))
        ((there,),) = connection.execute(
            "SELECT count(*) FROM bookmarks WHERE match = $match", {"match": match}
        ).fetchall()
        if there >= MOST_OF_A_MATCH:
            message = f"expected at most {MOST_OF_A_MATCH} bookmarks of a match, found as many; remove one first"
            raise TooMany(message, MOST_OF_A_MATCH, there + 1)
        names = ", ".join(values)
        connection.execute(f"INSERT INTO bookmarks ({names}) VALUES (${names.replace(', ', ', $')})", values)
        return _one(connection, str(values["id"]))


def change_bookmark(warehouse: Warehouse, number: str, said: Mapping[str, Any]) -> Bookmark:
    """Change one or more of `label`, `ply` and `tags` of a bookmark, and return the changed bookmark."""
    with warehouse.writing_at_once() as connection:
        before = _one(connection, number)
        values = _fields(connection, before.match, said) | {"changed_at": datetime.now(UTC).replace(tzinfo=None)}
        changes = ", ".join(f"{name} = ${name}" for name in values)
        connection.execute(f"UPDATE bookmarks SET {changes} WHERE id = $id", values | {"id": number})
        return _one(connection, number)


def remove_bookmark(warehouse: Warehouse, number: str) -> Bookmark:
    """Remove a bookmark, and return what it was."""
    with warehouse.writing_at_once() as connection:
        before = _one(connection, number)
        connection.execute("DELETE FROM bookmarks WHERE id = $id", {"id": number})
        return before


# --- What a bookmark may say


def _check_match(connection: duckdb.DuckDBPyConnection, match: str) -> None:
    if not connection.execute("SELECT 1 FROM raw_matches WHERE match = $match", {"match": match}).fetchall():
        raise NoMatch(f"There is no match {match[:80]} in this database.")


def _fields(connection: duckdb.DuckDBPyConnection, match: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields as they are stored; `Unfit` if one is not valid."""
    kept: dict[str, Any] = {}
    if "label" in said:
        kept["label"] = one_line(said["label"], "label", MOST_LABEL)
    if "tags" in said:
        kept["tags"] = _tags(said["tags"])
    if "ply" in said:
        kept["ply"] = _ply(connection, match, said["ply"])
    return kept


def _tags(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise Unfit(f"tags: expected a list of texts, found {shown(value)}")
    if len(value) > MOST_TAGS:
        raise Unfit(f"tags: expected at most {MOST_TAGS}, found {len(value)}", MOST_TAGS, len(value))
    tags = [one_line(tag, f"tag {number}", MOST_TAG) for number, tag in enumerate(value, 1)]
    for number, tag in enumerate(tags, 1):
        if "," in tag:
            raise Unfit(f"tag {number}: expected no comma, found {tag!r}; a comma stands between tags")
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(tag.casefold(), tag)
    return list(first.values())


def _ply(connection: duckdb.DuckDBPyConnection, match: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not re.fullmatch(PLY, value):
        raise Unfit(f'ply: expected one as addresses name it, "57" or "57.3", or null, found {shown(value)}')
    ((last,),) = connection.execute(
        "SELECT coalesce(max(plies), 0) FROM raw_matches WHERE match = $match", {"match": match}
    ).fetchall()
    if (found := int(value.partition(".")[0])) > last:
        raise Unfit(f"ply: expected at most {last}, the last of {match}, found {found}", last, found)
    return value
