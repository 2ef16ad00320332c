"""The installed wheel: without extras, with each extra, and checked by a type checker."""

import io
import re
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from dashboards.cli.commands import COMMANDS as DASHBOARDS
from dashboards.report.paper import FONT
from himalaya_core.cli.commands import COMMANDS as CORE
from ingest.cli.commands import COMMANDS as INGEST
from ingest.pipeline import ingest
from tests.architecture.environments import Environment, extended, made
from tests.ingest.helping import summit_log, write
from tests.once import once

PLAY = ("play", "summit", "--players", "porter,racer,random", "--seed", "a", "--out", "a.jsonl")
TYPED = """
import himalaya_core as hm
from dashboards.games.analytics import __doc__ as terms
from himalaya_core.caravan import CARAVAN
from ingest.errors import WarehouseInUse

reveal_type(hm.Seed("a").dice("heap", 1, 1).below(6))
reveal_type(CARAVAN.name)
reveal_type(WarehouseInUse("x"))
hm.Seed(1)
"""


pytestmark = pytest.mark.slow("installs the wheel")


@pytest.fixture(scope="module")
def alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(once(tmp_path_factory, "alone", lambda folder: made(folder, wheel)))


def test_the_core_alone_plays_verifies_and_shows(alone: Environment, tmp_path: Path) -> None:
    played = alone.himalaya(*PLAY, at=tmp_path)
    assert (played.returncode, played.stderr) == (0, "")
    assert "events written to a.jsonl" in played.stdout
    tournament = ("--name", "t", "--players", "greedy,random", "--matches", "4", "--jobs", "2", "--out", "t")
    expected = {
        ("verify", "a.jsonl"): "1 match",
        ("show", "a.jsonl", "--ply", "3"): "a after ply 3",
        ("schema", "summit"): "urn:himalaya:log:1:summit",
        ("perft", "summit", "--depth", "1"): "depth 1: ",
        ("tournament", "climbers", *tournament): "4 matches in 1 file",
    }
    for printed, said in zip(alone.does(*expected, at=tmp_path), expected.values(), strict=True):
        assert said in printed


def test_the_core_alone_installs_only_what_it_needs(alone: Environment) -> None:
    there = {path.name for path in alone.packages.iterdir()}
    assert not there & {"dash", "duckdb", "numpy", "polars", "requests", "msgspec", "plotly"}
    assert {"pydantic", "rich"} <= there


def test_every_command_names_its_missing_extra(alone: Environment, tmp_path: Path) -> None:
    commands = [*(command for command in CORE if command.extra), *INGEST, *DASHBOARDS]
    answers = alone.answers(*((command.name, "a") for command in commands), at=tmp_path)
    lacking = (
        "himalaya: {0!r} needs the extra {1!r}, which is not installed: "
        "run pip install '.[{1}]' in the folder of Himalaya's sources\n"
    )
    assert answers == [(2, "", lacking.format(command.name, command.extra)) for command in commands]
    assert not list(tmp_path.iterdir())
    assert alone.himalaya("ingest", "a", at=tmp_path).stderr == lacking.format("ingest", "ingest")


def test_the_core_does_not_need_the_other_packages(alone: Environment, tmp_path: Path) -> None:
    core = extended(tmp_path / "core", alone, rooms=["himalaya_core"])
    listed = core.himalaya("--help", at=tmp_path).stdout
    assert set(re.findall(r"^  (\w+)  +\w", listed, re.MULTILINE)) == {command.name for command in CORE}
    _, verified = core.does(PLAY, ("verify", "a.jsonl"), at=tmp_path)
    assert "clean" in verified


def test_the_ingest_extra_loads_and_maintains_logs(alone: Environment, tmp_path: Path) -> None:
    environment = extended(tmp_path / "ingest", alone, "ingest")
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other, ThreadPoolExecutor() as pool:
        pool.submit(other.serve_forever)
        *done, pushed, served, reported = environment.answers(
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
            ("push", "a.jsonl", "--to", f"http://127.0.0.1:{other.server_port}"),
            ("serve",),
            ("report", "--out", "a.html"),
            at=tmp_path,
        )
        other.shutdown()
    assert [answer for answer in done if answer.code] == []
    assert "501" in pushed.err
    assert ".[serve]" in served.err
    assert ".[report]" in reported.err


@pytest.fixture
def taken(tmp_path: Path) -> Path:
    """Create a folder with a log and a database that contains it."""
    ingest([write(tmp_path / "a.jsonl", summit_log("a", ("porter", "racer", "random")))], tmp_path / "himalaya.duckdb")
    return tmp_path


def test_the_serve_extra_serves_the_pages(alone: Environment, taken: Path) -> None:
    environment = extended(taken / "serve", alone, "serve")
    environment.does(("replay", "a.jsonl", "--out", "a.html"), at=taken)
    command = [str(environment.folder / "bin" / "himalaya"), "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=taken, env=environment.variables, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address
            for page in ("", "outcomes?game=summit", "csv/matches.csv?game=summit"):
                with urllib.request.urlopen(address[0].rstrip("/") + "/" + page) as answer:
                    assert answer.status == 200
        finally:
            server.terminate()


def test_the_report_extra_makes_reports_and_exports(alone: Environment, taken: Path) -> None:
    environment = extended(taken / "report", alone, "report")
    environment.does(
        ("report", "--out", "a.xlsx"),
        ("report", "--out", "a.html"),
        ("export", "win-share", "--out", "b.parquet"),
        at=taken,
    )
    font = environment.packages / FONT.relative_to(FONT.parents[3])
    page = f'<style>@font-face{{font-family:Inter;src:url("{font.as_uri()}")}} p{{font-family:Inter}}</style><p>a'
    command = [str(environment.python), "-P", "-m", "dashboards.report.paper"]  # this module sets every report as PDF
    done = subprocess.run(command, check=True, env=environment.variables, input=page.encode(), capture_output=True)
    resources: Any = PdfReader(io.BytesIO(done.stdout)).pages[0]["/Resources"]
    assert any("Inter" in font.get_object()["/BaseFont"] for font in resources["/Font"].values())


@pytest.mark.soak("installs the package anew")
def test_the_report_extra_makes_a_full_pdf_report(alone: Environment, taken: Path) -> None:
    environment = extended(taken / "report", alone, "report")
    environment.does(("report", "--out", "a.pdf"), at=taken)
    assert (taken / "a.pdf").read_bytes().startswith(b"%PDF")


def test_a_type_checker_sees_the_types_of_the_installed_package(alone: Environment, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TYPED)
    check = ["-m", "mypy", "--strict", "--python-executable", str(alone.python), "mine.py"]
    checked = subprocess.run([sys.executable, *check], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert 'Revealed type is "int"' in checked.stdout.replace("builtins.", "")
    assert 'Revealed type is "str"' in checked.stdout.replace("builtins.", "")
    assert 'Revealed type is "ingest.errors.WarehouseInUse"' in checked.stdout
    assert 'Argument 1 to "Seed" has incompatible type "int"; expected "str"' in checked.stdout
    assert checked.stdout.endswith("Found 1 error in 1 file (checked 1 source file)\n")
