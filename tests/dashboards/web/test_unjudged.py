"""Unverified matches may contain anything: no address and no report fails on such a match."""

import json
import logging
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dashboards.queries.filters import Filter
from dashboards.report.build import build
from dashboards.report.page import page
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.core.log.damage import resign, rewrite
from tests.dashboards.client import everything
from tests.dashboards.report.fewer import fewer_figures
from tests.ingest.helping import THREE, climbers_log, log, summit_log, write

PAIR = ("greedy", "random")
PLAYED = {"caravan": log("a", THREE), "summit": summit_log("s", PAIR), "climbers": climbers_log("k", PAIR)}
ADDRESSES = (
    "",
    "?view=1",
    "/position.txt?ply=5",
    "/position.json",
    "/offline.html",
    "/board.svg",
    "/board.png",
    "/same-luck",
    "/origin",
    "/chances",
)


def changed(game: str, count: int) -> Iterator[Sequence[bytes]]:
    """Yield matches of a game, each with one changed value and its own name."""
    rng, lines = random.Random(game), PLAYED[game]
    name = json.loads(lines[0])["match"]
    told = [place for place, line in enumerate(lines) if 0 < place < len(lines) - 1 and json.loads(line)["data"]]
    for number in range(count):
        place = rng.choice(told)
        data = json.loads(lines[place])["data"]
        key = rng.choice(list(data))
        other = rng.randrange(20) if isinstance(data[key], int) else rng.choice(["gold", "tea", [0, 1], 3, True])
        renamed = (line.replace(f'"match":"{name}"'.encode(), f'"match":"{game}.{number}"'.encode()) for line in lines)
        yield resign(rewrite(list(renamed), place, **{f"data__{key}": other}))


@pytest.fixture(params=[2, pytest.param(300, marks=pytest.mark.soak("hundreds of matches"))])
def unjudged(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Warehouse]:
    logs = [lines for game in PLAYED for lines in changed(game, request.param)]
    ingest([write(tmp_path / "a.jsonl", *logs)], tmp_path / "w.duckdb", processes=0, judge="later")
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


@pytest.mark.slow("every address")
def test_no_address_or_report_fails_over_an_unverified_match(
    unjudged: Warehouse, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    client = everything(unjudged)
    with unjudged.reading() as connection:
        names = [name for (name,) in connection.execute("SELECT match FROM raw_matches ORDER BY 1").fetchall()]
    seen = Counter(client.get(f"/api/replay/{name}{end}").status_code for name in names for end in ADDRESSES)
    assert set(seen) == {200, 422}
    for game in PLAYED:
        with fewer_figures("length", "telling-matches"):
            assert page(build(unjudged, Filter(game=game, verdicts=("waiting",))))


@pytest.mark.slow("every figure of every game")
@pytest.mark.parametrize("game", PLAYED)
def test_no_figure_of_a_report_fails_over_an_unverified_match(unjudged: Warehouse, game: str) -> None:
    assert page(build(unjudged, Filter(game=game, verdicts=("waiting",))))


@pytest.mark.slow("a report of its own")
def test_a_missing_board_does_not_prevent_a_report(tmp_path: Path) -> None:
    elsewhere = resign(rewrite(PLAYED["caravan"], 0, data__board__sha256="0" * 64))
    ingest([write(tmp_path / "a.jsonl", elsewhere)], tmp_path / "w.duckdb", processes=0)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, fewer_figures():
        assert "1 was not judged" in page(build(warehouse, Filter(verdicts=("unjudged",))))
