"""What was asked of players, as pages and reports say it under a filter."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.report.build import build
from dashboards.report.page import page
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.provenance import NOBODY_ASKED, Checks, checks_stamp, scope_under
from dashboards.warehouse.reader import Reader
from ingest.load.asking import ask_players
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.core.arena.test_asking import first, reseated
from tests.ingest.helping import summit_log, write

PAIR = ("greedy", "random")
SWAPPED = reseated([*summit_log("swapped", PAIR)], 1, 0)
CAREFUL = [
    first([*summit_log(f"careful.{n}", PAIR)], player="careful", source_sha256=source * 8)
    for n, source in enumerate(("58da93b3", "58da93b3", "9f00c1aa"))
]
UNCHECKED = "what the players chose was not checked (himalaya check --players does)"


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    """A match of players that are installed, one of swapped ones, three of a player that is not installed."""
    ingest(
        [write(tmp_path / "a.jsonl", summit_log("same", PAIR), SWAPPED, *CAREFUL)], tmp_path / "w.duckdb", processes=0
    )
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


@pytest.fixture
def reader(warehouse: Warehouse) -> Reader:
    return Reader(warehouse)


def said(reader: Reader, where: Filter) -> str:
    return scope_under(reader, where).checks.in_words()


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ({NOBODY_ASKED: 4}, UNCHECKED),
        ({}, UNCHECKED),
        ({"repeats": 1}, "in the one seat the player chose the same again"),
        ({"repeats": 1_200}, "in all 1,200 seats the player chose the same again"),
        ({"differs": 2, NOBODY_ASKED: 1}, "in 2 of 3 seats the player chooses otherwise; in 1 it was not asked yet"),
        (
            {"not asked": 5, "repeats": 24, "differs": 3},
            "in 24 of 32 seats the player chose the same again; in 3 it chooses otherwise; in 5 it could not be asked",
        ),
    ],
)
def test_what_came_of_asking_is_said_in_words(players: dict[str, int], words: str) -> None:
    assert Checks({}, {}, {}, players).in_words() == words


def test_what_came_of_asking_is_counted_under_the_filter(warehouse: Warehouse, reader: Reader) -> None:
    assert UNCHECKED in said(reader, Filter())
    before = checks_stamp(reader)
    ask_players(warehouse, {}, lambda _: None)
    assert checks_stamp(reader) != before
    whole = "in 5 of 10 seats the player chose the same again; in 2 it chooses otherwise; in 3 it could not be asked"
    assert whole in said(reader, Filter())
    assert "in 1 of 2 seats the player chose the same again; in 1 it chooses otherwise" in said(
        reader, Filter(players=("greedy",))
    )
    assert "in all 3 seats the player could not be asked" in said(reader, Filter(players=("careful",)))
    assert whole in page(build(warehouse, Filter()))
