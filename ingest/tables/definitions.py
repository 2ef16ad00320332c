"""Defines the tables of a warehouse, both typed event tables and tables in SQL, and detects copies of matches.

A copy is the same match loaded under another name.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import duckdb

from himalaya_core.games import GAMES
from ingest.tables.marts import Marts, installed_games
from ingest.tables.schema import EventTable, Sums, schema_of, table_name
from ingest.values import quoted

__all__ = [
    "SCHEMA_VERSION",
    "SqlTable",
    "add_tables",
    "batches",
    "create_tables",
    "event_tables",
    "fill_tables",
    "make_tables",
    "mark_copies",
    "missing_tables",
    "refill_tables",
    "remove",
    "sql_tables",
    "stored_event_tables",
    "take_out",
]


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
"""Marks copies by an MD5 of text, because DuckDB's `hash` may change between versions."""
IN_ORDER: Final = "list_sort(map_entries(CAST({} AS MAP(VARCHAR, JSON))))"
OPTIONS: Final = f"list_filter({IN_ORDER.format('options')}, lambda each: each.value <> 'false')"
"""Leaves out options that are off, as if they were missing."""


@cache
def mark_copies(game: str) -> str:
    """Return the SQL statements that set `contents` of the finished matches in `batch`, and mark copies."""
    tables = [table for table in schema_of(GAMES[game]).tables if table.game]
    events = " UNION ALL ".join(map(_events, tables))
    return MARK.format(game=game, options=OPTIONS, params=IN_ORDER.format("params"), events=events)


def _events(table: EventTable) -> str:
    columns = ["seq", *["seat"] * table.has_seat, *(f'"{column.name}"' for column in table.spread.columns)]
    event = f"CAST(ROW('{table.event}', {', '.join(columns)}) AS VARCHAR)"
    return f"SELECT match_id, {event} AS event FROM {table.name} SEMI JOIN batch USING (match_id)"


SCHEMA_VERSION: Final = 19
AT_ONCE: Final = 1_000
"""Number of matches that are derived in one step."""
INDEX: Final = "CREATE INDEX IF NOT EXISTS raw_matches_by_match ON raw_matches (match)"
"""Index that finds a log among 200,000 in half a millisecond instead of seven; no other table needs an index."""
TABLE: Final = re.compile(
    r"-- (?P<name>\w+): (?P<about>.+?) \((?P<grain>[\w, ]+)\)\.\n"
    r"(?P<create>CREATE (?P<kind>TABLE|VIEW) .*?;)\n+(?:(?:--[^\n]*\n)*(?P<fill>INSERT .*?;(?:\n+UPDATE .*?;)?))?",
    re.DOTALL,
)
ANOTHER_NAME: Final = re.compile(r"CREATE VIEW \w+ AS FROM (\w+);")
SUMS: Final = "agg_"
DERIVED: Final = re.compile("(int|dim|fct|agg)_")
"""Pattern for the prefixes of derived tables, whether derived by these scripts or by reviews."""
OF_FINISHED: Final = re.compile("35|[6-9]")
"""Pattern for the names of scripts with tables that only have rows of finished matches."""
EVENTS: Final = "stg_"
EVENTS_VIEW: Final = """
SELECT sql FROM duckdb_views() WHERE view_name = 'events' AND database_name = current_database()
"""
LOGGED: Final = re.compile(r"\((SELECT match_id, seq, .*? FROM (?P<table>stg_\w+))\)", re.DOTALL)
"""Pattern for the part of one table in the view `events`, as DuckDB formats it."""
THERE: Final = """
SELECT view_name, 'VIEW' FROM duckdb_views() WHERE database_name = current_database()
UNION ALL SELECT table_name, 'TABLE' FROM duckdb_tables() WHERE database_name = current_database()
"""
SEAT_ENDINGS: Final = "{seat_endings}"
"""Placeholder in a script for the query that combines the seat endings of all games."""
NO_SEAT_ENDING: Final = "SELECT NULL::INTEGER AS match_id, NULL::INTEGER AS seat, NULL::VARCHAR AS ending WHERE false"
MARGINS: Final = """
UPDATE dim_matches SET margin = won_by.margin, margin_unit = won_by.unit
FROM (SELECT match_id, margin, {unit} AS unit FROM ({margin}) SEMI JOIN batch USING (match_id)) AS won_by
WHERE won_by.match_id = dim_matches.match_id AND won_by.margin IS NOT NULL
"""
CLOSENESS: Final = """
UPDATE dim_matches SET nearest = close.nearest, gap = close.gap, gap_unit = close.unit, closeness = close.closeness
FROM ({closeness}) AS close
WHERE close.match_id = dim_matches.match_id
"""
GAMES_OF: Final = "SELECT DISTINCT game FROM {table} SEMI JOIN batch USING (match_id)"
MATCHES_OF: Final = "SELECT match_id FROM stg_match_started WHERE $all OR list_contains($games, game) ORDER BY match_id"
ANY_FINISHED: Final = "SELECT 1 FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' LIMIT 1"
ANY_COUNTED: Final = "SELECT 1 FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL LIMIT 1"
NOBODY: Final = "DELETE FROM dim_cohorts WHERE cohort NOT IN (SELECT cohort FROM dim_seats WHERE cohort IS NOT NULL)"
_parsed: Final[dict[str, list[duckdb.Statement]]] = {}


@dataclass(frozen=True, slots=True)
class SqlTable:
    """A table or view from `sql/`: its description, its grain, and statements to create it and, if derived, fill it.

    `game` is `None` if the table covers all games.
    """

    name: str
    about: str
    grain: tuple[str, ...]
    create: str
    fill: str | None
    is_view: bool
    of_finished: bool
    game: str | None

    @property
    def is_raw(self) -> bool:
        """Return whether the table belongs to the raw layer, which cannot be derived again."""
        return self.fill is None and not self.is_view and not DERIVED.match(self.name)

    @property
    def is_about_matches(self) -> bool:
        """Return whether each row of this table belongs to one match, to be removed with it."""
        return "match_id" in self.grain and not self.is_view

    @property
    def same_as(self) -> str | None:
        """Return the table that this view merely renames, if any."""
        found = ANOTHER_NAME.fullmatch(self.create)
        return found[1] if found else None

    @property
    def sums(self) -> Sums | None:
        """Return the statements for a table of sums; `None` for any other table."""
        if self.fill is None or not self.name.startswith(SUMS):
            return None
        return Sums.read(self.name, self.grain, self.create, self.fill)


def sql_tables() -> tuple[SqlTable, ...]:
    """Return the tables defined in SQL, in order: those for all games, then those of each game."""
    return _sql_tables(installed_games())


@cache
def _sql_tables(games: tuple[tuple[str, Marts], ...]) -> tuple[SqlTable, ...]:
    folders = [("", files("ingest.sql")), *((game, marts.sql) for game, marts in games if marts.sql)]
    scripts = sorted(
        (file.name, game, file.read_text(encoding="utf-8").replace(SEAT_ENDINGS, _seat_endings(games)))
        for game, folder in folders
        for file in folder.iterdir()
        if file.name.endswith(".sql")
    )
    return tuple(
        SqlTable(
            name=found["name"],
            about=found["about"],
            grain=tuple(found["grain"].split(", ")),
            create=found["create"],
            fill=found["fill"],
            is_view=found["kind"] == "VIEW",
            of_finished=bool(OF_FINISHED.match(name)),
            game=game or None,
        )
        for name, game, text in scripts
        for found in TABLE.finditer(text)
    )


def _seat_endings(games: tuple[tuple[str, Marts], ...]) -> str:
    """Return the query for the columns `match_id, seat, ending` of all games."""
    return " UNION ALL ".join(f"({marts.seat_endings})" for _, marts in games if marts.seat_endings) or NO_SEAT_ENDING


def event_tables() -> list[EventTable]:
    """Return the typed event tables of all games; tables shared by games are listed once."""
    found: dict[str, EventTable] = {}
    for table in (table for game in GAMES.values() for table in schema_of(game).tables):
        other = found.setdefault(table.name, table)
        if other.game != table.game:
            raise ValueError(f"{table.name}: a table of the game {other.game} and of the game {table.game}")
    return list(found.values())


def missing_tables(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the tables and views that a warehouse lacks: those of games installed since it was created."""
    there = _there(connection)
    events = {table_name(game.name, event) for game in GAMES.values() for event in game.event_types}
    return (events | {made.name for made in sql_tables()}) - there


def create_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create all tables of an empty warehouse in one transaction."""
    connection.begin()
    make_tables(connection)
    connection.commit()


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create all tables of an empty warehouse within the caller's transaction."""
    _make_missing(connection, ())
    connection.execute("INSERT INTO schema_version VALUES ($version)", {"version": SCHEMA_VERSION})


def _make_missing(connection: duckdb.DuckDBPyConnection, there: Collection[str]) -> None:
    """Create missing tables and views, and recreate the view of all events."""
    tables: list[EventTable | SqlTable] = [*event_tables(), *sql_tables()]
    _run(connection, "\n".join([*(f"{made.create};" for made in tables if made.name not in there), INDEX]))
    logged = [*map(_as_logged, event_tables()), *(_logged_by_others(connection) if there else ())]
    _run(connection, f"CREATE OR REPLACE VIEW events AS {' UNION ALL '.join(logged)}")


def _there(connection: duckdb.DuckDBPyConnection) -> set[str]:
    return {name for name, _ in connection.execute(THERE).fetchall()}


def _logged_by_others(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the parts of the view `events` that belong to games no longer installed."""
    others = set(stored_event_tables(connection)) - {table.name for table in event_tables()}
    views = connection.execute(EVENTS_VIEW).fetchall()
    return [part[1] for (sql,) in views for part in LOGGED.finditer(sql) if part["table"] in others]


def stored_event_tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return all event tables of a warehouse, including those of games no longer installed."""
    return [name for name, kind in connection.execute(THERE).fetchall() if kind == "TABLE" and name.startswith(EVENTS)]


def add_tables(connection: duckdb.DuckDBPyConnection, missing: Collection[str]) -> None:
    """Create missing tables, and derive the rows of matches of their games again, in one transaction."""
    connection.begin()
    _make_missing(connection, _there(connection))
    games = {table.game for table in sql_tables() if table.name in missing}
    for _ in batches(connection, MATCHES_OF, all=None in games, games=[game for game in games if game]):
        refill_tables(connection)
    connection.commit()


def batches(connection: duckdb.DuckDBPyConnection, matches: str, **values: Any) -> Iterator[None]:
    """Fill the table `batch` with the ids that a query returns, `AT_ONCE` at a time, and yield after each time."""
    connection.execute("CREATE OR REPLACE TEMP TABLE batch (match_id INTEGER)")
    ids = [match_id for (match_id,) in connection.execute(matches, values).fetchall()]
    for start in range(0, len(ids), AT_ONCE):
        connection.execute("DELETE FROM batch")
        connection.execute("INSERT INTO batch SELECT unnest($ids)", {"ids": ids[start : start + AT_ONCE]})
        yield


def _as_logged(table: EventTable) -> str:
    seat = "seat" if table.has_seat else "NULL::INTEGER AS seat"
    return f"SELECT match_id, seq, ply, round, '{table.event}' AS type, {seat}, {table.data} AS data FROM {table.name}"


def fill_tables(connection: duckdb.DuckDBPyConnection, pause: Callable[[], None] = lambda: None) -> None:
    """Derive the rows of the matches in the table `batch`; `pause` is called before each step."""
    games = _games_of_batch(connection, "stg_match_started")
    tables = _about(games)
    for table in tables:
        if table.fill and not table.of_finished:
            pause()
            _run(connection, table.fill)
    if not connection.execute(ANY_FINISHED).fetchall():
        return  # usual for a growing log; planning the other queries would double the time
    for game in games & set(GAMES):
        pause()
        _run(connection, mark_copies(game))
    for table in tables:
        if table.fill and table.of_finished:
            pause()
            _run(connection, table.sums.add if table.sums else table.fill)
    for marts in (marts for game, marts in installed_games() if game in games):
        pause()
        if marts.margin:
            unit = "NULL" if marts.margin_unit is None else quoted(marts.margin_unit)
            _run(connection, MARGINS.format(margin=marts.margin, unit=unit))
        if marts.closeness:
            _run(connection, CLOSENESS.replace("{closeness}", marts.closeness))


def _about(games: Collection[str]) -> list[SqlTable]:
    """Return the tables that may have rows of these games."""
    return [table for table in sql_tables() if table.game is None or table.game in games]


def _games_of_batch(connection: duckdb.DuckDBPyConnection, table: str) -> set[str]:
    return {game for (game,) in connection.execute(GAMES_OF.format(table=table)).fetchall()}


def take_out(connection: duckdb.DuckDBPyConnection) -> None:
    """Remove the rows of the matches in the table `batch` from all derived tables, and subtract them from sums."""
    counted = bool(connection.execute(ANY_COUNTED).fetchall())
    tables = _about(_games_of_batch(connection, "dim_matches"))
    for table in tables if counted else ():
        for statement in table.sums.subtract if table.sums else ():
            _run(connection, statement)
    for table in tables:
        if table.fill and table.is_about_matches:
            _run(connection, f"DELETE FROM {table.name} WHERE match_id IN (FROM batch)")
    if counted:
        connection.execute(NOBODY)


def remove(connection: duckdb.DuckDBPyConnection) -> None:
    """Remove all rows of the matches in the table `batch`, derived or not."""
    games = _games_of_batch(connection, "dim_matches")
    take_out(connection)
    names = [table.name for table in event_tables() if table.game is None or table.game in games]
    names += [table.name for table in sql_tables() if table.is_about_matches and not table.fill]
    for name in names:
        _run(connection, f"DELETE FROM {name} WHERE match_id IN (FROM batch)")


def refill_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Derive the rows of the matches in the table `batch` again."""
    take_out(connection)
    fill_tables(connection)


def _run(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Run SQL statements. They are parsed once per process: parsing takes a sixth of the time of a small batch."""
    if sql not in _parsed:
        _parsed[sql] = connection.extract_statements(sql)
    for statement in _parsed[sql]:
        connection.execute(statement)
