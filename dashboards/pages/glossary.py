"""Glossary page: the meaning of every table column, how it is computed, and the figures that show it."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import dash_mantine_components as dmc
from dash import ClientsideFunction, Input, Output, clientside_callback, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.catalog.figures import all_figures, figures_of
from dashboards.catalog.metrics import METRICS, Metric, metric_of
from dashboards.catalog.questions import figure_path
from dashboards.games.analytics import terms_of
from dashboards.games.figure import Figure
from dashboards.queries.addresses import url
from dashboards.queries.reader import DatabaseError
from dashboards.queries.where import games_played
from dashboards.stats.claims import INTERVALS
from dashboards.ui.components import aria, current_reader, page_head, plain
from himalaya_core.games import GAMES, title_of

register_page(__name__, path="/glossary", title="Glossary · Himalaya")

SECTIONS: Final = {
    "strength": "Strength: who is better",
    "why": "Why: what wins and loses",
    "where": "Where: places on the board",
    "when": "When: the course of a match",
    "chances": "Chances: how likely a win was",
    "": "Behind the figures",
}
BOUNDS: Final = (
    "The 95% confidence interval (CI). Of 100 such intervals, each from other matches between the same players, 95"
    " contain the true value. Matches with the same seed share their chance events, so the observations are seeds."
)
WORDS: Final = {
    "Seat": "A place at the table of one match. A player usually has one seat in a match.",
    "Its matches": "The matches a player played; one in which it has two seats counts twice.",
    "Meeting": "Two players at the same table; with several seats, each pair of their seats is one.",
    "Seed": "The name that all chance events of a match come from: the same seed gives the same ones to any players.",
    "Event": "One line of a match's log: something that happened.",
    "Upset": "A win by a player with a chance below one half, as judged by ratings or in the match.",
    "Ply": "One decision of a player or of chance, and what follows from it by the rules.",
    "Leader": "The player that would win if the match ended there.",
    "Verdict": "Whether a log obeys the rules: only clean matches count, unless the filter says otherwise.",
    "Quarantine": "Where logs with errors wait to be repaired; they are in no figure.",
    "Significant": "A corrected p of at most 0.05: if players did not differ, at most 5% of reports would claim any"
    " difference at all.",
    "Filter": "Figures count what the filter's seats did in its rounds; a match without such a seat is left out.",
}
READING: Final = (
    ("95% from, 95% to", f"{BOUNDS} {INTERVALS}"),
    (
        "p (uncorrected)",
        (
            "For this row alone: how likely a difference at least this large would be if the true difference were"
            " zero. Each metric says what is tested."
        ),
    ),
    (
        "p (corrected)",
        "Holm-adjusted p over all rows, scaled so that a report keeps a 5% family-wise error rate; significant ≤ 0.05.",
    ),
    ("Quartiles, median", "A quarter, half and three quarters of the values observed are no greater than these."),
)
CHANCES: Final = (
    (
        "Chance of winning",
        (
            "How often seats in a similar position won, in matches of the players the model was trained on;"
            " not what perfect play would give. It sees what every player at the table may see, no plan and no name."
        ),
    ),
    (
        "±, the model's error",
        (
            "By how many points chances and shares of wins differed on average, in matches the model was not fitted to."
            " A change smaller than this is not called a key moment, nor a smaller loss a worse decision."
        ),
    ),
    (
        "Key moment",
        (
            "A change of the chances and its cause. Figures count the six largest that a player or chance caused."
            " Changes of one seat in one round that nearly cancel are one. A secret plan counts at the cost expected"
            " when it was chosen, if that is larger. A plan is compared with the reference player's plan in the same"
            " round, so it can cost more than the seat's chance before the round. The replay also lists all other"
            " changes larger than the model's error. 'Settled' is the change to a result that nothing can alter."
        ),
    ),
    (
        "Better",
        (
            "The best alternative that was found to a decision, and by how many points. This is the model's"
            " estimate until 'Check this' plays it out with the players of the match. Better ones may exist."
        ),
    ),
    (
        "Causes: own, rivals, trades, dice, drift",
        (
            "Changes of a seat's chances in a round by cause, in hindsight, with all plans known. Drift is the change"
            " if every seat had played like the reference player (the program planner). Added to the starting"
            " chance, the causes give the outcome."
        ),
    ),
    (
        "Cost then",
        (
            "The cost of a plan as expected when it was made, against plans that the rivals might have made."
            " A plan can turn out badly and still have been the best choice."
        ),
    ),
    (
        "Not valued",
        "The model was not checked on matches with this number of players, board, option or rules version.",
    ),
)


def layout(find: str = "", game: str = "", **_query: Any) -> Component:
    """Return the glossary of a game, by default of the most played game; `find` is the initial search text."""
    try:
        games = games_played(current_reader())
    except DatabaseError:  # definitions of metrics do not need the database
        games = ()
    about = game or next(iter(games), next(iter(GAMES)))
    found = by_section(about)
    return html.Div(
        [
            page_head("Glossary", *_games(games, about), lead=html.Span(id="glossary-count", role="status")),
            html.Div(
                [
                    _contents(find, about, found),
                    html.Div(
                        plain(
                            _words(about),
                            _reading(),
                            _chances(),
                            *(_section(name, entries, about) for name, entries in found.items()),
                        ),
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


def by_section(game: str) -> dict[str, list[Metric]]:
    """Return the metrics of a game by section: the first section with a figure that shows the metric, else the last.

    Metrics that only other games' figures show are left out.
    """
    homes: dict[str, str] = {}
    for table in sorted(figures_of(game).values(), key=lambda table: list(SECTIONS).index(table.section)):
        for metric in filter(None, map(metric_of, table.columns)):
            homes.setdefault(metric.name, table.section)
    elsewhere = {
        metric.name for table in all_figures().values() for metric in filter(None, map(metric_of, table.columns))
    }
    every = [metric for name, metric in METRICS.items() if name in homes or name not in elsewhere]
    found = {section: [metric for metric in every if homes.get(metric.name, "") == section] for section in SECTIONS}
    return {section: metrics for section, metrics in found.items() if metrics}


def shown_in(metric: Metric, game: str) -> list[Figure]:
    """Return the figures of a game that have the metric as a column."""
    return [table for table in figures_of(game).values() if metric in map(metric_of, table.columns)]


def headings(metric: Metric, tables: Iterable[Figure]) -> list[str]:
    """Return the distinct headings of a metric's column in the given figures."""
    return list(dict.fromkeys(table.columns[metric.name] for table in tables if metric.name in table.columns))


def _games(games: tuple[str, ...], about: str) -> list[Component]:
    """Return links to the glossaries of all games; empty if there is only one game."""
    if len(games) < 2:
        return []
    links = [
        html.A(
            title_of(game),
            href=url("/glossary", [("game", game)]),
            className="button",
            **(aria(current="true") if game == about else {}),
        )
        for game in games
    ]
    return [html.Nav(links, className="actions", **aria(label="Games"))]


def _contents(find: str, game: str, found: Mapping[str, Iterable[Metric]]) -> Component:
    parts = [
        html.Li(
            [
                html.Span(SECTIONS[section].partition(":")[0], className="contents-part"),
                html.Ul([html.Li(html.A(_title(metric, game), href=f"#{metric.name}")) for metric in metrics]),
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
        [
            html.Div(search, role="search", **aria(label="Glossary")),
            plain(html.Nav(html.Ul(parts), **aria(label="Metrics"))),
        ],
        className="card glossary-contents",
    )


def _words(game: str) -> Component:
    return _facts("words", "Words used here", {**WORDS, **terms_of(game).words}.items())


def _reading() -> Component:
    return _facts("reading", "Columns next to a metric", READING)


def _facts(name: str, title: str, pairs: Iterable[tuple[str, str]]) -> Component:
    facts = [html.Div([html.Dt(word), html.Dd(text)]) for word, text in pairs]
    return html.Section([html.H2(title), html.Dl(facts, className="facts")], className="card glossary-reading", id=name)


def _chances() -> Component:
    return _facts("chances", "Chances and key moments in a replay", CHANCES)


def _section(section: str, metrics: Iterable[Metric], game: str) -> Component:
    return html.Section(
        [html.H2(SECTIONS[section]), *(_entry(metric, game) for metric in metrics)], className="card glossary-section"
    )


def _entry(metric: Metric, game: str) -> Component:
    figures = shown_in(metric, game)
    columns = headings(metric, figures)
    facts: list[tuple[str, Any]] = [
        *([("Column heading", ", ".join(columns))] if len(columns) > 1 else []),
        *([("Shown in", _links(figures, game))] if figures else []),
    ]
    details = [
        ("Formula", metric.formula),
        ("Unit", metric.unit),
        ("One row per", metric.grain),
        ("Source", metric.source),
    ]
    return html.Article(
        [
            html.H3([html.A(_title(metric, game), href=f"#{metric.name}"), " ", html.Code(metric.name)]),
            html.P(metric.sentence),
            html.Dl([html.Div([html.Dt(name), html.Dd(fact)]) for name, fact in facts], className="facts"),
            html.Details(
                [
                    html.Summary("Details"),
                    html.Dl([html.Div([html.Dt(name), html.Dd(fact)]) for name, fact in details], className="facts"),
                ]
            ),
        ],
        id=metric.name,
        className="entry",
        tabIndex=-1,
    )


def _links(figures: Iterable[Figure], game: str) -> Component:
    def link(table: Figure) -> Component:
        path = figure_path(table.name)
        return html.A(table.title, href=url(path, [] if path == "/" else [("game", game)]))

    return html.Ul([html.Li(link(table)) for table in figures], className="in-line")


def _title(metric: Metric, game: str) -> str:
    """Return a metric's heading in tables, else its name; the figure is added if other metrics have that heading."""
    figures = [table for table in shown_in(metric, game) if metric.name in table.columns]
    if not figures:
        return metric.name.replace("_", " ").capitalize()
    heading = figures[0].columns[metric.name]
    return heading if heading not in _shared(game) else f"{figures[0].title}: {heading[:1].lower()}{heading[1:]}"


@cache
def _shared(game: str) -> frozenset[str]:
    """Return the headings that several metrics of a game share."""
    named: dict[str, set[str]] = {}
    for table in figures_of(game).values():
        for column, heading in table.columns.items():
            named.setdefault(heading, set()).add(column)
    return frozenset(heading for heading, columns in named.items() if len(columns) > 1)


clientside_callback(
    ClientsideFunction("glossary", "find"), Output("glossary-shown", "data"), Input("glossary-find", "value")
)
