"""Analysis page: an overview of the finished matches under a filter, and a page for each figure, by question."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from dash import MATCH, Input, Output, State, callback, ctx, html, register_page
from dash.development.base_component import Component

from dashboards.catalog.chances import valued_in_words, waiting_in_words
from dashboards.catalog.figures import all_figures, figure_of, figure_under, finding_of
from dashboards.catalog.questions import (
    ANALYSIS,
    QUESTIONS,
    answers_of,
    figure_path,
    findings_of,
    overview_of,
    questions_of,
)
from dashboards.games.analytics import analytics_of, terms_of
from dashboards.games.figure import Figure
from dashboards.queries.addresses import url
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.reviews import reviewing_under
from dashboards.queries.tournaments import looks_under
from dashboards.queries.where import game_under
from dashboards.report.button import report_button
from dashboards.stats.claims import FILLED, INTERVALS, SUPERLATIVES
from dashboards.ui.components import (
    analysis_tabs,
    current_reader,
    finished_in_words,
    notice,
    over_matches,
    page_head,
)
from dashboards.ui.figure_card import figure_card
from dashboards.ui.figure_list import all_figures_listed, with_neighbours
from dashboards.ui.filter_bar import SEARCH, filter_bar, read_search
from himalaya_core.games import title_of as game_title
from himalaya_core.tournament.sequential import said_of_looks

TESTED: Final = (
    f"Matches with the same seed (the same {{}}) count as one observation. {INTERVALS} {FILLED} {SUPERLATIVES}"
)
ABOUT: Final = {
    "who": "How often each player wins, and against whom. The figures measure different things (wins, places, finishing"
    " ahead), and each corrects for its own comparisons, so their verdicts can differ.",
    "when": "How long matches last, when they are decided, and how often they turn around.",
    "seat": "Whether a seat wins more than the players who sat in it usually do.",
}
"""Introduction to a question; *why* has that of the game, and *chances* one that depends on the filter."""
TURN_ORDER: Final = (
    "The seat that starts is drawn. So positions in the turn order of the first round are compared, not seats: whether"
    " a position wins more than the players who had it usually do."
)
"""Introduction to *seat* in a game with `Analytics.starters`."""
SHORT: Final = 12
"""Number of digits shown of a model's digest; reports show the whole digest."""


def layout(question: str = "", figure: str = "", **query: Any) -> Component:
    """Return the page under the filters of the address: the overview, or a figure that answers a question."""
    if not question:
        return over_matches("Analysis", lambda reader: overview(reader, query))
    return over_matches(QUESTIONS[question], lambda reader: answer(reader, question, figure, query))


def title_of(question: str, figure: str) -> str:
    """Return the title in the browser. Dash passes the query of the address to layouts only, so it is read here."""
    game = Filter.read(read_search(ctx.inputs.get("_pages_location.search"))).game
    return f"{figure_of(game, figure).title if figure in all_figures() else questions_of(game)[question]} · Himalaya"


register_page(__name__, path=ANALYSIS, title="Analysis · Himalaya", layout=layout)
for _question in QUESTIONS:
    if _question != "where":
        named = {"title": partial(title_of, _question, ""), "layout": partial(layout, _question)}
        register_page(f"{__name__}.{_question}", path=f"{ANALYSIS}/{_question}", **named)
register_page(
    f"{__name__}.figure",
    path_template=f"{ANALYSIS}/<question>/<figure>",
    title=title_of,
    layout=layout,
)


def overview(reader: Reader, query: Mapping[str, Any]) -> Component:
    """Return findings with links to their figures, three figures, and the list of all figures."""
    game = game_under(reader, Filter.read(query))
    findings = [
        html.Li(
            html.A(
                [html.B(figure.title), html.Span("Calculating…", className="meta")],
                href=url(figure_path(figure.name)),
                id={"finding": figure.name},
            )
        )
        for figure in findings_of(game)
    ]
    drawn = [
        figure_card(figure.name, game=game, class_name="wide" if figure.is_wide else "") for figure in overview_of(game)
    ]
    return framed(
        game,
        "Analysis",
        ANALYSIS,
        query,
        html.Section([html.H2("Findings"), html.Ul(findings, className="findings carries")], className="card"),
        html.Section(
            [
                html.H2("Who wins, when, and against whom", className="visually-hidden"),
                html.Div(drawn, className="halves"),
            ]
        ),
        html.Section([html.H2("All figures", className="visually-hidden"), all_figures_listed(game)]),
    )


def answer(reader: Reader, question: str, name: str, query: Mapping[str, Any]) -> Component:
    """Return a figure with its neighbours; without the figure's name, or if the game lacks it, the question's first."""
    game = game_under(reader, Filter.read(query))
    found, title = answers_of(game, question), questions_of(game)[question]
    tab = f"{ANALYSIS}/{question}"
    if not found:
        return framed(game, title, tab, query, notice("This game has no figure on this question"))
    shown = found.get(name) or next(iter(found.values()))
    by_turn_order = {"seat": TURN_ORDER} if analytics_of(game).starters else {}
    about = {**ABOUT, **by_turn_order, "why": analytics_of(game).why}.get(question, "")
    said = html.P(about, className="meta") if question != "chances" else html.P(id="analysis-valued", className="meta")
    heading = html.H2(shown.title, className="visually-hidden")
    card = figure_card(shown.name, game=game, class_name="alone")
    listed = with_neighbours(game, question, figure_path(shown.name), heading, said, card)
    return framed(game, title, tab, query, listed)


def framed(game: str, title: str, tab: str, query: Mapping[str, Any], *parts: Component) -> Component:
    """Return a tab of the page with its filter; the parts are hidden if no match fits it."""
    tested = html.Details(
        [html.Summary("How this is tested"), html.P(TESTED.format(terms_of(game).chance))], className="meta"
    )
    return html.Div(
        [
            page_head(title, report_button(), lead=html.Span(id="analysis-lead", role="status")),
            analysis_tabs(tab, game),
            filter_bar(query),
            html.P(id="analysis-looks", className="filter-note", hidden=True),
            html.Div(id="analysis-none", hidden=True, className="card"),
            html.Div([*parts, tested], id="analysis-figures", className="page-part"),
        ],
        className="page",
    )


@callback(
    Output("analysis-lead", "children"),
    Output("analysis-looks", "children"),
    Output("analysis-looks", "hidden"),
    Output("analysis-none", "children"),
    Output("analysis-none", "hidden"),
    Output("analysis-figures", "hidden"),
    Input(SEARCH, "data"),
)
def count(search: str) -> tuple[str, str, bool, Component, bool, bool]:
    """Return the number of selected matches, a warning of interim looks, and which parts to hide without matches."""
    reader, where = current_reader(), Filter.read(read_search(search))
    number, said = finished_in_words(reader, where)
    looks = said_of_looks(looks_under(reader, where))
    nothing = notice("No finished match fits these filters", html.P("Remove one, or clear them all."))
    said = f"{game_title(game_under(reader, where))}: {said}"
    return said, f"{looks}.", not looks, nothing, number > 0, number == 0


@callback(
    Output({"finding": MATCH}, "children"),
    Input(SEARCH, "data"),
    State({"finding": MATCH}, "id"),
)
def show_finding(search: str, finding: dict[str, str]) -> list[Any]:
    """Return the title of a figure and its finding under the filter; nothing if the figure has no rows."""
    reader, where = current_reader(), Filter.read(read_search(search))
    figure = figure_under(reader, where, finding["finding"])
    said = overview_finding(reader, figure, where)
    return [html.B(figure.title), html.Span(said)] if said else []


def overview_finding(reader: Reader, figure: Figure, where: Filter) -> str:
    """Return a figure's finding, with the number of matches that it will include later; empty without any row."""
    frame = figure.frame(reader, where)
    said = [] if frame.is_empty() else [finding_of(reader, figure, frame, where)]
    if figure.section == "chances":
        said += filter(None, [waiting_in_words(reviewing_under(reader, where))])
    return " ".join(said)


@callback(Output("analysis-valued", "children"), Input(SEARCH, "data"))
def count_valued(search: str) -> str:
    """Return how many of the selected matches are evaluated, why the rest are not, and the model with its error."""
    return " ".join(valued_in_words(reviewing_under(current_reader(), Filter.read(read_search(search))), SHORT))
