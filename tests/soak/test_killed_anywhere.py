"""An ingest of a million events is killed at 200 random moments; no match is incomplete, duplicated or missing.

`SEED=7 make soak` repeats the random delays of an earlier run; the exact moments also depend on the machine.
"""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from himalaya_core.tournament.runner import Plan, run_tournament
from tests.ingest.helping import log, write
from tests.ingest.load.killing import kill_again_and_again

LOGS = Path(__file__).parents[2] / ".cache" / "benchmarks" / "logs-2100"
PLAYERS = ("trader", "pilgrim", "greedy", "random")
IN_BATCHES = """
from himalaya_core.cli.main import run_and_exit
from ingest.load import load

load.BATCH_EVENTS = 1 << 17
run_and_exit()
"""
"""The command with eight batches; by default a million events fit into little more than one batch."""
SEED = int(os.environ.get("SEED", "1"))
KILLS = int(os.environ.get("KILLS", "200"))

said = logging.getLogger(__name__)


@pytest.mark.soak("kills 200 ingests")
def test_an_ingest_of_a_million_events_survives_a_kill_at_any_moment(tmp_path: Path) -> None:
    run_tournament(Plan(name="bench", game="caravan", players=PLAYERS, matches=2100), LOGS, jobs=2)
    bad = write(tmp_path / "bad.jsonl", log("s.1"), log("s.bad")[2:], log("s.1")[:60], log("s.2", luck="other")[:50])
    words = [sys.executable, "-c", IN_BATCHES, "ingest", str(LOGS), str(bad), "--db"]
    killed = kill_again_and_again(
        lambda database: [*words, str(database)], tmp_path, KILLS, SEED, starts=subprocess.Popen
    )
    assert killed.kills >= KILLS
    assert killed.in_between > KILLS / 10
    said.info("seed %d: %d kills of %d warehouses", SEED, killed.kills, killed.warehouses)
    said.info("%d of them left some matches and not others", killed.in_between)
    said.info("a run that nobody kills takes %.1f s", killed.length)
