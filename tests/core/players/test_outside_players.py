"""Players from external packages: found, named, refused, and the same in every process."""

import json
import pickle
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import himalaya_core as hm
from himalaya_core.files import read_lines
from himalaya_core.games import GAMES
from himalaya_core.players.external import Outside
from himalaya_core.players.named import UnknownPlayer, line_up, make_player
from himalaya_core.replay import Replay, matches
from himalaya_core.tournament import runner
from himalaya_core.tournament.plan import make_plan
from himalaya_core.tournament.runner import run_tournament
from tests.core.cli.commands import Command

GAME = GAMES["summit"]
FRAIL = """
from himalaya_core.games import GAMES


class Frail:
    name = "frail"
    params = {"most": 5}
    decisions = 0

    def choose(self, view, seat):
        self.decisions += 1
        1 / max(0, self.params["most"] - self.decisions)
        return GAMES["summit"].legal_actions(view, seat)[0]
"""
BOTS = """
import random

from himalaya_core.games import GAMES


class First:
    name = "first"

    def choose(self, view, seat):
        return GAMES["summit"].legal_actions(view, seat)[0]


class Drawn(First):
    name = "drawn"
    version = "3"
    params = {"most": 9, "bold": False, "share": 0.5, "mood": "calm"}

    def __init__(self, seed, settings):
        self.params = {**self.params, **settings}
        if self.params["most"] < 1:
            raise ValueError(f"setting most: expected at least 1, found {self.params['most']}")
        self.seed = seed
        self.random = random.Random(seed)

    def choose(self, view, seat):
        return self.random.choice(GAMES["summit"].legal_actions(view, seat)[: self.params["most"]])


class Quiet(First):
    params = {"most": 9}


class Nobody:
    pass


class Greedy(First):
    name = "greedy"


class Needy(First):
    def __init__(self, seed, settings, more):
        pass


class Nameless:
    def choose(self, view, seat):
        return None


class Odd(First):
    name = "odd, even"


class Kept(First):
    params = {"weights": {1, 2}}


class Fails(First):
    def __init__(self):
        self.weights = 1 / 0


class Cheat(First):
    name = "cheat"

    def choose(self, view, seat):
        from dataclasses import replace

        return replace(super().choose(view, seat), seat=(seat + 1) % len(view.seats))
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    Path("bots.py").write_text(BOTS)
    return tmp_path


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def seats_of(log: str) -> list[tuple[str, str, Mapping[str, Any]]]:
    header = Replay.read(next(lines for _, lines in matches(read_lines(Path(log))))).header
    return [(seat.player, seat.version, seat.params) for seat in header.seats]


@pytest.mark.parametrize(
    ("text", "file", "kind", "settings", "alias"),
    [
        ("bots.py:First", "bots.py", "First", (), None),
        ("bots.py:First=one", "bots.py", "First", (), "one"),
        ("bots.py:Drawn:most=3:share=0.2=a-1.b", "bots.py", "Drawn", ("most=3", "share=0.2"), "a-1.b"),
        ("a:b=c/x.py/bots.py:Drawn:most=3", "a:b=c/x.py/bots.py", "Drawn", ("most=3",), None),
        ("bots.py:Drawn:mood=a.py", "bots.py", "Drawn", ("mood=a.py",), None),
        ("/bots/my own.py:First", "/bots/my own.py", "First", (), None),
        ("one.two:First=x", None, "First", (), "x"),
    ],
)
def test_a_player_text_has_one_meaning(
    text: str, file: str | None, kind: str, settings: tuple[str, ...], alias: str | None
) -> None:
    found = Outside.read(text)
    assert found is not None
    assert (found.file, found.kind) == (file and Path(file).absolute(), kind)
    assert (found.settings, found.alias) == (settings, alias)


@pytest.mark.parametrize("text", ["greedy", "rollout:playouts=80", "bots.py", "bots.py:", "bots.py:First=9", "a b:C"])
def test_other_texts_are_not_outside_players(text: str) -> None:
    assert Outside.read(text) is None


def test_a_log_has_the_name_but_not_the_path_of_a_player(himalaya: Command) -> None:
    players = "bots.py:First,bots.py:Drawn:most=3:bold=true:share=1:mood=wild=bold,greedy"
    played = himalaya("play", "summit", "--players", players, "--seed", "monday", "--out", "m.jsonl")
    assert played.code == 0, played.err
    assert re.search(r"\d +\d +bold +", played.out)
    params = {"most": 3, "bold": True, "share": 1.0, "mood": "wild"}
    assert seats_of("m.jsonl")[:2] == [("first", "1", {}), ("bold", "3", params)]
    assert b"bots" not in Path("m.jsonl").read_bytes()


def test_the_folder_of_a_player_file_changes_no_byte(himalaya: Command) -> None:
    Path("else where").mkdir()
    Path("else where/others.py").write_text(BOTS)
    Path("package").mkdir()
    Path("package/bots.py").write_text(BOTS)
    for number, place in enumerate(("bots.py", "./bots.py", "else where/others.py", "package.bots")):
        players = f"{place}:Drawn,random,{place}:First"
        assert himalaya("play", "summit", "--players", players, "--seed", "a", "--out", f"{number}.jsonl").code == 0
    assert len({Path(f"{number}.jsonl").read_bytes() for number in range(4)}) == 1


@pytest.mark.slow("more processes")
@pytest.mark.parametrize("place", ["bots.py", "of_two_processes.bots"])
def test_one_and_two_processes_write_the_same_bytes(himalaya: Command, here: Path, place: str) -> None:
    Path("of_two_processes").mkdir()
    Path("of_two_processes/bots.py").write_text(BOTS)
    cup = ("tournament", "summit", "--name", "cup", "--players", f"{place}:Drawn,random", "--matches", "6")
    for jobs in ("1", "2"):
        assert himalaya(*cup, "--jobs", jobs, "--out", jobs).code == 0
    one, two = ({path.name: path.read_bytes() for path in (here / jobs).iterdir()} for jobs in ("1", "2"))
    assert one == two


def test_the_seed_of_a_player_depends_on_its_name() -> None:
    names, outside = line_up(GAME, ("bots.py:Drawn=x", "bots.py:Drawn:most=3", "greedy"))
    assert names == ("x", "drawn", "greedy")
    assert list(outside) == ["x", "drawn"]
    pairing = runner.Pairing("m", names, "s")
    seeds = [runner.header(GAME, runner.load_board(GAME, None), {}, pairing, outside).luck]
    assert seeds == ["s"]
    made = make_player(GAME, "x", "s|x|0", outside)
    assert made.choose.__self__.seed == "s|x|0"  # type: ignore[attr-defined]


def test_settings_without_a_constructor_change_the_params() -> None:
    names, outside = line_up(GAME, ("bots.py:Quiet:most=4",))
    assert make_player(GAME, names[0], "", outside).params == {"most": 4}


REFUSED = {
    "no file": ("none.py:First", "none.py: No such file"),
    "no class": ("bots.py:Last", "bots.py has no class 'Last'; its players: First, Drawn, Quiet, "),
    "no choose": ("bots.py:Nobody", "Nobody is not a player: it has no choose(view, seat)"),
    "no name": ("bots.py:Nameless", "name: expected a letter, then up to 31 of A-Z a-z 0-9 . _ -, found none"),
    "a bad name": ("bots.py:Odd", "name: expected a letter, then up to 31 of A-Z a-z 0-9 . _ -, found 'odd, even'"),
    "other arguments": ("bots.py:Needy", "expected __init__(self, seed, settings), or one that needs no arguments"),
    "a built-in name": (
        "bots.py:Greedy",
        "summit already has a player 'greedy'; add =NAME to give this",
    ),
    "a built-in alias": ("bots.py:First=racer", "summit already has a player 'racer'; add =NAME"),
    "an unknown setting": ("bots.py:Drawn:least=1", "setting 'least' is unknown; there are most, bold, share, mood"),
    "no settings": ("bots.py:First:most=1", "setting 'most' is unknown; there are none"),
    "a word for a number": ("bots.py:Drawn:most=few", "setting most: expected a whole number, found 'few'"),
    "a number for a truth": ("bots.py:Drawn:bold=1", "setting bold: expected true or false, found '1'"),
    "no finite number": ("bots.py:Drawn:share=nan", "params: a log cannot keep them: Out of range float values"),
    "what a player refuses": ("bots.py:Drawn:most=0", "setting most: expected at least 1, found 0"),
    "what no log keeps": ("bots.py:Kept", "params: a log cannot keep them: Object of type set is not JSON"),
    "an error as it is made": ("bots.py:Fails", "bots.py:62: ZeroDivisionError: division by zero"),
    "an error in the file": ("broken.py:First", "broken.py:2: NameError: name 'y' is not defined"),
    "no Python": ("wrong.py:First", "wrong.py:1: SyntaxError: '(' was never closed"),
    "no module": ("no_such.module:First", "there is no module 'no_such'"),
    "neither player nor module": ("no_such:First", "there is no player or module 'no_such'"),
    "a module that lacks one": ("lacking:First", "lacking.py:1: ModuleNotFoundError: No module named 'no_such'"),
    "no class named": ("bots.py", "expected FILE.py:CLASS, then :key=value for each setting, then =NAME"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_an_unusable_player_is_refused_in_one_line(himalaya: Command, text: str, message: str) -> None:
    Path("broken.py").write_text("x = 1\nx = y\n")
    Path("wrong.py").write_text("x = (\n")
    Path("lacking.py").write_text("import no_such\n")
    answer = himalaya("play", "summit", "--players", f"{text},random", "--out", "m.jsonl")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith(f"himalaya: player {text!r}: ")
    assert message in answer.err


def test_two_players_with_one_name_are_refused() -> None:
    with pytest.raises(UnknownPlayer) as refused:
        line_up(GAME, ("bots.py:Drawn:most=1", "greedy", "bots.py:Drawn"))
    assert str(refused.value) == (
        "two players are called 'drawn': bots.py:Drawn:most=1 and bots.py:Drawn; add =NAME to one"
    )
    assert line_up(GAME, ("bots.py:Drawn", "./bots.py:Drawn"))[0] == ("drawn", "drawn")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_player_acts_only_for_its_own_seat(himalaya: Command, jobs: str) -> None:
    cup = ("--name", "cup", "--players", "bots.py:Cheat,random", "--matches", "4", "--jobs", jobs)
    answer = himalaya("tournament", "summit", *cup, "--out", "cup")
    assert answer.code == 2
    said = r"^himalaya: match cup\.00000\d, seed cup/\d: cheat in seat \d \(ply.* chose .*, which is no action of"
    assert re.search(said, answer.err, re.MULTILINE)


def test_a_failing_player_is_named_with_the_command_that_shows_the_position(himalaya: Command) -> None:
    Path("frail.py").write_text(FRAIL)
    cup = ("--name", "cup", "--players", "frail.py:Frail:most=3=weak,random", "--seeds", "4")
    answer = himalaya("tournament", "summit", *cup, "--jobs", "2", "--out", "cup")
    assert (answer.code, "Traceback" in answer.err) == (2, False)
    said = answer.err.splitlines()[-1]
    where = re.match(
        r"himalaya: (match cup\.000000, seed cup/0: weak in seat 1 \(ply (\d+), round \d+\) failed: "
        r"\S*frail\.py:12: ZeroDivisionError: division by zero)\. To see that position: himalaya (.*)",
        said,
    )
    assert where, said
    shown = himalaya(*shlex.split(where[3]))
    assert (shown.code, where[1].partition(": ")[2] in shown.err) == (2, True)
    (replay,) = hm.read_log("failed.jsonl")
    assert (replay.ended, replay.entries[-1].ply + 1) == (None, int(where[2]))
    assert replay.game.actors(replay.states[-1]) == (0,)
    assert hm.verify("failed.jsonl") == []


def test_a_failure_in_python_has_its_seat_kind_and_log() -> None:
    with pytest.raises(hm.PlayerFailure) as failed:
        hm.play("summit", ["bots.py:Cheat", "random"], seed="cup/7", out="cheat.jsonl")
    failure = pickle.loads(pickle.dumps(failed.value))
    assert (failure.seat, failure.kind, str(failure)) == (0, "illegal", str(failed.value))
    assert Path("cheat.jsonl").read_bytes() == failed.value.log


def test_a_plan_file_finds_players_in_its_own_folder(himalaya: Command) -> None:
    Path("plans").mkdir()
    Path("plans/mine.py").write_text(BOTS)
    Path("plans/cup.toml").write_text(
        'name = "cup"\ngame = "summit"\nmatches = 2\nout = "."\n'
        'players = ["mine.py:First", "mine.py:Drawn:most=2=two"]\n'
    )
    for _ in range(2):
        assert himalaya("tournament", "--file", "plans/cup.toml").code == 0
    manifest = json.loads(Path("plans/cup.tournament.json").read_text())
    assert manifest["outside"] == {"first": "mine.py:First", "two": "mine.py:Drawn:most=2=two"}
    assert [player["player"] for player in manifest["players"]] == ["first", "two"]


@pytest.mark.slow("plays a tournament twice")
def test_a_tournament_resumes_with_a_moved_player_file(here: Path) -> None:
    def stop(done: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_tournament(make_plan("cup", "summit", ("bots.py:Drawn", "random"), matches=6), here / "cup", 1, stop)
    moved = Path("bots.py").rename("moved.py")
    plan = make_plan("cup", "summit", (f"{moved}:Drawn", "random"), matches=6)
    (log,) = run_tournament(plan, here / "cup", jobs=2)
    (whole,) = run_tournament(plan, here / "whole", jobs=1)
    assert log.read_bytes() == whole.read_bytes()


@pytest.mark.slow("plays until decided")
def test_until_decided_compares_players_by_name(himalaya: Command) -> None:
    duel = ("tournament", "summit", "--name", "duel", "--players", "bots.py:First,greedy", "--matches", "4")
    for pair in ("first,greedy", "greedy,bots.py:First"):
        answer = himalaya(*duel, "--until-decided", "--compare", pair, "--out", pair.replace(":", ""))
        assert answer.code == 0, answer.err
        assert "first" in answer.out
        assert "bots" not in answer.out.partition("\n")[0]
