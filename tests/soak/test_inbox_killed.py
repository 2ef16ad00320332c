"""A server is killed at random moments while twenty senders post matches; each match is loaded exactly once.

`SEED=7 make soak` repeats the random delays of an earlier run; the exact moments also depend on the machine.
"""

import os
import random
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.files import read_lines
from himalaya_core.tournament.runner import Plan, run_tournament
from ingest.inbox.receive import inbox_folder
from ingest.pipeline import ingest
from tests.ingest.alike import unlike
from tests.ingest.helping import rows
from tests.ingest.inbox.sending import Killed, send_under_kills

HIMALAYA = Path(sys.executable).with_name("himalaya")
PLAYERS = ("trader", "pilgrim", "greedy", "random")
REVIEWS = {"dim_reviews", "fct_values", "fct_moments", "fct_causes", "fct_seat_causes"}
"""Tables filled in the background."""
SEED = int(os.environ.get("SEED", "1"))
KILLS = int(os.environ.get("KILLS", "20"))
BODIES = int(os.environ.get("BODIES", "2000"))
SENDERS = 20


@pytest.mark.soak("kills a server for minutes")
def test_logs_of_twenty_senders_are_stored_once_despite_kills_of_the_server(tmp_path: Path) -> None:
    logs, database = tmp_path / "logs", tmp_path / "w.duckdb"
    run_tournament(Plan(name="cup", game="caravan", players=PLAYERS, matches=BODIES), logs, jobs=2)
    bodies = [body for log in sorted(logs.glob("*.jsonl.zst")) for body in _matches(b"".join(read_lines(log)))]
    with ExitStack() as servers:

        def start() -> tuple[Any, str]:
            command = [HIMALAYA, "serve", "--db", database, "--port", "0"]
            server = servers.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
            servers.callback(server.kill)  # harmless if the process has ended
            assert server.stdout is not None
            address = re.search(r"http://[\d.:]+", server.stdout.readline())
            assert address is not None
            return server, address[0]

        killed = Killed(start, after=sorted(random.Random(SEED).sample(range(1, BODIES), KILLS)))
        send_under_kills(killed, bodies, SENDERS, SEED)
        killed.server.terminate()
        assert killed.server.wait(timeout=60) == 0
    assert killed.kills == KILLS
    assert list(inbox_folder(database).iterdir()) == []
    at_once = tmp_path / "bodies.jsonl"  # a sent body has no manifest with the sources of players
    at_once.write_bytes(b"".join(bodies))
    ingest([at_once], tmp_path / "bulk.duckdb")
    different = unlike(database, tmp_path / "bulk.duckdb")
    assert {table: count for table, count in different.items() if table not in REVIEWS} == {}
    assert rows(database, "SELECT count(*), count(DISTINCT receipt) FROM receipts") == [(BODIES, BODIES)]


def _matches(text: bytes) -> list[bytes]:
    """Return the lines of each match of a log."""
    return re.findall(rb'(?s).*?"type":"match_ended"[^\n]*\n', text)
