"""The public API of the core: imported by one name, loaded on first use, with its errors."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import himalaya_core as hm
from himalaya_core.cli.main import main
from himalaya_core.files import write_log
from himalaya_core.names import SEED_HINT
from himalaya_core.players.summit.quick_players import Porter

SUMMIT = hm.GAMES["summit"]
FACE = Path(hm.__file__)
PLAYED = hm.play("summit", ["porter", "random"], seed="monday")


class First:
    """A minimal player."""

    name = "first"

    def choose(self, view: Any, seat: int) -> Any:
        return SUMMIT.legal_actions(view, seat)[0]


class Last(First):
    def choose(self, view: Any, seat: int) -> Any:
        return SUMMIT.legal_actions(view, seat)[-1]


class Seeded(First):
    name = "seeded"

    def __init__(self, seed: str, settings: dict[str, Any]) -> None:
        self.params = {"seed": seed, **settings}


def seeded(seed: str, settings: dict[str, Any]) -> Seeded:
    return Seeded(seed, settings)


def test_every_public_name_has_one_module() -> None:
    block = next(node for node in ast.parse(FACE.read_text()).body if isinstance(node, ast.If))
    imports = {
        (str(node.module).removeprefix("himalaya_core."), alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imports == {(home, name) for home, names in hm.HOMES.items() for name in names}
    assert sorted(name for _, name in imports) == sorted(hm.__all__)
    assert set(hm.__all__) <= set(dir(hm))
    assert all(getattr(hm, name) is not None for name in hm.__all__)


def test_importing_the_package_imports_none_of_its_modules() -> None:
    script = "import sys, himalaya_core; print(*(name for name in sys.modules if name.startswith('himalaya_core')))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == (
        "himalaya_core.renamed himalaya_core\n"
    )


def test_a_private_name_is_not_an_attribute() -> None:
    with pytest.raises(AttributeError, match=r"^module 'himalaya_core' has no attribute 'plya'$"):
        _ = hm.plya  # type: ignore[attr-defined]


def test_play_writes_the_same_log_as_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["play", "summit", "--players", "porter,random", "--seed", "monday", "--out", "command.jsonl"]) == 0
    hm.play(SUMMIT, ["porter", "random"], seed="monday", out="python.jsonl.zst")
    assert Path("command.jsonl").read_bytes() == PLAYED.log
    assert [replay.entries for replay in hm.read_log("python.jsonl.zst")] == [PLAYED.replay.entries]


def test_each_match_without_a_seed_gets_its_own() -> None:
    assert len({hm.play("summit", [First, First]).seed for _ in range(3)}) == 3


def test_options_and_board_match_the_command() -> None:
    played = hm.play("caravan", ["random"] * 3, seed="a", options={"tokens": True}, board="seven-valleys")
    header = played.replay.header
    assert (header.options, header.board.id) == ({"players": 3, "tokens": True}, "seven-valleys")
    board = hm.shipped_boards("caravan")["seven-valleys"]
    assert hm.play("caravan", ["random"] * 3, seed="a", options={"tokens": True}, board=board).log == played.log


def test_a_player_can_be_a_name_class_function_or_instance() -> None:
    played = hm.play("summit", [First, First(), "porter", Seeded, Porter()], seed="s")
    seats = played.replay.header.seats
    assert [seat.player for seat in seats] == ["first", "first", "porter", "seeded", "porter"]
    assert seats[3].params == {"seed": "s|seeded|3"}
    made = hm.play("summit", [First, First(), "porter", seeded, Porter], seed="s")
    assert made.log == played.log


class Greedy(First):
    name = "greedy"


class Nobody:
    name = "nobody"


REFUSED: dict[str, tuple[Any, str]] = {
    "a name nobody has": ("portr", "player 'portr' is unknown; summit has random, greedy, porter, racer, search"),
    "a name that is taken": (Greedy, "player 'Greedy': summit already has a player 'greedy'; give this one another"),
    "two of one name": (Last, "two players are called 'first': give one another name"),
    "no player": (Nobody, "player 'Nobody': Nobody is not a player: it has no choose(view, seat)"),
    "nothing that plays": (3, "expected a player, its name or its class, found 3"),
    "a class that wants more": (hm.Match, "player 'Match': expected __init__(self, seed, settings), or one"),
}


@pytest.mark.parametrize(("player", "message"), REFUSED.values(), ids=REFUSED)
def test_an_unusable_player_is_refused(player: Any, message: str) -> None:
    with pytest.raises(hm.UnknownPlayer) as refused:
        hm.play("summit", [First, player])
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("game", "seed", "message"),
    [
        ("himalaya", "s", "the game 'himalaya' is unknown; there are caravan, "),
        ("summit", "a b", f"seed: expected {SEED_HINT}, found 'a b'"),
    ],
)
def test_an_invalid_game_or_seed_is_reported(game: str, seed: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        hm.play(game, ["random", "random"], seed=seed)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"])
def test_a_log_is_read_and_checked_in_every_form(tmp_path: Path, name: str) -> None:
    other = hm.play("summit", ["racer", "random"], seed="tuesday").log
    with write_log(tmp_path / name) as file:
        file.write(PLAYED.log + other)
    for log in (str(tmp_path / name), tmp_path, PLAYED.log + other, (PLAYED.log + other).splitlines(keepends=True)):
        assert [replay.header.luck for replay in hm.read_log(log)] == ["monday", "tuesday"]
        assert hm.verify(log) == []


def test_an_error_names_file_and_line(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    wrong = PLAYED.log.replace(b'"seq":9,', b'"seq":7,')
    log.write_bytes(PLAYED.log + wrong)
    line = PLAYED.log.count(b"\n") + 10
    reason = "seq: expected 9, found 7"
    replays = hm.read_log(log)
    assert next(replays).ended is not None
    with pytest.raises(hm.ReplayError) as found:
        next(replays)
    assert (found.value.line, found.value.reason, str(found.value)) == (line, reason, f"{log}:{line}: {reason}")
    assert hm.verify(log) == [f"{log}:{line}: {reason}"]
    assert hm.verify(wrong) == [f"line 10: {reason}"]
    with pytest.raises(hm.ReplayError, match=r"^line 10: seq: "):
        list(hm.read_log(wrong))


def test_a_log_without_a_match_is_not_clean(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").touch()
    for log in (tmp_path, b""):
        with pytest.raises(ValueError, match="there is no match in this log"):
            hm.verify(log)
    with pytest.raises(hm.LogFileError, match="No such file"):
        hm.verify(tmp_path / "b.jsonl")
