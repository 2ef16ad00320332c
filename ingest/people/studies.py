"""Studies: ordered chapters, each showing a position of a match with a text, circles and arrows.

A study is one canonical JSON document, so exporting and importing it gives the same bytes. It refers to matches by name
and to branches by id, so it survives when a log is loaded again. If its match is gone, the chapter says so.
"""

import json
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as record

from himalaya_core.log.envelope import MATCH_NAME
from ingest.app_store import AppStore, as_moment, as_text, now
from ingest.errors import ChangedMeanwhile, NoStudy, TooMany, Unfit
from ingest.people.bookmarks import PLY

__all__ = [
    "MOST_BYTES",
    "Arrow",
    "Chapter",
    "Circle",
    "KeptStudy",
    "ListedStudy",
    "Study",
    "add_study",
    "change_study",
    "digest_of",
    "list_studies",
    "read_study",
    "remove_study",
    "study_document",
    "study_of",
]

MOST_BYTES: Final = 1 << 20
"""Maximum size of a study as JSON, in bytes."""
MOST_CHAPTERS: Final = 200
MOST_TEXT: Final = 20_000
MOST_SHAPES: Final = 100
MOST_TITLE: Final = 200
MOST_STUDIES: Final = 10_000
THING: Final = r"^[a-z][a-z0-9._-]{0,40}$"
"""Pattern of the id of an object on the board, as named in its scene."""
STRICT: Final = ConfigDict(extra="forbid", strict=True)

Kept = TypeVar("Kept", "KeptStudy", "ListedStudy")
Title = Annotated[str, Field(min_length=1, max_length=MOST_TITLE, pattern=r"^[^\x00-\x1f\x7f]+$")]
Thing = Annotated[str, Field(pattern=THING)]
Colour = Annotated[Literal["green", "red", "blue", "yellow"] | None, Field(exclude_if=lambda colour: colour is None)]


@record(frozen=True, config=STRICT)
class Circle:
    """A circle around an object on the board; without a colour, in that of text."""

    around: Thing
    colour: Colour = None


@record(frozen=True, config=STRICT)
class Arrow:
    """An arrow between two objects on the board; without a colour, in that of text."""

    start: Thing
    end: Thing
    colour: Colour = None


@record(frozen=True, config=STRICT)
class Chapter:
    """A position of a match or of one of its branches, with a text.

    `ply` is numbered as in page addresses; `None` is the first position. `text` is Markdown. If `hidden`, the text is
    shown only when a reader reaches the chapter.
    """

    title: Title
    match: Annotated[str, Field(pattern=MATCH_NAME)]
    ply: Annotated[str, Field(pattern=f"^{PLY}$")] | None = None
    branch: Annotated[str, Field(pattern=r"^[0-9a-f]{8,64}$")] | None = None
    text: Annotated[str, Field(max_length=MOST_TEXT)] = ""
    shapes: Annotated[list[Circle | Arrow], Field(max_length=MOST_SHAPES)] = Field(default_factory=list)
    hidden: bool = False


@record(frozen=True, config=STRICT)
class Study:
    """A title and ordered chapters."""

    title: Title
    chapters: Annotated[list[Chapter], Field(max_length=MOST_CHAPTERS)] = Field(default_factory=list)
    format: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class KeptStudy:
    """A stored study: its document, who made it, and when."""

    id: str
    document: str
    made_by: str
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class ListedStudy:
    """A study in a list; `match` and `ply` are those of its first chapter, if any."""

    id: str
    title: str
    chapters: int
    match: str | None
    ply: str | None
    made_by: str
    created_at: datetime
    changed_at: datetime


_studies: Final = TypeAdapter(Study)


def study_of(document: bytes | str) -> Study:
    """Parse the document of a study. Raises `Unfit`, which names the invalid field."""
    if len(document) > MOST_BYTES:
        raise Unfit(f"the study: expected at most {MOST_BYTES} bytes, found {len(document)}", MOST_BYTES, len(document))
    try:
        return _studies.validate_json(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the study"
        raise Unfit(f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None


def study_document(study: Study) -> str:
    """Return a study as canonical JSON."""
    return json.dumps(
        _studies.dump_python(study, mode="json"), ensure_ascii=False, separators=(",", ":"), sort_keys=True
    )


def digest_of(document: str) -> str:
    """Return a digest that identifies a version of a document."""
    return sha256(document.encode()).hexdigest()[:32]


COLUMNS: Final = "id, document, made_by, created_at, changed_at"
FIRST: Final = "document ->> '$.chapters[0].match', document ->> '$.chapters[0].ply'"
LISTED: Final = f"id, title, chapters, {FIRST}, made_by, created_at, changed_at"


def list_studies(store: AppStore, most: int = 1_000) -> list[ListedStudy]:
    """Return the studies, last changed first."""
    with store.reading() as connection:
        sql = f"SELECT {LISTED} FROM studies ORDER BY changed_at DESC, id LIMIT ?"
        rows = connection.execute(sql, (most,)).fetchall()
    return [_record(ListedStudy, row) for row in rows]


def read_study(store: AppStore, number: str) -> KeptStudy:
    """Return a study. Raises `NoStudy` if there is none with this id."""
    with store.reading() as connection:
        return _one(connection, number)


def add_study(store: AppStore, study: Study, who: str) -> KeptStudy:
    """Add a study. Raises `TooMany` if the limit is reached."""
    number, at = secrets.token_hex(8), as_text(now())
    with store.writing() as connection:
        ((there,),) = connection.execute("SELECT count(*) FROM studies").fetchall()
        if there >= MOST_STUDIES:
            message = f"there are {there} studies already, the most that there can be; remove one first"
            raise TooMany(message, MOST_STUDIES, there + 1)
        names = "id, title, chapters, document, made_by, created_at, changed_at"
        values = (number, *_values(study), who, at, at)
        connection.execute(f"INSERT INTO studies ({names}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return _one(connection, number)


def change_study(store: AppStore, number: str, study: Study, expected: str | None = None) -> KeptStudy:
    """Replace a study. Raises `ChangedMeanwhile` if its present document does not have the digest `expected`."""
    with store.writing() as connection:
        before = _one(connection, number)
        if expected is not None and digest_of(before.document) != expected:
            raise ChangedMeanwhile("the study was changed meanwhile; load it again and make your change there")
        sql = "UPDATE studies SET title = ?, chapters = ?, document = ?, changed_at = ? WHERE id = ?"
        connection.execute(sql, (*_values(study), as_text(now()), number))
        return _one(connection, number)


def remove_study(store: AppStore, number: str) -> KeptStudy:
    """Remove a study and return it."""
    with store.writing() as connection:
        before = _one(connection, number)
        connection.execute("DELETE FROM studies WHERE id = ?", (number,))
        return before


def _values(study: Study) -> tuple[str, int, str]:
    return study.title, len(study.chapters), study_document(study)


def _one(connection: sqlite3.Connection, number: str) -> KeptStudy:
    rows = connection.execute(f"SELECT {COLUMNS} FROM studies WHERE id = ?", (number,)).fetchall()
    if not rows:
        raise NoStudy(f"There is no study {number[:40]}; it may have been removed.")
    return _record(KeptStudy, rows[0])


def _record(kind: type[Kept], row: Sequence[Any]) -> Kept:
    """Make a record from a row with columns in the order of the record's fields."""
    values = dict(zip((each.name for each in fields(kind)), row, strict=True))
    for moment in ("created_at", "changed_at"):
        values[moment] = as_moment(values[moment])
    return kind(**values)
