"""Previews a log without loading it: its matches, and what `ingest` would reject.

The log is loaded into a warehouse in memory, which is gone afterwards.
"""

import base64
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import zstandard

from himalaya_core.log.codec import MATCH_STARTED
from ingest.errors import WarehouseError
from ingest.load.rejected import Problem
from ingest.opening import open_warehouse
from ingest.pipeline import Request, take_in
from ingest.read.lines import match_named
from ingest.read.source import Source
from ingest.warehouse import IN_MEMORY, Report, Warehouse

__all__ = ["FoundMatch", "Preview", "begins", "match_log", "preview"]

STARTED: Final = b'"' + MATCH_STARTED.encode() + b'"'
MATCHES: Final = """
SELECT match, status, players, line_up, raw_matches.rounds, raw_matches.events, first_line, lines
FROM raw_matches JOIN dim_matches USING (match_id, match) ORDER BY first_line
"""
PROBLEMS: Final = (
    "SELECT line, match, reason, message FROM quarantine WHERE resolved_in IS NULL ORDER BY line, quarantine_id"
)


_decompress = zstandard.ZstdDecompressor().decompress


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """A valid match of a log: how it stands, who plays, and in which line of the log it starts."""

    match: str
    status: str
    players: int
    line_up: str
    rounds: int
    events: int
    line: int
    packed: bytes = field(repr=False)

    def text(self) -> bytes:
        """Return its lines as they were, line ends included."""
        return _decompress(self.packed)


@dataclass(frozen=True, slots=True)
class Preview:
    """The valid matches of a log and what would be quarantined, both in the order of its lines."""

    matches: tuple[FoundMatch, ...]
    problems: tuple[Problem, ...]

    def match(self, name: str) -> FoundMatch | None:
        """Return a match by its name."""
        return next((match for match in self.matches if match.match == name), None)


def begins(path: Path, most: int) -> int:
    """Return how often another match seems to begin in a log, at most one more than `most`.

    A preview costs most where each line is a match of its own; this costs next to nothing.
    """
    count, before, rest = 0, None, b""
    with Source(path, path) as source:
        for block in source.blocks():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                name = match_named(line)
                if (name and name != before) or STARTED in line:
                    count += 1
                    if count > most:
                        return count
                before = name or before
    return count + bool(rest)


def preview(path: Path, shown: str | None = None) -> Preview:
    """Preview a log, named `shown` if given; `WarehouseError` if it cannot be read."""
    name = shown or str(path)
    with open_warehouse(IN_MEMORY) as warehouse:
        summary = take_in(warehouse, Request((path,), jobs=0, names={path: name}), lambda _: None)
        if summary.failed:
            raise WarehouseError(f"{name}: {summary.failed[0].reason}")
        with warehouse.reading() as connection:
            matches = [FoundMatch(*row) for row in connection.execute(MATCHES).fetchall()]
            rejections = connection.execute(PROBLEMS).fetchall()
    return Preview(tuple(matches), tuple(Problem(Path(name), *row) for row in rejections))


def match_log(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Return the log of a match in base 64: the operation `match_log`, with its name as `match`."""
    with warehouse.reading() as connection:
        sql = "SELECT lines FROM raw_matches WHERE match = $match"
        for (packed,) in connection.execute(sql, {"match": arguments["match"]}).fetchall():
            return {"lines": base64.b64encode(_decompress(packed)).decode()}
    raise WarehouseError(f"{arguments['match']}: there is no such match in {warehouse.database.name}")
