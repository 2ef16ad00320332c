"""Reproducibility checks and sources of players, as pages and reports show them under a filter."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.app import create_app
from dashboards.queries.filters import Filter
from dashboards.queries.provenance import NOBODY_ASKED, Checks, Sources, checks_stamp, in_words, scope_under
from dashboards.queries.reader import Reader
from dashboards.report.build import build
from dashboards.report.page import page
from dashboards.ui.filter_bar import filter_bar, show_sources
from ingest.load.reproducibility import ask_players
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.core.tournament.test_asking import first, reseated
from tests.dashboards.report.fewer import fewer_figures
from tests.ingest.helping import summit_log, write

PAIR = ("greedy", "random")
SWAPPED = reseated([*summit_log("swapped", PAIR)], 1, 0)
CAREFUL = [
    first([*summit_log(f"careful.{n}", PAIR)], player="careful", source_sha256=source * 8)
    for n, source in enumerate(("58da93b3", "58da93b3", "9f00c1aa"))
]
TWO = "careful (version 2) was played from 2 different sources: 2 seats from 58da93b3…, 1 from 9f00c1aa…"
ADVICE = "raise a player's version whenever its strategy changes"
UNCHECKED = "what players chose was not re-checked (himalaya check --players does that)"


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of installed players, one of swapped players, and three of a player that is not installed."""
    folder = tmp_path_factory.mktemp("players")
    ingest([write(folder / "a.jsonl", summit_log("same", PAIR), SWAPPED, *CAREFUL)], folder / "w.duckdb", processes=0)
    return folder / "w.duckdb"


@pytest.fixture
def warehouse(taken: Path, tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(copied(taken, tmp_path)) as opened:
        yield opened


@pytest.fixture
def reader(warehouse: Warehouse) -> Reader:
    return Reader(warehouse)


def said(reader: Reader, where: Filter) -> str:
    return scope_under(reader, where).checks.in_words("dice")


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ({NOBODY_ASKED: 4}, UNCHECKED),
        ({}, UNCHECKED),
        ({"repeats": 1}, "in the one seat the player repeated its choices"),
        ({"repeats": 1_200}, "in all 1,200 seats the player repeated its choices"),
        (
            {"differs": 2, NOBODY_ASKED: 1},
            "in 2 of 3 seats the player chose differently; in 1 it has not been checked yet",
        ),
        (
            {"not asked": 5, "repeats": 24, "differs": 3},
            (
                "in 24 of 32 seats the player repeated its choices; in 3 it chose differently;"
                " in 5 it could not be checked"
            ),
        ),
    ],
)
def test_the_check_of_players_is_described_in_words(players: dict[str, int], words: str) -> None:
    assert Checks({}, {}, {}, players, ()).in_words("dice") == words


@pytest.mark.slow("asks players again")
def test_the_check_of_players_counts_seats_under_the_filter(warehouse: Warehouse, reader: Reader) -> None:
    assert UNCHECKED in said(reader, Filter())
    before = checks_stamp(reader)
    ask_players(warehouse, {}, lambda _: None)
    assert checks_stamp(reader) != before
    whole = "in 5 of 10 seats the player repeated its choices; in 2 it chose differently; in 3 it could not be checked"
    assert whole in said(reader, Filter())
    assert "in 1 of 2 seats the player repeated its choices; in 1 it chose differently" in said(
        reader, Filter(players=("greedy",))
    )
    assert "in all 3 seats the player could not be checked" in said(reader, Filter(players=("careful",)))
    with fewer_figures():
        assert whole in page(build(warehouse, Filter()))


@pytest.mark.slow("asks players again")
def test_seats_played_from_several_sources_are_reported_under_the_filter(warehouse: Warehouse, reader: Reader) -> None:
    assert said(reader, Filter()).endswith(f"; {TWO}; {ADVICE}")
    assert "sources" not in said(reader, Filter(players=("random",)))
    with create_app(warehouse).server.test_request_context("/"):
        assert f"{TWO}; {ADVICE}." in str(filter_bar({}))
        assert "sources:" not in str(filter_bar({"player": "random"}))
        assert show_sources("?player=careful") == f"{TWO}; {ADVICE}."
        assert show_sources("?player=random") == ""


def test_the_first_of_many_sources_are_named() -> None:
    digests = tuple((f"{n}" * 64, 9 - n) for n in range(7))
    one = Sources("bold", "2", digests, 4)
    assert str(one) == (
        "bold (version 2) was played from 7 different sources: 9 seats from 00000000…, 8 from 11111111…, "
        "7 from 22222222…, 6 from 33333333…, 5 from 44444444…, "
        "7 from others, 4 from sources that neither log nor manifest names"
    )
    assert in_words(()) == ""
    assert in_words((one,) * 4).endswith(f"; so was another; {ADVICE}")
    assert in_words((one,) * 6).endswith(f"; so were 3 other versions of players; {ADVICE}")
