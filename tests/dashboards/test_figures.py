"""The figures: nothing is sent anywhere, everything counted is drawn, both schemes differ."""

import re

import plotly.graph_objects as go
import pytest
from dash import Dash, dcc
from dash.development.base_component import Component

from dashboards.figures.outcomes import draw
from dashboards.figures.traffic_map import step_bounds, step_of, traffic_map
from dashboards.filters import OutcomeFilter, TrafficFilter
from dashboards.queries import Queries
from dashboards.stats.outcomes import TABLES
from dashboards.stats.traffic import traffic
from dashboards.theme import DARK, LIGHT, palette


def drawn(asked: Queries, size: int, scheme: str) -> list[go.Figure]:
    frames = {name: TABLES[name](asked, OutcomeFilter(sizes=(size,))) for name in TABLES}
    return draw(frames, palette(scheme))


@pytest.mark.parametrize("path", ["/", "/traffic", "/outcomes", "/replay"])
def test_no_graph_offers_to_send_its_data_away(app: Dash, path: str) -> None:
    from dash import page_registry

    with app.server.test_request_context(path):
        layout = next(entry["layout"] for entry in page_registry.values() if entry["path"] == path)()
    assert isinstance(layout, Component)
    graphs = [part for part in layout._traverse() if isinstance(part, dcc.Graph)]
    assert len(graphs) == (5 if path == "/outcomes" else 0)
    assert all(vars(graph)["config"]["showSendToCloud"] is False for graph in graphs)


@pytest.mark.parametrize("size", [3, 4])
def test_every_figure_is_drawn_for_both_schemes(asked: Queries, size: int) -> None:
    light, dark = drawn(asked, size, "light"), drawn(asked, size, "dark")
    assert [figure.layout["font"]["color"] for figure in light] == [LIGHT.text] * 5
    assert [figure.layout["font"]["color"] for figure in dark] == [DARK.text] * 5


def test_parts_of_the_endings_are_a_whole(asked: Queries) -> None:
    bars = drawn(asked, 4, "light")[1].data
    totals = [sum(parts) for parts in zip(*(bar.x for bar in bars), strict=True)]
    assert totals == pytest.approx([1.0] * len(totals))


def test_the_map_draws_every_village_road_and_region(asked: Queries) -> None:
    found = traffic(asked, TrafficFilter())
    assert found is not None
    svg = traffic_map(found, 'says "so" & <so>')
    assert (svg.count("<circle"), svg.count("<line"), svg.count("<polygon")) == (20, 27, 8)
    assert 'aria-label="says &quot;so&quot; &amp; &lt;so>"' in svg
    counts = [int(text) for text in re.findall(r'class="count">(\d+)<', svg)]
    assert counts == found.villages["arrivals"].to_list()


@pytest.mark.parametrize(("least", "most"), [(0, 0), (3, 3), (0, 4), (17, 2904)])
def test_each_count_is_within_the_bounds_of_its_step(least: int, most: int) -> None:
    bounds = step_bounds(least, most)
    assert (bounds[0][0], bounds[-1][1]) == (least, most)
    for count in range(least, most + 1):
        low, high = bounds[step_of(count, least, most)]
        assert low <= count <= high
