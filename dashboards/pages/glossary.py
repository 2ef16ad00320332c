"""Glossary: what every column of every table means, how it is counted, and where it is shown."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import dash_mantine_components as dmc
from dash import ClientsideFunction, Input, Output, clientside_callback, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.components import aria, page_head
from dashboards.stats.catalog import CATALOG, Table
from dashboards.stats.metrics import METRICS, Metric, metric_of

register_page(__name__, path="/glossary", title="Glossary · Himalaya")

SECTIONS: Final = {
    "strength": "Strength: who is better",
    "why": "Why: what wins and loses",
    "where": "Where: places on the board",
    "when": "When: the course of a match",
    "": "Behind the figures",
}
PAGES: Final = {"strength": "/outcomes", "why": "/outcomes", "where": "/traffic", "when": "/outcomes"}
"""Where the figures of a section are shown, each under `#figure-<name>`."""
OWN_PAGES: Final = {"tournaments": "/tournaments"}
BOUNDS: Final = (
    "The interval: made again from other matches between the same players, 95 of 100 such intervals hold the value they"
    " are of. Matches of one luck met the same dice, so lucks are the trials, not matches."
)
READING: Final = (
    ("95% from, 95% to", BOUNDS),
    ("p", "How likely so large a difference is where there is none. What is tested is said with the metric."),
    ("p (Holm)", "The same, corrected for all rows of the table being tested at once (Holm 1979)."),
    ("Quartiles, median", "A quarter, half, three quarters of what the row counts are no greater."),
)


def layout(find: str = "", **_query: Any) -> Component:
    """Return the page; `find` narrows it from the start."""
    found = by_section()
    return html.Div(
        [
            page_head("Glossary", lead=html.Span(id="glossary-count", role="status")),
            html.Div(
                [
                    _contents(find, found),
                    html.Div(
                        [_reading(), *(_section(name, entries) for name, entries in found.items())],
                        id="glossary-entries",
                        className="stack",
                    ),
                ],
                className="glossary",
            ),
            dcc.Store(id="glossary-shown"),
        ],
        className="page",
    )


def by_section() -> dict[str, list[Metric]]:
    """Return every metric once: in the first section whose tables have it, else behind the figures."""
    homes: dict[str, str] = {}
    for table in sorted(CATALOG.values(), key=lambda table: list(SECTIONS).index(table.section)):
        for metric in filter(None, map(metric_of, table.columns)):
            homes.setdefault(metric.name, table.section)
    return {
        section: [metric for metric in METRICS.values() if homes.get(metric.name, "") == section]
        for section in SECTIONS
        if any(homes.get(name, "") == section for name in METRICS)
    }


def shown_in(metric: Metric) -> list[Table]:
    """Return the figures of which the metric is a column."""
    return [table for table in CATALOG.values() if metric in map(metric_of, table.columns)]


def headings(metric: Metric) -> list[str]:
    """Return what the column is called on pages, each way once."""
    return list(dict.fromkeys(table.columns[metric.name] for table in shown_in(metric) if metric.name in table.columns))


def _contents(find: str, found: Mapping[str, Iterable[Metric]]) -> Component:
    parts = [
        html.Li(
            [
                html.Span(SECTIONS[section].partition(":")[0], className="contents-part"),
                html.Ul([html.Li(html.A(_title(metric), href=f"#{metric.name}")) for metric in metrics]),
            ]
        )
        for section, metrics in found.items()
    ]
    search = dmc.TextInput(
        id="glossary-find",
        label="Find",
        placeholder="a word, a column, a method",
        value=find,
        size="sm",
        className="filter",
    )
    return html.Div(
        [html.Div(search, role="search", **aria(label="Glossary")), html.Nav(html.Ul(parts), **aria(label="Metrics"))],
        className="card glossary-contents",
    )


def _reading() -> Component:
    pairs = [html.Div([html.Dt(name), html.Dd(text)]) for name, text in READING]
    return html.Section([html.H2("Beside a metric"), html.Dl(pairs, className="facts")], className="card", id="reading")


def _section(section: str, metrics: Iterable[Metric]) -> Component:
    return html.Section(
        [html.H2(SECTIONS[section]), *(_entry(metric) for metric in metrics)], className="card glossary-section"
    )


def _entry(metric: Metric) -> Component:
    figures = shown_in(metric)
    columns = headings(metric)
    facts: list[tuple[str, Any]] = [
        ("Formula", html.Span(metric.formula)),
        ("Unit", metric.unit),
        ("One row per", metric.grain),
        ("Source", metric.source),
        *([("Column", ", ".join(columns))] if columns else []),
        *([("Shown in", _links(figures))] if figures else []),
    ]
    return html.Article(
        [
            html.H3([html.A(_title(metric), href=f"#{metric.name}"), " ", html.Code(metric.name)]),
            html.P(metric.sentence),
            html.Dl([html.Div([html.Dt(name), html.Dd(fact)]) for name, fact in facts], className="facts"),
        ],
        id=metric.name,
        className="entry",
        tabIndex=-1,
    )


def _links(figures: Iterable[Table]) -> Component:
    """Return the way to each figure."""
    links = [
        html.A(table.title, href=OWN_PAGES.get(table.name) or f"{PAGES[table.section]}#figure-{table.name}")
        for table in figures
    ]
    return html.Ul([html.Li(link) for link in links], className="in-line")


def _title(metric: Metric) -> str:
    return metric.name.replace("_", " ").capitalize()


clientside_callback(
    ClientsideFunction("glossary", "find"), Output("glossary-shown", "data"), Input("glossary-find", "value")
)
