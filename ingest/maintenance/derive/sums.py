"""The tables of sums over the shares of the logs: rows of the same cohort and place are added up."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import duckdb

from ingest.maintenance.derive.task import SUMS
from ingest.maintenance.lake.contents import listed
from ingest.maintenance.lake.files import LakeFiles
from ingest.maintenance.lake.parts import Manifest
from ingest.maintenance.lake.tables import LakeTable
from ingest.quoting import quoted
from ingest.tables.definitions import sql_tables

__all__ = ["put_sums"]

TABLE: Final = "lake_sums"
OF_PARTITION: Final = "game = {game} AND tournament IS NOT DISTINCT FROM {tournament}"


def put_sums(files: LakeFiles, manifest: Manifest, shares: Sequence[Path]) -> None:
    """Put the sums over shares, given their folders, into the lake: a file for each game and tournament."""
    for table in (table for table in files.tables if table.is_sums):
        given = listed(share / table.name / SUMS for share in shares)
        files.connection.execute(f"CREATE OR REPLACE TEMP TABLE {TABLE} AS {_added_up(files.connection, table, given)}")
        for key in manifest.parts:
            if table.game in {None, key.game}:
                tournament = "NULL" if key.tournament is None else quoted(key.tournament)
                where = OF_PARTITION.format(game=quoted(key.game), tournament=tournament)
                order = ", ".join(table.grain)
                files.put_query(table.name, f"FROM {TABLE} WHERE {where} ORDER BY {order}", manifest.sums(key))


def _added_up(connection: duckdb.DuckDBPyConnection, table: LakeTable, files: str) -> str:
    """Return the query that adds up the rows of some files, in their columns and types."""
    (sums,) = (made.sums for made in sql_tables() if made.name == table.name)
    source = f"read_parquet({files})"
    if sums is None:  # the cohorts themselves
        return f"SELECT DISTINCT * FROM {source}"
    columns = [(name, kind) for name, kind, *_ in connection.execute(f"DESCRIBE FROM {source}").fetchall()]
    added = [f"CAST(sum({name}) AS {kind}) AS {name}" if name in sums.summed else name for name, kind in columns]
    keys = [name for name, _ in columns if name not in sums.summed]
    return f"SELECT {', '.join(added)} FROM {source} GROUP BY {', '.join(keys)}"
