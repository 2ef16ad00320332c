"""Altered logs among valid ones: a warehouse counts only the valid ones, and no page fails.

Independent referees decide which logs are valid, and on which line each other log diverges.
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from dashboards.queries.filters import Filter
from dashboards.report.build import build
from dashboards.report.page import page
from himalaya_core.boards import shipped_board
from himalaya_core.tournament.plan import Pairing, play
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.conformance.mutants import mutants
from tests.conformance.playing import CARAVANS, CLIMBS, SUMMITS, Variant
from tests.conformance.test_referees import by_the_referee
from tests.core.log.damage import Lines
from tests.dashboards.client import everything
from tests.ingest.helping import rows, write

TABLES = {"caravan": CARAVANS, "summit": SUMMITS, "climbers": CLIMBS}
MOST_SHOWN = 2_000
"""Approximate number of cases per game that request pages; a case takes as long as ingesting ten."""


@dataclass(frozen=True)
class Case:
    """A log of one match, its change, and the line on which it diverges according to the referee."""

    change: str
    lines: Lines
    departs: int | None

    @property
    def match(self) -> str:
        name: str = json.loads(self.lines[0])["match"]
        return name


def honest(variant: Variant, name: str) -> Lines:
    players = ("random",) * len(variant.line_up)
    board = shipped_board(variant.name)
    return play(variant.game, board, variant.options, Pairing(name, players, name))[1].splitlines(keepends=True)


def cases(game: str, number: int) -> list[Case]:
    """Return mutants of a game's matches, half as many valid matches, and the referee's verdict on each."""
    made: list[Case] = []
    variants = TABLES[game]
    for nth, variant in enumerate(variants):
        share = len(range(nth, number, len(variants)))
        names = [f"{variant}.{count}" for count in range(max(share // 2, 1))]
        played = [honest(variant, name) for name in names]
        made += [Case("", lines, by_the_referee(game, lines)) for lines in played]
        for mutant in mutants(played[0], share, f"{variant} {number}"):
            made.append(Case(mutant.change, mutant.lines, by_the_referee(game, mutant.lines)))
    return made


@dataclass(frozen=True)
class Taken:
    """Cases, and the warehouse into which each was ingested from a separate file."""

    cases: Sequence[Case]
    database: Path


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(8, marks=pytest.mark.soak("every kind of change")),
        pytest.param(3_400, marks=pytest.mark.soak("judges 3,400 mutants")),
    ],
)
def number(request: pytest.FixtureRequest) -> int:
    count: int = request.param
    return count


@pytest.fixture(scope="module", params=TABLES)
def taken(request: pytest.FixtureRequest, number: int, tmp_path_factory: pytest.TempPathFactory) -> Taken:
    folder = tmp_path_factory.mktemp("mutants")
    made = cases(request.param, number)
    (folder / "logs").mkdir()
    for case in made:
        write(folder / "logs" / f"{case.match}.jsonl", case.lines)
    ingest([folder / "logs"], folder / "w.duckdb")
    return Taken(made, folder / "w.duckdb")


def test_only_departing_matches_are_quarantined_with_their_line(taken: Taken) -> None:
    found = {Path(file).stem: line for file, line in rows(taken.database, "SELECT file, line FROM quarantine")}
    expected = {case.match: case.departs for case in taken.cases if case.departs is not None}
    wrong = {
        case.match: f"{case.change}: referee {case.departs}, quarantine {found.get(case.match)}"
        for case in taken.cases
        if found.get(case.match) != case.departs
    }
    assert wrong == {}
    assert found == expected
    assert not [case.change for case in taken.cases if not case.change and case.departs], "an honest match departs"
    counted = rows(taken.database, "SELECT match FROM dim_matches WHERE verdict = 'clean' ORDER BY 1")
    assert counted == sorted(case.match for case in taken.cases if case.departs is None)
    assert len(expected) > len(taken.cases) / 3


def test_no_page_or_report_fails_on_a_changed_log(taken: Taken, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    with open_warehouse(taken.database) as warehouse:
        assert not _fallen(warehouse, taken.cases[:: 1 + len(taken.cases) // MOST_SHOWN])
        game = json.loads(taken.cases[0].lines[0])["data"]["game"]
        assert page(build(warehouse, Filter(game=game)))


def _fallen(warehouse: Warehouse, made: Sequence[Case]) -> list[str]:
    """Return the addresses that respond neither with a page nor with a reason."""
    client = everything(warehouse)
    asked = [f"{address}{case.match}" for case in made for address in ("/api/replay/", "/replay?match=")]
    return [address for address in asked if client.get(address).status_code not in (200, 422)]
