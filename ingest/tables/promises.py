"""Assertions about tables, and those shared by tables of several games."""

from dataclasses import dataclass

__all__ = ["Finding", "Promise", "a_row_per_match", "rows_per_seat"]


@dataclass(frozen=True, slots=True)
class Promise:
    """An assertion about a table, with a query for the rows that violate it, as texts in the column `example`.

    `by_row`: it holds trivially for an empty table.
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
