"""The fact rows of each match, for recounting figures; `tests/golden/tables` checks the rows."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from dashboards.queries.reader import Reader
from himalaya_core.replay import Replay

__all__ = ["Rows", "course", "rows_by_match"]

Rows = SimpleNamespace
"""A match: `replay`, and each of its fact tables as a list of records; `courses` is one record."""


def rows_by_match(reader: Reader, game: str, replays: Sequence[Replay], *facts: str) -> list[Rows]:
    """Return for each match its rows of `fct_<game>_<fact>`, in the order of the replays and of the log."""
    found = [Rows(replay=replay, **{fact: [] for fact in facts}) for replay in replays]
    by_name = {replay.entries[0].match: rows for replay, rows in zip(replays, found, strict=True)}
    for fact in facts:
        sql = f"SELECT match, f.* FROM fct_{game}_{fact} AS f JOIN raw_matches USING (match_id) ORDER BY ALL"
        for row in reader.frame(sql, {}).iter_rows(named=True):
            if (rows := by_name.get(row.pop("match"))) is not None:
                getattr(rows, fact).append(row)
    return found


def course(rows: Rows) -> dict[str, Any]:
    """Return the only row of a match in the table of courses."""
    (found,) = rows.courses
    return dict(found)
