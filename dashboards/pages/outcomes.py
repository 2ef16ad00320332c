"""Outcomes: who wins, why, and when, from the finished matches under a filter."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dash import Input, Output, callback, html, register_page
from dash.development.base_component import Component

from dashboards.components import aria, notice, over_matches, page_head, queries
from dashboards.figure_card import figure_card
from dashboards.filter_bar import SEARCH, filter_bar, read_search
from dashboards.filters import Filter
from dashboards.report_button import report_button
from dashboards.stats.catalog import CATALOG
from dashboards.stats.words import whole

register_page(__name__, path="/outcomes", title="Outcomes · Himalaya")

SECTIONS: Final = {
    "strength": (
        "Who wins",
        "How often, how far ahead, from which seat; intervals know what met the same luck.",
    ),
    "why": ("Why", "What the three influences, income, goods, tokens and eliminations have to do with it."),
    "when": ("When", "How long matches are, when they are decided, and how often they turn."),
}
WIDE: Final = frozenset({"influence-by-round", "head-to-head", "paired", "eliminations", "voids", "goods", "tokens"})
ELSEWHERE: Final = frozenset({"tournaments", "telling-matches"})
"""Figures that have a page of their own."""


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Outcomes", lambda _: page(query))


def page(query: Mapping[str, Any]) -> Component:
    """Return the figures by section, with what there is at the top."""
    return html.Div(
        [
            page_head("Outcomes", report_button(), lead=html.Span(id="outcomes-lead", role="status")),
            filter_bar(query),
            html.Div(id="outcomes-none", hidden=True, className="card"),
            html.Div([contents(), *map(section, SECTIONS)], id="outcomes-figures", className="page-part"),
        ],
        className="page",
    )


def contents() -> Component:
    """Return links to the figures."""
    lists = []
    for name, (title, _) in SECTIONS.items():
        links = [html.Li(html.A(CATALOG[figure].title, href=f"#figure-{figure}")) for figure in figures(name)]
        lists += [html.A(title, href=f"#{name}", className="contents-part"), html.Ul(links)]
    return html.Nav(lists, className="card contents", **aria(label="Figures on this page"))


def section(name: str) -> Component:
    """Return the figures of a section."""
    title, lead = SECTIONS[name]
    wide = wide_ones(figures(name))
    cards = [figure_card(figure, class_name="wide" if figure in wide else "") for figure in figures(name)]
    return html.Section(
        [html.H2(title), html.P(lead, className="meta"), html.Div(cards, className="halves")],
        id=name,
        className="figure-section",
    )


def wide_ones(names: Sequence[str]) -> set[str]:
    """Return the figures that take a whole line: those that need it, and those that would have nothing beside them."""
    wide, waiting = set(WIDE), ""
    for name in names:
        if name in WIDE:
            wide.add(waiting)
            waiting = ""
        else:
            waiting = "" if waiting else name
    return wide | {waiting}


def figures(section_: str) -> list[str]:
    """Return the figures of a section, in the order of the catalog."""
    return [name for name, table in CATALOG.items() if table.section == section_ and name not in ELSEWHERE]


@callback(
    Output("outcomes-lead", "children"),
    Output("outcomes-none", "children"),
    Output("outcomes-none", "hidden"),
    Output("outcomes-figures", "hidden"),
    Input(SEARCH, "data"),
)
def count(search: str) -> tuple[str, Component, bool, bool]:
    """Say how many matches the filter leaves; without any there are no figures."""
    number = queries().finished_count(Filter.read(read_search(search)))
    nothing = notice("No finished match fits these filters", html.P("Take one away, or clear them all."))
    return whole(number, "finished match", "finished matches"), nothing, number > 0, number == 0
