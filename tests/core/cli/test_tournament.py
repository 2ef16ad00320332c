"""Commands for tournaments: schedules, logs, verify, show and perft."""

import json
import re
from pathlib import Path

import pytest

from himalaya_core.files import read_lines
from himalaya_core.replay import Replay, matches
from tests.core.cli.commands import Command

CUP = ("tournament", "caravan", "--name", "cup", "--players", "random,greedy,random", "--matches", "3", "--out", "cup")
LOG = "cup/cup-0001.jsonl.zst"
TOML = 'name = "cup"\ngame = "caravan"\nplayers = ["random", "greedy", "random"]\nmatches = 3\nout = "cup"\n'


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    return Command(capsys)


def seated(log: str) -> list[list[str]]:
    headers = [Replay.read(lines[:1]).header for _, lines in matches(read_lines(Path(log)))]
    return [[info.player for info in header.seats] for header in headers]


def test_all_play_all_works_from_the_command_line(himalaya: Command) -> None:
    players = "random,greedy,envoy,trader"
    schedule = ("--schedule", "all", "--seats", "3", "--seeds", "1", "--jobs", "1")
    answer = himalaya("tournament", "caravan", "--name", "cup", "--players", players, *schedule, "--out", "cup")
    assert (answer.code, answer.out) == (0, "12 matches in 1 file in cup\n")
    assert seated(LOG)[:4] == [
        ["random", "greedy", "envoy"],
        ["greedy", "envoy", "random"],
        ["envoy", "random", "greedy"],
        ["random", "greedy", "trader"],
    ]


def test_every_seating_works_from_the_command_line(himalaya: Command) -> None:
    answer = himalaya(*CUP[:-4], "--seating", "every", "--seeds", "2", "--out", "cup")
    assert answer.out == "6 matches in 1 file in cup\n"
    assert seated(LOG)[:3] == [
        ["random", "greedy", "random"],
        ["random", "random", "greedy"],
        ["greedy", "random", "random"],
    ]


def test_a_plan_file_gives_the_same_tournament_as_arguments(himalaya: Command) -> None:
    Path("cup.toml").write_text(TOML)
    assert himalaya("tournament", "--file", "cup.toml").code == 0
    named = himalaya("tournament", "--file", "cup.toml", "--out", "other", "--jobs", "2")
    assert named.out == "3 matches in 1 file in other\n"
    assert himalaya(*CUP[:-1], "third").code == 0
    files = [sorted(path.read_bytes() for path in Path(folder).iterdir()) for folder in ("cup", "other", "third")]
    assert files[0] == files[1] == files[2]


@pytest.mark.slow("plays until decided")
def test_a_tournament_until_decided_reports_the_decision(himalaya: Command) -> None:
    duel = ("tournament", "caravan", "--name", "cup", "--players", "random,greedy,random", "--seating", "every")
    asked = ("--until-decided", "--compare", "greedy,random", "--elo1", "300", "--jobs", "1")
    answer = himalaya(*duel, *asked, "--out", "cup")
    verdict, *_, played = answer.out.splitlines()
    assert answer.code == 0
    assert re.fullmatch(
        r"decided for H1 after \d+ seeds \(\d+ matches\): greedy's lead over random is above 0 Elo \(logistic\)",
        verdict,
    )
    assert played == "50 matches in 1 file in cup"
    assert re.search(r"50 of 99,999, LLR \+\d\.\d\d in -3\.00 … 3\.00", answer.err)
    found = json.loads(Path("cup/cup.tournament.json").read_text())
    assert (found["verdict"]["decision"], found["matches"]) == ("better", 99_999)
    assert himalaya(*duel, *asked, "--out", "cup").out == answer.out


def test_a_plan_file_can_contain_the_question(himalaya: Command) -> None:
    question = '[until_decided]\ncompare = ["greedy", "random"]\nelo1 = 200\nelo_model = "normalized"\n'
    Path("cup.toml").write_text(TOML.replace("matches = 3", "matches = 150") + question)
    answer = himalaya("tournament", "--file", "cup.toml")
    assert re.match(r"decided for H1 after \d+ seeds .* above 0 Elo \(normalized\)", answer.out)
    asked = json.loads(Path("cup/cup.tournament.json").read_text())["until_decided"]
    assert (asked["elo1"], asked["elo_model"]) == (200, "normalized")
    refused = himalaya("tournament", "--file", "cup.toml", "--elo1", "5")
    assert "cup.toml says how to decide; leave --elo1 to it" in refused.err


REFUSED = {
    "nothing": ((), "the following arguments are required: GAME, --players, --name, --out (or --file)"),
    "no folder": (CUP[1:-2], "the following arguments are required: --out (or --file)"),
    "an unknown schedule": (("--schedule", "cup"), "expected one of fixed, all, ladder, found 'cup'"),
    "an unknown seating": (("--seating", "once"), "expected one of rotate, every, found 'once'"),
    "seeds and matches": ((*CUP[1:], "--seeds", "2"), "give either seeds or matches"),
    "a ladder of too few": ((*CUP[1:], "--schedule", "ladder"), "4 seats need at least 4 players; you named 3"),
    "a file and players": (("--file", "x.toml", "--players", "a,b"), "--file says what to play; leave players to it"),
    "a file and a variant": (("--file", "x.toml", "--full-inventory"), "leave full-inventory to it"),
    "no file": (("--file", "no.toml"), "no.toml: No such file or directory"),
    "a question without a test": ((*CUP[1:], "--elo1", "9"), "--elo1 says how to decide; it goes with --until-decided"),
    "an unknown model": (("--elo-model", "bayes"), "expected one of logistic, normalized, found 'bayes'"),
    "bounds beyond a seed": (
        (*CUP[1:], "--until-decided", "--elo-model", "normalized", "--elo1", "900"),
        "expected elo0 and elo1 from -200 to 200 in normalised Elo with 3 matches a seed, found 0 and 900",
    ),
    "no difference": ((*CUP[1:], "--until-decided", "--elo1", "0"), "expected elo0 below elo1"),
    "no chance": ((*CUP[1:], "--until-decided", "--alpha", "1"), "expected alpha above 0 and below 0.5, found 1"),
    "nobody to compare": ((*CUP[1:], "--until-decided", "--compare", "greedy"), "name them with --compare A,B"),
    "a file without out": (("--file", "x.toml"), "x.toml: out is missing: the folder for the logs (or give --out)"),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_an_impossible_tournament_is_refused_in_one_line(
    himalaya: Command, arguments: tuple[str, ...], message: str
) -> None:
    Path("x.toml").write_text(TOML.partition("out")[0])
    answer = himalaya("tournament", *arguments)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert message in answer.err


def test_help_has_examples(himalaya: Command) -> None:
    assert "himalaya tournament --file docs/tournament.toml --jobs 2" in himalaya("tournament", "--help").out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_verify_reports_a_sound_folder_as_clean(himalaya: Command, jobs: str) -> None:
    himalaya(*CUP)
    answer = himalaya("verify", "cup", "--jobs", jobs)
    assert (answer.code, answer.err) == (0, "")
    assert re.fullmatch(r"3 matches, [\d,]+ events: clean\n", answer.out)


def test_verify_checks_a_folder_against_its_manifest(himalaya: Command) -> None:
    himalaya(*CUP)
    manifest = Path("cup/cup.tournament.json")
    manifest.write_text(
        re.sub('"sha256": "[0-9a-f]{64}"\n    }\n  ]', f'"sha256": "{"0" * 64}"}}]', manifest.read_text())
    )
    assert json.loads(manifest.read_text())["shards"][0]["sha256"] == "0" * 64
    answer = himalaya("verify", "cup")
    assert answer.code == 1
    assert answer.out.startswith("cup/cup-0001.jsonl.zst is damaged: ")


def test_verify_reports_matches_added_to_a_tournament(himalaya: Command) -> None:
    himalaya(*CUP)
    himalaya("play", "caravan", "--players", "random,random,random", "--seed", "x", "--out", "cup/other.jsonl")
    assert himalaya("verify", "cup").code == 0, "a match of no tournament is no match of this one"
    (_, first), *_ = matches(read_lines(Path("cup/cup-0001.jsonl.zst")))
    Path("cup/more.jsonl").write_bytes(b"".join(first))
    added = himalaya("verify", "cup")
    assert added.code == 1
    assert added.out.startswith("cup/more.jsonl: 1 match of cup, which its manifest does not list\n")
    assert added.out.endswith(" events: 1 file is damaged, missing or not in the manifest\n")
    unfinished = Path("cup/cup.tournament.json")
    unfinished.write_text(unfinished.read_text().replace('"matches": 3,\n  "model"', '"matches": 9,\n  "model"'))
    assert himalaya("verify", "cup").code == 1
    Path("cup/more.jsonl").rename("cup/cup-0002.jsonl")
    answer = himalaya("verify", "cup")
    assert answer.code == 0, "a process that was killed left it, and it is listed when the tournament goes on"
    assert answer.err.splitlines()[-1] == "cup/cup-0002.jsonl: 1 match of cup, which its manifest does not list"


def test_verify_reports_unfinished_matches(himalaya: Command) -> None:
    himalaya(*CUP)
    manifest = Path("cup/cup.tournament.json")
    manifest.write_text(manifest.read_text().replace('"matches": 3,\n  "model"', '"matches": 9,\n  "model"'))
    Path("cup/cup-0002.jsonl.zst.partial").touch()
    answer = himalaya("verify", "cup")
    assert answer.code == 0
    assert answer.err.splitlines() == [
        "cup/cup.tournament.json: 3 of 9 matches are in complete files; the same command plays the rest",
        "cup/cup-0002.jsonl.zst.partial was not finished; it is not read",
    ]


def test_show_prints_a_position(himalaya: Command) -> None:
    himalaya(*CUP)
    answer = himalaya("show", LOG, "--match", "cup.000001", "--ply", "0")
    assert answer.code == 0
    assert answer.out.startswith("cup.000001 after ply 0 of ")
    assert answer.out.endswith("to act: chance\n")
    assert himalaya("show", LOG, "--match", "cup.000001").out.endswith("\nthe match is over\n")


def test_show_hides_secrets_from_a_seat(himalaya: Command) -> None:
    himalaya(*CUP)
    lines = next(lines for _, lines in matches(read_lines(Path(LOG))))
    ply = next(entry.ply for entry in Replay.read(lines).entries if entry.type == "plan_committed")
    place = ("show", LOG, "--match", "cup.000000", "--ply", str(ply))
    plans = {seat: himalaya(*place, "--seat", seat).out.count("hidden") for seat in ("1", "2", "3")}
    assert plans == {"1": 0, "2": 1, "3": 1}
    assert "hidden" not in himalaya(*place).out


PLACES = {
    "several matches": ((LOG,), f"{LOG} holds several matches; say which with --match"),
    "no such match": ((LOG, "--match", "cup.000009"), f"{LOG} has no match 'cup.000009'"),
    "no such ply": ((LOG, "--match", "cup.000000", "--ply", "9999"), "this match is 101; --ply names 9999"),
    "no such seat": ((LOG, "--match", "cup.000000", "--seat", "4"), "--seat: this match has seats 1 to 3; you named 4"),
    "no log": (("no.jsonl",), "no.jsonl: No such file or directory"),
    "nothing in it": (("none.jsonl",), "there is no match in this file"),
    "no events": (("bad.jsonl",), "bad.jsonl:1: line: expected one JSON object"),
}


@pytest.mark.parametrize(("arguments", "message"), PLACES.values(), ids=PLACES)
def test_a_missing_position_is_reported(himalaya: Command, arguments: tuple[str, ...], message: str) -> None:
    himalaya(*CUP)
    Path("none.jsonl").touch()
    Path("bad.jsonl").write_text("{\n")
    answer = himalaya("show", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_perft_counts_from_the_start(himalaya: Command) -> None:
    assert himalaya("perft", "caravan", "--seats", "3", "--depth", "2").out == "depth 2: 380\n"
    assert himalaya("perft", "caravan", "--seats", "6", "--depth", "1", "--tokens").out == "depth 1: 20\n"


def test_perft_divides_the_count_by_first_action(himalaya: Command) -> None:
    *actions, total = himalaya("perft", "caravan", "--depth", "2", "--divide").out.splitlines()
    assert len(actions) == 20
    assert all(re.fullmatch(r"PlaceCaravan\(seat=0, village=\d+\): 19", action) for action in actions)
    assert total == "20 actions, 380 in all"


def test_perft_counts_from_a_position_in_a_log(himalaya: Command) -> None:
    himalaya(*CUP)
    place = ("--log", LOG, "--match", "cup.000000")
    assert himalaya("perft", "caravan", *place, "--ply", "0", "--depth", "1").out == "depth 1: 20\n"
    assert himalaya("perft", "caravan", *place, "--depth", "3").out == "depth 3: 1\n"
