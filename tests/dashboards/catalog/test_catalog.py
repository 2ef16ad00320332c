"""The catalog of figures: complete, drawn under any filter, each with a sentence that contains numbers."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from dashboards.catalog.figures import all_figures, drawing, figures_of, figures_under
from dashboards.catalog.metrics import METRICS, key_of, metric_of
from dashboards.charts.theme import DARK, LIGHT, Palette
from dashboards.charts.to_plotly import plotly_figure
from dashboards.games.analytics import ANALYTICS
from dashboards.games.figure import Figure
from dashboards.games.shared.recent import counted_results
from dashboards.queries.filters import LAST_ROUND, Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import finished_count
from dashboards.queries.where import game_under
from dashboards.ui.figure_card import kinds
from himalaya_core.tournament.plan import Plan
from himalaya_core.tournament.runner import run_tournament
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.dashboards.charts.both import assert_drawn_alike
from tests.dashboards.client import Client, everything
from tests.dashboards.games.caravan.tiny import tiny_warehouse

EXAMPLE = re.compile(r"^```python\n(from pathlib.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "query-the-data.md"
NUMBER = re.compile(r"\d")
BOUNDED = re.compile(" \\(95% CI [+−]?[\\d.,]+(–| to )[+−]?[\\d.,]+(; [a-z, ]+)?\\)")
BY_ROUND = {"influence-by-round", "heights-by-throw", "levels-by-turn"}
NOTHING_SIGNIFICANT = re.compile(
    "no two players differ significantly|No (seat|position in turn order) has a significant effect"
    "|Too few seeds to judge the (seats|positions in turn order)"
)
"""Phrases that a sentence without a number may use if no difference is close to significance."""
COUNTED = re.compile(r"\d of \d+ match")
"""Phrases that may replace a share whose interval is uninformative."""
WITHOUT_INTERVAL = BY_ROUND | {"eliminations", "tournaments", "supply", "telling-matches", "largest-swings"}
"""Figures whose sentence describes past matches without an interval, and makes no claim about other matches."""
EMPTY = {"tokens"}
"""Figures without data in these matches, which do not use the tokens option."""
FIGURES = [(game, name) for game in ANALYTICS for name in figures_of(game)]
FILTERS = {
    "any": Filter(),
    "one seat": Filter(seats=(1,), tournaments=("four",)),
    "winners": Filter(players=("trader",), results=("won",), first=2, last=4),
    "a version": Filter(versions=("greedy 1",), sizes=(3,)),
    "board": Filter(board="other-map"),
    "behind everybody": Filter(players=("random",)),
    "the last rounds": Filter(first=8),
}
SUMMIT_FILTERS = {
    "any": Filter(),
    "one seat": Filter(seats=(1,), tournaments=("ropes",)),
    "winners": Filter(players=("racer",), results=("won",), first=2, last=4),
    "a version": Filter(versions=("racer 1",), sizes=(3,)),
    "board": Filter(board="piatnik-reconstructed"),
    "behind everybody": Filter(players=("greedy",)),
    "the last rounds": Filter(first=8),
}
CLIMBERS_FILTERS = {
    "any": Filter(),
    "one seat": Filter(seats=(1,), tournaments=("walls",)),
    "winners": Filter(players=("greedy",), results=("won",), first=2, last=4),
    "a version": Filter(versions=("greedy 1",), sizes=(3,)),
    "board": Filter(board="capstone-reconstructed"),
    "behind everybody": Filter(players=("random",)),
    "the last rounds": Filter(first=8),
}
UNDER = {
    game: {kind: replace(where, game=game) for kind, where in filters.items()}
    for game, filters in {"caravan": FILTERS, "summit": SUMMIT_FILTERS, "climbers": CLIMBERS_FILTERS}.items()
}


NARROWER = [kind for kind in FILTERS if kind != "any"]
UNDER_KINDS = [
    pytest.param(
        game,
        name,
        kind,
        marks=[
            *([pytest.mark.slow("a second kind of filter for each figure")] if (number - place) % 6 else []),
            *([pytest.mark.soak("every figure under every filter")] if (number - place) % 3 else []),
        ],
    )
    for number, (game, name) in enumerate(FIGURES)
    for place, kind in enumerate(NARROWER)
]
"""Each figure under one kind of filter per run, and a sixth of the figures under every kind."""
DRAWN = [
    pytest.param(game, size, name, colours, marks=marks)
    for game, size, marks in (
        ("caravan", 3, pytest.mark.soak("other table sizes show the same")),
        ("caravan", 4, pytest.mark.slow("tables of one size, in both schemes")),
        ("summit", 3, pytest.mark.slow("tables of one size, in both schemes")),
        ("climbers", 3, pytest.mark.slow("tables of one size, in both schemes")),
    )
    for name in figures_of(game)
    for colours in (LIGHT, DARK)
]


def told(table: Figure, frame: pl.DataFrame) -> str:
    """Return the sentence of a figure for its whole frame."""
    assert frame.columns == list(table.columns)
    text = table.finding(frame)
    assert text.endswith(".")
    assert not re.search(r"\b(None|nan|inf)\b", text), text
    return text


@pytest.mark.soak("every kind of filter")
@pytest.mark.parametrize(("game", "name", "kind"), UNDER_KINDS)
def test_every_figure_under_every_kind_of_filter(of_game: dict[str, Reader], game: str, name: str, kind: str) -> None:
    table = figures_of(game)[name]
    told(table, table.frame(of_game[game], UNDER[game][kind]))


def assert_drawn(table: Figure, frame: pl.DataFrame, colours: Palette) -> None:
    """Draw a figure for a page in its colour scheme, with links on all marks, and for print."""
    chart = drawing(table)(frame, colours)
    assert_drawn_alike(chart, colours)
    figure: Any = plotly_figure(chart, colours)
    assert figure.layout["font"]["color"] == colours.text
    assert figure.layout["height"] >= 100
    for trace in figure.data:
        narrow = (trace.meta or {}).get("narrow")
        if isinstance(narrow, list | tuple):
            assert len(narrow) == len(trace.y)


@pytest.mark.parametrize(("game", "size", "name", "colours"), DRAWN)
def test_each_figure_is_drawn_for_each_table_size_and_scheme(
    of_game: dict[str, Reader], game: str, size: int, name: str, colours: Palette
) -> None:
    table = figures_of(game)[name]
    frame = table.frame(of_game[game], Filter(game, sizes=(size,)))
    if not frame.is_empty():
        assert_drawn(table, frame, colours)


@pytest.mark.parametrize(("game", "name"), FIGURES)
def test_every_figure_is_whole_drawn_within_its_bounds_and_reports_when_it_is_empty(
    of_game: dict[str, Reader], game: str, name: str
) -> None:
    table, reader = figures_of(game)[name], of_game[game]
    frame = table.frame(reader, UNDER[game]["any"])
    text = told(table, frame)
    if name not in EMPTY:
        assert frame.height
        assert_drawn(table, frame, (LIGHT, DARK)[FIGURES.index((game, name)) % 2])
        if not NOTHING_SIGNIFICANT.search(text):
            assert NUMBER.search(text)
            assert name in WITHOUT_INTERVAL or BOUNDED.search(text) or COUNTED.search(text), text
    for column in METRICS.keys() & set(frame.columns):
        if f"{column}_low" in frame.columns:
            inside = pl.col(column).is_between(pl.col(f"{column}_low") - 1e-9, pl.col(f"{column}_high") + 1e-9)
            assert frame.filter(~inside).is_empty(), column
    of_nothing = table.frame(reader, Filter(game, tournaments=("nothing",)))
    assert of_nothing.is_empty()
    assert of_nothing.schema == frame.schema
    assert re.match(r"No|One of", table.finding(of_nothing))


def test_every_column_is_a_key_or_has_its_metric() -> None:
    for name, table in all_figures().items():
        assert table.section in {"strength", "why", "where", "when", "chances"}, name


@pytest.mark.parametrize("game", ANALYTICS)
def test_every_column_has_a_meaning(game: str) -> None:
    for table in figures_of(game).values():
        for column in table.columns:
            metric = metric_of(column)
            assert key_of(column, game) if metric is None else metric.sentence and metric.formula, column
    assert len({key_of("level", each) for each in ("caravan", "climbers")}) == 2


def test_the_filter_decides_which_game_s_figures_are_offered(
    reader: Reader, of_summit: Reader, of_both: Reader
) -> None:
    caravan, summit = figures_of("caravan"), figures_of("summit")
    assert caravan.keys() & summit.keys() >= {
        "win-share",
        "ratings",
        "paired",
        "seat-effect",
        "length",
        "telling-matches",
    }
    assert figures_under(reader, Filter()) == figures_under(of_both, Filter("caravan")) == caravan
    assert figures_under(of_summit, Filter()) == figures_under(of_both, Filter()) == summit
    of_all = caravan.keys() & summit.keys() & figures_of("climbers").keys()
    of_models = {name for name in of_all if caravan[name].section == "chances"}
    assert of_models == {"decided-by-chances", "largest-swings", "moment-causes", "calibration"}
    assert figures_of("chess").keys() == of_all - of_models


def test_a_tournament_says_its_game(of_both: Reader) -> None:
    of_three = Filter(tournaments=("three",))
    assert game_under(of_both, Filter()) == game_under(of_both, Filter(tournaments=("none",))) == "summit"
    assert game_under(of_both, of_three) == "caravan"
    assert figures_under(of_both, of_three)["voids"].frame(of_both, of_three).height
    assert finished_count(of_both, Filter("summit", ("three",))) == 0


def test_figures_as_csv_are_those_of_the_game(both: Warehouse) -> None:
    client = everything(both)
    addresses = ("fields.csv", "fields.csv?game=caravan", "voids.csv?game=caravan", "voids.csv")
    assert [client.get(f"/csv/{address}").status_code for address in addresses] == [200, 404, 200, 404]


@pytest.mark.parametrize("name", ["win-share", "voids", "supply", "telling-matches"])
def test_figures_as_csv(client: Client, name: str) -> None:
    answer = client.get(f"/csv/{name}.csv?players=4&to={LAST_ROUND}")
    assert answer.status_code == 200
    assert answer.text.splitlines()[0] == ",".join(all_figures()[name].columns)


def test_a_figure_as_csv_is_the_one_that_its_page_shows(client: Client) -> None:
    every, of_winners = (client.get(f"/csv/win-share.csv{search}").text for search in ("", "?result=won"))
    assert of_winners == every


@pytest.fixture
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with tiny_warehouse(tmp_path_factory.mktemp("tiny") / "tiny.duckdb") as warehouse:
        yield Reader(warehouse)


def test_figures_of_one_page_read_the_results_once(tiny: Reader) -> None:
    first = counted_results(tiny, Filter())
    assert counted_results(tiny, Filter()) is first
    assert counted_results(tiny, Filter(players=("a",))) is not first


def test_results_are_read_again_when_a_match_changes(tiny: Reader) -> None:
    first = counted_results(tiny, Filter())
    with tiny.warehouse.writing() as connection:
        connection.execute("update dim_matches set status = 'abandoned' where match_id = 3")
    again = counted_results(tiny, Filter())
    assert (len(first.lineup), len(again.lineup)) == (3, 2)


@pytest.mark.parametrize(("kind", "name"), [("catalog", "win-share"), ("compare", "apart"), ("compare", "win-share")])
@pytest.mark.usefixtures("app")
def test_a_card_names_the_filters_that_it_ignores(reader: Reader, kind: str, name: str) -> None:
    sides = {"side": ["greedy", "trader"]}
    every, of_winners = (kinds[kind](reader, name, query) for query in (sides, {**sides, "result": ["won"]}))
    assert of_winners.frame.equals(every.frame)
    assert (of_winners.finding, of_winners.note) == (every.finding, "Counts all results, whatever the filter says.")


@pytest.mark.slow("every figure")
def test_the_example_in_the_docs_prints_every_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = EXAMPLE.findall(PAGE.read_text("utf-8"))
    run_tournament(Plan("trial", "caravan", ("random", "random", "random"), 2), tmp_path / "logs", 1)
    ingest([tmp_path / "logs"], tmp_path / "trial.duckdb", processes=0)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, PAGE, "exec"), {})
    printed = capsys.readouterr().out
    assert {name for name in figures_of("caravan") if f"\n{name} " in f"\n{printed}"} == {*figures_of("caravan")}
