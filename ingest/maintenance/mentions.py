"""Finds mentions of people and matches in texts, and replaces them.

A person is mentioned by the whole name, in any case and with any spelling of accents and spaces. A match is mentioned
by its name or that of its log file. A name without `.`, `-` or `_` may be an ordinary word and is no mention.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Final, Self

import duckdb
import polars as pl

from himalaya_core.files import LOG_SUFFIXES
from ingest.people.studies import MOST_TEXT, MOST_TITLE, Study

__all__ = ["FORGOTTEN", "Mentions", "stem", "without_mentions"]

FORGOTTEN: Final = "(forgotten)"
"""Replaces a name in a text."""
BETWEEN: Final = r"[\W_]+"
"""Allowed characters between the words of a name."""
MATCH: Final = re.compile(r"[A-Za-z0-9._-]+")
ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)")
TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "dim_matches": ("file",),
    "quarantine": ("file", "message"),
    "raw_matches": ("file", "player_sources"),
    "receipts": ("source", "result"),
}
"""Columns of free text from senders, by table of the warehouse."""
AS_JSON: Final = {"player_sources", "result"}


@dataclass(frozen=True, slots=True)
class Mentions:
    """The people and matches to look for."""

    person: re.Pattern[str] | None
    hints: tuple[bytes, ...] = ()
    """For each person, the longest part of the name in plain letters: a log without it need not be read as text."""
    matches: frozenset[str] = frozenset()
    seen: set[str] = field(default_factory=set)
    """The people mentioned so far, in lower case, with spaces between words."""

    @classmethod
    def of(cls, people: Collection[str]) -> Self:
        """Look for these people; their names are in normal form."""
        names = "|".join(BETWEEN.join(map(re.escape, name.split())) for name in sorted(people, key=len, reverse=True))
        hints = (max(re.findall("[a-z0-9]+", name.lower()), key=len, default="") for name in people)
        person = re.compile(rf"(?<![^\W_])(?:{names})(?![^\W_])", re.IGNORECASE) if names else None
        return cls(person, tuple(hint.encode() for hint in hints))

    def and_matches(self, names: Iterable[str]) -> Self:
        """Also look for matches."""
        return replace(
            self, matches=frozenset(name for name in names if not name.isalnum() and re.search("[A-Za-z]", name))
        )

    def redacted(self, text: str) -> str:
        """Return a text with its mentions replaced."""
        if self._is_named_in(text) and self.person:
            text = self.person.sub(FORGOTTEN, unicodedata.normalize("NFC", text))
        return MATCH.sub(self._without_match, text) if self.matches else text

    def _without_match(self, found: re.Match[str]) -> str:
        word = found[0].rstrip(".-")
        return FORGOTTEN + found[0][len(word) :] if {word, stem(word)} & self.matches else found[0]

    def redacted_value(self, value: Any) -> Any:
        """Return a JSON value with the mentions in its texts replaced."""
        if isinstance(value, str):
            return self.redacted(value)
        if isinstance(value, list):
            return [self.redacted_value(each) for each in value]
        if isinstance(value, dict):
            return {self.redacted(key): self.redacted_value(each) for key, each in value.items()}
        return value

    def redacted_json(self, text: str) -> str:
        """Return a JSON text with its mentions replaced; unchanged if it has none."""
        before = json.loads(text)
        after = self.redacted_value(before)
        return text if after == before else json.dumps(after, ensure_ascii=False)

    def redacted_study(self, study: Study) -> Study:
        """Return a study with the mentions in its titles and texts replaced."""
        chapters = [
            replace(each, title=self.redacted(each.title)[:MOST_TITLE], text=self.redacted(each.text)[:MOST_TEXT])
            for each in study.chapters
        ]
        return replace(study, title=self.redacted(study.title)[:MOST_TITLE], chapters=chapters)

    def names_person(self, text: bytes | str) -> bool:
        """Return whether the lines of a log or other JSON, valid or not, mention a person."""
        if isinstance(text, str):
            return self._is_named_in(_plain(text))
        text = text.replace(b"\0", b"")  # in UTF-16 every second byte
        if not self._may_be_named_in(text):
            return False
        return any(self._is_named_in(_plain(each)) for each in _readings(text))

    def _may_be_named_in(self, text: bytes) -> bool:
        lower, is_other = text.lower(), not text.isascii() or b"\\u" in text
        return any(hint in lower if hint else is_other for hint in self.hints)

    def have_seen(self, name: str) -> bool:
        """Return whether a person was mentioned so far."""
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
    """Return the name of a log file without the suffixes of its format: often the name of its match."""
    name = PurePath(file).name
    return next((name.removesuffix(suffix) for suffix in LOG_SUFFIXES if name.endswith(suffix)), name)


def _readings(text: bytes) -> Iterator[str]:
    """Yield the bytes as UTF-8, and as Latin-1 if they are not ASCII: quarantine keeps texts in any encoding."""
    yield text.decode(errors="replace")
    if not text.isascii():
        yield text.decode("latin-1")


def _plain(text: str) -> str:
    """Return a JSON text without its escapes."""
    if "\\" not in text:
        return text
    plain = ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else " ", text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_mentions(
    connection: duckdb.DuckDBPyConnection, mentions: Mentions, relations: dict[str, str]
) -> tuple[dict[str, pl.DataFrame], dict[str, int]]:
    """Change relations, by table, so that their texts have no mention.

    Returns the frames that they then use, which are registered with the connection, and the number of changed texts by
    table.
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
            if not table.startswith("dim_"):  # derived from raw_matches
                changed[table] = changed.get(table, 0) + sum(rows)
            relations[table] = (
                f"SELECT it.* REPLACE (coalesce(after, {column}) AS {column}) "
                f"FROM ({relation}) AS it LEFT JOIN {name} ON before = {column}"
            )
    return frames, changed
