"""Compares two warehouses of the same matches loaded in another order: rows that are in only one of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import duckdb

__all__ = ["unlike"]

OF_A_RUN: Final = {"run", "ingested_in", "resolved_in", "forgotten_in", "started_at", "file", "first_line"}
"""Columns about the run and file of a row; each request body is a separate file."""
OF_A_PLACE: Final = {"quarantine_id", "cohort"}
"""Ids that are assigned in the order of arrival."""
LEDGERS: Final = {"app_store", "ingest_runs", "ingested_files", "receipts", "watched_files", "quarantine_numbers"}
COLUMNS: Final = """
SELECT table_name, list(column_name ORDER BY column_index)
FROM duckdb_columns() SEMI JOIN duckdb_tables() USING (database_name, table_name) WHERE database_name = $name GROUP BY 1
"""


def unlike(database: Path, other: Path) -> dict[str, int]:
    """Return by table the number of rows in only one of two warehouses; matches and cohorts are compared by name."""
    found: dict[str, int] = {}
    with duckdb.connect() as connection:
        connection.execute("SET memory_limit = '1GB'")
        connection.execute(f"ATTACH '{database}' AS one (READ_ONLY); ATTACH '{other}' AS two (READ_ONLY)")
        tables = dict(connection.execute(COLUMNS, {"name": "two"}).fetchall())
        for name in tables.keys() - LEDGERS:
            one, two = (_rows(side, name, tables) for side in ("one", "two"))
            digest = "SELECT count(*), sum(hash(rows)::HUGEINT)"
            if len({connection.execute(f"{digest} FROM ({rows}) AS rows").fetchone() for rows in (one, two)}) > 1:
                both = f"({one} EXCEPT ALL {two}) UNION ALL ({two} EXCEPT ALL {one})"
                ((count,),) = connection.execute(f"SELECT count(*) FROM ({both})").fetchall()
                found |= {name: count} if count else {}
    return found


def _rows(side: str, table: str, tables: Mapping[str, list[str]]) -> str:
    """Return the query for the rows of a table, with ids of other rows replaced by names."""
    columns = tables[table]
    plain = [f'it."{column}"' for column in columns if column not in OF_A_RUN | OF_A_PLACE | {"match_id"}]
    joined = ""
    if "match_id" in columns:
        plain.append("raw.match AS name_of_match")
        joined += f" JOIN {side}.raw_matches AS raw USING (match_id)"
    if "cohort" in columns and table != "dim_cohorts":
        plain.append("kinds.kind AS kind_of_seat")
        kind = ", ".join(f'"{column}"' for column in tables["dim_cohorts"] if column != "cohort")
        kinds = f"(SELECT cohort, hash({kind}) AS kind FROM {side}.dim_cohorts)"
        joined += f" LEFT JOIN {kinds} AS kinds USING (cohort)"
    return f"SELECT {', '.join(plain)} FROM {side}.{table} AS it{joined}"
