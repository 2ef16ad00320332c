"""Names with several spellings in logs that count as one player, such as `greedy` with and without a trailing space."""

from typing import Final

import duckdb

__all__ = ["different_spellings"]

SPELLINGS: Final = """
SELECT list_sort(list(DISTINCT coalesce(spelling, player))) FROM dim_seats
WHERE player IN (SELECT player FROM dim_seats WHERE spelling IS NOT NULL)
    AND ($run IS NULL OR player IN (
        SELECT player FROM dim_seats SEMI JOIN (FROM raw_matches WHERE ingested_in = $run) USING (match_id)))
GROUP BY player HAVING count(DISTINCT coalesce(spelling, player)) > 1 ORDER BY player
"""


def different_spellings(connection: duckdb.DuckDBPyConnection, run: int | None = None) -> tuple[tuple[str, ...], ...]:
    """Return the spellings of each player with several, as in the logs; with a `run`, only its players."""
    return tuple(tuple(names) for (names,) in connection.execute(SPELLINGS, {"run": run}).fetchall())
