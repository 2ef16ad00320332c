"""Copies: the same match loaded again under another name, tournament or file.

Two finished matches are copies if they have the same events, players, versions, settings, rules, options, board and
seed; `dim_matches.contents` is a digest of these. A match whose contents were loaded before has `is_copy` set. Its
seats have their own cohorts, so a filter can leave them out of the sums.
"""

from functools import cache
from typing import Final

from himalaya_core.games import GAMES
from ingest.tables.schema import EventTable, schema_of

__all__ = ["mark_copies"]

MARK: Final = """
UPDATE dim_matches SET contents = found.contents FROM (
    SELECT match_id, md5(CAST(ROW(game, rules_version, board_sha256, {options}, luck, seats, digest)
        AS VARCHAR)) AS contents
    FROM (FROM dim_matches SEMI JOIN batch USING (match_id) WHERE game = '{game}' AND status = 'finished')
    JOIN (
        SELECT match_id, list(ROW(player, version, {params}, place) ORDER BY seat) AS seats
        FROM dim_seats SEMI JOIN batch USING (match_id) GROUP BY match_id
    ) USING (match_id)
    JOIN (
        SELECT match_id, bit_xor(md5_number(event)) AS digest FROM ({events}) GROUP BY match_id
    ) USING (match_id)
) AS found WHERE dim_matches.match_id = found.match_id;

UPDATE dim_matches SET is_copy = true WHERE match_id IN (FROM batch) AND EXISTS (
    FROM dim_matches AS other WHERE other.contents = dim_matches.contents
        AND (other.match_id < dim_matches.match_id OR other.match_id NOT IN (FROM batch))
        AND other.match_id <> dim_matches.match_id
);
"""
"""A digest of text, as DuckDB's `hash` may change between versions."""
IN_ORDER: Final = "list_sort(map_entries(CAST({} AS MAP(VARCHAR, JSON))))"
OPTIONS: Final = f"list_filter({IN_ORDER.format('options')}, lambda each: each.value <> 'false')"
"""An option that is off is treated like a missing one."""


@cache
def mark_copies(game: str) -> str:
    """Return the statements that set `contents` of finished matches in `batch`, and mark copies."""
    tables = [table for table in schema_of(GAMES[game]).tables if table.game]
    events = " UNION ALL ".join(map(_events, tables))
    return MARK.format(game=game, options=OPTIONS, params=IN_ORDER.format("params"), events=events)


def _events(table: EventTable) -> str:
    columns = ["seq", *["seat"] * table.has_seat, *(f'"{column.name}"' for column in table.spread.columns)]
    event = f"CAST(ROW('{table.event}', {', '.join(columns)}) AS VARCHAR)"
    return f"SELECT match_id, {event} AS event FROM {table.name} SEMI JOIN batch USING (match_id)"
