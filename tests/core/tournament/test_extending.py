"""Extended tournaments: existing matches are kept, and the logs equal those of one longer tournament."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.files import read_lines
from himalaya_core.tournament import runner
from himalaya_core.tournament.manifest import audit
from himalaya_core.tournament.plan import Seating, make_plan
from himalaya_core.tournament.runner import Plan, TournamentError, run_tournament
from himalaya_core.tournament.sequential import Decision, Referee, SequentialTest
from tests.core.cli.commands import Command

PLAN = Plan("cup", "caravan", ("random", "greedy", "random"), 3)


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MATCHES_PER_SHARD", 4)


class StoppedError(Exception):
    """Raised to interrupt a tournament."""


def play(folder: Path, matches: int, *, stop_at: int | None = None, jobs: int = 1) -> list[str]:
    """Play some matches, optionally stopping after a number of them; return the output."""
    said: list[str] = []

    def progress(done: int) -> None:
        if done == stop_at:
            raise StoppedError

    run_tournament(replace(PLAN, matches=matches), folder, jobs, progress, said.append)
    return said


def logs(folder: Path) -> dict[str, bytes]:
    return {path.name.removesuffix(".jsonl.zst"): path.read_bytes() for path in sorted(folder.glob("*.zst"))}


def matches_of(folder: Path) -> bytes:
    return b"".join(b"".join(read_lines(path)) for path in sorted(folder.glob("*.zst")))


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "cup.tournament.json").read_text())
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a tournament of 15 matches, played in one run."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "MATCHES_PER_SHARD", 4)
        play(folder, 15)
    return folder


@pytest.mark.slow("plays a tournament twice")
@pytest.mark.parametrize("first", [4, 8])
def test_extending_at_a_file_boundary_gives_the_bytes_of_the_longer_tournament(
    tmp_path: Path, whole: Path, first: int
) -> None:
    play(tmp_path, first)
    assert play(tmp_path, 15) == [f"cup is extended from {first} to 15 matches"]
    assert logs(tmp_path) == logs(whole)
    assert manifest(tmp_path) == {**manifest(whole), "extended": [first]}


def test_extending_inside_a_file_adds_another_file(tmp_path: Path, whole: Path) -> None:
    play(tmp_path, 6)
    before, times = logs(tmp_path), {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.zst")}
    play(tmp_path, 15)
    after = logs(tmp_path)
    assert list(after) == ["cup-0001", "cup-0002", "cup-0002_02", "cup-0003", "cup-0004"]
    assert before.items() <= after.items()
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert {name for name, log in logs(whole).items() if after[name] != log} == {"cup-0002"}
    assert matches_of(tmp_path) == matches_of(whole)
    assert audit(tmp_path / "cup.tournament.json") == ([], [])


def test_a_tournament_can_be_extended_repeatedly(tmp_path: Path, whole: Path) -> None:
    for length in (5, 6, 7, 12, 15):
        play(tmp_path, length)
    pieces = [name for name in logs(tmp_path) if name.startswith("cup-0002")]
    assert pieces == ["cup-0002", "cup-0002_02", "cup-0002_03", "cup-0002_04"]
    assert matches_of(tmp_path) == matches_of(whole)
    found = manifest(tmp_path)
    assert (found["extended"], found["matches"], found["played"]) == ([5, 6, 7, 12], 15, 15)
    assert found["seeds"] == manifest(whole)["seeds"]
    assert play(tmp_path, 15) == []


@pytest.mark.parametrize(
    ("stop_at", "jobs"),
    [
        (7, 1),
        *(pytest.param(*case, marks=pytest.mark.slow("more moments of a stop")) for case in ((6, 1), (7, 2), (11, 1))),
        *(
            pytest.param(stop_at, jobs, marks=pytest.mark.soak("every moment of a stop"))
            for stop_at in (8, 14)
            for jobs in (1, 2)
        ),
    ],
)
def test_a_stopped_extension_resumes(tmp_path: Path, whole: Path, stop_at: int, jobs: int) -> None:
    play(tmp_path, 6)
    with pytest.raises(StoppedError):
        play(tmp_path, 15, stop_at=stop_at)
    wrong, (unfinished,) = audit(tmp_path / "cup.tournament.json")
    assert (wrong, "of 15 matches are in complete files" in unfinished) == ([], True)
    play(tmp_path, 15, jobs=jobs)
    assert matches_of(tmp_path) == matches_of(whole)
    assert manifest(tmp_path)["extended"] == [6]


def test_lengthening_an_incomplete_tournament_is_not_an_extension(tmp_path: Path, whole: Path) -> None:
    with pytest.raises(StoppedError):
        play(tmp_path, 6, stop_at=5)
    play(tmp_path, 15)
    assert logs(tmp_path) == logs(whole)
    assert manifest(tmp_path) == manifest(whole)


def test_a_stopped_extension_can_be_extended(tmp_path: Path, whole: Path) -> None:
    play(tmp_path, 6)
    with pytest.raises(StoppedError):
        play(tmp_path, 10, stop_at=9)
    play(tmp_path, 15)
    assert matches_of(tmp_path) == matches_of(whole)
    assert manifest(tmp_path)["extended"] == [6]


def test_an_unlisted_last_file_is_kept(tmp_path: Path, whole: Path) -> None:
    play(tmp_path, 6)
    found = manifest(tmp_path)
    found["shards"] = found["shards"][:1]
    (tmp_path / "cup.tournament.json").write_text(json.dumps(found))
    before = logs(tmp_path)
    play(tmp_path, 15)
    assert before.items() <= logs(tmp_path).items()
    assert matches_of(tmp_path) == matches_of(whole)
    assert manifest(tmp_path)["extended"] == [6]


def test_a_deleted_file_is_replayed_to_the_same_bytes(tmp_path: Path) -> None:
    play(tmp_path, 6)
    play(tmp_path, 15)
    before = logs(tmp_path)
    (tmp_path / "cup-0002.jsonl.zst").unlink()
    assert "cup-0002.jsonl.zst is gone" in play(tmp_path, 15)[0]
    assert logs(tmp_path) == before


def test_a_damaged_file_is_not_extended(tmp_path: Path) -> None:
    play(tmp_path, 6)
    (tmp_path / "cup-0002.jsonl.zst").write_bytes(b"")
    with pytest.raises(TournamentError, match=r"cup-0002\.jsonl\.zst is damaged"):
        play(tmp_path, 15)
    assert manifest(tmp_path)["matches"] == 6


def test_fewer_matches_are_refused(tmp_path: Path) -> None:
    play(tmp_path, 6)
    with pytest.raises(TournamentError, match="begun with 6 matches; it can be extended, not shortened to 5"):
        play(tmp_path, 5)


@pytest.mark.parametrize("extended", [3, [9], [4, 3], ["4"], [0], [True]])
def test_an_invalid_list_of_extensions_is_reported(tmp_path: Path, extended: Any) -> None:
    play(tmp_path, 6)
    path = tmp_path / "cup.tournament.json"
    path.write_text(json.dumps({**manifest(tmp_path), "extended": extended}))
    with pytest.raises(TournamentError, match="extended lists increasing numbers of matches below 6, found"):
        play(tmp_path, 15)


def test_extensions_without_a_number_of_matches_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cup.tournament.json"
    path.write_text('{"shards": [], "extended": [6]}')
    with pytest.raises(TournamentError, match="increasing numbers of matches below None, found"):
        audit(path)


def test_more_seeds_continue_an_undecided_test_but_not_a_decided_one(tmp_path: Path) -> None:
    plan = make_plan("cup", "caravan", ("greedy", "random", "random"), seating=Seating.EVERY, seeds=60)
    decisions = []
    for seeds in (1, 60, 90):
        longer = replace(plan, matches=3 * seeds)
        referee = Referee(longer, ("greedy", "random"), SequentialTest(0, 150))
        run_tournament(longer, tmp_path, 1, referee=referee)
        decisions.append(referee.verdict)
    assert decisions[0].decision is Decision.UNDECIDED
    assert decisions[1] == decisions[2]
    assert decisions[1].decision is Decision.BETTER
    found = manifest(tmp_path)
    assert (found["extended"], found["matches"], found["verdict"]["decision"]) == ([3], 270, "better")


def test_the_command_extends_a_tournament_and_verify_reports_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    himalaya = Command(capsys)
    cup = ("tournament", "caravan", "--name", "cup", "--players", "random,greedy,random", "--out", "cup", "--seeds")
    assert himalaya(*cup, "2").code == 0
    answer = himalaya(*cup, "3")
    assert answer.out == "9 matches in 4 files in cup\n"
    assert "cup is extended from 6 to 9 matches" in answer.err
    said, counted = himalaya("verify", "cup").out.splitlines()
    assert said.startswith("cup was extended after 6 matches: intervals and p-values, which assume a single look,")
    assert counted.startswith("9 matches")
    assert himalaya(*cup, "2").code == 2
