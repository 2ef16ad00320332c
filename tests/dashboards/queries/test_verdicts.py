"""Effects of verification verdicts: counting, pairing, and notes on pages and in reports."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.app import create_app
from dashboards.queries.addresses import Sort
from dashboards.queries.filters import Filter
from dashboards.queries.logs import matches_of_same_seed
from dashboards.queries.matches import MatchFilter, matches_page
from dashboards.queries.provenance import scope_under
from dashboards.queries.reader import Reader
from dashboards.queries.results import finished_count, results_stamp, seat_results
from dashboards.queries.where import cohorts_where, matches_where
from dashboards.report.build import build
from dashboards.report.page import page
from dashboards.ui.filter_bar import filter_bar
from ingest.load.background import judge_waiting
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.core.log.damage import resign, rewrite
from tests.dashboards.report.fewer import fewer_figures
from tests.ingest.helping import THREE, log, write

CLEAN = [log(f"clean.{n}", THREE, luck=f"seed.{n}") for n in range(3)]
RELABELLED = tuple(resign(rewrite(log("relabelled", THREE), 0, data__luck="seed.0")))
OLD = tuple(resign(rewrite(log("old", THREE), 0, data__rules_version="0.1")))
LATER = (log("later.1", THREE), log("later.2", THREE))


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three valid matches, one with wrong dice for its seed, one of other rules, and two not yet verified."""
    folder = tmp_path_factory.mktemp("verdicts")
    ingest([write(folder / "now.jsonl", *CLEAN, RELABELLED, OLD)], folder / "w.duckdb", processes=0)
    ingest([write(folder / "later.jsonl", *LATER)], folder / "w.duckdb", processes=0, judge="later")
    return folder / "w.duckdb"


@pytest.fixture(scope="module")
def warehouse(database: Path) -> Iterator[Warehouse]:
    with open_warehouse(database) as opened:
        yield opened


@pytest.fixture
def to_judge(database: Path, tmp_path: Path) -> Iterator[Warehouse]:
    """A separate warehouse for a test that verifies pending matches."""
    with open_warehouse(copied(database, tmp_path)) as opened:
        yield opened


@pytest.fixture(scope="module")
def reader(warehouse: Warehouse) -> Reader:
    return Reader(warehouse)


@pytest.mark.parametrize(
    ("verdicts", "count"),
    [((), 4), (("clean",), 4), (("waiting",), 2), (("unjudged",), 1), (("clean", "waiting", "unjudged"), 7)],
)
def test_only_clean_matches_count_unless_the_filter_names_a_verdict(
    reader: Reader, verdicts: tuple[str, ...], count: int
) -> None:
    where = Filter(verdicts=verdicts)
    assert finished_count(reader, where) == count
    assert len(seat_results(reader, where)) == count * len(THREE)
    condition, values = cohorts_where(where)
    sums = f"select sum(arrivals) from agg_caravan_villages join dim_cohorts c using (cohort) where {condition}"
    matches, values_too = matches_where(where)
    visits = f"select count(*) from fct_caravan_village_visits join dim_matches m using (match_id) where {matches}"
    assert reader.rows(sums, values) == reader.rows(visits, values_too)


def test_lists_show_every_match_with_its_verdict(reader: Reader) -> None:
    frame, total = matches_page(reader, MatchFilter(), Sort("match"), 0, 100)
    assert total == 7
    assert dict(frame.select("match", "verdict").iter_rows()) == {
        **{f"clean.{n}": "clean" for n in range(3)},
        "relabelled": "clean",
        "old": "unjudged",
        "later.1": "waiting",
        "later.2": "waiting",
    }
    only = MatchFilter.read({"verdict": ["waiting", "nonsense"]})
    assert only.pairs() == [("verdict", "waiting")]
    assert matches_page(reader, only, Sort("match"), 0, 100)[1] == 2


def test_a_match_with_dice_unlike_its_seed_counts_as_its_own_seed(reader: Reader) -> None:
    results = seat_results(reader, Filter())
    assert results["luck"].n_unique() == 4
    assert scope_under(reader, Filter()).seeds == 4
    assert matches_of_same_seed(reader, "clean.0").is_empty()
    assert matches_of_same_seed(reader, "relabelled").is_empty()


def test_checks_are_reported_with_their_numbers(reader: Reader) -> None:
    assert scope_under(reader, Filter()).checks.in_words("dice") == (
        "all 4 obey the rules; in 3 of 4 the dice match the seed; in 1 they do not, and "
        "each of these counts as its own seed; not counted although they fit the filter: 2 are not yet verified, "
        "1 was not judged; what players chose was not re-checked (himalaya check --players does that)"
    )
    assert scope_under(reader, Filter(verdicts=("waiting",))).checks.in_words("dice") == (
        "2 are not yet verified; what players chose was not re-checked (himalaya check --players does that)"
    )
    with fewer_figures():
        found = build(reader.warehouse, Filter())
    checked = found.scope.checks.by_kind("dice")
    assert list(checked) == ["Rules", "Dice", "Left out", "Players"]
    assert "".join(f"<dt>{kind}</dt><dd>{text}</dd>" for kind, text in checked.items()) in page(found)


@pytest.mark.slow("every page")
def test_pages_report_uncounted_matches_while_there_are_any(to_judge: Warehouse) -> None:
    reader = Reader(to_judge)
    said = "2 matches are not yet verified, 1 match could not be verified here."
    app = create_app(to_judge).server
    with app.test_request_context("/"):
        assert said in str(filter_bar({}))
        assert "In 1 match the dice do not match the seed in the log." in str(filter_bar({}))
        assert "'verdict'" in str(filter_bar({}))
        columns = importlib.import_module("dashboards.pages.matches").columns
        assert "verdict" in [column["field"] for column in columns(reader, MatchFilter())]
        before = results_stamp(reader)
        judge_waiting(to_judge, {}, lambda _: None)
        assert results_stamp(reader) != before
        assert "could not be verified here" in str(filter_bar({}))
        assert "wait" not in str(filter_bar({}))
    assert finished_count(reader, Filter()) == 6
