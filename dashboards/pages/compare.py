"""Compare tab of the Analysis page: players or kinds of matches side by side, with one verdict on all comparisons."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import polars as pl
from dash import ClientsideFunction, Input, Output, callback, clientside_callback, html, register_page, set_props
from dash.development.base_component import Component

from dashboards.catalog.compare import (
    APART,
    CALLED,
    SIDE_KEY,
    STRENGTH,
    Sides,
    counted,
    frame_of,
    possible_sides,
    sides_of,
    texts_of,
    verdict_of,
)
from dashboards.catalog.figures import all_figures, drawing, finding_of, left_out
from dashboards.catalog.questions import ANALYSIS, QUESTIONS
from dashboards.catalog.strength import draw_differences
from dashboards.charts.chart import Behind, Dots, of_row
from dashboards.charts.theme import Palette
from dashboards.games.analytics import all_analytics, analytics_of
from dashboards.games.figure import interval, of_all_alike
from dashboards.queries.addresses import url
from dashboards.queries.reader import Reader
from dashboards.queries.where import filter_choices, game_under
from dashboards.report.button import report_button, report_facts
from dashboards.stats.compare import By
from dashboards.ui.components import analysis_tabs, csv_path, current_reader, notice, over_matches, page_head, segments
from dashboards.ui.figure_card import Shown, figure_card, kinds
from dashboards.ui.filter_bar import PARTS, SEARCH, filter_bar, pick, read_search
from dashboards.web.matches import MORE

register_page(__name__, path="/analysis/compare", title="Compare · Himalaya")

KIND: Final = "compare"
APART_COLUMNS: Final = {
    "player": "Side",
    "other": "Other",
    "ground": "Based on",
    "groups": "Seeds",
    **interval("side_difference", "Difference in wins"),
    "side_difference_p": "p (uncorrected)",
    "side_difference_holm": "p (corrected)",
    **interval("ahead_difference", "Difference in opponents beaten"),
    "ahead_difference_p": "p (uncorrected)",
    "ahead_difference_holm": "p (corrected)",
    "narrowing": "Width unpaired (×)",
}
COMPARED: Final = tuple(name for analytics in all_analytics() for name in analytics.compared)
"""Figures of single games that are shown side by side."""


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Compare", lambda reader: page(reader, query))


def page(reader: Reader, query: Mapping[str, Any]) -> Component:
    """Return the page: the sides, the verdict, and the figures of the sides."""
    sides = sides_of(reader, query)
    choices = filter_choices(reader, game_under(reader, sides.where))
    given = texts_of(query, SIDE_KEY)
    called = CALLED[sides.by]
    sides_input = pick(SIDE_KEY, called, possible_sides(choices, sides.by), given, hint=f"{called} to compare")
    parts = [part for part in PARTS if part != sides.by]
    # in the layout, so that the verdict needs no callback
    lead, verdict, is_empty = judged(reader, sides)
    return html.Div(
        [
            page_head(
                "Compare", report_button(report_of(sides)), lead=html.Span(lead, id="compare-lead", role="status")
            ),
            analysis_tabs("/analysis/compare", choices.game),
            html.Div(segments("compare-by", "What is compared", CALLED, sides.by), className="page-segments"),
            filter_bar(query, parts, first=[sides_input]),
            html.Section(
                [html.H2("Verdict"), html.Div(verdict, id="compare-verdict", role="status")], className="card verdict"
            ),
            html.Div(
                [
                    figure_card(name, title_of(name), kind=KIND, class_name="wide" if is_wide(name) else "")
                    for name in figures_beside(sides.by, choices.game)
                ],
                className="stack" if sides.by == "player" else "halves",
                id="compare-figures",
                hidden=is_empty,
            ),
        ],
        className="page",
    )


def of_sides(reader: Reader, name: str, query: Mapping[str, list[str]]) -> Shown:
    """Return a figure of the sides named in an address."""
    sides = sides_of(reader, query)
    frame = frame_of(reader, name, sides)
    if name == APART:
        columns, finding = APART_COLUMNS, verdict_of(reader, sides)[0]
    else:
        columns = {**all_figures()[name].columns, "player": CALLED[sides.by].removesuffix("s")}
        finding = finding_of(reader, all_figures()[name], frame, sides.where, counted(reader, sides))
    draw = draw_apart if name == APART else all_figures()[name].overlaid or drawing(all_figures()[name], columns)
    narrows = of_all_alike if name == APART else all_figures()[name].narrows

    def behind(row: Behind) -> str:
        return _translated(sides, of_row(row, narrows))

    return Shown(
        title_of(name),
        frame,
        draw,
        columns,
        finding,
        csv_path(f"{KIND}-{name}", sides.pairs()),
        sides.where.pairs(),
        behind,
        left_out(all_figures()["win-share" if name == APART else name], sides.where),
    )


def draw_apart(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw the difference between each two sides, with the better side first."""
    return draw_differences(frame, "side_difference", pl.format("{} over {}", "player", "other"), colours)


def csv_frame(name: str, reader: Reader, query: Mapping[str, list[str]]) -> pl.DataFrame:
    """Return the frame of a figure for the sides named in an address."""
    return frame_of(reader, name, sides_of(reader, query))


def figures_beside(by: By, game: str) -> list[str]:
    """Return the names of the figures of a comparison.

    Other tabs of Analysis have a row per player, so a comparison of players leaves out the figures that are there.
    """
    names = (APART, *STRENGTH, *analytics_of(game).compared)
    return [name for name in names if by != "player" or name == APART or is_wide(name)]


def elsewhere(sides: Sides) -> Component:
    """Return links to the tabs with figures of these players."""
    pairs = [*sides.where.pairs(), *(("player", name) for name in sides.names)]
    links = [html.A(QUESTIONS[each], href=url(f"{ANALYSIS}/{each}", pairs)) for each in ("who", "why")]
    return html.P(["These players in other figures: ", links[0], " · ", links[1]], className="meta")


def is_wide(name: str) -> bool:
    """Return whether a figure needs the full width; figures by round do, because sides overlap in the chart."""
    return name != APART and all_figures()[name].overlaid is not None


def title_of(name: str) -> str:
    """Return the heading of a figure."""
    return "How far apart" if name == APART else all_figures()[name].title


kinds[KIND] = of_sides
for _name in (APART, *STRENGTH, *COMPARED):
    MORE[f"{KIND}-{_name}"] = partial(csv_frame, _name)


@callback(
    Output("compare-lead", "children"),
    Output("compare-verdict", "children"),
    Output("compare-figures", "hidden"),
    Input(SEARCH, "data"),
    prevent_initial_call=True,
)
def judge(search: str) -> tuple[str, Any, bool]:
    """Return the updated comparison after a change of the filter."""
    reader = current_reader()
    sides = sides_of(reader, read_search(search))
    set_props("report-facts", {"data": report_of(sides)})
    return judged(reader, sides)


def judged(reader: Reader, sides: Sides) -> tuple[str, Any, bool]:
    """Return the page's introduction, the verdict, and a flag that is true if no side has any match."""
    results = counted(reader, sides)
    names = results.seats.filter("kept")["player"].unique().to_list() if results.count else []
    if len(names) < 2:
        words = f"Fewer than two of these {CALLED[sides.by].lower()} have matches under these filters"
        return sides.lead(), notice(words, html.P("Choose others, or remove a filter.")), not names
    texts = verdict_of(reader, sides)
    said = [html.P(html.Strong(text) if place == 0 else text) for place, text in enumerate(texts)]
    return sides.lead(), [*said, elsewhere(sides)] if sides.by == "player" else said, False


clientside_callback(ClientsideFunction("figures", "choose"), Input("compare-by", "value"))


def report_of(sides: Sides) -> dict[str, Any]:
    """Return the report button's data for these sides."""
    return report_facts([(sides.by, name) for name in sides.names], instead_of=sides.by)


def _translated(sides: Sides, narrow: str) -> str:
    """Return filter keys and values that select the matches of a side, from the part of an address for a row.

    A row of two sides also selects the opponent, if it is a player at the same tables. An opponent is left
    out if it is a version, or in another tournament.
    """
    found: list[tuple[str, str]] = []
    for key, value in parse_qsl(narrow):
        if key == "player":
            found += sides.behind(value)
        elif key != "with":
            found.append((key, value))
        else:
            (named, name), *where = sides.behind(value)
            found += [("with", name)] if named == "player" and set(where) <= set(found) else []
    return urlencode(list(dict.fromkeys(found)))
