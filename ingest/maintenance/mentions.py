"""Finds mentions of people and matches in texts, in a warehouse and its app store, and replaces them."""

import json
import re
import sqlite3
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Final, Self

import duckdb
import polars as pl

from himalaya_core.files import LOG_SUFFIXES
from himalaya_core.names import normalize_name
from ingest.app_store import AppStore
from ingest.people.studies import MOST_TEXT, MOST_TITLE, Study, study_document, study_of

__all__ = [
    "FORGOTTEN",
    "Found",
    "Mentions",
    "QuarantinedText",
    "find_notes",
    "matches_of_notes",
    "people_in_notes",
    "remove_notes",
    "stem",
    "without_mentions",
]


FORGOTTEN: Final = "(forgotten)"
"""Text that replaces a forgotten name."""
BETWEEN: Final = r"[\W_]+"
"""Pattern for the characters between the words of a name."""
MATCH: Final = re.compile(r"[A-Za-z0-9._-]+")
ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)")
TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "dim_matches": ("file",),
    "quarantine": ("file", "message"),
    "raw_matches": ("file", "player_sources"),
    "receipts": ("source", "result"),
}
"""Columns with free text from senders, by table of the warehouse."""
AS_JSON: Final = {"player_sources", "result"}


@dataclass(frozen=True, slots=True)
class Mentions:
    """The people and matches to look for."""

    person: re.Pattern[str] | None
    hints: tuple[bytes, ...] = ()
    """For each person, the longest ASCII word of the name. A log without this word need not be searched as text."""
    matches: frozenset[str] = frozenset()
    seen: set[str] = field(default_factory=set)
    """People mentioned so far, in lower case, with single spaces between words."""

    @classmethod
    def of(cls, people: Collection[str]) -> Self:
        """Return the mentions to look for: these people, given by normalized names."""
        names = "|".join(BETWEEN.join(map(re.escape, name.split())) for name in sorted(people, key=len, reverse=True))
        hints = (max(re.findall("[a-z0-9]+", name.lower()), key=len, default="") for name in people)
        person = re.compile(rf"(?<![^\W_])(?:{names})(?![^\W_])", re.IGNORECASE) if names else None
        return cls(person, tuple(hint.encode() for hint in hints))

    def and_matches(self, names: Iterable[str]) -> Self:
        """Return mentions that also include these matches."""
        return replace(
            self, matches=frozenset(name for name in names if not name.isalnum() and re.search("[A-Za-z]", name))
        )

    def redacted(self, text: str) -> str:
        """Return a text with all mentions replaced."""
        if self._is_named_in(text) and self.person:
            text = self.person.sub(FORGOTTEN, unicodedata.normalize("NFC", text))
        return MATCH.sub(self._without_match, text) if self.matches else text

    def _without_match(self, found: re.Match[str]) -> str:
        word = found[0].rstrip(".-")
        return FORGOTTEN + found[0][len(word) :] if {word, stem(word)} & self.matches else found[0]

    def redacted_value(self, value: Any) -> Any:
        """Return a JSON value with all mentions in its texts replaced."""
        if isinstance(value, str):
            return self.redacted(value)
        if isinstance(value, list):
            return [self.redacted_value(each) for each in value]
        if isinstance(value, dict):
            return {self.redacted(key): self.redacted_value(each) for key, each in value.items()}
        return value

    def redacted_json(self, text: str) -> str:
        """Return a JSON text with all mentions replaced; unchanged if there are none."""
        before = json.loads(text)
        after = self.redacted_value(before)
        return text if after == before else json.dumps(after, ensure_ascii=False)

    def redacted_study(self, study: Study) -> Study:
        """Return a study with all mentions in its titles and texts replaced."""
        chapters = [
            replace(each, title=self.redacted(each.title)[:MOST_TITLE], text=self.redacted(each.text)[:MOST_TEXT])
            for each in study.chapters
        ]
        return replace(study, title=self.redacted(study.title)[:MOST_TITLE], chapters=chapters)

    def names_person(self, text: bytes | str) -> bool:
        """Return whether a text mentions a person: the lines of a log or other JSON, possibly invalid."""
        if isinstance(text, str):
            return self._is_named_in(_plain(text))
        text = text.replace(b"\0", b"")  # makes ASCII letters in UTF-16 searchable
        if not self._may_be_named_in(text):
            return False
        return any(self._is_named_in(_plain(each)) for each in _readings(text))

    def _may_be_named_in(self, text: bytes) -> bool:
        lower, is_other = text.lower(), not text.isascii() or b"\\u" in text
        return any(hint in lower if hint else is_other for hint in self.hints)

    def have_seen(self, name: str) -> bool:
        """Return whether this person was mentioned so far."""
        return _folded(name) in self.seen

    def _is_named_in(self, text: str) -> bool:
        if self.person is None:
            return False
        names = self.person.findall(unicodedata.normalize("NFC", text))
        self.seen.update(map(_folded, names))
        return bool(names)


def _folded(name: str) -> str:
    return " ".join(re.split(BETWEEN, name)).casefold()


def stem(file: str) -> str:
    """Return the name of a log file without its format suffixes; this is often the name of its match."""
    name = PurePath(file).name
    return next((name.removesuffix(suffix) for suffix in LOG_SUFFIXES if name.endswith(suffix)), name)


def _readings(text: bytes) -> Iterator[str]:
    """Yield the bytes decoded as UTF-8 and, if they are not ASCII, as Latin-1: quarantined texts may be in either."""
    yield text.decode(errors="replace")
    if not text.isascii():
        yield text.decode("latin-1")


def _plain(text: str) -> str:
    """Return a JSON text with its escapes decoded."""
    if "\\" not in text:
        return text
    plain = ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else " ", text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_mentions(
    connection: duckdb.DuckDBPyConnection, mentions: Mentions, relations: dict[str, str]
) -> tuple[dict[str, pl.DataFrame], dict[str, int]]:
    """Replace the queries in `relations`, by table, by queries that return texts without mentions.

    Returns the frames that the changed queries use, already registered with the connection, and the number of changed
    texts by table.
    """
    frames: dict[str, pl.DataFrame] = {}
    changed: dict[str, int] = {}
    for table, column in ((table, column) for table, columns in TEXTS.items() for column in columns):
        relation = relations.get(table, f"FROM {table}")
        found = connection.execute(
            f"SELECT {column}, count(*) FROM ({relation}) WHERE {column} IS NOT NULL GROUP BY {column}"
        ).fetchall()
        redact = mentions.redacted_json if column in AS_JSON else mentions.redacted
        redacted = [(value, after, rows) for value, rows in found if (after := redact(value)) != value]
        if redacted:
            name = f"redacted_{table}_{column}"
            before, now, rows = zip(*redacted, strict=True)
            frames[name] = pl.DataFrame({"before": before, "after": now})
            connection.register(name, frames[name])
            if not table.startswith("dim_"):  # dim tables repeat texts of raw_matches
                changed[table] = changed.get(table, 0) + sum(rows)
            relations[table] = (
                f"SELECT it.* REPLACE (coalesce(after, {column}) AS {column}) "
                f"FROM ({relation}) AS it LEFT JOIN {name} ON before = {column}"
            )
    return frames, changed


@dataclass(frozen=True, slots=True)
class QuarantinedText:
    """A text in quarantine, with the matches that it names and those that its first line names.

    `is_wanted` is true if it belongs to a tournament to forget or mentions a person. `begins_so` is true if its first
    line alone does.
    """

    number: int
    match: str | None
    sha256: str
    file: str
    names: set[str]
    first_names: set[str]
    first_line_sha256: str
    is_wanted: bool
    begins_so: bool


@dataclass(slots=True)
class Found:
    """The data found about the matches and people to forget; rows by their keys."""

    names: set[str]
    mentions: Mentions
    matches: list[int] = field(default_factory=list)
    events: int = 0
    tournaments: dict[str | None, int] = field(default_factory=dict)
    """Number of matches by tournament."""
    others: list[str] = field(default_factory=list)
    """Other people who played in these matches."""
    same: list[str] = field(default_factory=list)
    """Copies of the matches that were loaded under other names; they are not forgotten."""
    remaining: list[str] = field(default_factory=list)
    """Matches that are not forgotten although their logs mention a person."""
    tokens: list[str] = field(default_factory=list)
    quarantined: list[int] = field(default_factory=list)
    receipts: list[str] = field(default_factory=list)
    live: list[str] = field(default_factory=list)
    bookmarks: int = 0
    branches: list[str] = field(default_factory=list)
    drafts: set[str] = field(default_factory=set)
    studies: list[str] = field(default_factory=list)
    chapters: int = 0
    changed_texts: dict[str, int] = field(default_factory=dict)
    """Number of texts from which a name is removed, by table."""
    files: set[str] = field(default_factory=set)
    digests: dict[str, str | None] = field(default_factory=dict)
    """Digest of each text, with the digest of its first line."""
    seen: set[str] = field(default_factory=set)
    """Names of matches, tournaments and people that were found."""

    @property
    def is_anything(self) -> bool:
        """Return whether there is anything to forget."""
        return bool(self.seen or self.changed_texts)

    def take(self, text_row: QuarantinedText) -> None:
        """Add a quarantined text if it names one of the matches or is itself wanted."""
        names = text_row.names & self.names
        if names or text_row.is_wanted:
            self.quarantined.append(text_row.number)
            begins = text_row.first_names & self.names or text_row.begins_so
            self.digests[text_row.sha256] = text_row.first_line_sha256 if begins else None
            self.files.add(text_row.file)
            self.seen |= names


NOTE_TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "audit": ("who", "what"),
    "bookmarks": ("label", "tags"),
    "branches": ("title", "kept_by"),
    "draft_changes": ("changed_by",),
    "drafts": ("title", "made_by"),
    "studies": ("made_by",),
}
"""Columns with free text in the app store, by table."""
NOTES_AS_JSON: Final = frozenset({"tags"})
NAMED: Final = """
SELECT match FROM bookmarks UNION SELECT match FROM branches
UNION SELECT value ->> '$.match' FROM studies, json_each(document, '$.chapters')
"""
SEATED: Final = """
SELECT drafts.id, value ->> '$.name' FROM drafts, json_each(setup, '$.seats')
UNION ALL SELECT draft, change ->> '$.name' FROM draft_changes WHERE change -> '$.take' IS NOT NULL
"""
HANDED_IN: Final = """
SELECT draft, change ->> '$.handed_in.match' FROM draft_changes WHERE change -> '$.handed_in' IS NOT NULL
"""


def matches_of_notes(store: AppStore) -> set[str]:
    """Return the names of the matches that bookmarks, branches and studies are about."""
    with store.reading() as connection:
        return {name for (name,) in connection.execute(NAMED).fetchall() if name is not None}


def people_in_notes(store: AppStore, found: Found, people: frozenset[str]) -> None:
    """Find recordings in which one of these people has a seat, and tokens named after them."""
    with store.reading() as connection:
        for draft, name in connection.execute(SEATED).fetchall():
            if name is not None and normalize_name(name) in people:
                found.drafts.add(draft)
                found.seen.add(normalize_name(name))
        tokens = connection.execute("SELECT DISTINCT name FROM tokens ORDER BY name").fetchall()
    found.tokens = [name for (name,) in tokens if found.mentions.names_person(name)]


def find_notes(store: AppStore, found: Found) -> None:
    """Find entries of the app store about the matches, and texts that mention the matches or people."""
    with store.reading() as connection:
        for name, number in connection.execute("SELECT match, count(*) FROM bookmarks GROUP BY match").fetchall():
            if name in found.names:
                found.bookmarks += number
                found.seen.add(name)
        for branch, name, document in connection.execute("SELECT id, match, document FROM branches").fetchall():
            if name in found.names or found.mentions.names_person(document):
                found.branches.append(branch)
                found.seen.update({name} & found.names)
        for draft, name in connection.execute(HANDED_IN).fetchall():
            if name in found.names:
                found.drafts.add(draft)
                found.seen.add(name)
        for study_id, document in connection.execute("SELECT id, document FROM studies ORDER BY id").fetchall():
            matches = [chapter.match for chapter in study_of(document).chapters]
            gone = [match for match in matches if match in found.names]
            found.chapters += len(gone)
            found.studies += [study_id] if gone and len(gone) == len(matches) else []
            found.seen.update(gone)
    with closing(AppStore(contents=store.contents())) as copy, copy.writing() as connection:
        for table, number in _remove(connection, found).items():
            found.changed_texts[table] = found.changed_texts.get(table, 0) + number


def remove_notes(store: AppStore, found: Found) -> None:
    """Remove the found entries, and similar ones written since, without leaving a trace in the file."""
    with store.writing() as connection:
        _remove(connection, found)
    store.compact()


def _remove(connection: sqlite3.Connection, found: Found) -> dict[str, int]:
    """Remove entries and mentions; return the number of changed texts by table."""
    for name in found.names:
        connection.execute("DELETE FROM bookmarks WHERE match = ?", (name,))
        connection.execute("DELETE FROM branches WHERE match = ?", (name,))
    for branch in found.branches:
        connection.execute("DELETE FROM branches WHERE id = ?", (branch,))
    for draft in found.drafts:
        connection.execute("DELETE FROM draft_changes WHERE draft = ?", (draft,))
        connection.execute("DELETE FROM drafts WHERE id = ?", (draft,))
    changed = {"studies": number} if (number := _remove_chapters(connection, found)) else {}
    for table, column in ((table, column) for table, columns in NOTE_TEXTS.items() for column in columns):
        redacted = found.mentions.redacted_json if column in NOTES_AS_JSON else found.mentions.redacted
        for (value,) in connection.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall():
            if (after := redacted(value)) != value:
                rows = connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (after, value))
                changed[table] = changed.get(table, 0) + rows.rowcount
    return changed


def _remove_chapters(connection: sqlite3.Connection, found: Found) -> int:
    """Remove chapters about the matches, and mentions in the remaining ones.

    Returns the number of studies from which a name was removed.
    """
    changed = 0
    for number, document in connection.execute("SELECT id, document FROM studies ORDER BY id").fetchall():
        study = study_of(document)
        left = [chapter for chapter in study.chapters if chapter.match not in found.names]
        if study.chapters and not left:
            connection.execute("DELETE FROM studies WHERE id = ?", (number,))
            continue
        rest = replace(study, chapters=left)
        redacted = found.mentions.redacted_study(rest)
        changed += redacted != rest
        if redacted != study:
            sql = "UPDATE studies SET title = ?, chapters = ?, document = ? WHERE id = ?"
            connection.execute(sql, (redacted.title, len(left), study_document(redacted), number))
    return changed
