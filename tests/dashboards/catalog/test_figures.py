"""Figures: they send no data anywhere, players look the same on all pages, and marks link to their matches."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

import polars as pl
import pytest
from dash import Dash, dcc
from dash.development.base_component import Component

from dashboards.boards.traffic import Layer, board_map, short, step_bounds, step_of
from dashboards.catalog.figures import all_figures, drawing
from dashboards.catalog.questions import findings_of
from dashboards.catalog.strength import draw_head_to_head
from dashboards.charts.builders import stacked_parts
from dashboards.charts.chart import Bars, Cell, Dots, Matrix, of_row
from dashboards.charts.plotly_parts import label
from dashboards.charts.svg import About
from dashboards.charts.theme import DARK, LIGHT, Palette, diverging, readable, shade, styles
from dashboards.charts.to_plotly import plotly_figure
from dashboards.charts.to_svg import svg_chart
from dashboards.games.analytics import ANALYTICS
from dashboards.games.caravan.map import CARAVAN_LAYERS, draw_caravan_map
from dashboards.games.shared.recent import palette_of
from dashboards.queries.addresses import Sort
from dashboards.queries.filters import Filter
from dashboards.queries.imports import player_names
from dashboards.queries.matches import MatchFilter, matches_page
from dashboards.queries.reader import Reader
from dashboards.queries.results import seat_results
from dashboards.queries.where import filter_choices
from dashboards.ui.figure_card import FAILED, Shown, figure_table, kinds, show, shown_value
from himalaya_core.boards import shipped_board
from himalaya_core.caravan.board import Board


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def board() -> Board:
    shipped = shipped_board("caravan")
    assert isinstance(shipped, Board)
    return shipped


def traces(figure: Any) -> tuple[Any, ...]:
    """Return the traces of a figure; Plotly's types hardly cover their attributes."""
    return tuple(figure.data)


def drawn(name: str, frame: pl.DataFrame) -> Any:
    """Return a figure of the catalog as drawn on a page."""
    table = all_figures()[name]
    return plotly_figure(drawing(table)(frame, LIGHT), LIGHT, lambda row: of_row(row, table.narrows))


def colour_of(figure: Any, player: str) -> set[tuple[str, str]]:
    axis = figure.layout.yaxis
    names = dict(zip(axis.tickvals, axis.ticktext, strict=True))
    return {
        (trace.marker.color[place], trace.marker.symbol[place])
        for trace in traces(figure)
        if trace.type == "scatter" and isinstance(trace.marker.symbol, tuple)
        for place, row in enumerate(trace.y)
        if names.get(row) == player
    }


@pytest.mark.parametrize("path", ["/", "/analysis/why", "/analysis", "/analysis/compare", "/replay"])
def test_no_graph_offers_to_send_its_data_away(app: Dash, path: str) -> None:
    from dash import page_registry

    with app.server.test_request_context(path):
        layout = next(entry["layout"] for entry in page_registry.values() if entry["path"] == path)()
    assert isinstance(layout, Component)
    graphs = [part for part in layout._traverse() if isinstance(part, dcc.Graph)]
    assert (len(graphs) >= 1) == (path in {"/analysis/why", "/analysis", "/analysis/compare"})
    assert all(vars(graph)["config"]["showSendToCloud"] is False for graph in graphs)


@pytest.mark.parametrize("game", ["", *ANALYTICS])
def test_the_overview_opens_with_who_wins_and_four_more_findings(game: str) -> None:
    first, *others = [figure.name for figure in findings_of(game)]
    assert first == "win-share"
    assert len({*others} - {first}) == 4


@pytest.mark.slow("every page")
def test_a_player_looks_the_same_on_every_page(app: Dash, reader: Reader) -> None:
    expected = styles(["greedy"], palette_of(reader, "light", "caravan"))["greedy"]
    seen = set()
    for kind, name, search in (
        *(("catalog", name, "") for name in ("win-share", "ratings", "goods")),
        *(("catalog", "win-share", search) for search in ("?tournament=three", "?player=greedy&player=random")),
        *(("compare", "win-share", search) for search in ("?side=greedy&side=trader", "?tournament=three")),
    ):
        with app.server.app_context():
            answer = show({"figure": name, "kind": kind, "search": search, "scheme": "light"})
        seen |= colour_of(answer["drawing"], "greedy")
    assert seen == {expected[:2]}


def test_print_gives_a_player_its_colour(reader: Reader) -> None:
    ink = palette_of(reader, "light", "caravan")
    frame = all_figures()["win-share"].frame(reader, Filter(players=("greedy", "random")))
    drawn = svg_chart(drawing(all_figures()["win-share"])(frame, ink), About("x", "Wins", "Who wins"), ink)
    for player, (colour, *_) in styles(["greedy", "random"], ink).items():
        assert drawn.count(f'fill="{colour}"') == 1, player


def test_colours_are_given_out_to_the_players_of_a_game_by_seats_and_then_by_name(reader: Reader) -> None:
    names = player_names(reader, "caravan")
    assert names == ["greedy", "trader", "envoy", "pilgrim", "random"]


def test_a_hundred_players_look_different() -> None:
    found = styles([f"player {number}" for number in range(60)], LIGHT)
    assert len({(colour, shape) for colour, shape, _ in found.values()}) == 60
    chosen = styles(["b"], replace(LIGHT, players=("a", "b", "c")))
    assert chosen["b"] == styles(["a", "b", "c"], LIGHT)["b"]


def test_shares_of_endings_sum_to_one(reader: Reader) -> None:
    frame = all_figures()["endings"].frame(reader, Filter(sizes=(4,)))
    chart = drawing(all_figures()["endings"])(frame, LIGHT)
    assert isinstance(chart, Bars)
    totals = [
        sum(bar.length for bar in bars) for bars in zip(*(part.bars for part in chart.panels[0].parts), strict=True)
    ]
    assert totals == pytest.approx([1.0] * len(totals))


def test_empty_parts_draw_bars_of_zero_length() -> None:
    none = pl.DataFrame({"player": ["a", "b"] * 2, "reason": ["late"] * 2 + ["full"] * 2, "n": [0.0] * 4})
    frame = none.with_columns(n_low=pl.col("n"), n_high=pl.col("n"))
    called = {"late": "too late", "full": "full", "other": "nobody's"}
    (panel,) = stacked_parts(frame, "reason", "n", called, LIGHT.parts, shown=str).panels
    assert [(part.name, [(bar.row, bar.length) for bar in part.bars]) for part in panel.parts] == [
        (name, [("a", 0), ("b", 0)]) for name in ("too late", "full")
    ]


def test_a_bar_leads_to_the_matches_behind_it(reader: Reader) -> None:
    frame = all_figures()["endings"].frame(reader, Filter(sizes=(4,)))
    figure = drawn("endings", frame)
    bars, first = traces(figure), figure.layout.yaxis.ticktext[0]
    assert [bar.meta["narrow"][0] for bar in bars] == [
        f"player={first}&result={result}" for result in ("won", "religious", "political", "outlasted")
    ]
    table = all_figures()["eliminations"]
    out = drawn("eliminations", table.frame(reader, Filter(sizes=(4,))))
    assert all("&result=" in text for trace in traces(out) if trace.meta for text in trace.meta["narrow"])


def test_a_row_of_wins_or_eliminations_leads_to_those() -> None:
    row = {"player": "a", "players": 4, "influence": "religious", "round": 3}
    assert of_row(row, all_figures()["comebacks"].narrows) == "player=a&players=4&result=won"
    assert of_row({**row, "place": 1}, all_figures()["placement"].narrows) == "player=a&players=4&result=won"
    assert of_row({**row, "place": 2}, all_figures()["placement"].narrows) == "player=a&players=4"
    assert of_row(row, all_figures()["eliminations"].narrows) == "player=a&players=4&result=religious"
    assert of_row(row) == "player=a&players=4"


def test_players_whose_seats_are_filtered_out_are_still_columns_of_head_to_head() -> None:
    about = {"pairs": 40, "better_share_low": 0.5, "better_share_high": 0.7, "better_share_holm": 0.06}
    rows = [{"player": "b", "other": other, "better_share": 0.575, **about} for other in ("c", "a")]
    chart = draw_head_to_head(pl.DataFrame(rows), LIGHT)
    assert (chart.rows, chart.columns) == (("b",), ("b", "a", "c"))
    assert {cell.text for cell in chart.cells} == {"57.5%"}, "rounded as in the finding"
    assert svg_chart(chart, About("head-to-head", "", ""), LIGHT).count("57.5%") == 4
    assert traces(plotly_figure(chart, LIGHT))


FURTHER = pytest.mark.slow("further figures")


@pytest.mark.slow("every figure")
@pytest.mark.parametrize(
    ("kind", "name", "query"),
    [
        ("catalog", "head-to-head", {"version": ["*"]}),
        ("compare", "apart", {"by": ["version"], "side": ["*"]}),
        ("compare", "head-to-head", {"by": ["tournament"], "side": ["four", "three"]}),
        ("compare", "win-share", {"by": ["option"], "side": ["tokens=false", "tokens=true"]}),
        pytest.param("catalog", "win-share", {"version": ["*"]}, marks=FURTHER),
        pytest.param("catalog", "goods", {"version": ["*"]}, marks=FURTHER),
        pytest.param("compare", "head-to-head", {"by": ["version"], "side": ["*"]}, marks=FURTHER),
        pytest.param("compare", "win-share", {"by": ["tournament"], "side": ["four", "three"]}, marks=FURTHER),
    ],
)
@pytest.mark.usefixtures("app")
def test_links_to_matches_find_matches(reader: Reader, kind: str, name: str, query: dict[str, list[str]]) -> None:
    every = list(filter_choices(reader).versions)
    shown = kinds[kind](reader, name, {key: every if values == ["*"] else values for key, values in query.items()})
    chart = shown.draw(shown.frame, LIGHT)
    assert not isinstance(chart, str)
    drawn = plotly_figure(chart, LIGHT, shown.of_row)
    narrows = [shown.of_row(row) for row in shown.frame.iter_rows(named=True)]
    for trace in traces(drawn):
        led = (trace.meta or {}).get("narrow") or ()
        narrows += led.values() if isinstance(led, dict) else led
    for text in {narrow.partition("&result=")[0] for narrow in narrows}:  # there may be no match with this result
        pairs = [*(pair for pair in shown.pairs if pair[0] not in parse_qs(text)), *parse_qsl(text)]
        where = MatchFilter.read(parse_qs(urlencode(pairs)))
        assert matches_page(reader, where, Sort(), 0, 1)[1] > 0, text
    assert narrows
    assert all(narrows)


def test_a_card_says_that_its_figure_failed(app: Dash, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Shown:
        raise ZeroDivisionError

    monkeypatch.setitem(kinds, "broken", broken)
    wanted = {"figure": "x", "kind": "broken", "search": "?player=a", "scheme": "dark"}
    with app.server.app_context():
        answer = show(wanted)
    assert answer == {**wanted, "failed": FAILED}


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable_on_every_colour(colours: Palette) -> None:
    scale = diverging(colours)
    on = [*colours.series, *colours.parts, *colours.heat, *colours.endings, *colours.goods]
    on += [shade(step / 20, scale, 0, 1) for step in range(21)]
    assert min(contrast(readable(colour), colour) for colour in on) >= 4.5


def test_names_fit_an_axis() -> None:
    assert label("trader") == "trader"
    assert label("lookahead 2:horizon=3:playouts=120") == "lookahead 2<br>:horizon=3…"
    assert label("<b>x") == "&lt;b>x"


def test_a_table_names_its_metrics_and_leads_to_matches() -> None:
    frame = pl.DataFrame({"player": ["a"], "played": [1200], "win_share": [0.25], "win_share_low": [None]})
    columns = {"player": "Player", "played": "Seats", "win_share": "Share won", "win_share_low": "95% from"}
    draw = drawing(all_figures()["win-share"], columns)
    text = str(figure_table(Shown("Wins", frame, draw, columns, "", "", [("tournament", "four"), ("player", "b")])))
    assert "/glossary#win_share" in text
    assert "/matches?tournament=four&player=a" in text
    assert [shown_value(name, value) for name, value in frame.row(0, named=True).items()] == [
        "a",
        "1,200",
        "25.0%",
        "–",
    ]


def test_differences_of_shares_are_in_points_with_a_sign() -> None:
    middle = {"paired_difference": [0.166, -0.166], "paired_difference_low": [0.12, -0.21]}
    frame = pl.DataFrame(
        {"player": ["a", "b"], "other": ["b", "a"], **middle, "paired_difference_high": [0.21, -0.12]}
    ).with_columns(paired_difference_holm=pl.lit(0.01))
    columns = {"player": "Player", "paired_difference": "Difference", "paired_difference_low": "95% from"}
    chart = drawing(all_figures()["paired"], columns)(frame, LIGHT)
    assert isinstance(chart, Dots)
    (panel,) = chart.panels
    assert panel
    (dot,) = panel.dots
    assert dot.value == pytest.approx(16.6)
    assert dot.hover == "a over b: +16.6, 95% CI +12.0 to +21.0"
    assert panel.ticks == "+d"
    text = str(figure_table(Shown("Same luck", frame, drawing(all_figures()["paired"], columns), columns, "", "", [])))
    assert "Difference (points)" in text
    assert "95% from (points)" not in text
    assert shown_value("paired_difference_low", -0.21) == "\N{MINUS SIGN}21.0"


def test_the_map_draws_every_village_road_and_region() -> None:
    arrivals = {number: 10 * number for number in range(1, 21)}
    journeys = {road.between: 5 for road in board().roads}
    svg = board_map(board(), Layer(arrivals, journeys, villages_unit="arrivals"), 'says "so" & <so>')
    assert (svg.count("<circle"), svg.count("<line"), svg.count("<polygon")) == (20, 27, 8)
    assert 'aria-label="says &quot;so&quot; &amp; &lt;so>"' in svg
    assert [int(text) for text in re.findall(r'class="count">(\d+)<', svg)] == list(arrivals.values())
    assert "Village 3: 30 arrivals" in svg


def test_a_difference_says_more_and_fewer_without_colours() -> None:
    mine, theirs = Layer({1: 30, 2: 10, 3: 20}, {(1, 2): 4}), Layer({1: 10, 2: 30, 3: 20}, {(1, 2): 12})
    svg = board_map(board(), mine.less(theirs, mine=100, theirs=200), "difference")
    counts = re.findall(r'class="place ([\w-]+)"[^>]*>.*?class="count">([^<]+)<', svg)
    assert counts[:3] == [("more-2", "+25"), ("fewer-1", "\N{MINUS SIGN}5.0"), ("more-1", "+10")]


def test_the_map_fades_what_is_not_significant() -> None:
    places = pl.DataFrame(
        {"village": [1, 2, 3], "per_seat_difference": [9.0, 8.0, 7.0], "per_seat_difference_holm": [0.01, 0.2, None]}
    )
    roads = [road.between for road in board().roads][:2]
    drawn = pl.DataFrame(
        {
            "village_a": [a for a, _ in roads],
            "village_b": [b for _, b in roads],
            "per_seat_difference": [-5.0, -5.0],
            "per_seat_difference_holm": [0.05, 0.06],
        }
    )
    svg = draw_caravan_map(board(), CARAVAN_LAYERS["arrivals"], places, drawn, ["winners", "losers"], "said")
    assert re.findall(r'class="place ([\w-]+)"[^>]*><title>Village [123]:', svg) == ["more-2", "unsure", "unsure"]
    assert [svg.count(f'class="way {look}"') for look in ("fewer-2", "unsure")] == [1, 1]
    assert svg.count('class="way-number') == 1
    assert "no significant difference (Holm, 5%)" in svg
    regions = pl.DataFrame(
        {"region": [1, 2], "per_seat_difference": [3.0, -3.0], "per_seat_difference_holm": [0.5, 0.001]}
    )
    tinted = draw_caravan_map(board(), CARAVAN_LAYERS["delegations"], regions, None, ["winners", "losers"], "said")
    assert re.findall(r'class="tint tint-(\w+)"', tinted) == ["fewer"]


@pytest.mark.parametrize(("least", "most"), [(0, 0), (3, 3), (0, 4), (17, 2904)])
def test_each_count_is_within_the_bounds_of_its_step(least: int, most: int) -> None:
    bounds = step_bounds(least, most)
    assert (bounds[0][0], bounds[-1][1]) == (least, most)
    for count in range(least, most + 1):
        low, high = bounds[step_of(count, least, most)]
        assert low <= count <= high


@pytest.mark.usefixtures("app")
def test_players_with_the_most_seats_are_compared_by_default(reader: Reader) -> None:
    from dashboards.catalog.compare import sides_of
    from dashboards.pages.compare import report_of

    seats = seat_results(reader, Filter())["player"].value_counts().sort(["count", "player"], descending=[True, False])
    sides = sides_of(reader, {})
    assert list(sides.names) == seats["player"].head(4).to_list()
    every = seats["player"].n_unique()
    assert sides.possible == every
    assert replace(sides, possible=9).lead() == f"4 of 9 players: {', '.join(sides.names)}; choose others below"
    assert replace(sides, possible=4).lead() == ", ".join(sides.names)
    assert sides_of(reader, {"by": ["tournament"], "player": ["random"]}).names[0] == "three"
    assert report_of(sides)["usual"] == "&".join(f"player={name}" for name in sides.names)
    assert "player" not in report_of(sides)["keys"]
    many = sides_of(reader, {"side": list("abcdefgh")})
    assert many.lead() == "a, b, c, d, e, f; the first 6 of 8 chosen"


def test_the_page_of_a_tournament_says_that_its_seeds_are_too_few(app: Dash) -> None:
    from dashboards.pages.tournament import show_standing

    with app.server.app_context():
        said = show_standing("?tournament=four")[2]
    assert re.match(
        r"\d seeds? (is|are) too few for any difference between players to be significant; at least 9 ", said
    )


def test_compare_says_why_its_figures_differ_from_those_of_who_wins(reader: Reader) -> None:
    from dashboards.catalog.compare import UNLIKE_WHO_WINS, sides_of, verdict_of

    assert UNLIKE_WHO_WINS in verdict_of(reader, sides_of(reader, {}))
    assert UNLIKE_WHO_WINS not in verdict_of(reader, sides_of(reader, {"by": ["tournament"]}))


def test_rows_of_a_matrix_are_as_high_whatever_its_columns_are_called() -> None:
    def height(*names: str) -> int:
        cells = tuple(Cell("a", name, 0.0, "", "", "") for name in names)
        figure: Any = plotly_figure(Matrix(("a",), names, cells, diverging(LIGHT), -1, 1), LIGHT)
        return int(figure.layout["height"])

    assert (
        height("a", "b")
        < height("a lookahead", "lookahead 2:playouts=9")
        < height(*(f"lookahead 2:playouts={n}" for n in "abc"))
    )


def test_pages_of_figures_style_nothing_of_the_replay() -> None:
    assets = Path(__file__).parents[3] / "dashboards" / "assets"

    def classes(pattern: str, *names: str) -> set[str]:
        return {found for name in names for found in re.findall(pattern, (assets / name).read_text("utf-8"))}

    own = classes(r"(?m)^\s*\.([\w-]+)", "figures.css", "tournaments.css", "glossary.css")
    of_replay = classes(r"\.([a-z][\w-]*)", "replay.css")
    assert {"verdict", "telling"} <= of_replay
    assert own & of_replay <= {"card", "card-head", "swatch"}


@pytest.mark.parametrize(("count", "text"), [(7, "7"), (2003, "2,003"), (45_350, "45k"), (1_234_567, "1.2M")])
def test_counts_on_the_map_are_short(count: float, text: str) -> None:
    assert short(count) == text
