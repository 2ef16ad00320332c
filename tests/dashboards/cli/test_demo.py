"""The demonstration, from an empty folder to working pages."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from dashboards.cli import demo
from himalaya_core.cli.main import main

ROWS = re.compile(r"/csv/([\w-]+)\.csv\?game=(\w+): 200, ([\d,]+) rows")
FEW = 1
"""Number of matches per tournament played here."""
SIMPLE = ("random", "greedy", "random")
SAMPLES = ("sample-mixed", "sample-summit-three", "sample-climbers-two")
"""One shipped tournament per game; `tests/golden` verifies all of them."""
OF_SAMPLES = {"caravan": 30, "summit": 12, "climbers": 4}


def of_plans(game: str) -> int:
    return sum(plan.matches for plan in demo.PLANS if plan.game == game)


@pytest.fixture
def smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create a demo with the same tournaments but fewer matches, and only some of the samples."""
    samples = tmp_path / "samples"
    samples.mkdir()
    for path in (path for name in SAMPLES for path in (demo.SAMPLES / "sample").glob(f"{name}[-.]*")):
        shutil.copy(path, samples)
    monkeypatch.setattr(demo, "PLANS", tuple(replace(plan, matches=FEW) for plan in demo.PLANS))
    monkeypatch.setattr(demo, "SAMPLES", samples)


def test_the_demo_has_two_hundred_matches():
    assert {game: of_plans(game) for game in demo.TABLES} == {"caravan": 170, "summit": 24, "climbers": 6}


def test_the_best_players_play_simple_ones_with_and_without_tokens():
    """So the comparison by option finds the same line-up on both sides."""
    lines_up = [{plan.players for plan in demo.PLANS if bool(plan.options.get("tokens")) is on} for on in (True, False)]
    assert lines_up[0] <= lines_up[1]
    assert all("planner" in line_up and "greedy" in line_up for line_up in lines_up[0])


@pytest.mark.slow("the same with a match of each tournament and matches that come along")
@pytest.mark.usefixtures("smaller")
def test_the_demo_plays_loads_samples_too_and_serves(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    plays_loads_and_serves(tmp_path / "demo", OF_SAMPLES, capsys)


def test_the_demo_of_a_match_of_each_game_plays_loads_and_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    kept = {plan.game: replace(plan, matches=1) for plan in demo.PLANS}
    monkeypatch.setattr(demo, "PLANS", tuple(replace(plan, players=SIMPLE) for plan in kept.values()))
    monkeypatch.setattr(demo, "SAMPLES", tmp_path / "none")
    assert main(["demo", "--once", "--dir", str(tmp_path / "demo"), "--port", "0", "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "failed" not in said
    rows = {(game, table): int(count.replace(",", "")) for table, game, count in ROWS.findall(said)}
    assert rows.keys() == {(game, table) for game, tables in demo.TABLES.items() for table in tables}
    assert {rows[game, "matches"] for game in demo.TABLES} == {1}
    assert rows["caravan", "villages"] == 20
    assert all(
        re.search(rf"{page}\S*: 200", said) for page in ("/replay", "/analysis/where", "/analysis", "/api/replay")
    )


@pytest.mark.soak("plays the whole demo")
def test_the_whole_demo_plays_loads_and_serves(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    plays_loads_and_serves(tmp_path / "demo", {"caravan": 120, "summit": 56, "climbers": 22}, capsys)


def plays_loads_and_serves(folder: Path, of_samples: dict[str, int], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--once", "--dir", str(folder), "--port", "0"]) == 0
    said = capsys.readouterr().out
    assert "failed" not in said
    rows = {(game, table): int(count.replace(",", "")) for table, game, count in ROWS.findall(said)}
    assert f"and the sample matches in {demo.SAMPLES}\n" in said
    for game, matches in of_samples.items():
        assert rows[game, "matches"] == of_plans(game) + matches
    assert rows["caravan", "villages"] == 20
    assert rows["caravan", "roads"] == 27
    assert rows["caravan", "win-share"] == rows["caravan", "ratings"] == 6
    assert rows["caravan", "endings"] == 6 * 4  # number of ways in which a match can end for a player
    assert rows["summit", "win-share"] == rows["summit", "ratings"] == 5
    assert rows["summit", "fields"] > 25
    assert rows["climbers", "win-share"] == rows["climbers", "ratings"] >= 3
    assert all(
        re.search(rf"{page}\S*: 200", said) for page in ("/replay", "/analysis/where", "/analysis", "/api/replay")
    )


def test_a_demo_that_cannot_be_served_says_why(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    (tmp_path / "himalaya.duckdb").write_text("not a database")
    assert main(["demo", "--once", "--dir", str(tmp_path), "--port", "0"]) == 2
    assert "not a DuckDB file" in capfd.readouterr().err
