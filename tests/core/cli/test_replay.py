"""`himalaya replay`: one file from a log or database, a picture, and one-line errors."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.boards.engine import DrawingError
from dashboards.boards.picture import draw_board
from dashboards.boards.scene import ply_names
from dashboards.cli import replay
from dashboards.replay.scenes import scene_of
from himalaya_core.replay import Replay
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from tests.conformance.playing import VARIANTS, recorded
from tests.core.cli.commands import Command
from tests.core.log.damage import rewrite
from tests.dashboards.client import everything
from tests.reviewing_once import reviewing_once

LINES = list(recorded(VARIANTS[1], "replay")[1])[:200]
"""A match long enough to include ply 57.2; no page here shows its end."""
LAST = Replay.read(LINES).entries[-1].ply
NAME = Replay.read(LINES).entries[0].match
DATABASE = ("--db", "w.duckdb")


@pytest.fixture(scope="module", autouse=True)
def reviews_once() -> Iterator[None]:
    with reviewing_once():
        yield


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HIMALAYA_DB", raising=False)
    Path("one.jsonl").write_bytes(b"".join(LINES))
    other = [line.replace(f'"match":"{NAME}"'.encode(), b'"match":"other"') for line in LINES[:60]]
    Path("two.jsonl").write_bytes(b"".join([*LINES, *other]))
    Path("bad.jsonl").write_bytes(b"".join(rewrite(LINES, 9, seq=10)))
    Path("rest.jsonl").write_bytes(b"".join(LINES[1:]))
    Path("half.jsonl").write_bytes(b"# ours\n" + b"".join(LINES))
    Path("none.jsonl").touch()
    Path("folder").mkdir()
    return Command(capsys)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded")
    (folder / "one.jsonl").write_bytes(b"".join(LINES))
    ingest([folder / "one.jsonl"], folder / "w.duckdb", processes=0)
    return folder / "w.duckdb"


@pytest.fixture(scope="module")
def served(database: Path) -> dict[str, bytes]:
    """The offline files from a server: with everything, and for the second seat's view."""
    with open_warehouse(database) as warehouse:
        client = everything(warehouse)
        return {view: client.get(f"/api/replay/{NAME}/offline.html{view}").data for view in ("", "?view=2")}


@pytest.mark.slow("a server beside the command")
def test_a_log_is_exported_as_the_file_a_server_gives_without_a_database(
    himalaya: Command, served: dict[str, bytes]
) -> None:
    answer = himalaya("replay", "one.jsonl", "--out", "x.html")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"{NAME} written to x.html ({Path('x.html').stat().st_size >> 10} KiB)\n"
    assert not Path("himalaya.duckdb").exists()
    assert Path("x.html").read_bytes() == served[""]


@pytest.mark.slow("a server beside the command")
def test_a_match_in_a_database_is_exported_as_the_same_file(
    himalaya: Command, database: Path, served: dict[str, bytes]
) -> None:
    shutil.copy(database, "w.duckdb")
    assert himalaya("replay", NAME, *DATABASE, "--out", "x.html").code == 0
    assert Path("x.html").read_bytes() == served[""]


@pytest.mark.slow("another file of a match")
def test_the_file_for_a_seat_has_only_its_view(himalaya: Command, served: dict[str, bytes]) -> None:
    assert himalaya("replay", "one.jsonl", "--view", "2", "--out", "x.html").code == 0
    assert Path("x.html").read_bytes() == served["?view=2"]


@pytest.mark.slow("another file of a match")
def test_one_of_several_matches_can_be_selected(himalaya: Command) -> None:
    assert himalaya("replay", "two.jsonl", "--match", "other", "--out", "x.html").out.startswith(
        "other written to x.html"
    )


def test_lines_left_out_of_a_log_are_reported(himalaya: Command) -> None:
    answer = himalaya("replay", "half.jsonl", "--out", "x.html")
    assert answer.code == 0
    assert answer.err.startswith("left out: half.jsonl:1: line: expected one JSON object, found ")


def test_a_damaged_log_is_exported_up_to_the_damage(himalaya: Command) -> None:
    answer = himalaya("replay", "bad.jsonl", "--out", "x.html")
    assert answer.code == 0
    assert answer.err == f"replayed up to bad.jsonl:10: seq: expected 9, found 10 (match {NAME})\n"


@pytest.mark.slow("another file of a match")
@pytest.mark.parametrize(
    ("ply", "theme"),
    [
        ("57.2", "dark"),
        ("30", "light"),
        (None, "light"),
    ],
)
def test_a_position_is_exported_as_a_picture(himalaya: Command, ply: str | None, theme: str) -> None:
    place = () if ply is None else ("--ply", ply)
    assert himalaya("replay", "one.jsonl", *place, "--theme", theme, "--out", "x.svg").code == 0
    scene = scene_of(Replay.read(LINES), None)
    names = ply_names(scene["plies"])
    frame = len(names) - 1 if ply is None else names.index(ply)
    assert Path("x.svg").read_text() == draw_board(scene, frame, theme="dark" if theme == "dark" else "light")


PROBLEMS = {
    "a bad log": (
        ("rest.jsonl",),
        "rest.jsonl:1: type: expected match_started in the first line",
    ),
    "no choice": (("two.jsonl",), "two.jsonl has 2 matches; choose one with --match"),
    "no such match": (("two.jsonl", "--match", "x"), "two.jsonl has no match 'x'"),
    "nothing": (("none.jsonl",), "none.jsonl: no match"),
    "a folder": (("folder",), "folder: a folder; name a log in it"),
    "no log": (("x.jsonl",), "x.jsonl: no such file"),
    "no database": (("x",), "there is no file x, and no database himalaya.duckdb with a match of that name"),
    "no seat": (("one.jsonl", "--view", "9"), "view: expected the number of a seat, from 1 to 4, found '9'"),
    "no ply": (("one.jsonl", "--ply", "x", "--out", "x.svg"), "ply: expected a number such as 57 or 57.3, found 'x'"),
    "a ply after the last": (
        ("one.jsonl", "--ply", "9999", "--out", "x.svg"),
        f"one.jsonl: the last ply of this match is {LAST}; --ply names 9999",
    ),
    "no folder": (("one.jsonl", "--out", "nowhere/x.html"), "cannot write nowhere/x.html: no such file or folder"),
    "another kind": (("one.jsonl", "--out", "x.pdf"), "argument --out: 'x.pdf' does not end in .html or .svg"),
}


@pytest.mark.slow("every place that cannot be written")
@pytest.mark.parametrize(("arguments", "message"), PROBLEMS.values(), ids=PROBLEMS)
def test_an_impossible_export_is_refused_in_one_line(
    himalaya: Command, arguments: tuple[str, ...], message: str
) -> None:
    out = () if "--out" in arguments else ("--out", "x.html")
    answer = himalaya("replay", *arguments, *out)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("himalaya")
    assert message in answer.err
    assert answer.err.count("\n") == 1
    assert not Path("x.html").exists()


def test_a_match_missing_from_the_database_is_reported(himalaya: Command, database: Path) -> None:
    shutil.copy(database, "w.duckdb")
    answer = himalaya("replay", "nobody", *DATABASE, "--out", "x.html")
    assert (answer.code, answer.err) == (2, "himalaya: there is no match nobody in w.duckdb\n")


def test_a_failed_drawing_is_reported_in_one_line(himalaya: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object, **_named: object) -> str:
        raise DrawingError("InternalError: interrupted\n    at draw")

    monkeypatch.setattr(replay, "draw_board", fail)
    answer = himalaya("replay", "one.jsonl", "--out", "x.svg")
    assert answer.code == 2
    assert "the position cannot be drawn: InternalError: interrupted\n" in answer.err
    assert not Path("x.svg").exists()
