"""Branches: unchanged actions give the match's own events, illegal actions are refused, and logs are marked."""

import json
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.api import play
from himalaya_core.caravan.actions import CommitPlan, PlaceCaravan
from himalaya_core.caravan.pieces import Act
from himalaya_core.cli.branch import _points
from himalaya_core.cli.main import main
from himalaya_core.game import CHANCE, IllegalAction
from himalaya_core.log.codec import as_logged
from himalaya_core.replay import Replay
from himalaya_core.tournament.branch import Branch, BranchError, begin
from himalaya_core.tournament.playouts import paired, playouts
from himalaya_core.verification import DiceVerdict, judge
from himalaya_core.winprob.key_moments import decisions

PLAYED = {
    "caravan": (["trader", "random", "greedy"], {"tokens": True}),
    "summit": (["racer", "random", "greedy"], {}),
    "climbers": (["greedy", "random"], {}),
}
REST = (Act.REST, Act.REST, Act.REST, Act.REST, Act.REST, Act.REST)


@cache
def played(game: str) -> Replay:
    players, options = PLAYED[game]
    return play(game, players, seed="branches", options=options).replay


def lines(log: bytes) -> list[bytes]:
    return log.splitlines(keepends=True)


def events(branch: Branch) -> list[str]:
    """Return the events of a match as text, for comparison."""
    return [as_logged(branch.origin.game, step.event) for step in branch.steps]


def planning(replay: Replay, number: int) -> int:
    """Return the last event before a round's planning."""
    kinds = [(entry.round, entry.type) for entry in replay.entries]
    return kinds.index((number, "plan_committed")) - 1


@pytest.mark.parametrize("game", PLAYED)
def test_players_repeat_their_choices_from_any_decision(game: str) -> None:
    """The players' random draws continue at the same point, and secret plans stay the same."""
    replay = played(game)
    events = [entry.event for entry in replay.entries[1:-1]]
    ends = list(decisions(replay))
    for seq in ends[:: max(1, len(ends) // 2)]:
        branch = begin(replay, seq).go_on()
        assert events[:seq] + [step.event for step in branch.steps] == events, seq


@pytest.mark.parametrize("game", PLAYED)
def test_replaying_actions_from_200_positions_gives_the_same_events(game: str) -> None:
    """Starts from every decision if the match has fewer than 200."""
    replay = played(game)
    ends = [seq for seq in decisions(replay) if seq + 1 < len(replay.entries)]
    for seq in ends[:: max(1, len(ends) // 200)]:
        following = [entry for entry in replay.entries[seq + 1 :] if entry.action is not None][:3]
        branch = begin(replay, seq)
        for entry in following:
            branch = branch.play(entry.action)
        new = [step.event for step in branch.steps]
        assert new == [entry.event for entry in replay.entries[seq + 1 : seq + 1 + len(new)]]


@pytest.mark.slow("goes on in several calls")
@pytest.mark.parametrize("game", PLAYED)
def test_players_repeat_their_choices_across_calls_and_entered_decisions(game: str) -> None:
    """A player also uses up its random draws for decisions that were entered by hand for its seat."""
    replay = played(game)
    ends = list(decisions(replay))
    at_once = begin(replay, ends[len(ends) // 3]).go_on()
    in_parts = repeated = begin(replay, ends[len(ends) // 3])
    for _ in range(3):
        in_parts = in_parts.go_on(plies=1)
    for step in [step for step in at_once.steps if step.action is not None][:6]:
        repeated = repeated.play(step.action)
    assert events(in_parts.go_on()) == events(at_once)
    assert events(repeated.go_on()) == events(at_once)
    others = begin(replay, ends[len(ends) // 3])
    names = ["random"] * len(replay.header.seats)
    assert events(others.go_on(names, 1).go_on(names, 2).go_on(names)) == events(others.go_on(names))


def test_a_branch_can_be_branched_with_its_own_dice() -> None:
    replay = played("caravan")
    seq = planning(replay, 5)
    first = Replay.read(lines(begin(replay, seq, "other dice").go_on().log("tried")))
    later = planning(first, 8)
    again = begin(first, later).go_on(["greedy"] * 3)
    assert again.seed.name == "other dice"
    found = judge(lines(again.log("tried-again")))
    assert (found.departure, found.dice) == (None, DiceVerdict.FOLLOWS)
    with pytest.raises(BranchError, match="names no seed"):
        _ = begin(first, seq - 1).seed  # no seed is needed while the branch follows the original match


def test_a_branch_starts_only_after_a_whole_decision() -> None:
    replay = played("caravan")
    middle = next(seq for seq, entry in enumerate(replay.entries) if entry.type == "delivered")
    for seq, said in ((middle, "is in the middle of a decision"), (len(replay.entries), "there is no event")):
        with pytest.raises(BranchError, match=said):
            begin(replay, seq)


def test_an_illegal_action_changes_nothing_and_gives_a_reason() -> None:
    branch = begin(played("caravan"), planning(played("caravan"), 3))
    before = branch.steps
    with pytest.raises(IllegalAction, match="place"):
        branch.play(PlaceCaravan(branch.actors[0], 3))
    assert branch.steps is before


def test_a_branch_log_is_valid_and_names_its_origin() -> None:
    replay = played("caravan")
    seq = planning(replay, 5)
    branch = begin(replay, seq, "other dice")
    branch = branch.play(CommitPlan(branch.actors[0], REST)).go_on()
    log = branch.log("tried")
    read = Replay.read(lines(log))
    assert replay.ended is not None
    header = read.header
    assert (header.tournament, header.pairing, header.luck) == (None, None, None)
    assert header.branch is not None
    assert (header.branch.match, header.branch.seq, header.branch.luck) == (replay.entries[0].match, seq, "other dice")
    assert header.branch.lines_sha256 == replay.ended.lines_sha256
    assert [entry.event for entry in read.entries[1 : seq + 1]] == [e.event for e in replay.entries[1 : seq + 1]]
    found = judge(lines(log))
    assert (found.departure, found.dice) == (None, DiceVerdict.FOLLOWS)


def test_branch_dice_that_do_not_match_the_seed_are_detected() -> None:
    replay = played("caravan")
    log = begin(replay, planning(replay, 5), "other dice").go_on().log("tried")
    changed = lines(log.replace(b'"luck":"other dice"', b'"luck":"more dice"'))
    found = judge(changed[:-1])  # without the last line, which has the digest of the others
    assert found.departure is None
    assert found.dice is DiceVerdict.DIFFERS
    assert found.other_dice is not None
    assert found.other_dice.seq > planning(replay, 5)


def test_a_match_without_a_seed_can_be_branched_with_one() -> None:
    log = play("caravan", ["greedy", "random", "trader"], seed="table").log
    header, rest = log.split(b"\n", 1)
    said = json.loads(header)
    said["data"]["luck"] = None
    table = Replay.read(lines(json.dumps(said, separators=(",", ":")).encode() + b"\n" + rest))
    with pytest.raises(BranchError, match="names no seed"):
        begin(table, planning(table, 3)).go_on(["greedy"] * 3)
    assert begin(table, planning(table, 3), "mine").go_on(["greedy"] * 3).outcome is not None


# --- Playouts in pairs


def test_pairs_with_equal_decisions_have_equal_results() -> None:
    replay = played("caravan")
    seq = planning(replay, 11)
    *_, last = paired(begin(replay, seq), ["greedy"] * 3, 6)
    assert last.branch == last.original
    assert [mean for mean, _, _ in last.difference] == [0, 0, 0]
    assert all(low < 0 < high for _, low, high in last.difference)  # six pairs give wide intervals


def test_both_sides_of_a_pair_start_after_the_same_draw() -> None:
    """If the branch has already drawn, the original match continues after the same draw."""
    replay = played("summit")
    ends = list(decisions(replay))
    entries = replay.entries
    seq = next(
        end
        for end in ends[len(ends) // 2 :]
        if entries[end + 1].seat is not None
        and entries[next(other for other in ends if other > end) + 1].action is not None
        and entries[next(other for other in ends if other > end) + 1].seat is None
    )
    branch = begin(replay, seq).play(entries[seq + 1].action)
    assert CHANCE in branch.actors
    for each in (branch, branch.draw()):
        *_, last = paired(each, ["greedy"] * 3, 3)
        assert last.branch == last.original


@pytest.mark.slow("more processes")
def test_pairs_do_not_depend_on_processes_and_narrow_with_size() -> None:
    replay = played("caravan")
    branch = begin(replay, planning(replay, 10))
    branch = branch.play(CommitPlan(branch.actors[0], REST))
    alone = list(paired(branch, ["greedy"] * 3, 8))
    assert list(paired(branch, ["greedy"] * 3, 8, jobs=2)) == alone
    widths = [found.difference[0][2] - found.difference[0][1] for found in alone]
    assert widths[-1] < widths[0]
    assert sum(alone[-1].branch) == pytest.approx(1)
    assert list(islice(paired(branch, ["greedy"] * 3, 1000), 2)) != []  # playing pairs can be stopped early


def test_a_seed_repeats_its_sample_and_another_seed_gives_a_new_one() -> None:
    replay = played("caravan")

    def sampled(seed: str | None) -> list[object]:
        branch = begin(replay, planning(replay, 10), seed)
        return list(paired(branch.play(CommitPlan(branch.actors[0], REST)), ["greedy"] * 3, 8))

    assert sampled("first") == sampled("first")
    assert sampled("first") != sampled("second")
    assert sampled("first") != sampled(None)


def test_a_later_plan_is_compared_with_the_original_plan_of_its_seat() -> None:
    """Plans are secret, so the order in which seats commit them does not matter."""
    replay = played("caravan")
    seq = planning(replay, 10)
    last = next(entry for entry in replay.entries[seq + 3 :] if entry.type == "plan_committed")
    *_, found = paired(begin(replay, seq).play(last.action), ["random"] * 3, 12)
    assert found.branch == found.original


def test_playouts_stop_once_each_difference_is_known_well_enough() -> None:
    replay = played("caravan")
    found = playouts(begin(replay, planning(replay, 12)), ["random"] * 3, 500, jobs=1, precision=0.05)
    assert (found["done"], found["of"]) == (38, 500)  # 1.96 / (38 + 2) < 0.05, as all pairs are equal
    assert all(high - low <= 0.1 for _, low, high in found["difference"])


def test_an_exception_in_the_report_stops_the_playouts() -> None:
    replay = played("caravan")
    told = list[dict[str, Any]]()

    def report(now: dict[str, Any]) -> None:
        told.append(now)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        playouts(begin(replay, planning(replay, 11)), ["greedy"] * 3, 500, report, jobs=1)
    assert [now["done"] for now in told] == [1]


@pytest.mark.soak("plays 20,000 continuations")
def test_the_interval_covers_the_mean_of_twenty_thousand_playouts() -> None:
    replay = played("caravan")
    branch = begin(replay, planning(replay, 8))
    branch = branch.play(CommitPlan(branch.actors[0], REST))
    *_, few = paired(branch, ["greedy"] * 3, 200, jobs=2)
    *_, many = paired(branch, ["greedy"] * 3, 10_000, jobs=2)
    for (_, low, high), (mean, _, _) in zip(few.difference, many.difference, strict=True):
        assert low <= mean <= high


# --- The command line


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    players, options = PLAYED["caravan"]
    play("caravan", players, seed="branches", options=options, out=path)
    return path


def test_verify_checks_a_written_branch_against_its_match(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seq = planning(played("caravan"), 5)
    action = json.dumps({"type": "commit_plan", "seat": begin(played("caravan"), seq).actors[0], "plan": ["rest"] * 6})
    out = log.with_name("tried.jsonl")
    said = ["branch", str(log), "--seq", str(seq), "--action", action, "--seed", "other", "--out", str(out)]
    assert main([*said, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["from"] == {"match": "branches", "seq": seq, "luck": "other"}
    assert len(told["ranking"]) > 0
    assert main(["verify", str(log), str(out)]) == 0
    assert main(["verify", str(out)]) == 0
    assert "not compared with branches" in capsys.readouterr().out
    changed = log.read_text("utf-8").replace('"die":', '"die" :', 1)
    log.write_text(changed, "utf-8")
    assert main(["verify", str(log), str(out)]) != 0
    assert "tried.jsonl:1: expected the match that this branch leaves" in capsys.readouterr().out


def test_an_action_as_its_log_has_it_is_taken_by_the_next_seat(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seq = planning(played("caravan"), 5)
    plan = {"type": "commit_plan", "plan": ["rest"] * 6}
    events = []
    for action in (plan, {**plan, "seat": begin(played("caravan"), seq).actors[0]}):
        assert main(["branch", str(log), "--seq", str(seq), "--action", json.dumps(action), "--format", "json"]) == 0
        events.append(json.loads(capsys.readouterr().out)["events"])
    assert events[0] == events[1]


def test_verify_accepts_a_branch_of_a_match_that_has_since_grown(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seq = planning(played("caravan"), 5)
    whole = log.read_bytes()
    log.write_bytes(b"".join(lines(whole)[: seq + 40]))
    out = log.with_name("tried.jsonl")
    assert main(["branch", str(log), "--seq", str(seq), "--seed", "other", "--out", str(out)]) == 0
    log.write_bytes(whole)
    assert main(["verify", str(log), str(out)]) == 0, capsys.readouterr().out


def test_a_printed_difference_is_that_of_the_printed_shares() -> None:
    found = {"branch": [0.7946], "original": [0.6654], "difference": [[0.1292, 0.02, 0.24]]}
    assert _points(found, 0) == ("79.5", "66.5", "+13.0 (+2.0 to +24.0)")


@pytest.mark.slow("plays out")
def test_the_command_plays_out_pairs(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = ["branch", str(log), "--seq", str(planning(played("caravan"), 11)), "--players", "greedy,greedy,greedy"]
    assert main([*said, "--samples", "3", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["done"] == 3


@pytest.mark.parametrize("more", [(), ("--samples", "2")])
def test_the_command_requires_a_player_for_each_seat(
    log: Path, more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    said = ["branch", str(log), "--seq", str(planning(played("caravan"), 11)), "--players", "greedy,greedy"]
    assert main([*said, *more]) != 0
    assert "the match has 3 seats; you named 2 players" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("{", "--action 1: expected a JSON object"),
        ('{"type":"fly","seat":0}', "--action 1: action.type: expected a known type of action"),
        ('{"type":"place_caravan","seat":0,"village":3}', "--action 1, seat 1: "),
    ],
)
def test_the_command_reports_an_invalid_action(
    log: Path, action: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seq = planning(played("caravan"), 5)
    assert main(["branch", str(log), "--seq", str(seq), "--action", action]) != 0
    assert expected in capsys.readouterr().err
