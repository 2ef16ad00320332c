"""Tables of sums (`agg_…`): a match's figures are added when it is loaded, and subtracted when it is removed.

A page therefore reads one row per cohort, round and place on the board, however many matches there are. A match costs
only its own rows. The statements apply to the matches in the table `batch`; `himalaya check` compares the tables with
recomputed sums.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

__all__ = ["Sums"]

COLUMN: Final = re.compile(r"^    (\w+) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sums:
    """A table of sums: its grain, the summed columns, and the query for the sums of `batch`."""

    table: str
    grain: Sequence[str]
    summed: Sequence[str]
    of_batch: str

    @classmethod
    def read(cls, table: str, grain: Sequence[str], create: str, fill: str) -> Self:
        """Parse the CREATE and INSERT statements of a table of sums."""
        summed = [name for name in COLUMN.findall(create) if name not in grain]
        return cls(table, grain, summed, fill.removeprefix(f"INSERT INTO {table}").strip().removesuffix(";"))

    @property
    def add(self) -> str:
        """The statement that adds the figures of the batch."""
        return f"{self._merged('+')} WHEN NOT MATCHED THEN INSERT"

    @property
    def subtract(self) -> tuple[str, str]:
        """The statements that subtract the figures of the batch, and delete rows that are all 0."""
        return self._merged("-"), f"DELETE FROM {self.table} WHERE {self._each('{0} = 0', ' AND ')}"

    @property
    def without(self) -> str:
        """The query for the rows of the table without the batch."""
        return (
            f"SELECT {self._keys}, {self._each('CAST(sum({0}) AS INTEGER) AS {0}')} FROM (FROM {self.table} UNION ALL "
            f"BY NAME SELECT {self._keys}, {self._each('-{0} AS {0}')} FROM ({self.of_batch})) "
            f"GROUP BY {self._keys} HAVING {self._each('sum({0}) <> 0', ' OR ')}"
        )

    @property
    def differing(self) -> str:
        """The query for the rows that differ from the sums of the batch, if that contains all matches."""
        return (
            f"SELECT {self._keys} FROM {self.table} AS there FULL JOIN ({self.of_batch}) AS now "
            f"USING ({self._keys}) WHERE {self._each('there.{0} IS DISTINCT FROM now.{0}', ' OR ')}"
        )

    @property
    def _keys(self) -> str:
        return ", ".join(self.grain)

    def _each(self, text: str, between: str = ", ") -> str:
        return between.join(text.format(name) for name in self.summed)

    def _merged(self, sign: str) -> str:
        changes = self._each(f"{{0}} = {self.table}.{{0}} {sign} now.{{0}}")
        return (
            f"MERGE INTO {self.table} USING ({self.of_batch}) AS now USING ({self._keys}) "
            f"WHEN MATCHED THEN UPDATE SET {changes}"
        )
