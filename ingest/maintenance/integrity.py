"""Integrity checks of a warehouse: the assertions of `himalaya check`.

Each table is checked for its grain and for NULL in columns that must not have it. Values that must agree in several
tables are compared. Each assertion is one aggregate query. The events of a match, over all tables, must be numbered 0,
1, 2 and so on. Their count and the sum of the hashes of `seq` prove it, so that fifty million events need not be sorted
or read twice.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any, Final

import duckdb

from ingest.maintenance.integrity_of_reviews import OF_REVIEWS
from ingest.people.pairing import broken_in_store
from ingest.tables.definitions import SCHEMA_VERSION, create_tables, event_tables, sql_tables, stored_event_tables
from ingest.tables.marts import Finding, Promise, installed_games
from ingest.warehouse import Report, Warehouse

__all__ = ["check", "check_operation"]

Structure = Mapping[str, list[tuple[str, str, bool]]]
"""Columns of every table and view: name, type, and whether NULL is forbidden."""

EVENT: Final = ("match_id", "seq")
COLUMNS: Final = """
SELECT table_name, list((column_name, data_type, NOT is_nullable) ORDER BY column_index)
FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() GROUP BY 1
"""
EMPTY: Final = """
SELECT table_name FROM duckdb_tables()
WHERE NOT internal AND database_name = current_database() AND estimated_size = 0
"""
"""Lists empty tables, such as all tables of games that were never played."""
FOUND: Final = """
CREATE OR REPLACE TEMP TABLE found_events AS
SELECT match_id, sum(events) AS events, sum(hashes) AS hashes FROM ({tables}) GROUP BY match_id
"""
FOUND_IN: Final = "SELECT match_id, count(*) AS events, sum(hash(seq)) AS hashes FROM {table} GROUP BY match_id"
WRONG: Final = """
CREATE OR REPLACE TEMP TABLE wrong_seq AS
WITH gapless AS (
    SELECT events, sum(hash(CAST(events - 1 AS INTEGER))) OVER (ORDER BY events) AS hashes
    FROM range(1, 1 + (SELECT coalesce(max(events), 0) FROM raw_matches)) AS lengths (events)
)
SELECT match_id FROM raw_matches JOIN found_events USING (match_id) JOIN gapless ON gapless.events = raw_matches.events
WHERE found_events.hashes <> gapless.hashes
"""
"""Collects the matches in which an event is missing or occurs twice."""


def check(
    connection: duckdb.DuckDBPyConnection, progress: Callable[[int, int], None] = lambda _done, _all: None
) -> list[Finding]:
    """Return the failed assertions; `progress` is called with the number of finished checks and the total."""
    structure = _structure(installed_games())
    connection.begin()  # a snapshot: matches loaded meanwhile are not seen
    try:
        found = list(_structure_findings(connection, structure))
        return found or _broken(connection, structure, progress)  # without these tables, other checks cannot run
    finally:
        connection.rollback()


@cache
def _structure(_: Any) -> Structure:
    with duckdb.connect() as model:
        create_tables(model)
        return dict(model.execute(COLUMNS).fetchall())


def _broken(
    connection: duckdb.DuckDBPyConnection, structure: Structure, progress: Callable[[int, int], None]
) -> list[Finding]:
    each = " UNION ALL ".join(FOUND_IN.format(table=table) for table in stored_event_tables(connection))
    connection.execute(FOUND.format(tables=each))
    connection.execute(WRONG)
    connection.execute("CREATE OR REPLACE TEMP TABLE batch AS SELECT match_id FROM raw_matches")
    promises = _promises(structure)
    empty = {table for (table,) in connection.execute(EMPTY).fetchall()}
    found: list[Finding] = []
    for done, promise in enumerate(promises, 1):
        if not (promise.by_row and promise.table in empty):
            sql = f"SELECT count(*), min(example) FROM ({promise.broken})"
            ((rows, example),) = connection.execute(sql).fetchall()
            if rows:
                found.append(Finding(promise.table, promise.expected, rows, example))
        progress(done, len(promises))
    return found


def _promises(structure: Structure) -> list[Promise]:
    of_games = [*_of_records(), *(promise for _, marts in installed_games() for promise in marts.promises)]
    of_all = [*OF_MATCHES, *OF_COHORTS, *of_games, *_of_sums(), *OF_REVIEWS, *OF_THE_LEDGER]
    return [*_of_rows(structure), *_of_events(), *of_all]


def check_operation(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Check a warehouse: the operation `check`. Takes no arguments; returns `findings`, each with its `text`."""
    del arguments
    with warehouse.reading() as connection:
        found = check(connection, lambda done, total: report({"done": done, "total": total}))
    found += broken_in_store(warehouse.app)
    return {"findings": [asdict(finding) | {"text": str(finding)} for finding in found]}


# --- Assertions on every table


def _structure_findings(connection: duckdb.DuckDBPyConnection, structure: Structure) -> Iterator[Finding]:
    """Yield findings for tables and views that differ in columns from those of this version."""
    there: Structure = dict(connection.execute(COLUMNS).fetchall())
    for table, columns in structure.items():
        different = {column[:2] for column in columns} ^ {column[:2] for column in there.get(table, [])}
        if different:
            expected = f"the columns of schema {SCHEMA_VERSION}"
            yield Finding(table, expected, len(different), f"{' '.join(min(different))}")


def _of_rows(structure: Structure) -> Iterator[Promise]:
    """Yield assertions on single tables: no forbidden NULL, no duplicate key, and known matches only."""
    grains = {table.name: table.grain for table in sql_tables()}
    asked_already = {"events", *(table.name for table in sql_tables() if table.same_as)}
    for table, columns in structure.items():
        grain = grains.get(table, EVENT)
        filled = [name for name, _, never_null in columns if never_null or name in grain]
        if table in asked_already:
            continue  # its source tables are checked instead
        empty = " OR ".join(f"{name} IS NULL" for name in filled)
        holes = f"SELECT {_named(grain)} FROM {table} WHERE {empty}"
        yield Promise(table, f"a value in {', '.join(filled)}", holes, by_row=True)
        if table not in grains:
            continue
        keys = ", ".join(grain)
        again = f"SELECT {_named(grain)} FROM {table} GROUP BY {keys} HAVING count(*) > 1"
        yield Promise(table, f"one row for each {keys}", again, by_row=True)
        if "match_id" in grain and table != "raw_matches":
            lost = f"SELECT {_named(grain)} FROM {table} ANTI JOIN raw_matches USING (match_id)"
            yield Promise(table, "only matches of raw_matches", lost, by_row=True)


def _of_events() -> Iterator[Promise]:
    """Yield assertions on event tables: every event of every loaded match exactly once, and no others."""
    for table in event_tables():
        lost = f"SELECT {_named(EVENT)} FROM {table.name} ANTI JOIN raw_matches USING (match_id)"
        yield Promise(table.name, "only matches of raw_matches", lost, by_row=True)
        again = (
            f"SELECT {_named(EVENT)} FROM {table.name} SEMI JOIN wrong_seq USING (match_id) "
            "GROUP BY match_id, seq HAVING count(*) > 1"
        )
        yield Promise(table.name, "one row for each match_id, seq", again, by_row=True)
    yield Promise(
        "events",
        "as many events of a match as it has lines",
        """
        SELECT format('match_id {}: {} events, {} lines', match_id, coalesce(f.events, 0), r.events) AS example
        FROM raw_matches AS r LEFT JOIN found_events AS f USING (match_id)
        WHERE f.events IS DISTINCT FROM r.events
        """,
    )
    yield Promise("events", "seq 0, 1, 2, … of a match, each once", f"SELECT {_named(EVENT[:1])} FROM wrong_seq")


def _of_sums() -> Iterator[Promise]:
    """Yield the assertions on tables of sums: they must equal newly computed sums over all finished matches."""
    for table in sql_tables():
        if table.sums:
            differing = f"SELECT {_named(table.grain)} FROM ({table.sums.differing})"
            yield Promise(table.name, "the sums over the finished matches", differing)


def _of_records() -> Iterator[Promise]:
    """Yield assertions on values that each game's record in `Marts` defines, such as margins."""
    for game, marts in installed_games():
        if marts.margin:
            yield Promise(
                "dim_matches",
                f"the margins that follow from the tables of {game}",
                f"""
                SELECT 'match_id ' || match_id AS example
                FROM (SELECT match_id, margin FROM dim_matches WHERE game = '{game}') AS shown
                FULL JOIN ({marts.margin}) AS own USING (match_id) WHERE shown.margin IS DISTINCT FROM own.margin
                """,
            )
        if marts.seat_endings:
            yield Promise(
                "dim_seats",
                f"the endings that follow from the tables of {game}",
                f"""
                SELECT format('match_id {{}}, seat {{}}', match_id, seat) AS example
                FROM (FROM dim_seats SEMI JOIN (FROM dim_matches WHERE game = '{game}') USING (match_id)) AS shown
                FULL JOIN ({marts.seat_endings}) AS own USING (match_id, seat)
                WHERE shown.ending IS DISTINCT FROM own.ending
                """,
            )


def _named(columns: tuple[str, ...]) -> str:
    """Return the SQL expression of a text that lists columns and their values."""
    parts = [f"'{name} ' || coalesce(CAST({name} AS VARCHAR), 'NULL')" for name in columns]
    return f"concat_ws(', ', {', '.join(parts)}) AS example"


# --- Assertions across tables

OF_MATCHES: Final = (
    Promise(
        "raw_matches",
        "each name once",
        "SELECT 'match ' || match AS example FROM raw_matches GROUP BY match HAVING count(*) > 1",
    ),
    Promise(
        "dim_matches",
        "a row for every match, equal to its log",
        """
        SELECT 'match_id ' || r.match_id AS example FROM raw_matches AS r
        LEFT JOIN dim_matches AS d USING (match_id) LEFT JOIN stg_match_started AS s USING (match_id)
        WHERE (d.match, d.rounds, d.plies, d.events, d.file, d.verdict, d.luck_verdict, d.tournament)
            IS DISTINCT FROM (r.match, r.rounds, r.plies, r.events, r.file, r.verdict, r.luck_verdict,
                coalesce(s.tournament, r.tournament))
        """,
    ),
    Promise(
        "dim_matches",
        "at most one of several equal matches that is not marked as a copy",
        """
        SELECT 'match_id ' || max(match_id) AS example FROM dim_matches WHERE contents IS NOT NULL
        GROUP BY contents HAVING count(*) FILTER (NOT is_copy) > 1
        """,
    ),
    Promise(
        "dim_seats",
        "one row for each seat that the first line of a match names",
        """
        SELECT format('match_id {}: {} rows, {} seats', match_id, coalesce(found.rows, 0), json_array_length(seats))
            AS example
        FROM stg_match_started LEFT JOIN (SELECT match_id, count(*) AS rows FROM dim_seats GROUP BY 1) AS found
            USING (match_id)
        WHERE coalesce(found.rows, 0) <> json_array_length(seats)
        """,
    ),
    Promise(
        "dim_seats",
        "the player source that the log or the manifest names, and the verdict on the player",
        """
        SELECT format('match_id {}, seat {}', match_id, d.seat) AS example
        FROM dim_seats AS d JOIN raw_matches AS r USING (match_id) JOIN stg_match_started AS s USING (match_id)
        WHERE d.player_verdict IS DISTINCT FROM string_split(r.player_verdicts, ',')[d.seat + 1]
            OR d.source_sha256 IS DISTINCT FROM coalesce(
                json_extract_string(s.seats, '$[' || d.seat || '].source_sha256'),
                CAST(r.player_sources AS MAP(VARCHAR, VARCHAR))[coalesce(d.spelling, d.player)]
            )
        """,
    ),
    Promise(
        "raw_matches",
        "a verdict for each seat, once the players were asked",
        """
        SELECT 'match_id ' || match_id AS example FROM raw_matches JOIN stg_match_started USING (match_id)
        WHERE len(string_split(player_verdicts, ',')) <> json_array_length(seats) OR EXISTS (
            FROM (SELECT unnest(string_split(player_verdicts, ',')) AS said)
            WHERE said NOT IN ('repeats', 'differs', 'not asked')
        )
        """,
    ),
    Promise(
        "forgotten_matches",
        "no row of a forgotten match",
        """
        SELECT 'match ' || match AS example
        FROM (SELECT match, bytes_sha256 FROM raw_matches UNION ALL SELECT match, sha256 FROM quarantine)
        SEMI JOIN forgotten_matches USING (bytes_sha256)
        """,
    ),
)
OF_COHORTS: Final = (
    Promise(
        "dim_seats",
        "the cohort of the seat and its match, once the match is finished",
        """
        SELECT format('match_id {}, seat {}', match_id, s.seat) AS example
        FROM dim_seats AS s JOIN dim_matches AS m USING (match_id) LEFT JOIN dim_cohorts AS c USING (cohort)
        WHERE CASE
            WHEN m.status = 'finished' THEN
                (c.game, c.board_id, c.board_sha256, c.tournament, c.players, c.options, c.verdict, c.seat, c.player,
                    c.version, c.params, c.place, c.won, c.ending, c.copy)
                IS DISTINCT FROM (m.game, m.board_id, m.board_sha256, m.tournament, m.players, m.options, m.verdict,
                    s.seat, s.player, s.version, s.params, s.place, s.won, s.ending,
                    CASE WHEN m.is_copy THEN m.match END)
            ELSE s.cohort IS NOT NULL
        END
        """,
    ),
    Promise(
        "dim_cohorts",
        "only cohorts that have seats",
        "SELECT 'cohort ' || cohort AS example FROM dim_cohorts ANTI JOIN dim_seats USING (cohort)",
    ),
    Promise(
        "dim_cohorts",
        "each cohort once",
        """
        SELECT 'cohort ' || max(cohort) AS example FROM dim_cohorts
        GROUP BY game, board_id, board_sha256, tournament, players, options, verdict, seat, player, version, params,
            place, won, ending, copy
        HAVING count(*) > 1
        """,
    ),
)
OF_THE_LEDGER: Final = (
    Promise(
        "ingest_runs",
        "at least as many matches loaded as raw_matches has of the run",
        """
        SELECT format('run {}: {} loaded, {} kept', run, matches, kept) AS example FROM ingest_runs
        JOIN (SELECT ingested_in AS run, count(*) AS kept FROM raw_matches GROUP BY 1) USING (run) WHERE kept > matches
        """,
    ),
    Promise(
        "ingest_runs",
        "at least as many rejections as quarantine has of the run",
        """
        SELECT format('run {}: {} rejected, {} kept', run, quarantined, kept) AS example FROM ingest_runs
        JOIN (SELECT ingested_in AS run, count(*) AS kept FROM quarantine GROUP BY 1) USING (run)
        WHERE kept > quarantined
        """,
    ),
    Promise(
        "ingest_runs",
        "at least as many files read as ingested_files has of the run",
        """
        SELECT format('run {}: {} read, {} kept', run, files, kept) AS example FROM ingest_runs
        JOIN (SELECT ingested_in AS run, count(*) AS kept FROM ingested_files GROUP BY 1) USING (run)
        WHERE kept > files
        """,
    ),
    Promise(
        "ingested_files",
        "at least as many matches loaded from the file as raw_matches has of it",
        """
        SELECT format('{}: {} loaded, {} kept', file, matches, kept) AS example
        FROM (SELECT file, ingested_in, sum(matches) AS matches FROM ingested_files GROUP BY ALL)
        JOIN (SELECT file, ingested_in, count(*) AS kept FROM raw_matches GROUP BY ALL) USING (file, ingested_in)
        WHERE kept > matches
        """,
    ),
    Promise(
        "quarantine",
        "no entry resolved before it was quarantined",
        "SELECT 'quarantine_id ' || quarantine_id AS example FROM quarantine WHERE resolved_in < ingested_in",
    ),
)
