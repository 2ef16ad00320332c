"""Components of pages: heads, cards, tables, notices."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import polars as pl
from dash import dcc, html
from dash.development.base_component import Component
from flask import current_app

from dashboards.charts.marks import OUTLINES
from dashboards.charts.players import styles
from dashboards.charts.theme import Palette
from dashboards.games.shared.recent import palette_of
from dashboards.stats.words import whole
from dashboards.warehouse.addresses import url
from dashboards.warehouse.copies import copies_under
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.intake import match_count
from dashboards.warehouse.paths import shown_path
from dashboards.warehouse.reader import DatabaseError, Reader
from dashboards.warehouse.results import finished_count
from himalaya_core.names import shown_name

__all__ = [
    "aria",
    "card",
    "csv_link",
    "csv_path",
    "current_reader",
    "data_table",
    "empty_warehouse",
    "finished_in_words",
    "icon",
    "loading",
    "meaning",
    "notice",
    "over_matches",
    "page_head",
    "participant",
]


SHARES: Final = frozenset({"share", "low", "high", "expected"})


def current_reader() -> Reader:
    """Return the app's reader for the current request."""
    found = current_app.config["READER"]
    assert isinstance(found, Reader), "create_app puts them there"
    return found


def finished_in_words(reader: Reader, where: Filter) -> tuple[int, str]:
    """Return the number of finished matches under a filter, and the line with it and the number of copied matches."""
    number = finished_count(reader, where)
    said = whole(number, "finished match", "finished matches")
    return number, ", ".join(filter(None, (said, copies_under(reader, where).in_words())))


def aria(**properties: str) -> dict[str, Any]:
    """Return ARIA properties for a component: `aria(label="Pages")` is `aria-label`."""
    return {f"aria-{name}": value for name, value in properties.items()}


def icon(name: str) -> Component:
    """Return an icon of assets/icons; it is decoration, so a label must be next to it."""
    return html.Span(className=f"icon icon-{name}", **aria(hidden="true"))


def participant(reader: Reader, game: str, player: str, label: str = "") -> list[Any]:
    """Return the name of a participant: mark, player, and the label of its seat in brackets if there is one."""
    text = f"{shown_name(player)} ({shown_name(label)})" if label else shown_name(player)
    return [_mark(player, palette_of(reader, "light", game)), text]


def _mark(player: str, colours: Palette) -> Component:
    """Return a player's mark as charts draw it, a shape in its colour; the name next to it says as much."""
    colour, filled, _ = styles([player], colours)[player]
    place = colours.series.index(colour) if colour in colours.series else None
    outline = OUTLINES.get(filled.split("-open")[0].removesuffix("-dot"))
    corners = ", ".join(f"{50 + 33 * x:.0f}% {50 + 33 * y:.0f}%" for x, y in outline or ())
    style = {
        "background": "var(--muted)" if place is None else f"var(--seat-{place})",
        "clipPath": f"polygon({corners})" if outline else "circle(38%)",
    }
    return html.Span(className="player-mark", style=style, **aria(hidden="true"))


def page_head(title: str, *actions: Any, lead: Component | str | None = None) -> Component:
    """Return the one h1 of a page, a line under it, and the actions for the whole page."""
    return html.Div(
        [
            html.Div([html.H1(title), *([html.P(lead, className="meta")] if lead is not None else [])]),
            html.Div(actions, className="actions"),
        ],
        className="page-head",
    )


def card(title: str, *children: Any, actions: Sequence[Any] = (), class_name: str = "", name: str = "") -> Component:
    """Return a card with a heading; with a name, an address can link to it."""
    head = html.Div([html.H2(title), html.Div(actions, className="actions")], className="card-head")
    named: dict[str, Any] = {"id": name} if name else {}
    return html.Section([head, *children], className=f"card {class_name}".strip(), **named)


def csv_path(table: str, *filters: list[tuple[str, str]]) -> str:
    """Return the address of a table as CSV, under the filters of a page."""
    return url(f"/csv/{table}.csv", *filters)


def csv_link(name: str, label: str, href: str = "") -> Component:
    """Return a link that downloads a table as CSV."""
    return html.A([icon("download"), "CSV"], id=name, href=href, download="", className="button", **aria(label=label))


def data_table(frame: pl.DataFrame, columns: Mapping[str, str], caption: str) -> Component:
    """Return a table of some columns of a frame, under the headings given; shares are shown in per cent."""
    classes = {name: "number" if frame[name].dtype.is_numeric() else "" for name in columns}
    head = [html.Th(title, scope="col", className=classes[name]) for name, title in columns.items()]
    rows = [
        html.Tr([html.Td(_shown(name, row[name]), className=classes[name]) for name in columns])
        for row in frame.iter_rows(named=True)
    ]
    title = html.Caption(caption, className="visually-hidden")
    table = html.Table([title, html.Thead(html.Tr(head)), html.Tbody(rows)])
    return html.Div(table, className="table-scroll", tabIndex=0, role="region", **aria(label=caption))


def meaning(metric: str, game: str = "") -> str:
    """Return the address of a metric's definition, in the glossary of a game."""
    return url("/glossary", [("game", game)] if game else []) + f"#{metric}"


def notice(title: str, *children: Any, is_good: bool = False) -> Component:
    """Return a quiet text for a place with nothing to show; `is_good` if that is the desired state."""
    return html.Div(
        [icon("circle-check" if is_good else "mood-empty"), html.P(title, className="notice-title"), *children],
        className="notice",
    )


def empty_warehouse(title: str, database: str) -> Component:
    """Return a page with instructions to fill an empty warehouse."""
    ways = (
        ("See everything: play tournaments, load them, open this app", "himalaya demo"),
        (
            "Play a tournament and write its logs",
            "himalaya tournament caravan --name first --players trader,pilgrim,greedy,envoy --out logs/first",
        ),
        ("Load logs into this database, then reload this page", f"himalaya ingest logs/first --db {database}"),
    )
    return html.Div(
        [
            page_head(title),
            html.Section(
                [
                    html.H2("No matches yet"),
                    html.P(["The database ", html.Code(database), " holds no matches. In a terminal:"]),
                    html.Ol([html.Li([html.P(text), html.Pre(command, tabIndex=0)]) for text, command in ways]),
                    html.P(
                        [
                            "Or ",
                            dcc.Link("record a match", href=url("/record")),
                            ", at a table or against programs.",
                        ]
                    ),
                ],
                className="card prose",
            ),
        ],
        className="page",
    )


def over_matches(title: str, page: Callable[[Reader], Component]) -> Component:
    """Return a page that shows matches, or instructions to get some."""
    reader = current_reader()
    try:
        return page(reader) if match_count(reader) else empty_warehouse(title, shown_path(reader.database))
    except DatabaseError as error:
        words = [html.H2("The database cannot be read"), html.P(str(error))]
        return html.Div([page_head(title), html.Section(words, className="card prose")], className="page")


def loading(child: Component) -> Component:
    """Dim a part of the page while it is being computed, without making it jump."""
    return dcc.Loading(
        child,
        delay_show=250,
        overlay_style={"visibility": "visible", "opacity": 0.45},
        custom_spinner=html.Span("Loading", className="loading-note"),
    )


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "\N{EN DASH}"
    if name in SHARES:
        return f"{value:.1%}"
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
