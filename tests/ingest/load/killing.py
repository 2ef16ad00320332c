"""Kills an ingest at random moments, and checks the warehouse after each kill and at the end."""

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
"""Factor for the assumed length of a run after a kill that came before any new batch; the machine may be slower now."""
ORPHANS_END: Final = 60
"""Seconds until the child processes of a killed command notice this and close standard error."""
RECORDS: Final = {"ingest_runs": set[str](), "ingested_files": {"file", "size", "sha256"}}
"""Compared columns of these tables; other columns differ, as a resumed file reports its matches differently."""
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
"""Starts a command, either by forking or in a process that imports everything itself."""

said = logging.getLogger(__name__)


@dataclass(slots=True)
class Killed:
    """Duration of the last ingest without kills, number of kills, and number of warehouses.

    `in_between` counts the kills after which only some of the matches were loaded.
    """

    length: float
    kills: int = 0
    in_between: int = 0
    warehouses: int = 0


def kill_again_and_again(
    command: Callable[[Path], Sequence[str]], folder: Path, kills: int, seed: int, starts: Starts = Popen
) -> Killed:
    """Repeatedly start a command and kill it at a random moment within about the length of a run, until it completes.

    Its warehouse must then equal that of a run without kills. Repeat with new warehouses until the number of kills is
    reached.
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
    """Run a command and kill it after a time; return whether it was still running then."""
    with starts(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
        try:
            _, said = run.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            run.kill()
            _, said = run.communicate(timeout=ORPHANS_END)
    assert run.returncode in {*EXIT, -signal.SIGKILL}, said.decode()
    return run.returncode == -signal.SIGKILL


def whole_matches(database: Path) -> int:
    """Return the number of matches in a warehouse, and check that each is complete; 0 if it does not exist yet."""
    if not database.exists() or database.stat().st_size < HEADERS:
        return 0
    with duckdb.connect(database, read_only=True) as connection:
        if not connection.execute("FROM duckdb_tables()").fetchall():
            return 0
        assert connection.execute(HALF).fetchall() == []
        ((matches,),) = connection.execute("SELECT count(*) FROM raw_matches").fetchall()
    return int(matches)


def differences(database: Path, other: Path) -> dict[str, int]:
    """Return by table the number of rows that are in only one of two warehouses.

    Reviews are left out, as a server makes them in the background; so is the id that links a warehouse to its app
    store.
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
                    continue  # equal digests: comparing the rows would take ten times as long
                both = f"({one} EXCEPT ALL {two}) UNION ALL ({two} EXCEPT ALL {one})"
                ((count,),) = connection.execute(f"SELECT count(*) FROM ({both})").fetchall()
                found |= {name: count} if count else {}
    return found
