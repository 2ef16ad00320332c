"""Reading what the replay needs of the warehouse: the log of a match, others of the same luck, what was put aside.

With it, how anything is read: `ReplayQueries` is what `Queries` builds on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import duckdb
import polars as pl
import zstandard

from ingest.warehouse import Warehouse, WarehouseError, sentence

__all__ = ["LISTED", "DatabaseError", "Facts", "PackedLog", "PutAside", "ReplayQueries", "frame_of"]

LIVE: Final = "select live from watched_files where live is not null"
LISTED: Final = f"""(
    select one.* replace (
        case when status = 'unfinished' and match in ({LIVE}) then 'live' else status end as status,
        coalesce(one.margin, of_summit.margin, of_climbers.margin) as margin
    )
    from dim_matches one
    left join fct_summit_courses of_summit using (match_id)
    left join fct_climbers_courses of_climbers using (match_id)) m"""  # noqa: S608
"""Matches as they stand; live is one whose log is being followed as it grows; each by the margin of its own game."""
MAX_LINES_BYTES: Final = 1 << 28


class DatabaseError(Exception):
    """A database that cannot be read; the message is one line and says what to do."""


@dataclass(frozen=True, slots=True)
class PackedLog:
    """The log of a match: the SHA-256 of its lines, and the lines compressed by zstd."""

    sha256: str
    packed: bytes

    def text(self) -> bytes:
        """Return the lines as they were, line ends included."""
        return zstandard.ZstdDecompressor().decompress(self.packed, max_output_size=MAX_LINES_BYTES)


@dataclass(frozen=True, slots=True)
class PutAside:
    """Why lines of a match are in quarantine, and where they come from; `line` is the first bad one."""

    file: str
    line: int
    match: str | None
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is said of a match in a line."""

    match: str
    line_up: str
    rounds: int
    events: int


class ReplayQueries:
    """The questions that the replay asks of one warehouse; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self.database = warehouse.database

    def match_lines(self, match: str) -> list[bytes] | None:
        """Return the lines of a match as its log has them, line ends included; `None` for an unknown match."""
        log = self.packed_log(match)
        return log.text().splitlines(keepends=True) if log else None

    def has_match(self, match: str) -> bool:
        """Say whether there is a match of this name; its log stays where it is."""
        return bool(self._rows("select 1 from raw_matches where match = $match", {"match": match}))

    def game_of(self, match: str) -> str | None:
        """Return which game a match is of; `None` for an unknown match. Its log stays where it is."""
        rows = self._rows("select game from dim_matches where match = $match", {"match": match})
        return str(rows[0][0]) if rows else None

    def packed_log(self, match: str) -> PackedLog | None:
        """Return the log of a match as it is kept; `None` for an unknown match."""
        rows = self._rows("select bytes_sha256, lines from raw_matches where match = $match", {"match": match})
        return PackedLog(*rows[0]) if rows else None

    def is_live(self, match: str) -> bool:
        """Say whether a match goes on in a log that is being followed."""
        sql = f"select 1 from {LISTED} where m.status = 'live' and m.match = $match"  # noqa: S608
        return bool(self._rows(sql, {"match": match}))

    def facts(self, match: str) -> Facts | None:
        """Return what is said of a match in a line; `None` for an unknown match."""
        rows = self._rows(
            "select match, line_up, rounds, events from dim_matches where match = $match", {"match": match}
        )
        return Facts(*rows[0]) if rows else None

    def same_luck(self, match: str) -> pl.DataFrame:
        """Return the other matches of a game on the same board that met the same luck, the latest first.

        Columns are those of the answer, the `options` as the log has them, and `alike`: how many seats are played by
        the same player as in the match that is asked about.
        """
        return self._frame(
            f"""with asked as (from dim_matches where match = $match),
                same as (
                    select m.match_id from dim_matches m join asked using (luck, game, board_sha256)
                    where m.match_id <> asked.match_id
                ),
                alike as (
                    select other.match_id, count(*) as alike
                    from dim_seats mine join dim_seats other using (seat, player)
                    where mine.match_id in (select match_id from asked) and other.match_id in (from same)
                    group by other.match_id
                )
                select m.match, m.line_up, m.winner, m.margin, m.status, m.rounds, m.events, m.tournament,
                    m.options::varchar as options, asked.options::varchar as asked_options, m.game,
                    coalesce(alike, 0) as alike
                from {LISTED} left join alike on m.match_id = alike.match_id, asked
                where m.match_id in (from same)
                order by alike desc, m.match_id desc""",  # noqa: S608
            {"match": match},
        )

    def put_aside(self, match: str, most: int) -> list[PutAside]:
        """Return the first of what is in quarantine under the name of a match."""
        sql = """select file, line, match, reason, message from quarantine
                 where match = $match and resolved_in is null order by quarantine_id limit $most"""
        return [PutAside(*row) for row in self._rows(sql, {"match": match, "most": most})]

    # How it is read

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        try:
            with self._warehouse.reading() as cursor:
                yield cursor
        except duckdb.Error as error:
            raise DatabaseError(sentence(error, self._warehouse.database)) from error
        except WarehouseError as error:  # another process has the file for a moment
            raise DatabaseError(str(error)) from error

    def _rows(self, sql: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        with self._cursor() as cursor:
            return cursor.execute(sql, values).fetchall()

    def _frame(self, sql: str, values: dict[str, Any]) -> pl.DataFrame:
        with self._cursor() as cursor:
            return frame_of(cursor, sql, values)


def frame_of(cursor: duckdb.DuckDBPyConnection, sql: str, values: dict[str, Any]) -> pl.DataFrame:
    """Return what a question comes to as a frame."""
    frame: pl.DataFrame = cursor.sql(sql, params=values).pl()
    return frame
