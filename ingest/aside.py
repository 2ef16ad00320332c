"""The quarantine as a run fills it: what is put aside is kept with its reason until its match comes in after all."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl
import zstandard

from ingest.places import FileRecord, Place
from ingest.validate import Aside

__all__ = ["Problem", "Quarantine", "forgotten_of"]

CAME_IN: Final = """
UPDATE quarantine SET resolved_in = $run FROM counted
WHERE quarantine.match = counted.match AND resolved_in IS NULL
    AND (reason <> 'conflict' OR sha256 = counted.bytes_sha256)
RETURNING quarantine_id, ingested_in
"""
"""A conflict ends only when the other log is the one that counts."""

MOST_NAMED: Final = 1_000
"""Problems that a run remembers; the quarantine holds all of them."""

_compress = zstandard.ZstdCompressor(level=3).compress


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was put aside, and why."""

    file: Path
    line: int
    match: str | None
    reason: str
    message: str

    def __str__(self) -> str:
        return self.text()

    def text(self, show: Callable[[Path], str] = str) -> str:
        """Return the problem in one line; `show` names the file."""
        about = f" (match {self.match})" if self.match else ""
        return f"{show(self.file)}:{self.line}: {self.message}{about}"


class Quarantine:
    """The quarantine in one run: `problems` it put aside, the first of them, and `known` ones that an earlier run did.

    `kept` counts what this run put aside, `open` what of that is still open, `resolved` what was open until this run
    took its match in.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, run: int) -> None:
        self.problems: dict[int, Problem] = {}
        self.kept = self.open = self.known = self.resolved = self.forgotten = 0
        self._connection = connection
        self._run = run

    def resolve(self, places: Iterable[Place]) -> None:
        """Close what is open of matches that are in the warehouse now."""
        counted = {place.match.match: place.match.bytes_sha256 for place in places if place.counted}
        frame = pl.DataFrame({"match": list(counted), "bytes_sha256": list(counted.values())}, schema_overrides=TEXTS)
        self._connection.register("counted", frame)
        for number, run in self._connection.execute(CAME_IN, {"run": self._run}).fetchall():
            self.resolved += 1
            self.open -= run == self._run
            self.problems.pop(number, None)
        self._connection.unregister("counted")

    def keep(self, asides: Sequence[tuple[FileRecord, Aside, bool]]) -> None:
        """Keep what was put aside, unless the same from the same file is there; `True`: its match came in behind it."""
        digests = [hashlib.sha256(aside.text).hexdigest() for _, aside, _ in asides]
        there, forgotten = self._there(asides), forgotten_of(self._connection, digests)
        ((number,),) = self._connection.execute("SELECT coalesce(max(quarantine_id), 0) FROM quarantine").fetchall()
        rows: list[dict[str, Any]] = []
        for (file, aside, is_resolved), sha256 in zip(asides, digests, strict=True):
            if sha256 in forgotten:
                self.forgotten += 1
                file.skipped += 1
                continue
            file.quarantined += 1
            key = (str(file.path), aside.line, aside.reason, sha256)
            if key in there:
                self.known += there[key]
                continue
            number += 1
            self.kept += 1
            if is_resolved:
                self.resolved += 1
            else:
                self.open += 1
                if len(self.problems) < MOST_NAMED:
                    self.problems[number] = Problem(file.path, aside.line, aside.match, aside.reason, aside.message)
            row = {"quarantine_id": number, "file": key[0], "line": aside.line, "match": aside.match}
            row |= {"reason": aside.reason, "message": aside.message, "text": _compress(aside.text)}
            row |= {"size": len(aside.text), "sha256": sha256, "ingested_in": self._run}
            rows.append(row | {"resolved_in": self._run if is_resolved else None})
        if rows:
            self._connection.register("rows", pl.DataFrame(rows, infer_schema_length=None))
            self._connection.execute("INSERT INTO quarantine BY NAME FROM rows")
            self._connection.unregister("rows")

    def _there(self, asides: Sequence[tuple[FileRecord, Aside, bool]]) -> dict[tuple[Any, ...], bool]:
        """Return what is kept of the files already, and whether it is open."""
        files = sorted({str(file.path) for file, _, _ in asides})
        sql = "SELECT file, line, reason, sha256, resolved_in IS NULL FROM quarantine WHERE list_contains($files, file)"
        return {tuple(key): is_open for *key, is_open in self._connection.execute(sql, {"files": files}).fetchall()}


TEXTS: Final = {"match": pl.String, "bytes_sha256": pl.String}


def forgotten_of(connection: duckdb.DuckDBPyConnection, digests: Sequence[str]) -> set[str]:
    """Return those digests whose text was forgotten."""
    sql = "SELECT bytes_sha256 FROM forgotten_matches WHERE list_contains($digests, bytes_sha256)"
    return {digest for (digest,) in connection.execute(sql, {"digests": digests}).fetchall()}
