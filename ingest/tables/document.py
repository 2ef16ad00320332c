"""Generates the page `docs/warehouse.md` from the tables themselves.

Run `python -m ingest.tables.document > docs/warehouse.md` to update it.
"""

import re
import sys
from collections.abc import Iterator
from typing import Final

import duckdb

from ingest.app_store import SCHEMA
from ingest.tables.definitions import create_tables, event_tables, sql_tables
from ingest.tables.marts import installed_games

__all__ = ["document"]

INTRODUCTION: Final = """\
# The warehouse

One DuckDB file, `NAME.duckdb`, holds everything that was ingested. Its tables come in layers; whatever a layer holds
can be made again from the one before it. What people write is in a SQLite file beside it, the
[app store](#the-app-store).

| layer | what it is |
|---|---|
| raw | the logs as they were (`raw_matches` keeps the original lines of each match), and what runs did with them |
| `stg_` | one typed table per type of event of a game, its columns made from the schema of the log |
| `int_` | steps on the way to a mart |
| `dim_`, `fct_` | what pages and reports ask: matches and seats, and what happened in them |
| `agg_` | the same summed up over all finished matches, by kind of seat |

A match has the same `match_id` in every table, seats are numbered from 0, and `seq` is the place of the event in its
log, so that any row can be found in it. A match without its last line has the status `unfinished`; it is shown, but not
counted. Nor is one whose `verdict` is not `clean`, unless that is asked for: it waits to be judged by the rules, or
theirs are not installed. Lines that are not valid, or that the rules do not give, are in `quarantine`, with all lines
of their match, and in no other table, until the match comes in after all. Rows of events lie in the file in order of
match and `seq`. Only those of a match that went on after others had come in, or that came to count in the place of a
rival, lie behind, under the id that the match had, until `himalaya vacuum` puts them in order; a query that needs an
order names it.

`dim_` tables and those of reviews are of all games alike. All others have the rows of one game only, and its name in
theirs; what is to be known of them stands below, game by game.

What pages ask most, they ask of seats that nothing but their match tells apart: the same player, version and settings,
in the same seat of a table of the same size, board and options, in the same tournament, who ended in the same way. Such
a kind of seat is a *cohort*, a row of `dim_cohorts`; `dim_seats` says to which a seat belongs. A table `agg_…` holds
sums by cohort, round and place, so that its rows hardly grow in number with the matches.

What a model says of a finished match whose verdict is `clean` (`docs/review.md`) is in `dim_reviews`, `fct_values`,
`fct_moments` and `fct_causes`. They are not filled with the match but afterwards, by a server beside its work or by
`himalaya check --review`: a match without a row in `dim_reviews` waits for it, or its game has no model. Once another
model ships with a game, its matches wait again, and keep what the former said until then: `model` says whose it is.

With each finished match its figures are added, and subtracted again when it is forgotten, comes in another tournament,
or gives way to a rival; `himalaya check` adds all of them up anew from the events. Nothing is counted of matches that
are not finished. Where SQL repeats a rule of a game, it names the rule's place in `RULES.md` and the code that has it,
and tests fold many logs by that code and compare every column.

*Grain* are the columns that name one row; `himalaya check` asks every table whether it has one row for each grain, and
all that the others say it should have. A warehouse that an older himalaya wrote is made again from its raw tables when
it is opened; where these and the events are as today, what is derived from them is derived again in its place.
Texts in `lines` and `text` are compressed by zstd, times are UTC, and a column with a fixed list of words is an ENUM,
which sorts in the order of that list. This page is made by `python -m ingest.tables.document`.
"""
APP_STORE: Final = """\
## The app store

What people write and no log says lies in `NAME.app.sqlite` beside `NAME.duckdb`: tokens, sessions, the audit,
bookmarks, branches, studies, and matches that are being recorded. It is a file of SQLite in WAL mode, so
`himalaya token` and `himalaya audit` work beside a running server. The table `app_store` of the warehouse has the id of
both; files that do not belong together are refused. A backup is one file: the contents of the app store are in that
table. Times are UTC, lists are JSON.
"""
OF_PEOPLE: Final = re.compile(r"-- (\w+): (.+?) \(([\w, ]+)\)\.\nCREATE TABLE \w+ \((.*?)\n\) STRICT;", re.DOTALL)
OF_ROW: Final = re.compile(r"^    ([a-z_0-9]+) (TEXT|INTEGER)[^-\n]*(?:-- (.+))?$", re.MULTILINE)
COMMENT: Final = re.compile(r"^    (\w+) .*?-- (.+)$", re.MULTILINE)


def document() -> str:
    """Return the text of the page."""
    with duckdb.connect() as connection:
        create_tables(connection)
        parts = [INTRODUCTION, *_games(), *_written(connection), *_generated(connection), *_of_people()]
    return "\n".join(parts)


def _games() -> Iterator[str]:
    yield "## Games\n"
    for game, marts in installed_games():
        if marts.about:
            yield f"### {game}\n\n{marts.about}"


def _written(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "## Tables\n"
    for table in sql_tables():
        if table.same_as:
            continue
        view = " A view." if table.is_view else ""
        yield f"### `{table.name}`\n\n{table.about[0].upper()}{table.about[1:]}.{view} Grain: {_names(table.grain)}.\n"
        yield _columns(connection, table.name, dict(COMMENT.findall(table.create)))
    former = [table for table in sql_tables() if table.same_as]
    yield "### Former names\n\nViews under the names of schema 7, with the columns of today, until the next schema.\n"
    yield "\n".join(
        ["| view | table |", "|---|---|", *(f"| `{made.name}` | `{made.same_as}` |" for made in former), ""]
    )


def _generated(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "## Events\n\nThe view `events` shows them all, `data` as the log has it. Grain: `match_id`, `seq`.\n"
    yield _columns(connection, "events", {})
    for table in event_tables():
        game = f"`{table.game}`" if table.game else "every game"
        yield f"### `{table.name}`\n\nOne row per event `{table.event}` of {game}. Grain: `match_id`, `seq`.\n"
        yield _columns(connection, table.name, {})


def _of_people() -> Iterator[str]:
    yield APP_STORE
    for table, about, grain, columns in OF_PEOPLE.findall(SCHEMA):
        yield f"### `{table}`\n\n{about[0].upper()}{about[1:]}. Grain: {_names(tuple(grain.split(', ')))}.\n"
        rows = [f"| `{name}` | {kind} | {said} |" for name, kind, said in OF_ROW.findall(columns)]
        yield "\n".join(["| column | type | |", "|---|---|---|", *rows, ""])


def _columns(connection: duckdb.DuckDBPyConnection, table: str, about: dict[str, str]) -> str:
    columns = [(name, kind) for name, kind, *_ in connection.execute(f"DESCRIBE {table}").fetchall()]
    if not about:
        return f"{', '.join(f'`{name}` {kind}' for name, kind in columns)}\n"
    rows = [f"| `{name}` | {kind} | {about.get(name, '')} |" for name, kind in columns]
    return "\n".join(["| column | type | |", "|---|---|---|", *rows, ""])


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(f"`{column}`" for column in columns)


if __name__ == "__main__":
    sys.stdout.write(document())
