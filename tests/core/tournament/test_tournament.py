"""Tournaments: rotating seats, shards that depend only on the plan, and resuming."""

import resource
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from himalaya_core.files import LogFileError, log_files, read_lines
from himalaya_core.replay import Replay, matches
from himalaya_core.tournament import runner
from himalaya_core.tournament.runner import Plan, TournamentError, pairings, run_tournament
from himalaya_core.verification import judge

PLAN = Plan("autumn", "caravan", ("random", "greedy", "random"), 7)


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MATCHES_PER_SHARD", 3)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Limit file sizes to simulate a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_seats_rotate_so_each_player_meets_each_seed_from_every_seat() -> None:
    plan = Plan("autumn", "caravan", ("pilgrim", "envoy", "trader", "greedy"), 8)
    every = list(pairings(plan))
    assert [pairing.match for pairing in every[:2]] == ["autumn.000000", "autumn.000001"]
    assert Counter(pairing.seed for pairing in every) == {"autumn/0": 4, "autumn/1": 4}
    for seat in range(4):
        assert Counter(pairing.players[seat] for pairing in every) == dict.fromkeys(plan.players, 2)


def test_the_logs_record_what_was_played(tmp_path: Path) -> None:
    run_tournament(PLAN, tmp_path, jobs=1)
    logs = [lines for path in log_files([tmp_path]) for _, lines in matches(read_lines(path))]
    assert not any(judge(lines).departure for lines in logs)
    headers = [Replay.read(lines[:1]).header for lines in logs]
    assert [(header.tournament, header.pairing) for header in headers] == [("autumn", number) for number in range(7)]
    assert [seat.player for seat in headers[1].seats] == ["greedy", "random", "random"]


def test_shards_contain_consecutive_matches(tmp_path: Path) -> None:
    paths = run_tournament(PLAN, tmp_path, jobs=1)
    assert [path.name for path in paths] == [f"autumn-000{number}.jsonl.zst" for number in (1, 2, 3)]
    assert [len(list(matches(read_lines(path)))) for path in paths] == [3, 3, 1]


def test_one_and_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    done: list[int] = []
    run_tournament(PLAN, tmp_path / "one", jobs=1)
    run_tournament(PLAN, tmp_path / "two", jobs=2, progress=done.append)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")
    assert (done[0], done[-1]) == (0, 7)
    assert done == sorted(done)


def test_a_stopped_tournament_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    run_tournament(PLAN, tmp_path / "whole", jobs=1)

    def stop(done: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_tournament(PLAN, tmp_path / "stopped", jobs=1, progress=stop)
    assert set(bytes_of(tmp_path / "stopped")) == {
        "autumn-0001.jsonl.zst",
        "autumn-0002.jsonl.zst.partial",
        "autumn.tournament.json",
    }
    done: list[int] = []
    run_tournament(PLAN, tmp_path / "stopped", jobs=1, progress=done.append)
    assert done == [3, 4, 5, 6, 7]
    assert bytes_of(tmp_path / "stopped") == bytes_of(tmp_path / "whole")


@pytest.mark.slow("a full disk")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_tournament_resumes_after_a_full_disk(tmp_path: Path, jobs: int) -> None:
    run_tournament(PLAN, tmp_path / "whole", jobs=1)
    size = (tmp_path / "whole" / "autumn-0003.jsonl.zst").stat().st_size
    with room_for(size), pytest.raises(LogFileError, match=r"what was written stays in autumn-000[12]\.jsonl\.zst\.p"):
        run_tournament(PLAN, tmp_path / "full", jobs)
    left = {path.name for path in (tmp_path / "full").iterdir()}
    assert "autumn-0001.jsonl.zst.partial" in left
    assert "autumn-0001.jsonl.zst" not in left
    run_tournament(PLAN, tmp_path / "full", jobs=1)
    assert bytes_of(tmp_path / "full") == bytes_of(tmp_path / "whole")


def test_a_finished_tournament_is_not_replayed(tmp_path: Path) -> None:
    run_tournament(PLAN, tmp_path, jobs=1)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    run_tournament(PLAN, tmp_path, jobs=2)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == times


OTHERS = {
    "other players": (
        Plan("autumn", "caravan", ("random", "random", "greedy"), 7),
        f"players {', '.join(PLAN.players)}; you named random, random, greedy",
    ),
    "fewer matches": (Plan("autumn", "caravan", PLAN.players, 6), "7 matches; it can be extended, not shortened to 6"),
    "other options": (Plan("autumn", "caravan", PLAN.players, 7, {"first": 1}), "you gave options first=2"),
}


@pytest.mark.parametrize(("other", "difference"), OTHERS.values(), ids=OTHERS)
def test_a_different_tournament_with_the_same_name_is_refused(tmp_path: Path, other: Plan, difference: str) -> None:
    run_tournament(PLAN, tmp_path, jobs=1)
    before = bytes_of(tmp_path)
    with pytest.raises(TournamentError, match=rf"the tournament autumn in .* was begun with .*{difference}; take"):
        run_tournament(other, tmp_path, jobs=1)
    assert bytes_of(tmp_path) == before


def test_the_command_to_delete_a_tournament_deletes_no_other(tmp_path: Path) -> None:
    run_tournament(PLAN, tmp_path, jobs=1)
    (tmp_path / "autumn-2024-0001.jsonl.zst").touch()
    (tmp_path / "autumn-0009.jsonl.zst.partial").touch()
    with pytest.raises(TournamentError, match="or delete it: rm ") as refused:
        run_tournament(Plan("autumn", "caravan", PLAN.players, 6), tmp_path, jobs=1)
    subprocess.run(["sh", "-c", str(refused.value).rpartition("delete it: ")[2]], check=True)
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".lock"] == ["autumn-2024-0001.jsonl.zst"]


def test_two_tournaments_can_share_a_folder(tmp_path: Path) -> None:
    run_tournament(PLAN, tmp_path, jobs=1)
    run_tournament(Plan("winter", "caravan", PLAN.players, 1), tmp_path, jobs=1)
    assert len(log_files([tmp_path])) == 4


def test_a_folder_below_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LogFileError, match=r"file/logs: this is not a folder that logs can go to$"):
        run_tournament(PLAN, tmp_path / "file" / "logs", jobs=1)
