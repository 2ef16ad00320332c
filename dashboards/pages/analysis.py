"""Analysis page: who wins, why, and when, from the finished matches under a filter."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dash import Input, Output, callback, html, register_page
from dash.development.base_component import Component

from dashboards.catalog.chances import valued_in_words
from dashboards.catalog.figures import figures_of
from dashboards.games.analytics import analytics_of
from dashboards.games.figure import Figure
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.reviews import reviewing_under
from dashboards.queries.where import game_under
from dashboards.report.button import report_button
from dashboards.stats.claims import FILLED, INTERVALS, SUPERLATIVES
from dashboards.ui.components import (
    analysis_tabs,
    aria,
    current_reader,
    finished_in_words,
    notice,
    over_matches,
    page_head,
)
from dashboards.ui.figure_card import figure_card
from dashboards.ui.filter_bar import SEARCH, filter_bar, read_search

register_page(__name__, path="/analysis", title="Analysis · Himalaya")

TESTED: Final = (
    f"Matches with the same seed (the same dice) count as one observation. {INTERVALS} {FILLED} {SUPERLATIVES}"
)
SECTIONS: Final = {
    "strength": ("Who wins", "How often each player wins, and from which seat."),
    "why": ("Why", ""),
    "when": ("When", "How long matches last, when they are decided, and how often they turn around."),
    "chances": ("Chances of winning", ""),
}
"""Heading and introduction of each section.

The introduction to *why* comes from the game; that to *chances* depends on the filter.
"""
SHORT: Final = 12
"""Number of digits shown of a model's digest; reports show the whole digest."""
ELSEWHERE: Final = frozenset({"tournaments", "telling-matches"})
"""Figures shown on other pages."""


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Analysis", lambda reader: page(reader, query))


def page(reader: Reader, query: Mapping[str, Any]) -> Component:
    """Return the figures of the game by section, below a table of contents."""
    game = game_under(reader, Filter.read(query))
    shown = {name: (*SECTIONS[name], figures(game, name)) for name in SECTIONS}
    title, _, why = shown["why"]
    shown["why"] = (title, analytics_of(game).why, why)
    some = {name: part for name, part in shown.items() if part[2]}
    return html.Div(
        [
            page_head("Analysis", report_button(), lead=html.Span(id="analysis-lead", role="status")),
            analysis_tabs("/analysis"),
            filter_bar(query),
            html.Div(id="analysis-none", hidden=True, className="card"),
            html.Div(
                [contents(some), *(section(name, *part) for name, part in some.items())],
                id="analysis-figures",
                className="page-part",
            ),
        ],
        className="page",
    )


def contents(sections: Mapping[str, tuple[str, str, Sequence[Figure]]]) -> Component:
    """Return links to the figures."""
    lists = []
    for name, (title, _, tables) in sections.items():
        links = [html.Li(html.A(table.title, href=f"#figure-{table.name}")) for table in tables]
        lists += [html.A(title, href=f"#{name}", className="contents-part"), html.Ul(links)]
    return html.Nav(lists, className="card contents", **aria(label="Figures on this page"))


def section(name: str, title: str, lead: str, tables: Sequence[Figure]) -> Component:
    """Return the figures of a section."""
    wide = wide_ones(tables)
    cards = [figure_card(table.name, class_name="wide" if table.name in wide else "") for table in tables]
    said = html.P(id="analysis-valued", className="meta") if name == "chances" else html.P(lead, className="meta")
    tested = [html.Details([html.Summary("How this is tested"), html.P(TESTED)], className="meta")]
    return html.Section(
        [html.H2(title), said, *(tested if name == "strength" else []), html.Div(cards, className="halves")],
        id=name,
        className="figure-section",
    )


def wide_ones(tables: Sequence[Figure]) -> set[str]:
    """Return the figures shown at full width: those that need it, and those that have no neighbour in their row."""
    wide, waiting = {table.name for table in tables if table.is_wide}, ""
    for table in tables:
        if table.is_wide:
            wide.add(waiting)
            waiting = ""
        else:
            waiting = "" if waiting else table.name
    return wide | {waiting}


def figures(game: str, section_: str) -> list[Figure]:
    """Return the figures of a section, in the order of the catalog."""
    return [table for name, table in figures_of(game).items() if table.section == section_ and name not in ELSEWHERE]


@callback(
    Output("analysis-lead", "children"),
    Output("analysis-none", "children"),
    Output("analysis-none", "hidden"),
    Output("analysis-figures", "hidden"),
    Input(SEARCH, "data"),
)
def count(search: str) -> tuple[str, Component, bool, bool]:
    """Return the number of selected matches, and whether to hide parts of the page because there are none."""
    number, said = finished_in_words(current_reader(), Filter.read(read_search(search)))
    nothing = notice("No finished match fits these filters", html.P("Remove one, or clear them all."))
    return said, nothing, number > 0, number == 0


@callback(Output("analysis-valued", "children"), Input(SEARCH, "data"))
def count_valued(search: str) -> str:
    """Return how many of the selected matches are evaluated, why the rest are not, and the model with its error."""
    return " ".join(valued_in_words(reviewing_under(current_reader(), Filter.read(read_search(search))), SHORT))
