"""Killed tournaments: completed shards are kept, and resuming gives the same bytes as an uninterrupted run.

`make soak` kills hundreds of runs. The default test run kills one of each kind, up to three times.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from himalaya_core.cli import tournament as cli
from himalaya_core.cli.main import main
from himalaya_core.files import read_lines
from himalaya_core.tournament import runner
from himalaya_core.tournament.plan import Plan

KILLED = 150 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 1
TIMED = """
import signal, sys
signal.setitimer(signal.ITIMER_REAL, float(sys.argv[1]))  # ends the process as abruptly as kill -9
from himalaya_core.tournament import tournament
from himalaya_core.cli.main import main
tournament.MATCHES_PER_SHARD = 8
sys.exit(main(sys.argv[2:]))
"""
COUNTED = """
import os, signal, sys
from himalaya_core.cli import tournament as cli_arena
from himalaya_core.cli.main import main
from himalaya_core.tournament import tournament
tournament.MATCHES_PER_SHARD = 8
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has what it starts in the background pass it over

def until(at, number):
    def run(plan, out, jobs, show, say):
        def progress(done):
            if done == at:
                os.killpg(0, number)
        return tournament.run_tournament(plan, out, jobs, progress, say)
    return run

cli_arena.run_tournament = until(int(sys.argv[1]), int(sys.argv[2]))
sys.exit(main(sys.argv[3:]))
"""
CUP = ("tournament", "caravan", "--name", "cup", "--players", "random,greedy,random", "--seeds", "8")


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, start_new_session=True)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())} if folder.exists() else {}


def lines_of(folder: Path) -> list[bytes]:
    return [line for log in sorted(folder.glob("*.zst")) for line in read_lines(log)]


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """Play the tournament once; return its folder and its duration in seconds."""
    folder = tmp_path_factory.mktemp("whole")
    start = time.monotonic()
    assert run(TIMED, 0, *CUP, "--out", folder).returncode == 0
    return folder, time.monotonic() - start


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MATCHES_PER_SHARD", 8)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("never-stopped")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "MATCHES_PER_SHARD", 8)
        assert main([*CUP, "--jobs", "1", "--out", str(folder)]) == 0
    return bytes_of(folder)


@pytest.mark.soak("killed at moments drawn by lot")
@pytest.mark.parametrize("seed", range(KILLED))
def test_a_killed_tournament_resumes_to_the_same_bytes(
    tmp_path: Path, takes: tuple[Path, float], whole: dict[str, bytes], seed: int
) -> None:
    dice = random.Random(seed)
    for _ in range(dice.randint(1, 3)):
        run(TIMED, dice.uniform(0.3, 1.0) * takes[1], *CUP, "--jobs", dice.randint(1, 3), "--out", tmp_path)
        complete = {name: log for name, log in bytes_of(tmp_path).items() if name.endswith(".zst")}
        assert complete.items() <= whole.items()
    last = run(TIMED, 0, *CUP, "--jobs", dice.randint(1, 3), "--out", tmp_path)
    assert (last.returncode, last.stdout) == (0, f"24 matches in 3 files in {tmp_path}\n")
    assert bytes_of(tmp_path) == whole


@pytest.mark.soak("killed at moments drawn by lot")
@pytest.mark.parametrize("seed", range(KILLED))
def test_a_killed_extension_resumes_to_the_same_matches(tmp_path: Path, takes: tuple[Path, float], seed: int) -> None:
    dice = random.Random(seed)
    assert run(TIMED, 0, *CUP[:-1], 5, "--out", tmp_path).returncode == 0
    before = {name: log for name, log in bytes_of(tmp_path).items() if name.endswith(".zst")}
    for _ in range(dice.randint(1, 3)):
        run(TIMED, dice.uniform(0.3, 1.0) * takes[1], *CUP, "--jobs", dice.randint(1, 3), "--out", tmp_path)
        assert before.items() <= bytes_of(tmp_path).items()
    last = run(TIMED, 0, *CUP, "--jobs", dice.randint(1, 3), "--out", tmp_path)
    assert (last.returncode, last.stdout) == (0, f"24 matches in 4 files in {tmp_path}\n")
    assert before.items() <= bytes_of(tmp_path).items()
    assert lines_of(tmp_path) == lines_of(takes[0])


@pytest.mark.slow("a further process that is stopped")
def test_ctrl_c_prints_one_line_and_keeps_complete_shards(tmp_path: Path, whole: dict[str, bytes]) -> None:
    stopped = run(COUNTED, 20, 2, *CUP, "--jobs", 2, "--out", tmp_path)
    assert (stopped.returncode, stopped.stdout) == (130, "")
    assert stopped.stderr.startswith("himalaya: stopped; what was finished is kept")
    assert stopped.stderr.count("\n") == 1
    left = bytes_of(tmp_path)
    assert {name for name in left if name.endswith(".zst")} == {"cup-0001.jsonl.zst", "cup-0002.jsonl.zst"}
    assert all(left[name] == whole[name] for name in left if name.endswith(".zst"))
    assert "cup.tournament.lock" not in left


@pytest.mark.usefixtures("small_shards")
def test_the_matches_of_an_unfinished_shard_are_kept(
    tmp_path: Path, whole: dict[str, bytes], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def until_20(plan: Plan, out: Path, _jobs: int, _show: object, say: Callable[[str], None]) -> None:
        def progress(done: int) -> None:
            if done == 20:
                raise KeyboardInterrupt

        runner.run_tournament(plan, out, 1, progress, say)

    with monkeypatch.context() as patch:
        patch.setattr(cli, "run_tournament", until_20)
        assert main([*CUP, "--jobs", "1", "--out", str(tmp_path)]) == 130
    assert "himalaya: stopped; what was finished is kept" in capsys.readouterr().err
    assert main([*CUP, "--jobs", "1", "--out", str(tmp_path)]) == 0
    said = "cup-0003.jsonl.zst.partial was not finished; 4 of its 8 matches are kept"
    assert said in capsys.readouterr().err
    assert bytes_of(tmp_path) == whole


@pytest.mark.usefixtures("small_shards")
def test_an_unreadable_partial_file_is_replayed(
    tmp_path: Path, whole: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cup-0002.jsonl.zst.partial").write_bytes(b"\x28\xb5\x2f\xfd rubbish")
    assert main([*CUP, "--jobs", "1", "--out", str(tmp_path)]) == 0
    said = "cup-0002.jsonl.zst.partial was not finished; 0 of its 8 matches are kept"
    assert said in capsys.readouterr().err
    assert bytes_of(tmp_path) == whole
