"""Results of loading each file and run, as text and as JSON; and facts read from tournament manifests."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import duckdb
from pydantic import TypeAdapter

from himalaya_core.errors import LogFileError
from himalaya_core.names import one_player
from himalaya_core.tournament.manifest import SUFFIX, looks_of, model_of, sources_of
from himalaya_core.tournament.plan import TournamentError
from ingest.values import table_of

__all__ = [
    "Failure",
    "FileRecord",
    "Manifests",
    "Problem",
    "Progress",
    "Summary",
    "Taken",
    "counted",
    "different_spellings",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """A quarantined text: where its lines begin, and the reason for rejecting them."""

    file: Path
    line: int
    match: str | None
    reason: str
    message: str

    def __str__(self) -> str:
        return self.text()

    def text(self, show: Callable[[Path], str] = str) -> str:
        """Return the problem in one line; `show` formats the file's path."""
        about = f" (match {self.match})" if self.match else ""
        return f"{show(self.file)}:{self.line}: {self.message}{about}"


@dataclass(slots=True)
class Taken:
    """Counts of loaded and rejected items; `Summary` describes each count.

    `quarantined` counts entries quarantined by this run; `problems` has the first of them.
    """

    matches: int = 0
    completed: int = 0
    events: int = 0
    skipped: int = 0
    forgotten: int = 0
    known: int = 0
    dropped: int = 0
    resolved: int = 0
    named: int = 0
    quarantined: int = 0
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class FileRecord:
    """Result of one file; `tournament` is for matches without one in their log.

    The counts in `taken` are as if earlier files had been loaded in a separate run. So a match that this file completes
    counts as already known. An entry that a later file resolves still counts as quarantined.
    """

    path: Path
    size: int
    sha256: str
    matches: int = 0
    skipped: int = 0
    quarantined: int = 0
    tournament: str | None = None
    taken: Taken = field(default_factory=Taken)


MOST_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run: bytes read, as stored on the disk, valid events, and counts of committed data.

    `matches` and `put_aside` (quarantined lines or matches) count only committed items.
    """

    bytes_read: int
    bytes_total: int
    events: int
    matches: int = 0
    put_aside: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read or that changed during reading, with the reason."""

    file: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The loaded and rejected items of a run. The field names are keys of the API's JSON.

    Matches: `matches` are new; `completed` were unfinished and are continued; `skipped` were already loaded with the
    same bytes. `named` were loaded without a tournament and got one. `forgotten` were left out because they were
    forgotten earlier.

    Quarantine: `put_aside` counts entries quarantined by this run, and `quarantined` lists the first of them. `known`
    counts entries quarantined by an earlier run, and `dropped` those deleted since. `resolved` counts entries that this
    run resolved.

    Players: `spellings` lists different spellings in the logs that count as one player, for the players of these
    matches.

    Files: `unfinished` files are still being written, `failed` files could not be read, and `archives` were not opened.
    """

    files: int
    matches: int
    completed: int
    events: int
    skipped: int
    put_aside: int
    quarantined: tuple[Problem, ...]
    known: int
    unfinished: tuple[Path, ...]
    forgotten: int = 0
    dropped: int = 0
    resolved: int = 0
    named: int = 0
    failed: tuple[Failure, ...] = ()
    archives: tuple[Path, ...] = ()
    dry_run: bool = False
    spellings: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, taken: Taken, **about: Any) -> Self:
        """Make a summary from counts; `about` has the values of all other fields."""
        return cls(
            matches=taken.matches,
            completed=taken.completed,
            events=taken.events,
            skipped=taken.skipped,
            put_aside=taken.quarantined,
            quarantined=tuple(taken.problems),
            known=taken.known,
            dropped=taken.dropped,
            forgotten=taken.forgotten,
            resolved=taken.resolved,
            named=taken.named,
            **{"unfinished": (), **about},
        )

    @classmethod
    def read(cls, summary: dict[str, Any]) -> Self:
        """Parse a summary written by `as_json`."""
        found: Self = _summaries().validate_python(summary)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the summary as JSON."""
        written: dict[str, Any] = _summaries().dump_python(self, mode="json")
        return written

    @property
    def in_quarantine(self) -> int:
        """Return the number of lines or matches of these files that are in quarantine."""
        return self.put_aside + self.known

    def __str__(self) -> str:
        return self.text()

    def text(self, show: Callable[[Path], str] = str, all_are: str = "`himalaya quarantine list` shows all") -> str:
        """Return the summary as text.

        `show` formats a file's path; `all_are` is a sentence about where all quarantine entries are listed.
        """
        return "\n".join([*self._taken(), *self._quarantined(show, all_are), *self._left(show)])

    def _taken(self) -> Iterator[str]:
        would = "would be " if self.dry_run else ""
        taken = f"{counted(self.matches, 'match', 'es')}, {counted(self.events, 'event')}"
        yield f"{taken} {would}loaded from {counted(self.files, 'file')}"
        if self.completed:
            yield f"{counted(self.completed, 'unfinished match', 'es')} {would}completed"
        if self.resolved:
            yield f"{self.resolved:,} {would}released from quarantine: their missing lines have arrived"
        if self.skipped:
            yield f"{counted(self.skipped, 'match', 'es')} {would}skipped: already loaded, byte for byte the same"
        if self.named:
            yield f"{counted(self.named, 'match', 'es')} {would}given the tournament: loaded before without one"
        if self.forgotten:
            yield f"{counted(self.forgotten, 'match', 'es')} {would}not loaded: forgotten before"

    def _quarantined(self, show: Callable[[Path], str], all_are: str) -> Iterator[str]:
        would = "would be " if self.dry_run else ""
        if self.known:
            yield f"{self.known:,} quarantined before, still in quarantine; {all_are}"
        if self.dropped:
            yield f"{self.dropped:,} not loaded: dropped from quarantine before"
        if self.put_aside:
            yield f"{self.put_aside:,} {would}quarantined:"
            yield from (f"  {problem.text(show)}" for problem in self.quarantined[:MOST_SHOWN])
        if self.put_aside > MOST_SHOWN:
            more = f"  and {self.put_aside - MOST_SHOWN:,} more"
            yield more if self.dry_run else f"{more}; {all_are}"

    def _left(self, show: Callable[[Path], str]) -> Iterator[str]:
        yield from (one_player(names) for names in self.spellings[:MOST_SHOWN])
        resumed = "if its tournament was stopped, run that again"
        yield from (f"{show(path)}: not complete, so not read; {resumed}" for path in self.unfinished)
        yield from (f"{show(path)}: an archive, not read; unpack it first" for path in self.archives[:MOST_SHOWN])
        if len(self.archives) > MOST_SHOWN:
            yield f"and {len(self.archives) - MOST_SHOWN:,} more archives, not read"
        yield from (f"cannot read {show(failure.file)}: {failure.reason}" for failure in self.failed[:MOST_SHOWN])
        if len(self.failed) > MOST_SHOWN:
            yield f"and {len(self.failed) - MOST_SHOWN:,} more files that cannot be read"
        if self.dry_run:
            yield "dry run: nothing was changed"


@cache
def _summaries() -> TypeAdapter[Any]:
    """Return the adapter for summaries, created once: a run with many bodies writes many summaries."""
    return TypeAdapter(Summary)


def counted(number: int, what: str, plural: str = "s") -> str:
    """Return a number with its noun; `plural` is the ending of the plural."""
    return f"{number:,} {what}{'' if number == 1 else plural}"


PLAYED: Final = """
SELECT DISTINCT file, started.tournament
FROM raw_matches SEMI JOIN batch USING (match_id) JOIN stg_match_started AS started USING (match_id)
WHERE started.tournament IS NOT NULL ORDER BY ALL
"""
SAID: Final[dict[str, str]] = dict.fromkeys(("file", "tournament", "sources", "looks", "model"), "VARCHAR")
NAMED: Final = """
UPDATE raw_matches SET player_sources = said.sources, looks = said.looks, model = said.model
FROM said JOIN stg_match_started AS started USING (tournament)
WHERE raw_matches.match_id = started.match_id AND raw_matches.file = said.file AND raw_matches.match_id IN (FROM batch)
"""

_Remarks = tuple[str | None, str | None, str | None]
"""Facts of a manifest: sources by player and interim analyses, both as JSON, and the digest of the model."""
NOTHING: Final[_Remarks] = (None, None, None)


class Manifests:
    """The manifests next to the logs of a run, each read once; `failed` lists those that cannot be read."""

    def __init__(self) -> None:
        self.failed: list[Failure] = []
        self._read: dict[Path, _Remarks] = {}

    def write_down(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Store the facts of its manifest with each match of the table `batch`."""
        said = [
            (file, tournament, *remarks)
            for file, tournament in connection.execute(PLAYED).fetchall()
            if any(remarks := self._remarks(Path(file), tournament))
        ]
        if said:
            connection.register("said", table_of(SAID, said))
            connection.execute(NAMED)
            connection.unregister("said")

    def _remarks(self, log: Path, tournament: str) -> _Remarks:
        if not log.is_absolute() or "/" in tournament:
            return NOTHING
        path = log.with_name(f"{tournament}{SUFFIX}")
        if path not in self._read:
            self._read[path] = NOTHING
            with suppress(OSError, ValueError):  # the name is too long or not valid for a file
                self._read[path] = self._manifest(path) if path.is_file() else NOTHING
        return self._read[path]

    def _manifest(self, path: Path) -> _Remarks:
        try:
            said, model = (sources_of(path), looks_of(path)), model_of(path)
        except (LogFileError, TournamentError) as error:
            self.failed.append(Failure(path, str(error).removeprefix(f"{path}: ").removeprefix(f"{path} is ")))
            return NOTHING
        sources, looks = (json.dumps(remark, sort_keys=True) if remark else None for remark in said)
        return sources, looks, model


SPELLINGS: Final = """
SELECT list_sort(list(DISTINCT coalesce(spelling, player))) FROM dim_seats
WHERE player IN (SELECT player FROM dim_seats WHERE spelling IS NOT NULL)
    AND ($run IS NULL OR player IN (
        SELECT player FROM dim_seats SEMI JOIN (FROM raw_matches WHERE ingested_in = $run) USING (match_id)))
GROUP BY player HAVING count(DISTINCT coalesce(spelling, player)) > 1 ORDER BY player
"""


def different_spellings(connection: duckdb.DuckDBPyConnection, run: int | None = None) -> tuple[tuple[str, ...], ...]:
    """Return the logged spellings of each player who has several; with a `run`, only of players in that run."""
    return tuple(tuple(names) for (names,) in connection.execute(SPELLINGS, {"run": run}).fetchall())
