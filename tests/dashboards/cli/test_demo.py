"""The demonstration, from an empty folder to pages that answer."""

import re
from pathlib import Path

import pytest

from himalaya_core.cli.main import main

ROWS = re.compile(r"/csv/([\w-]+)\.csv\?game=(\w+): 200, ([\d,]+) rows")


def test_the_demo_plays_loads_and_serves(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["demo", "--once", "--dir", str(tmp_path / "demo"), "--port", "0"]) == 0
    said = capsys.readouterr().out
    assert "failed" not in said
    rows = {(game, table): int(count.replace(",", "")) for table, game, count in ROWS.findall(said)}
    assert rows["caravan", "matches"] == 150 + 120  # of its own and of the sample
    assert rows["caravan", "villages"] == 20
    assert rows["caravan", "roads"] == 27
    assert rows["caravan", "win-share"] == rows["caravan", "ratings"] == 5
    assert rows["caravan", "endings"] == 5 * 4  # ways in which a match can end for a player
    assert rows["summit", "matches"] == 40 + 56
    assert rows["summit", "win-share"] == rows["summit", "ratings"] == 5
    assert rows["summit", "fields"] > 25
    assert rows["climbers", "matches"] == 10 + 22
    assert rows["climbers", "win-share"] == rows["climbers", "ratings"] == 4
    assert rows["climbers", "squares"] > 25
    assert all(re.search(rf"{page}\S*: 200", said) for page in ("/replay", "/traffic", "/outcomes", "/api/replay"))


def test_a_demo_that_cannot_be_served_says_why(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    (tmp_path / "himalaya.duckdb").write_text("not a database")
    assert main(["demo", "--once", "--dir", str(tmp_path), "--port", "0"]) == 2
    assert "not a DuckDB file" in capfd.readouterr().err
