"""Generates the pages of warehouse tables, by layer and game, from the data dictionary."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import duckdb

from ingest.app_store import SCHEMA
from ingest.tables.definitions import create_tables, event_tables, sql_tables
from ingest.tables.dictionary import meaning_of, readable_tables
from ingest.tables.marts import installed_games

__all__ = ["described", "pages", "query_of"]

BEGINS: Final = """\
# Tables

One DuckDB file, `NAME.duckdb`, holds the logs and every table derived from them. This page shows how the tables join;
the pages below list their columns. Run a query from any of these pages with:

```sh
himalaya export --query mine.sql --out mine.csv
```

## How they join

```text
raw_matches ───▶ stg_GAME_EVENT ───▶ int_GAME_… ───▶ fct_GAME_… ───▶ agg_GAME_…
 match_id         match_id, seq                       match_id,        cohort, round,
                                                      seq or seat      place or kind
                                                          │                │
                       dim_matches ◀───── dim_seats ◀─────┘                │
                        match_id           match_id, seat                  │
                                           cohort ──────▶ dim_cohorts ◀────┘
                                                           cohort
```

| join | by |
|---|---|
| anything with matches: name, game, tournament, board, ending | `JOIN dim_matches USING (match_id)` |
| a row of a seat with its player and result | `JOIN dim_seats USING (match_id, seat)` |
| a row of an event with its log line | `JOIN events USING (match_id, seq)` |
| sums with the kind of seat: player, version, table, result | `JOIN dim_cohorts USING (cohort)` |

A *cohort* is all seats that differ only by match: the same player, version and settings, seat, table size, board,
options, tournament and ending. `agg_` tables hold sums by cohort, so they hardly grow with the number of matches.

## Conventions

- The *grain* of a table is the columns that identify a row. `himalaya check` verifies it.
- `match_id` is the same in every table. Seats count from 0, `round` 0 is the set-up, times are UTC.
- `seq` is the place of an event in its log. Rows have no order; a query that needs one names it.
- A match without its last line has the `status` `unfinished`: it is shown, but not counted.
- A match whose `verdict` is not `clean` is counted only if the filter asks for it.
- Rejected lines are in `quarantine`, with all lines of their match, and in no other table.
- Each finished match with the verdict `clean` gets a review, in the background. It fills `dim_reviews`, `fct_values`,
  `fct_moments` and `fct_causes`.
- A column with a fixed list of words is an ENUM, which sorts in the order of that list.

## Layers

| layer | contents |
|---|---|
| [raw](tables/raw.md) | the logs as received, the runs that loaded them, quarantine |
| stg | one typed table for each type of event |
| int | steps on the way to a fact |
| dim, fct | what pages and reports query: matches, seats, and what happened in them |
| agg | the same, summed over all finished matches by cohort |
| [app store](tables/app-store.md) | what people enter: tokens, bookmarks, studies |

"""
LAYERS: Final = {
    "raw": "the logs and their loading",
    "stg": "events",
    "int": "intermediate steps",
    "dim": "matches, seats, cohorts and reviews",
    "fct": "facts",
    "agg": "sums",
}
APP_STORE: Final = """\
# Tables of the app store

`NAME.app.sqlite`, next to `NAME.duckdb`, holds what people enter and no log has: tokens, sessions, the audit,
bookmarks, branches, studies, and recording sessions. It is a SQLite file in WAL mode, so `himalaya token` and
`himalaya audit` work while a server is running. Both files have the id of their pair; files that do not belong together
are refused. Lists are JSON. No query of `himalaya export` reads these tables.

"""
OF_PEOPLE: Final = re.compile(r"-- (\w+): (.+?) \(([\w, ]+)\)\.\nCREATE TABLE \w+ \((.*?)\n\) STRICT;", re.DOTALL)
OF_ROW: Final = re.compile(r"^    ([a-z_0-9]+) (TEXT|INTEGER)[^-\n]*(?:-- (.+))?$", re.MULTILINE)
NUMBERS: Final = ("INTEGER", "BIGINT", "HUGEINT", "DOUBLE", "SMALLINT", "TINYINT", "UBIGINT", "UINTEGER", "FLOAT")


class Described(NamedTuple):
    """A table: its layer, description, grain and typed columns. `game` is set if all rows are of one game."""

    name: str
    layer: str
    game: str | None
    about: str
    grain: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    is_readable: bool

    @property
    def page(self) -> str:
        """Name of the page that describes the table."""
        return f"{self.layer}-{self.game}" if self.game else self.layer


def described() -> list[Described]:
    """Return all tables of a warehouse, without aliases for former names."""
    with duckdb.connect() as connection:
        create_tables(connection)
        readable = set(readable_tables(connection))

        def of(name: str, game: str | None, about: str, grain: tuple[str, ...], *, is_raw: bool = False) -> Described:
            columns = tuple((row[0], row[1]) for row in connection.execute(f"DESCRIBE {name}").fetchall())
            layer = "raw" if is_raw else "stg" if name == "events" else name.partition("_")[0]
            return Described(name, layer, game, about, grain, columns, name in readable)

        event = ("match_id", "seq")
        found = [
            of(table.name, table.game, _capital(table.about), table.grain, is_raw=table.is_raw)
            for table in sql_tables()
            if not table.same_as
        ]
        found.append(of("events", None, "One row per event of any game, `data` as its log has it", event))
        found += (
            of(table.name, table.game or None, f"One row per event `{table.event}`", event) for table in event_tables()
        )
        return found


def query_of(table: Described) -> str:
    """Return an example query of the table that adds the names of matches, players or cohorts."""
    names = [name for name, _ in table.columns]
    if "cohort" in table.grain and table.name != "dim_cohorts":
        keys = [name for name in table.grain if name not in {"cohort", "round"}]
        what = next(name for name, kind in table.columns if name not in table.grain and kind.startswith(NUMBERS))
        return (
            f"SELECT player, {', '.join(keys)}, sum({what}) AS {what}\n"
            f"FROM {table.name} JOIN dim_cohorts USING (cohort)\n"
            f"GROUP BY ALL ORDER BY {what} DESC LIMIT 10"
        )
    order = ", ".join(name for name in table.grain if name != "match_id")
    if "match_id" not in names or table.layer == "raw" or table.name == "dim_matches":
        return f"FROM {table.name} ORDER BY {', '.join(table.grain)} LIMIT 10"
    shown, joins = ["dim_matches.match"], "JOIN dim_matches USING (match_id)"
    if "seat" in names and table.name != "dim_seats":
        kind = "JOIN" if "seat" in table.grain else "LEFT JOIN"  # some events have no seat
        shown, joins = [*shown, "dim_seats.player"], f"{joins}\n{kind} dim_seats USING (match_id, seat)"
    by = ", ".join(["dim_matches.match", *(f"{table.name}.{name}" for name in order.split(", ") if name)])
    return f"SELECT {', '.join(shown)}, {table.name}.*\nFROM {table.name} {joins}\nORDER BY {by} LIMIT 10"


def pages() -> dict[str, str]:
    """Return the Markdown of each page, by its path below the reference folder."""
    found = described()
    by_page: dict[str, list[Described]] = {}
    for layer in LAYERS:
        for table in sorted((each for each in found if each.layer == layer), key=lambda each: each.game or ""):
            by_page.setdefault(table.page, []).append(table)
    made = {f"tables/{name}.md": "".join(_page(tables)) for name, tables in by_page.items()}
    return {"tables.md": "".join(_overview(by_page)), **made, "tables/app-store.md": "".join(_app_store())}


def _overview(by_page: Iterable[str]) -> Iterator[str]:
    yield BEGINS
    yield "## Games\n\n`dim_` tables and those of reviews cover all games. Others have their game in their name.\n\n"
    for game, marts in installed_games():
        if marts.about:
            yield f"### {_capital(game)}\n\n{marts.about}\n"
    yield "## Former names\n\nViews under the names of schema 7, with the columns of today, until the next schema.\n\n"
    yield "| view | table |\n|---|---|\n"
    yield from (f"| `{table.name}` | `{table.same_as}` |\n" for table in sql_tables() if table.same_as)
    lines = "\n".join(f"tables/{name}" for name in [*by_page, "app-store"])
    yield f"\n## Pages\n\n```{{toctree}}\n:maxdepth: 1\n\n{lines}\n```\n"


def _page(tables: list[Described]) -> Iterator[str]:
    first = tables[0]
    of = f"`{first.layer}_{first.game}_`" if first.game and first.layer != "raw" else f"`{first.layer}_`"
    name = "raw" if first.layer == "raw" else of
    yield f"# {name}: {LAYERS[first.layer]}{f' of {first.game}' if first.game else ''}\n\n"
    yield "How these tables join others is shown in [Tables](../tables.md#how-they-join).\n\n"
    for table in tables:
        grain = ", ".join(f"`{column}`" for column in table.grain)
        yield f"## `{table.name}`\n\n{table.about}. Grain: {grain}.\n\n"
        yield from _columns(table)
        if table.is_readable:
            yield f"```sql\n{query_of(table)}\n```\n\n"
        else:
            yield "Queries cannot read this table.\n\n"


def _columns(table: Described) -> Iterator[str]:
    if table.layer == "stg":
        yield f"{', '.join(f'`{name}` {_kind(kind)}' for name, kind in table.columns)}\n\n"
        return
    yield "| column | type | meaning |\n|---|---|---|\n"
    for name, kind in table.columns:
        meaning = meaning_of(table.name, name).replace("|", "\\|")
        yield f"| `{name}` | {_kind(kind)} | {meaning} |\n"
    yield "\n"


def _kind(kind: str) -> str:
    return kind.replace("[", "\\[").replace("'", "").replace('"', "")


def _app_store() -> Iterator[str]:
    yield APP_STORE
    for table, about, grain, columns in OF_PEOPLE.findall(SCHEMA):
        keys = ", ".join(f"`{column}`" for column in grain.split(", "))
        yield f"## `{table}`\n\n{_capital(about)}. Grain: {keys}.\n\n| column | type | meaning |\n|---|---|---|\n"
        yield from (f"| `{name}` | {kind} | {meaning} |\n" for name, kind, meaning in OF_ROW.findall(columns))
        yield "\n"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
