"""Defines what a game adds to the warehouse, one record per game found by entry points; and assertions on tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any, Final

from himalaya_core.games import GAMES, Registry

__all__ = ["MARTS", "Finding", "Marts", "Promise", "a_row_per_match", "installed_games", "marts_of", "rows_per_seat"]


@dataclass(frozen=True, slots=True)
class Promise:
    """An assertion about a table, with a query that describes violating rows in the text column `example`.

    If `by_row`, the assertion holds trivially for an empty table.
    """

    table: str
    expected: str
    broken: str
    by_row: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A failed assertion: the table, what was expected, the number of violating rows, and an example."""

    table: str
    expected: str
    rows: int
    example: str

    def __str__(self) -> str:
        return f"{self.table}: expected {self.expected}; {self.rows:,} wrong, for example {self.example}"


def rows_per_seat(table: str, game: str) -> Promise:
    """Assert that a table has rows for exactly the seats of a game's finished matches."""
    return Promise(
        table,
        f"the seats of every finished match of {game}, and no others",
        f"""
        SELECT format('match_id {{}}, seat {{}}', match_id, seat) AS example FROM (
            SELECT match_id, seat FROM dim_seats JOIN dim_matches USING (match_id)
            WHERE status = 'finished' AND game = '{game}'
        ) AS sat FULL JOIN (SELECT DISTINCT match_id, seat FROM {table}) AS found USING (match_id, seat)
        WHERE sat.match_id IS NULL OR found.match_id IS NULL
        """,
    )


def a_row_per_match(table: str, game: str) -> Promise:
    """Assert that a table has rows for exactly the finished matches of a game."""
    return Promise(
        table,
        f"every finished match of {game}, and no others",
        f"""
        SELECT 'match_id ' || match_id AS example
        FROM (SELECT match_id FROM dim_matches WHERE status = 'finished' AND game = '{game}') AS played
        FULL JOIN {table} AS found USING (match_id) WHERE played.match_id IS NULL OR found.match_id IS NULL
        """,
    )


@dataclass(frozen=True, eq=False)
class Marts:
    """The tables of a game and facts about them; every field is optional."""

    sql: Traversable | None = None
    """Folder with the game's scripts `NN_name.sql` (see `ingest.tables.definitions`), in any package.

    Table names must contain the name of the game, e.g. `fct_mygame_moves`.
    """
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Column names for log keys that are SQL keywords, e.g. `{"from": "from_village"}`."""
    promises: tuple[Promise, ...] = ()
    """Further assertions that `himalaya check` tests, beyond the grain and NOT NULL columns."""
    margin: str | None = None
    """Query for `match_id, margin`: the margin of each finished match, shown in `dim_matches`."""
    margin_unit: str | None = None
    """Unit of margins, e.g. `points`."""
    closeness: str | None = None
    """Query for `match_id, nearest, gap, unit, closeness` of finished matches in the table `batch`.

    The row describes the smallest change that would have made another seat win. `nearest` names the kind of change,
    `gap` is its size, and `unit` is the unit, in singular or plural as the number requires (`1 yak`). `closeness` is
    the gap divided by the average gap, to compare matches of several games; 0 is the closest.
    """
    seat_endings: str | None = None
    """Query for `match_id, seat, ending`: a word for a seat's result that is more specific than won or lost.

    Cohorts are split by it. The query may read events, and tables of scripts with names that sort before `20`.
    """
    endings: str | None = None
    """Query for `match_id, ending`: a word for how each finished match was decided."""
    about: str = ""
    """Paragraphs in Markdown that introduce these tables in the documentation."""


def _check(_name: str, value: Any) -> None:
    if not isinstance(value, Marts):
        raise ValueError(f"expected Marts, found {type(value).__name__}")  # noqa: TRY004  the registry expects ValueError


NO_MARTS: Final = Marts()
MARTS: Final[Mapping[str, Marts]] = Registry[Marts]("himalaya.marts", check=_check)
"""The record of each game, imported on access."""


def marts_of(game: str) -> Marts:
    """Return the record of a game, an empty one if it has none. Raises `RegistryError` if its package fails.

    If a record fails, matches of its game cannot be loaded, because its tables would stay incomplete.
    """
    return MARTS.get(game, NO_MARTS)


def installed_games() -> tuple[tuple[str, Marts], ...]:
    """Return every game with its record. The result also serves as key of caches that depend on the records."""
    return tuple((game, marts_of(game)) for game in GAMES)
