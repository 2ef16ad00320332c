"""An ingest that is killed at one random moment after another, and what must hold after each kill and at the end."""

import logging
import random
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from ingest.warehouse import HEADERS
from tests.forked import Popen
from tests.ingest.helping import RUNS

__all__ = ["Killed", "kill_again_and_again"]

EXIT: Final = {0, 3}
LONGER: Final = 1.05
"""What the length of a run grows by with each kill that came too early for a batch: the machine may have more to do."""
ORPHANS_END: Final = 60
"""Seconds; the processes of a gate notice that they are alone, and hold standard error until then."""
RECORDS: Final = {"ingest_runs": set[str](), "ingested_files": {"file", "size", "sha256"}}
"""Only these columns of these tables are alike: a resumed file reports differently what became of its matches."""
HALF: Final = """
FROM (FROM raw_matches SELECT match_id, events)
FULL JOIN (SELECT match_id, count(*) AS lines, count(DISTINCT seq) AS places, max(seq) AS last FROM events GROUP BY 1)
    USING (match_id)
FULL JOIN (SELECT match_id, events AS counted FROM dim_matches) USING (match_id)
WHERE (lines, places, last + 1, counted) IS DISTINCT FROM (events, events, events, events)
"""
REVIEWS: Final = {"dim_reviews", "fct_values", "fct_moments", "fct_causes", "fct_seat_causes"}
DIGEST: Final = "SELECT count(*), sum(hash(rows)::HUGEINT)"
COLUMNS: Final = """
SELECT table_name, list(column_name) FROM duckdb_columns() SEMI JOIN duckdb_tables() USING (database_name, table_name)
WHERE database_name = 'two' GROUP BY 1
"""

Starts = type[Popen] | type[subprocess.Popen[bytes]]
"""What starts a command: one forked off, or one that imports all itself."""

said = logging.getLogger(__name__)


@dataclass(slots=True)
class Killed:
    """Time of the last ingest without a kill, the number of kills, and how many warehouses that took.

    So many kills came `in_between`: they left some matches, and others were still to come.
    """

    length: float
    kills: int = 0
    in_between: int = 0
    warehouses: int = 0


def kill_again_and_again(
    command: Callable[[Path], Sequence[str]], folder: Path, kills: int, seed: int, starts: Starts = Popen
) -> Killed:
    """Kill a command at moments uniform over about the length of a whole run, and run it again, until it gets through.

    Then its warehouse must be like that of a run without kills, and the next begins, until there were so many kills.
    """
    whole = folder / "whole.duckdb"
    start = time.perf_counter()
    assert not _killed(command(whole), starts, after=None)
    found, in_all = Killed(time.perf_counter() - start), whole_matches(whole)
    moments = random.Random(seed)
    while found.kills < kills:
        database = folder / f"killed-{found.warehouses}.duckdb"
        found.warehouses += 1
        left: list[int] = []
        start = time.perf_counter()
        while _killed(command(database), starts, after=moments.random() * found.length):
            found.kills += 1
            left.append(whole_matches(database))
            assert left == sorted(left), "matches that were there are gone"
            if left[-1] == [0, *left][-2]:
                found.length *= LONGER
        if not left:
            found.length = time.perf_counter() - start
        assert differences(database, whole) == {}
        found.in_between += sum(0 < matches < in_all for matches in left)
        said.info("%d kills; of %s each left so many matches: %s", found.kills, database.stem, left)
        database.unlink()
    return found


def _killed(command: Sequence[str], starts: Starts, after: float | None) -> bool:
    """Run a command and kill it; say whether it was still running then."""
    with starts(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
        try:
            _, said = run.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            run.kill()
            _, said = run.communicate(timeout=ORPHANS_END)
    assert run.returncode in {*EXIT, -signal.SIGKILL}, said.decode()
    return run.returncode == -signal.SIGKILL


def whole_matches(database: Path) -> int:
    """Return how many matches a warehouse holds, none of them by half; one that is not made yet holds none."""
    if not database.exists() or database.stat().st_size < HEADERS:
        return 0
    with duckdb.connect(database, read_only=True) as connection:
        if not connection.execute("FROM duckdb_tables()").fetchall():
            return 0
        assert connection.execute(HALF).fetchall() == []
        ((matches,),) = connection.execute("SELECT count(*) FROM raw_matches").fetchall()
    return int(matches)


def differences(database: Path, other: Path) -> dict[str, int]:
    """Return by table how many rows are in only one of two warehouses.

    Left out are reviews, which a server makes when it has time, and the name that pairs each with its app store.
    """
    found: dict[str, int] = {}
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{database}' AS one (READ_ONLY); ATTACH '{other}' AS two (READ_ONLY)")
        for name, columns in connection.execute(COLUMNS).fetchall():
            if name in {*REVIEWS, "app_store"}:
                continue
            alike = [
                f'"{column}"' for column in columns if column in RECORDS.get(name, {column}) and column not in RUNS
            ]
            if alike:
                one, two = (f"(SELECT {', '.join(alike)} FROM {side}.{name})" for side in ("one", "two"))
                if len({connection.execute(f"{DIGEST} FROM {rows} AS rows").fetchone() for rows in (one, two)}) == 1:
                    continue  # to compare all rows takes ten times as long, and shows how many are not alike
                both = f"({one} EXCEPT ALL {two}) UNION ALL ({two} EXCEPT ALL {one})"
                ((count,),) = connection.execute(f"SELECT count(*) FROM ({both})").fetchall()
                found |= {name: count} if count else {}
    return found
