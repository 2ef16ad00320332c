"""Previews a log without loading it: its matches, as far as playable, and the lines that `ingest` would reject.

The log is loaded into a temporary warehouse in memory.
"""

import base64
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from msgspec.json import decode

from himalaya_core.log.codec import MATCH_STARTED
from himalaya_core.names import visible
from ingest.errors import WarehouseError
from ingest.load.summary import Problem
from ingest.opening import open_warehouse
from ingest.pipeline import Request, take_in
from ingest.read.source import Source
from ingest.read.split import chunk_of, match_named
from ingest.validate.validation import check
from ingest.values import pack, unpack
from ingest.warehouse import IN_MEMORY, Report, Warehouse

__all__ = ["FoundMatch", "Preview", "begins", "match_log", "preview"]

STARTED: Final = b'"' + MATCH_STARTED.encode() + b'"'
MATCHES: Final = """
SELECT match, status, players, line_up, raw_matches.rounds, raw_matches.events, first_line, lines
FROM raw_matches JOIN dim_matches USING (match_id, match) ORDER BY first_line
"""
PROBLEMS: Final = """
SELECT line, match, reason, message, CASE WHEN reason NOT IN ('conflict', 'part_of_line') THEN text END
FROM quarantine WHERE resolved_in IS NULL ORDER BY line, quarantine_id
"""


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """A match of a log: its status, its players, and the line of the log at which it starts.

    An invalid match is cut before its first invalid line, which `status` names.
    """

    match: str
    status: str
    players: int
    line_up: str
    rounds: int
    events: int
    line: int
    packed: bytes = field(repr=False)
    is_valid: bool = True

    def text(self) -> bytes:
        """Return the original lines of the match, including line ends."""
        return unpack(self.packed)


@dataclass(frozen=True, slots=True)
class Preview:
    """The playable matches and the rejected lines of a log, each in line order."""

    matches: tuple[FoundMatch, ...]
    problems: tuple[Problem, ...]

    def match(self, name: str) -> FoundMatch | None:
        """Return a match by its name."""
        return next((match for match in self.matches if match.match == name), None)

    @property
    def only(self) -> FoundMatch | None:
        """Return the only valid match or, if none is valid, the only partly valid one; `None` if there are several."""
        valid = [match for match in self.matches if match.is_valid] or self.matches
        return valid[0] if len(valid) == 1 else None


def begins(path: Path, most: int) -> int:
    """Return the number of places where another match seems to start, counting to at most `most + 1`.

    A preview is slowest if every line is a separate match; this cheap count detects such a log.
    """
    count, rest, names = 0, b"", set[str | None]()
    with Source(path, path) as source:
        for block in source.blocks():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                name = match_named(line)
                if (name and name not in names) or STARTED in line:
                    count += 1
                    if count > most:
                        return count
                names.add(name)
    return count + bool(rest)


def preview(path: Path, shown: str | None = None) -> Preview:
    """Preview a log, displayed under the name `shown` if given. Raises `WarehouseError` if it cannot be read."""
    name = shown or str(path)
    with open_warehouse(IN_MEMORY) as warehouse:
        summary = take_in(warehouse, Request((path,), jobs=0, names={path: name}), lambda _: None)
        if summary.failed:
            raise WarehouseError(f"cannot read {name}: {summary.failed[0].reason}")
        with warehouse.reading() as connection:
            matches = [FoundMatch(*row) for row in connection.execute(MATCHES).fetchall()]
            rejections = connection.execute(PROBLEMS).fetchall()
    there = {match.match for match in matches}
    matches += [part for line, *_, text in rejections if text and (part := _part(line, unpack(text)))]
    matches = [match for match in matches if match.is_valid or match.match not in there]
    problems = tuple(Problem(Path(name), *row) for *row, _ in rejections)
    return Preview(tuple(sorted(matches, key=lambda match: match.line)), problems)


def _part(line: int, text: bytes) -> FoundMatch | None:
    """Return the valid beginning of an invalid match; `None` if there is none.

    `line` is the first invalid line of the match, counted in the log.
    """
    lines = sound_part(text).splitlines(keepends=True)
    if not lines:
        return None
    first, last = decode(lines[0]), decode(lines[-1])
    players = [visible(info["player"]) for info in first["data"]["seats"]]
    return FoundMatch(
        match=first["match"],
        status=f"not valid from line {line:,} on",
        players=len(players),
        line_up=", ".join(players),
        rounds=last["round"],
        events=len(lines),
        line=line - len(lines),
        packed=pack(b"".join(lines)),
        is_valid=False,
    )


def match_log(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Return the log of a match in base 64: the operation `match_log`. The argument `match` is its name."""
    with warehouse.reading() as connection:
        sql = "SELECT lines FROM raw_matches WHERE match = $match"
        for (packed,) in connection.execute(sql, {"match": arguments["match"]}).fetchall():
            return {"lines": base64.b64encode(unpack(packed)).decode()}
    raise WarehouseError(f"there is no match {arguments['match']} in {warehouse.database.name}")


def sound_part(text: bytes) -> bytes:
    """Return the longest beginning of a rejected match that is itself a valid, unfinished match; may be empty."""
    while text:
        rejections = check(chunk_of(Path("log"), text)).rejections
        if not rejections:
            break
        bad = min(rejection.line for rejection in rejections)
        lines = text.split(b"\n")
        text = b"".join(line + b"\n" for line in lines[: min(bad, len(lines)) - 1])
    return text
