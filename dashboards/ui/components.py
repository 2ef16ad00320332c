"""Components shared by pages: heads, cards, tables, notices, segmented controls, and static text."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import dash_mantine_components as dmc
import polars as pl
from dash import dcc, html
from dash.development.base_component import Component
from flask import current_app

from dashboards.catalog.questions import ANALYSIS, questions_of
from dashboards.charts.svg import OUTLINES
from dashboards.charts.theme import SHAPES, styles
from dashboards.games.analytics import terms_of
from dashboards.games.shared.recent import palette_of
from dashboards.queries.addresses import shown_path, url
from dashboards.queries.filters import Filter
from dashboards.queries.imports import copies_under, match_count
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.queries.results import finished_count
from dashboards.queries.where import Choices, filter_choices
from dashboards.stats.words import whole
from himalaya_core.names import shown_name

__all__ = [
    "analysis_tabs",
    "aria",
    "card",
    "csv_link",
    "csv_path",
    "current_reader",
    "data_table",
    "empty_warehouse",
    "finished_in_words",
    "first_steps",
    "hide_winners",
    "icon",
    "in_game",
    "loading",
    "meaning",
    "notice",
    "over_matches",
    "page_head",
    "participant",
    "plain",
    "readable",
    "segments",
]


class Plain(Component):
    """Dash component for static elements, which assets/plain.js creates from a tree."""

    _namespace = "himalaya"
    _type = "Plain"
    _prop_names = ["id", "tree"]  # noqa: RUF012  a list of the class, as every component of Dash has it
    _valid_wildcard_attributes = []  # noqa: RUF012
    available_properties = _prop_names
    available_wildcard_properties = []  # noqa: RUF012


def plain(*parts: Any) -> Component:
    """Return `dash.html` elements and texts as one static component; callbacks cannot reach its content."""
    return Plain(tree=[_tree(part) for part in parts])


def _tree(part: Any) -> Any:
    """Return an element as `[tag, properties, *children]`; a text is returned unchanged."""
    if not isinstance(part, Component):
        return part
    assert part._namespace == "dash_html_components", part  # noqa: SLF001  a custom component does more than display
    given = dict(part.to_plotly_json()["props"])
    children = given.pop("children", None)
    inside = children if isinstance(children, Sequence) and not isinstance(children, str) else [children]
    return [part._type.lower(), given, *(_tree(child) for child in inside if child is not None)]  # noqa: SLF001


SHARES: Final = frozenset({"share", "low", "high", "expected"})


def current_reader() -> Reader:
    """Return the reader of the database for the current request."""
    found = current_app.config["READER"]
    assert isinstance(found, Reader), "create_app puts them there"
    return found


def finished_in_words(reader: Reader, where: Filter) -> tuple[int, str]:
    """Return the number of finished matches under a filter, and a line that also states how many have copies."""
    number = finished_count(reader, where)
    said = whole(number, "finished match", "finished matches")
    return number, ", ".join(filter(None, (said, copies_under(reader, where).in_words())))


def aria(**properties: str) -> dict[str, Any]:
    """Return ARIA properties for a component: `aria(label="Pages")` gives `aria-label`."""
    return {f"aria-{name}": value for name, value in properties.items()}


def icon(name: str) -> Component:
    """Return an icon from assets/icons. It is decorative, so it needs a label next to it."""
    return html.Span(className=f"icon icon-{name}", **aria(hidden="true"))


def participant(reader: Reader, game: str, player: str, label: str = "", seat: int | None = None) -> list[Any]:
    """Return the name of a participant: mark, player, and the seat's label in brackets, if any.

    Next to a board, `seat` (from 0) gives the mark of that seat's pieces; elsewhere the mark is the player's in charts.
    """
    text = f"{shown_name(player)} ({shown_name(label)})" if label else shown_name(player)
    if seat is not None:
        return [_mark(seat, SHAPES[seat]), text]
    colours = palette_of(reader, "light", game)
    colour, filled, _ = styles([player], colours)[player]
    place = colours.series.index(colour) if colour in colours.series else None
    return [_mark(place, filled.split("-open")[0].removesuffix("-dot")), text]


def _mark(place: int | None, shape: str) -> Component:
    """Return a coloured shape; it is decorative, because the name is next to it."""
    outline = OUTLINES.get(shape)
    corners = ", ".join(f"{50 + 33 * x:.0f}% {50 + 33 * y:.0f}%" for x, y in outline or ())
    style = {
        "background": "var(--muted)" if place is None else f"var(--seat-{place})",
        "clipPath": f"polygon({corners})" if outline else "circle(38%)",
    }
    return html.Span(className="player-mark", style=style, **aria(hidden="true"))


def page_head(title: str, *actions: Any, lead: Component | str | None = None) -> Component:
    """Return a page's h1 heading, with a line below it and the actions for the whole page."""
    return html.Div(
        [
            html.Div([html.H1(title), *([html.P(lead, className="meta")] if lead is not None else [])]),
            html.Div(actions, className="actions"),
        ],
        className="page-head",
    )


def hide_winners() -> Component:
    """Return the switch that hides who won, on all pages; assets/shell.js remembers the choice."""
    switch: Component = dmc.Switch(id="hide-winners", label="Hide winners", size="sm")
    return switch


def analysis_tabs(current: str, game: str) -> Component:
    """Return links to the tabs of the Analysis page; assets/filter_bar.js adds the filter to their addresses."""
    asked = {f"{ANALYSIS}/{question}": title for question, title in questions_of(game).items()}
    tabs = {ANALYSIS: "Overview", **asked, f"{ANALYSIS}/compare": "Compare"}

    def tab(path: str, name: str) -> Component:
        return html.A(name, href=url(path), **(aria(current="page") if path == current else {}))

    return html.Nav(
        [tab(path, name) for path, name in tabs.items()], className="page-tabs carries", **aria(label="Analysis")
    )


def card(title: str, *children: Any, actions: Sequence[Any] = (), class_name: str = "", name: str = "") -> Component:
    """Return a card with a heading; with a `name`, addresses can link to the card."""
    head = html.Div([html.H2(title), html.Div(actions, className="actions")], className="card-head")
    named: dict[str, Any] = {"id": name} if name else {}
    return html.Section([head, *children], className=f"card {class_name}".strip(), **named)


def csv_path(table: str, *filters: list[tuple[str, str]]) -> str:
    """Return the address of a table as CSV, under the filters of a page."""
    return url(f"/csv/{table}.csv", *filters)


def csv_link(name: str, label: str, href: str = "") -> Component:
    """Return a download link for a table as CSV."""
    return html.A([icon("download"), "CSV"], id=name, href=href, download="", className="button", **aria(label=label))


def data_table(frame: pl.DataFrame, columns: Mapping[str, str], caption: str) -> Component:
    """Return a table with the chosen columns of a frame and their headings; shares are shown in per cent."""
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
    """Return the address of a metric's definition in the glossary of a game."""
    return url("/glossary", [("game", game)] if game else []) + f"#{metric}"


def notice(title: str, *children: Any, is_good: bool = False) -> Component:
    """Return a notice for a part of a page that has nothing to show; `is_good` marks a desired state."""
    return html.Div(
        [icon("circle-check" if is_good else "mood-empty"), html.P(title, className="notice-title"), *children],
        className="notice",
    )


def first_steps(database: str) -> Component:
    """Return a card with instructions for filling an empty warehouse."""
    ways = (
        ("See everything: play tournaments, load them, open this app", "himalaya demo"),
        (
            "Play a tournament and write its logs",
            "himalaya tournament caravan --name first --players trader,pilgrim,greedy,envoy --out logs/first",
        ),
        ("Load logs into this database, then reload this page", f"himalaya ingest logs/first --db {database}"),
    )
    return html.Section(
        [
            html.H2("No matches yet"),
            html.P(["The database ", html.Code(database), " holds no matches. In a terminal:"]),
            html.Ol([html.Li([html.P(text), html.Pre(command, tabIndex=0)]) for text, command in ways]),
            html.P(["Or ", dcc.Link("record a match", href=url("/record")), ", at a table or against programs."]),
        ],
        className="card prose",
    )


def empty_warehouse(title: str, database: str) -> Component:
    """Return a page with instructions for filling an empty warehouse."""
    return html.Div([page_head(title), first_steps(database)], className="page")


def readable(title: str, page: Callable[[Reader], Component]) -> Component:
    """Return a page, or a note if the database cannot be read."""
    try:
        return page(current_reader())
    except DatabaseError as error:
        words = [html.H2("The database cannot be read"), html.P(str(error))]
        return html.Div([page_head(title), html.Section(words, className="card prose")], className="page")


def over_matches(title: str, page: Callable[[Reader], Component]) -> Component:
    """Return a page about matches; in an empty warehouse, instructions for loading some."""

    def page_or_steps(reader: Reader) -> Component:
        return page(reader) if match_count(reader) else empty_warehouse(title, shown_path(reader.database))

    return readable(title, page_or_steps)


def loading(child: Component) -> Component:
    """Return a wrapper that dims a part of the page during computation, without changing the layout."""
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
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else shown_name(str(value))


def segments(name: str, label: str, options: Mapping[str, str], chosen: str) -> Component:
    """Return a segmented control; `options` maps values to labels."""
    control: Component = dmc.SegmentedControl(
        id=name,
        data=[{"value": value, "label": text} for value, text in options.items()],
        value=chosen,
        size="sm",
        **aria(label=label),
    )
    made: Component = html.Div(control, className="segment")
    return made


OF_ONE_GAME: Final = frozenset({"from", "to", "layer"})
"""Address keys with values that are specific to a game: rounds, and layers of a map."""
SECOND: Final = "b."
"""Prefix of the keys of a second selection."""
SIDES: Final = {"player": "player", "version": "version", "tournament": "tournament"}


def in_game(reader: Reader, query: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Return the address's keys and values that are valid in its game (by default the most played game).

    Keys that do not belong to the filter, such as the sort order of a list, are unchanged.
    """
    game = next(iter(query.get("game", ())), "")
    known = _known(filter_choices(reader, game))
    by = next(iter(query.get("by", ())), "player")
    known |= {"with": known["player"], "side": known[SIDES.get(by, "player")]}
    kept = []
    for key, values in query.items():
        own = key.removeprefix(SECOND)
        if own not in OF_ONE_GAME:
            kept += [(key, value) for value in values if own not in known or value in known[own]]
    return kept


def _known(choices: Choices) -> dict[str, Collection[str]]:
    ends = {*choices.eliminations, "outlasted"} if choices.eliminations else set()
    return {
        "tournament": choices.tournaments,
        "option": choices.options,
        "players": {str(size) for size in choices.sizes},
        "player": choices.players,
        "version": choices.versions,
        "seat": {str(seat) for seat in range(1, choices.seats + 1)},
        "result": {"won", "lost", *ends},
        "ending": terms_of(choices.game).endings,
        "board": choices.boards,
    }
