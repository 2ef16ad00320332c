"""Reports and pages state it if a tournament was analysed while it was still running."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from dashboards.app import create_app
from dashboards.queries.filters import Filter
from dashboards.queries.provenance import scope_under
from dashboards.queries.reader import Reader
from dashboards.queries.tournaments import looks_under
from dashboards.report.build import build
from dashboards.report.page import page
from dashboards.report.workbook import workbook
from himalaya_core.tournament.manifest import SUFFIX
from himalaya_core.tournament.sequential import Looks, said_of_looks
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from tests.core.log.damage import resign, rewrite
from tests.dashboards.report.fewer import fewer_figures
from tests.ingest.helping import rows, summit_log, write

PAIR: Final = ("greedy", "random")
OPTIMISTIC: Final = "intervals and p-values, which assume a single look, are too optimistic"
EXTENDED: Final = f"cup was extended after 1 match: {OPTIMISTIC}"


def add(folder: Path, tournament: str, *numbers: int, **manifest: Any) -> None:
    """Write a file of a tournament's matches and its manifest, and load both."""
    folder.mkdir(exist_ok=True)
    (folder / f"{tournament}{SUFFIX}").write_text(json.dumps({"shards": [], "matches": 9, **manifest}))
    for number in numbers:
        lines = rewrite(summit_log(f"{tournament}.{number}", PAIR), 0, data__tournament=tournament)
        write(folder / f"{tournament}-{number}.jsonl", tuple(resign(lines)))
    ingest([folder], folder.parent / "w.duckdb", processes=0)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with an extended tournament, an ordinary one, and one played until the better player was known."""
    tmp_path = tmp_path_factory.mktemp("looks")
    add(tmp_path / "cup", "cup", 0)
    add(tmp_path / "cup", "cup", 1, extended=[1])
    add(tmp_path / "fair", "fair", 0)
    add(tmp_path / "duel", "duel", 0, until_decided={"players": list(PAIR)})
    return tmp_path / "w.duckdb"


@pytest.mark.slow("another manifest")
def test_ingest_keeps_what_the_manifest_says_when_a_match_is_loaded(database: Path) -> None:
    assert rows(database, "SELECT match, looks FROM raw_matches ORDER BY match") == [
        ("cup.0", None),
        ("cup.1", '{"extended": [1]}'),
        ("duel.0", '{"until_decided": true}'),
        ("fair.0", None),
    ]


@pytest.mark.slow("another manifest")
def test_interim_looks_are_reported_for_each_tournament_under_the_filter(database: Path) -> None:
    with open_warehouse(database) as warehouse:
        reader = Reader(warehouse)
        assert looks_under(reader, Filter()) == (Looks("cup", (1,)), Looks("duel", until_decided=True))
        assert scope_under(reader, Filter(tournaments=("cup",))).looked_at() == EXTENDED
        assert scope_under(reader, Filter(tournaments=("fair",))).looked_at() == ""


@pytest.mark.slow("another manifest")
def test_the_newest_manifest_of_a_tournament_counts(tmp_path: Path) -> None:
    for number, extended in enumerate(([], [1], [1, 2])):
        add(tmp_path / "cup", "cup", number, **({"extended": extended} if extended else {}))
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        assert looks_under(Reader(warehouse), Filter()) == (Looks("cup", (1, 2)),)


@pytest.mark.slow("another report")
def test_reports_and_pages_report_interim_looks(database: Path) -> None:
    with open_warehouse(database) as warehouse, fewer_figures():
        cup, fair = (build(warehouse, Filter(tournaments=(name,))) for name in ("cup", "fair"))
        assert f"<li>{EXTENDED}.</li>" in page(cup)
        assert "was extended" not in page(fair)
        assert workbook(cup) != workbook(fair)
        server = create_app(warehouse).server
        show_rests = import_module("dashboards.pages.tournament").show_rests  # needs an app first
        with server.test_request_context("/"):
            assert EXTENDED in str(show_rests("?tournament=cup"))
            assert "Interim looks" not in str(show_rests("?tournament=fair"))
            count = import_module("dashboards.pages.analysis").count
            assert count("?tournament=cup")[1:3] == (f"{EXTENDED}.", False)
            assert count("?tournament=fair")[2] is True


def test_interim_looks_are_described_in_words() -> None:
    assert said_of_looks(()) == ""
    assert said_of_looks((Looks("cup", (120, 1_200)),)) == f"cup was extended after 120 and 1,200 matches: {OPTIMISTIC}"
    assert said_of_looks((Looks("cup", (120,)), Looks("duel", until_decided=True))) == (
        "cup was extended after 120 matches; duel was looked at after each seed until a sequential test decided: "
        f"{OPTIMISTIC}; the verdict of the test holds at any time"
    )
