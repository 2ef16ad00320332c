"""Tournaments that end once the better of two players is known; the verdict depends only on the logs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.files import read_lines
from himalaya_core.replay import Replay, matches
from himalaya_core.tournament import runner
from himalaya_core.tournament.manifest import audit
from himalaya_core.tournament.plan import Plan, Schedule, Seating, TournamentError, make_plan
from himalaya_core.tournament.runner import run_tournament
from himalaya_core.tournament.sequential import Decision, Referee, SequentialOutcome, SequentialTest, compared

PLAN = make_plan("duel", "caravan", ("greedy", "random", "random"), seating=Seating.EVERY, seeds=60)
TEST = SequentialTest(0, 150)
PAIR = ("greedy", "random")


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MATCHES_PER_SHARD", 5)


class StoppedError(Exception):
    """Raised to interrupt a tournament."""


def played(folder: Path, plan: Plan = PLAN, *, jobs: int = 1, stop_at: int | None = None) -> SequentialOutcome:
    """Play until the better player is known, or a number of matches is reached; return the verdict."""
    referee = Referee(plan, compared(plan, PAIR), TEST)

    def progress(done: int, most: int, state: str) -> None:
        assert most == plan.matches
        assert state.startswith("LLR ")
        if done == stop_at:
            raise StoppedError

    run_tournament(plan, folder, jobs, progress, referee=referee)
    return referee.verdict


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "duel.tournament.json").read_text())
    return found


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SequentialOutcome]:
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "MATCHES_PER_SHARD", 5)
        return folder, played(folder)


def scores(folder: Path) -> list[float]:
    """Return the better-place share of each seed, computed from the logs without the code of the test's verdict."""
    found: dict[str, list[float]] = {}
    for path in sorted(folder.glob("*.zst")):
        for _, lines in matches(read_lines(path)):
            replay = Replay.read(lines)
            assert replay.ended
            assert replay.header.luck
            place = {seat: nth for nth, seats in enumerate(replay.ended.ranking) for seat in seats}
            (mine,) = (info.seat for info in replay.header.seats if info.player == "greedy")
            against = [place[info.seat] - place[mine] for info in replay.header.seats if info.seat != mine]
            found.setdefault(replay.header.luck, []).extend((1 + (gap > 0) - (gap < 0)) / 2 for gap in against)
    return [sum(points) / 6 for points in found.values() if len(points) == 6]


@pytest.mark.slow("plays a tournament twice")
def test_a_tournament_stops_after_the_deciding_shard(whole: tuple[Path, SequentialOutcome]) -> None:
    folder, verdict = whole
    decision, seeds, ratio = TEST.first_decision(scores(folder))
    assert (verdict.decision, verdict.lucks) == (decision, seeds)
    assert decision is Decision.BETTER
    assert verdict.ratio == pytest.approx(ratio, abs=1e-6)
    assert verdict.better_share == pytest.approx(sum(scores(folder)[:seeds]) / seeds, abs=1e-6)
    assert (verdict.matches, verdict.pairs) == (3 * seeds, 6 * seeds)
    assert manifest(folder)["played"] == -(-verdict.matches // 5) * 5 < PLAN.matches


def test_the_manifest_records_the_question_and_the_verdict(whole: tuple[Path, SequentialOutcome]) -> None:
    folder, verdict = whole
    found = manifest(folder)
    assert found["until_decided"] == {"players": list(PAIR), "elo0": 0, "elo1": 150, "alpha": 0.05, "beta": 0.05}
    assert found["verdict"] == {
        "decision": "better",
        "player": "greedy",
        "other": "random",
        "lucks": verdict.lucks,
        "matches": verdict.matches,
        "pairs": verdict.pairs,
        "better_share": verdict.better_share,
        "ratio": verdict.ratio,
    }
    assert audit(folder / "duel.tournament.json") == ([], [])


@pytest.mark.parametrize(
    ("stop_at", "jobs"),
    [
        (5, 1),  # after a whole shard; below: before the first match, within the second shard
        *(pytest.param(*case, marks=pytest.mark.slow("more moments of a stop")) for case in ((0, 1), (7, 2))),
        *(
            pytest.param(stop_at, jobs, marks=pytest.mark.soak("every moment of a stop"))
            for stop_at in (2, 12)
            for jobs in (1, 2)
        ),
    ],
)
def test_a_tournament_stopped_anywhere_resumes_to_the_same_bytes(
    tmp_path: Path, whole: tuple[Path, SequentialOutcome], stop_at: int, jobs: int
) -> None:
    with pytest.raises(StoppedError):
        played(tmp_path, stop_at=stop_at)
    assert "verdict" not in manifest(tmp_path)
    assert played(tmp_path, jobs=jobs) == whole[1]
    assert bytes_of(tmp_path) == bytes_of(whole[0])


def test_a_decided_tournament_is_read_but_not_continued(tmp_path: Path, whole: tuple[Path, SequentialOutcome]) -> None:
    played(tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert played(tmp_path) == whole[1]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == times


def test_the_verdict_comes_from_the_logs_not_the_manifest(
    tmp_path: Path, whole: tuple[Path, SequentialOutcome]
) -> None:
    played(tmp_path)
    found = manifest(tmp_path)
    found["verdict"]["decision"] = "not better"
    (tmp_path / "duel.tournament.json").write_text(json.dumps(found))
    assert played(tmp_path) == whole[1]
    assert bytes_of(tmp_path) == bytes_of(whole[0])


def test_a_deleted_shard_is_replayed(tmp_path: Path, whole: tuple[Path, SequentialOutcome]) -> None:
    played(tmp_path)
    (tmp_path / "duel-0002.jsonl.zst").unlink()
    assert played(tmp_path) == whole[1]
    assert bytes_of(tmp_path) == bytes_of(whole[0])


def test_new_matches_remove_the_verdict(tmp_path: Path) -> None:
    played(tmp_path)
    for name in ("duel-0001.jsonl.zst", "duel-0002.jsonl.zst"):
        (tmp_path / name).unlink()
    left = len(list(tmp_path.glob("*.zst")))
    missing = PLAN.matches - 5 * left
    with pytest.raises(StoppedError):
        played(tmp_path, stop_at=PLAN.matches - missing + 6)
    assert "verdict" not in manifest(tmp_path)


def test_swapped_players_give_the_verdict_not_better(tmp_path: Path) -> None:
    referee = Referee(PLAN, ("random", "greedy"), TEST)
    run_tournament(PLAN, tmp_path, 1, referee=referee)
    assert referee.verdict.decision is Decision.NOT_BETTER
    seeds = referee.verdict.lucks
    assert referee.verdict.better_share == pytest.approx(1 - sum(scores(tmp_path)[:seeds]) / seeds, abs=1e-6)
    said = referee.verdict.in_words(TEST)
    assert f"decided for H0 after {seeds} seeds" in said
    assert "random's lead over greedy is below 150 Elo (logistic)" in said


def test_too_few_seeds_decide_nothing(tmp_path: Path) -> None:
    plan = make_plan("duel", "caravan", ("greedy", "random", "random"), seating=Seating.EVERY, seeds=2)
    verdict = played(tmp_path, plan)
    assert (verdict.decision, verdict.lucks) == (Decision.UNDECIDED, 2)
    assert verdict.in_words(TEST).startswith("undecided after 2 seeds (6 matches), and that was all")
    assert manifest(tmp_path)["verdict"]["decision"] == "undecided"


def test_an_incomplete_seed_does_not_count(tmp_path: Path) -> None:
    plan = make_plan("duel", "caravan", ("greedy", "random", "random"), seating=Seating.EVERY, matches=5)
    assert played(tmp_path, plan).lucks == 1


def test_a_different_question_with_the_same_name_is_refused(
    tmp_path: Path, whole: tuple[Path, SequentialOutcome]
) -> None:
    for name, content in bytes_of(whole[0]).items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(TournamentError, match="was begun with a test of elo1 150; you gave"):
        run_tournament(PLAN, tmp_path, 1, referee=Referee(PLAN, PAIR, SequentialTest(0, 151)))
    with pytest.raises(TournamentError, match="was begun with --until-decided; you gave no test"):
        run_tournament(PLAN, tmp_path, 1)


def test_a_manifest_without_a_question_has_no_verdict_keys(tmp_path: Path) -> None:
    run_tournament(Plan("duel", "caravan", ("random", "random", "random"), 1), tmp_path, 1)
    assert not {"until_decided", "verdict"} & set(manifest(tmp_path))


def test_compared_players_must_take_part_and_meet() -> None:
    plan = make_plan("cup", "caravan", ("greedy", "random", "trader", "envoy"), schedule=Schedule.LADDER, seats=3)
    assert compared(plan, ("random", "trader")) == ("random", "trader")
    for named, message in (
        (None, "the test compares two players: name them with --compare A,B"),
        (("greedy", "greedy"), "the test compares two players"),
        (("greedy", "pilgrim"), "player 'pilgrim' to be compared does not take part"),
    ):
        with pytest.raises(TournamentError, match=message):
            compared(plan, named)
    with pytest.raises(TournamentError, match="greedy and envoy never sit at one table"):
        Referee(plan, ("greedy", "envoy"), TEST)


def test_the_command_starts_without_the_statistics_libraries() -> None:
    script = "import sys, himalaya_core.cli.tournament; print(*{'numpy', 'scipy', 'polars'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout == "\n"
