"""The wheel installed in an environment of its own: alone, with each extra, and read by a type checker."""

import re
import shutil
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from dashboards.cli.commands import COMMANDS as DASHBOARDS
from himalaya_core.cli.commands import COMMANDS as CORE
from ingest.cli.commands import COMMANDS as INGEST
from tests.architecture.environments import Environment, made
from tests.once import once

PLAY = ("play", "summit", "--players", "porter,racer,random", "--luck", "a", "--out", "a.jsonl")
TYPED = """
import himalaya_core as hm
from dashboards.games.terms import __doc__ as terms
from himalaya_core.caravan import CARAVAN
from ingest.errors import WarehouseInUse

reveal_type(hm.Seed("a").dice("heap", 1, 1).below(6))
reveal_type(CARAVAN.name)
reveal_type(WarehouseInUse("x"))
hm.Seed(1)
"""


@pytest.fixture(scope="module")
def alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(once(tmp_path_factory, "alone", lambda folder: made(folder, wheel)))


def test_alone_it_plays_verifies_and_shows(alone: Environment, tmp_path: Path) -> None:
    tournament = ("--name", "t", "--players", "greedy,random", "--matches", "4", "--jobs", "2", "--out", "t")
    for arguments, said in (
        (PLAY, "events written to a.jsonl"),
        (("verify", "a.jsonl"), "1 match"),
        (("show", "a.jsonl", "--ply", "3"), "a after ply 3"),
        (("schema", "summit"), "urn:himalaya:log:1:summit"),
        (("perft", "summit", "--depth", "1"), "depth 1: "),
        (("tournament", "climbers", *tournament), "4 matches in 1 file"),
    ):
        done = alone.himalaya(*arguments, at=tmp_path)
        assert done.returncode == 0, done.stderr
        assert said in done.stdout


def test_alone_it_has_no_more_than_it_needs(alone: Environment) -> None:
    there = {path.name for path in alone.packages.iterdir()}
    assert not there & {"dash", "duckdb", "numpy", "polars", "requests", "msgspec", "plotly"}
    assert {"pydantic", "rich"} <= there


@pytest.mark.parametrize("command", [*INGEST, *DASHBOARDS], ids=lambda command: command.name)
def test_a_command_names_the_extra_that_it_lacks(alone: Environment, tmp_path: Path, command: tuple[str, ...]) -> None:
    name, _, _, _, extra = command
    lacking = alone.himalaya(name, "a", at=tmp_path)
    assert lacking.returncode == 2
    assert lacking.stderr == f"himalaya: {name!r} needs more than was installed: pip install 'himalaya[{extra}]'\n"
    assert not list(tmp_path.iterdir())


def test_the_core_needs_neither_of_the_other_rooms(wheel: Path, tmp_path: Path) -> None:
    core = made(tmp_path / "core", wheel)
    for room in ("ingest", "dashboards"):
        shutil.rmtree(core.packages / room)
    listed = core.himalaya("--help", at=tmp_path).stdout
    assert set(re.findall(r"^    (\w+)\b", listed, re.MULTILINE)) == {command.name for command in CORE}
    assert core.himalaya(*PLAY, at=tmp_path).returncode == 0
    assert "clean" in core.himalaya("verify", "a.jsonl", at=tmp_path).stdout


def test_with_ingest_logs_are_taken_in_and_cared_for(wheel: Path, tmp_path: Path) -> None:
    environment = made(tmp_path / "ingest", wheel, "ingest")
    environment.does(
        PLAY,
        ("ingest", "a.jsonl"),
        ("check",),
        ("quarantine", "list"),
        ("token", "create", "me"),
        ("lake", "lake"),
        ("backup", "copy.duckdb"),
        ("restore", "copy.duckdb"),
        ("vacuum",),
        ("doctor",),
        ("forget", "--match", "a", "--yes"),
        at=tmp_path,
    )
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other, ThreadPoolExecutor() as pool:
        pool.submit(other.serve_forever)
        pushed = environment.himalaya("push", "a.jsonl", "--to", f"http://127.0.0.1:{other.server_port}", at=tmp_path)
        other.shutdown()
    assert "501" in pushed.stderr
    assert "himalaya[serve]" in environment.himalaya("serve", at=tmp_path).stderr
    assert "himalaya[report]" in environment.himalaya("report", "--out", "a.html", at=tmp_path).stderr


def test_with_serve_the_pages_are_served(wheel: Path, tmp_path: Path) -> None:
    environment = made(tmp_path / "serve", wheel, "serve")
    environment.does(PLAY, ("ingest", "a.jsonl"), ("replay", "a.jsonl", "--out", "a.html"), at=tmp_path)
    command = [str(environment.folder / "bin" / "himalaya"), "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment.variables, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address
            for page in ("", "outcomes?game=summit", "csv/matches.csv?game=summit"):
                with urllib.request.urlopen(address[0].rstrip("/") + "/" + page) as answer:
                    assert answer.status == 200
        finally:
            server.terminate()


def test_with_report_reports_and_exports_are_made(wheel: Path, tmp_path: Path) -> None:
    environment = made(tmp_path / "report", wheel, "report")
    environment.does(
        PLAY,
        ("ingest", "a.jsonl"),
        *(("report", "--out", f"a.{kind}") for kind in ("html", "xlsx", "pdf")),
        *(("export", "win-share", "--out", f"b.{kind}") for kind in ("parquet", "xlsx")),
        at=tmp_path,
    )


def test_a_type_checker_knows_the_types_of_what_is_installed(alone: Environment, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TYPED)
    check = ["-m", "mypy", "--strict", "--python-executable", str(alone.python), "mine.py"]
    checked = subprocess.run([sys.executable, *check], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert 'Revealed type is "int"' in checked.stdout.replace("builtins.", "")
    assert 'Revealed type is "str"' in checked.stdout.replace("builtins.", "")
    assert 'Revealed type is "ingest.errors.WarehouseInUse"' in checked.stdout
    assert 'Argument 1 to "Seed" has incompatible type "int"; expected "str"' in checked.stdout
    assert checked.stdout.endswith("Found 1 error in 1 file (checked 1 source file)\n")
