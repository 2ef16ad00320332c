"""The command line: output, exit codes, and one line for every error that a user can fix."""

import json
import re
from pathlib import Path

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.files import read_lines
from himalaya_core.replay import Replay
from tests.conformance.playing import VARIANTS, recorded
from tests.core.cli.commands import Answer, Command
from tests.core.log.damage import at, resign, rewrite

LINES = list(recorded(VARIANTS[1], "verify")[1])
README = Path(__file__).parents[3] / "README.md"
PLAY = ("play", "caravan", "--players", "random,random,random")
TOURNAMENT = ("tournament", "caravan", "--name", "t", "--players", "random,random,random", "--matches", "2")


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("file").touch()
    Path("none.jsonl").touch()
    Path("bad.json").write_text('{"id": "x", "villages": []}')
    Path("good.jsonl").write_bytes(b"".join(LINES))
    return Command(capsys)


def another_board() -> Path:
    """Write a board with the levels of villages 1 and 2 swapped."""
    document = json.loads(json.dumps(shipped_board("caravan").document))
    document["id"] = "another"
    one, two = document["villages"][:2]
    one["level"], two["level"] = two["level"], one["level"]
    path = Path("another.json")
    path.write_text(json.dumps(document, indent=1))
    return path


@pytest.mark.parametrize(
    "players", ["trader,pilgrim,greedy,random", "random,random,random,random", "envoy,envoy,envoy"]
)
def test_play_writes_a_log_and_prints_the_standing(himalaya: Command, players: str) -> None:
    answer = himalaya("play", "caravan", "--players", players, "--seed", "monday", "--out", "m.jsonl")
    assert (answer.code, answer.err) == (0, "")
    replay = Replay.read(read_lines(Path("m.jsonl")))
    outcome = replay.game.outcome(replay.states[-1])
    assert outcome is not None
    rows = re.findall(r"^ +(\d) +(\d) +(\w+) +([\w-]+) +(\d+) +(\d+) +(\d+) +(\S.*?)? *$", answer.out, re.MULTILINE)
    assert [int(row[1]) - 1 for row in rows] == [seat for group in outcome.ranking for seat in group]
    for _, seat, player, *_, religious, political, economic, remark in rows:
        figures = {"religious": int(religious), "political": int(political), "economic": int(economic)}
        assert (figures, remark) == (outcome.scores[int(seat) - 1], outcome.remarks[int(seat) - 1])
        assert player == players.split(",")[int(seat) - 1]
    assert f"{len(replay.entries)} events written to m.jsonl" in answer.out


def test_the_readme_shows_what_play_prints(himalaya: Command) -> None:
    command = "himalaya play caravan --players trader,pilgrim,greedy,random --seed monday --out monday.jsonl"
    shown = README.read_text("utf-8").partition(f"$ {command}\n")[2].partition("events written")[0]
    printed = himalaya(*command.split()[1:]).out.partition("events written")[0]
    drawn = " \N{BOX DRAWINGS LIGHT HORIZONTAL}"
    rows = [[line.split() for line in text.splitlines() if line.strip(drawn)] for text in (shown, printed)]
    assert len(rows[0]) > 6
    assert rows[0] == rows[1]


def test_the_same_seed_writes_the_same_log(himalaya: Command) -> None:
    for name in ("one.jsonl", "two.jsonl"):
        assert himalaya(*PLAY, "--seed", "same", "--out", name).code == 0
    assert Path("one.jsonl").read_bytes() == Path("two.jsonl").read_bytes()


def test_luck_is_a_hidden_alias_of_seed(himalaya: Command) -> None:
    assert "--luck" not in himalaya("play", "--help").out
    for option, name in (("--luck", "one.jsonl"), ("--seed", "two.jsonl")):
        assert himalaya(*PLAY, option, "same", "--out", name).out.startswith("caravan, seed same\n")
    assert Path("one.jsonl").read_bytes() == Path("two.jsonl").read_bytes()
    depth = ("perft", "caravan", "--seats", "3", "--depth", "2")
    assert himalaya(*depth, "--seed", "a").out == himalaya(*depth, "--luck", "a").out


def test_play_without_a_file_prints_the_result_and_writes_nothing(himalaya: Command) -> None:
    before = set(Path().iterdir())
    answer = himalaya(*PLAY, "--seed", "same")
    assert (answer.code, set(Path().iterdir())) == (0, before)
    assert answer.out.startswith("caravan, seed same\n")
    assert "events written" not in answer.out


def test_each_match_without_a_seed_gets_its_own(himalaya: Command) -> None:
    for name in ("one.jsonl", "two.jsonl"):
        assert himalaya(*PLAY, "--out", name).code == 0
    seeds = {Replay.read(read_lines(Path(name))).header.luck for name in ("one.jsonl", "two.jsonl")}
    assert len(seeds) == 2


def test_a_match_on_another_board_has_the_board_in_its_log(himalaya: Command) -> None:
    board = another_board()
    assert himalaya(*PLAY, "--board", str(board), "--seed", "a", "--out", "m.jsonl").code == 0
    board.unlink()
    assert himalaya("verify", "m.jsonl").out == f"1 match, {len(list(read_lines(Path('m.jsonl'))))} events: clean\n"
    replay = Replay.read(read_lines(Path("m.jsonl")))
    assert (replay.board.id, replay.board.levels[1:3]) == ("another", (3, 1))
    assert replay.header.board.sha256 == replay.board.sha256


def test_a_tournament_on_another_board_verifies_from_its_logs_alone(himalaya: Command) -> None:
    board = another_board()
    assert himalaya(*TOURNAMENT, "--board", str(board), "--out", "t").code == 0
    board.unlink()
    assert himalaya("verify", "t").code == 0


def test_a_log_without_its_board_verifies_with_the_board_file(himalaya: Command) -> None:
    board = another_board()
    himalaya(*PLAY, "--board", str(board), "--seed", "a", "--out", "m.jsonl")
    lines = resign(rewrite(list(read_lines(Path("m.jsonl"))), 0, board=None))
    Path("m.jsonl").write_bytes(b"".join(lines))
    lost = himalaya("verify", "m.jsonl")
    assert lost.code == 1
    assert "m.jsonl:1: the match was played on a board another that the log does not carry" in lost.out
    assert himalaya("verify", "m.jsonl", "--board", str(board)).code == 0


def test_a_tournament_reports_what_it_wrote(himalaya: Command) -> None:
    answer = himalaya(*TOURNAMENT, "--out", "t")
    assert (answer.code, answer.out) == (0, "2 matches in 1 file in t\n")
    assert himalaya("verify", "t").code == 0


def test_verify_prints_no_details_for_clean_logs(himalaya: Command) -> None:
    answer = himalaya("verify", "good.jsonl")
    assert answer == Answer(0, f"1 match, {len(LINES)} events: clean\n", "")


def test_verify_names_file_line_seq_expected_and_found(himalaya: Command) -> None:
    place = at("moved", LINES)
    damaged = rewrite(LINES, place, data__to=20, data__from=20)
    Path("both.jsonl").write_bytes(b"".join([*LINES, *damaged, *LINES]))
    answer = himalaya("verify", "good.jsonl", "both.jsonl")
    fault, total = answer.out.splitlines()
    line = len(LINES) + place + 1
    assert fault.startswith(f"both.jsonl:{line}: seq {place}: expected moved by seat ")
    assert re.search(r"found moved by seat \d with from=20, to=20$", fault)
    assert (answer.code, total) == (1, f"4 matches, {4 * len(LINES):,} events: 1 diverges from the rules")


def test_verify_reports_dice_that_do_not_match_the_seed(himalaya: Command) -> None:
    relabelled = resign(rewrite(LINES, 0, data__luck="another"))
    header = LINES[0].replace(b'"luck":"verify"', b'"luck":null')
    Path("three.jsonl").write_bytes(b"".join([*LINES, *relabelled, *resign([header, *LINES[1:]])]))
    answer = himalaya("verify", "three.jsonl")
    fault, total = answer.out.splitlines()
    assert answer.code == 1
    assert fault.startswith(f"three.jsonl:{len(LINES) + 2}: seq 1: expected the dice of the seed another: roll_")
    assert total.endswith(" events: in 1 the dice do not match the seed; 1 names no seed, so the dice were not checked")


def test_verify_reports_every_match_that_departs(himalaya: Command) -> None:
    Path("two.jsonl").write_bytes(b"".join([*LINES[:-1], b"{\n", *LINES[:10], LINES[11], *LINES]))
    answer = himalaya("verify", "two.jsonl")
    assert answer.code == 1
    first, second, total = answer.out.splitlines()
    assert first.startswith(f"two.jsonl:{len(LINES)}: line: expected one JSON object")
    assert second.startswith(f"two.jsonl:{len(LINES) + 11}: seq: expected 10, found 11")
    assert total.endswith(" events: 2 damaged")


REFUSED = {
    "an unknown game": (("play", "chess", "--players", "a,b,c", "--out", "o.jsonl"), "the game 'chess' is unknown"),
    "an unknown player": (
        ("play", "caravan", "--players", "random,random,zen", "--out", "o.jsonl"),
        "player 'zen' is unknown; caravan has random, greedy, pilgrim, envoy, trader",
    ),
    "too few players": (
        ("play", "caravan", "--players", "random,random", "--out", "o.jsonl"),
        "caravan needs 3 to 6 players; you named 2",
    ),
    "an unknown option": (
        (*PLAY, "--speed", "9", "--out", "o.jsonl"),
        "himalaya play: unrecognized arguments: --speed 9 (see 'himalaya play --help')",
    ),
    "no command": ((), "the following arguments are required: COMMAND"),
    "a misspelt command": (("paly", "caravan"), "there is no command 'paly'; did you mean 'play' or 'replay'?"),
    "an option of another game": (
        ("play", "summit", "--players", "random,random", "--tokens"),
        "summit has no option --tokens; it has --first",
    ),
    "a seat before the first": ((*PLAY, "--first", "0"), "expected the number of a seat, from 1, found '0'"),
    "a seed that is no name": ((*PLAY, "--seed", "a b", "--out", "o.jsonl"), "expected 1 to 57 of A-Z a-z 0-9 . _ -"),
    "a log of another kind": ((*PLAY, "--out", "o.txt"), "expected a name that ends in .jsonl, .jsonl.gz, .jsonl.zst"),
    "a bad board": ((*PLAY, "--board", "bad.json", "--out", "o.jsonl"), "bad.json: villages: expected 20, found 0"),
    "a board that is no JSON": (
        (*PLAY, "--board", "file", "--out", "o.jsonl"),
        "file: expected JSON, found something else at line 1, column ",
    ),
    "a missing board": ((*PLAY, "--board", "no.json", "--out", "o.jsonl"), "no.json: No such file or directory"),
    "a folder under a file": ((*PLAY, "--out", "file/o.jsonl"), "file/o.jsonl: file is not a folder"),
    "a tournament under a file": ((*TOURNAMENT, "--out", "file/t"), "file/t: this is not a folder that logs can go to"),
    "a tournament without matches": (
        (*TOURNAMENT[:-1], "0", "--out", "t"),
        "expected a number from 1 to 1000000, found '0'",
    ),
    "more matches than names": ((*TOURNAMENT[:-1], "1000001", "--out", "t"), "expected a number from 1 to 1000000"),
    "a tournament of an unknown player": (
        ("tournament", "caravan", "--name", "t", "--players", "random,random,zen", "--out", "t"),
        "player 'zen' is unknown",
    ),
    "a missing log": (("verify", "no.jsonl"), "no.jsonl: No such file or directory"),
    "an empty folder": (("verify", "empty"), "empty: no log in this folder (looked for .jsonl,"),
    "a log without a match": (("verify", "none.jsonl"), "there is no match in these files"),
    "a port that is none": (("serve", "--port", "70000"), "'70000' is not a port from 0 to 65535"),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_an_impossible_command_is_refused_in_one_line(
    himalaya: Command, arguments: tuple[str, ...], message: str
) -> None:
    answer = himalaya(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert re.match(r"himalaya( \w+)?: ", answer.err)
    assert message in answer.err


def test_a_different_tournament_with_the_same_name_is_refused_in_one_line(himalaya: Command) -> None:
    himalaya(*TOURNAMENT, "--out", "t")
    answer = himalaya(*TOURNAMENT[:-1], "1", "--out", "t")
    assert answer.code == 2
    assert re.fullmatch(r"himalaya: the tournament t in t was begun with .*\n", answer.err)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "play",
        "tournament",
        "verify",
        "replay",
        "ingest",
        "quarantine",
        "quarantine retry",
        "check",
        "serve",
        "demo",
    ],
)
def test_every_command_has_help(himalaya: Command, command: str) -> None:
    answer = himalaya(*command.split(), "--help")
    assert answer.code == 0
    assert answer.out.startswith(f"usage: himalaya {command}".rstrip())
