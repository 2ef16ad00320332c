"""Tournament page: standings and cross-table of one tournament, its notable matches, and its evidence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl
from dash import Input, Output, callback, ctx, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.catalog.figures import all_figures, figure_of, finding_of, pools_under
from dashboards.catalog.notable import match_titles
from dashboards.catalog.questions import ANALYSIS, figure_path
from dashboards.games.analytics import all_analytics, terms_of
from dashboards.queries.addresses import url
from dashboards.queries.filters import Filter
from dashboards.queries.matches import turning_plies
from dashboards.queries.provenance import logs_under, scope_under, versions_under
from dashboards.queries.reader import Reader
from dashboards.queries.where import filter_choices, game_under, participants
from dashboards.report.button import report_button, report_facts
from dashboards.report.model import digest_of
from dashboards.stats.claims import INTERVALS, too_few_for_any
from dashboards.stats.strength_words import apart
from dashboards.stats.words import whole
from dashboards.ui.components import (
    aria,
    card,
    csv_link,
    csv_path,
    current_reader,
    data_table,
    finished_in_words,
    hide_winners,
    loading,
    meaning,
    notice,
    over_matches,
    page_head,
)
from dashboards.ui.filter_bar import SEARCH, filter_bar, read_search
from dashboards.ui.standings import Leading, cross_table, standing_table


def title(**_path: Any) -> str:
    """Return the title in the browser. Dash passes the query of the address to layouts only, so it is read here."""
    names = Filter.read(read_search(ctx.inputs.get("_pages_location.search"))).tournaments
    return f"{' and '.join(names) or 'Tournament'} · Himalaya"


register_page(__name__, path="/tournament", title=title)

FILTERS: Final = ("player", "players", "option", "seat", "version", "result", "board")
FIGURES: Final = ("ratings", "placement", "seat-effect", "paired")
TELLING: Final = "telling-matches"
MOST_TELLING: Final = 8
MOST_LOGS: Final = 100
FEW_SEEDS: Final = 20
"""With more seeds than this, the check for too few seeds is skipped: they suffice for any number of players."""
NOTHING: Final = "No finished match fits these filters"


def layout(**query: Any) -> Component:
    """Return the page of the tournament in the address, or a choice of tournaments."""
    return over_matches("Tournament", lambda reader: page(reader, query))


def page(reader: Reader, query: Mapping[str, Any]) -> Component:
    """Return the layout of the page; callbacks fill its parts according to the filters."""
    where = Filter.read(query)
    known = filter_choices(reader, game_under(reader, where)).tournaments
    if not where.tournaments or not set(where.tournaments) <= set(known):
        return _choice(where.tournaments, known)
    name = " and ".join(where.tournaments)
    here = Filter(game=where.game, tournaments=where.tournaments).pairs()
    made = standing(reader, where)  # in the layout, so that the first table needs no callback
    return html.Div(
        [
            html.Nav(
                dcc.Link("All tournaments", href=url("/tournaments")), className="crumbs", **aria(label="Where this is")
            ),
            page_head(
                name,
                html.A("Matches", href=url("/matches", here), className="button"),
                report_button(report_facts(Filter(game=where.game, tournaments=where.tournaments).pairs())),
                lead=html.Span(made[0], id="tournament-lead", role="status"),
            ),
            filter_bar(query, FILTERS, within=where.tournaments),
            html.Div(
                [
                    _place("standing", "Standings", made[1:4]),
                    _place("cross", "Head to head", made[4:]),
                ],
                className="halves tournament-parts",
            ),
            html.Div(
                [
                    card("Notable matches", loading(html.Div(id="tournament-telling")), actions=[hide_winners()]),
                    card("Basis of this page", loading(html.Div(id="tournament-rests"))),
                    card("More on this tournament", _analysis(game_under(reader, where), here)),
                ],
                className="halves",
            ),
        ],
        className="page",
    )


def _analysis(game: str, pairs: list[tuple[str, str]]) -> Component:
    """Return links to figures of the tournament on the Analysis page, and to its overview."""
    titles = {figure_path(name): figure_of(game, name).title for name in FIGURES} | {ANALYSIS: "Analysis"}
    links = [html.Li(html.A(title, href=url(path, pairs), className="row-link")) for path, title in titles.items()]
    return html.Ul(links, className="plain-list")


def _choice(wanted: tuple[str, ...], known: tuple[str, ...]) -> Component:
    names = ", ".join(wanted)
    lead = f"There is no tournament {names} in this database." if wanted else "Choose one."
    links = [html.Li(dcc.Link(name, href=url("/tournament", [("tournament", name)]))) for name in known]
    chosen = card("Tournaments", html.Ul(links, className="plain-list"), class_name="prose")
    return html.Div([page_head("Tournament", lead=lead), chosen], className="page")


def _place(part: str, title: str, shown: Sequence[Any]) -> Component:
    """Return a card with a table, its finding and its CSV link, which a callback updates."""
    table, said, path = shown
    link = csv_link(f"tournament-{part}-csv", f"{title}, as CSV", path)
    inside = loading(html.Div(table, id=f"tournament-{part}"))
    return card(
        title,
        inside,
        html.P(said, id=f"tournament-{part}-said", className="finding"),
        actions=[link],
        class_name="wide",
    )


@callback(
    Output("tournament-lead", "children"),
    Output("tournament-standing", "children"),
    Output("tournament-standing-said", "children"),
    Output("tournament-standing-csv", "href"),
    Output("tournament-cross", "children"),
    Output("tournament-cross-said", "children"),
    Output("tournament-cross-csv", "href"),
    Input(SEARCH, "data"),
    prevent_initial_call=True,
)
def show_standing(search: str | None) -> tuple[Any, ...]:
    """Return the updated standings after a change of the filter."""
    return standing(current_reader(), Filter.read(read_search(search)))


def standing(reader: Reader, where: Filter) -> tuple[Any, ...]:
    """Return the number of matches, then table, finding and CSV link of the standings, then those of head-to-head."""
    pairs = where.pairs()
    links = [csv_path(name, pairs) for name in ("win-share", "head-to-head")]
    _, count = finished_in_words(reader, where)
    shares, ratings, met = (
        all_figures()[name].frame(reader, where) for name in ("win-share", "ratings", "head-to-head")
    )
    if shares.is_empty():
        return count, notice(NOTHING, html.P("Remove one, or clear them all.")), "", links[0], "", "", links[1]
    leading = Leading(where, {each.name: (each.key, each.value) for each in participants(reader, where)}, reader)
    never_met = apart(pools_under(reader, where))
    rated = finding_of(reader, all_figures()["ratings"], ratings, where)
    said = [
        _too_few(reader, where, shares),
        finding_of(reader, all_figures()["win-share"], shares, where),
        rated.removeprefix(never_met).lstrip(),  # the note on pools that never met is already in the sentence before
        INTERVALS,
    ]
    order = html.P("Ordered by share won, equal shares by name.", className="meta")
    table = [standing_table(shares, ratings, leading), order]
    cross = [] if met.is_empty() else [cross_table(met, shares["player"].to_list(), leading), _key(where.game)]
    return (
        count,
        table,
        " ".join(filter(None, said)),
        links[0],
        cross,
        finding_of(reader, all_figures()["head-to-head"], met, where),
        links[1],
    )


def _too_few(reader: Reader, where: Filter, shares: pl.DataFrame) -> str:
    """Return a warning if the seeds are too few for any significant difference; empty otherwise."""
    if int(shares["groups"].max()) > FEW_SEEDS:  # type: ignore[arg-type]  # a column of integers
        return ""
    return too_few_for_any(all_figures()["paired"].frame(reader, where))


def _key(game: str) -> Component:
    """Return the legend of signs and colours, and the container for details of the cell under the pointer."""
    parts = [
        html.Span(
            [
                html.Span("*", className="apart"),
                html.A("significant (corrected p \N{LESS-THAN OR EQUAL TO} 0.05)", href=meaning("reading", game)),
            ],
            className="legend-item",
        ),
        html.Span([html.Span(className="swatch-cell ahead"), "more often ahead"], className="legend-item"),
        html.Span([html.Span(className="swatch-cell behind"), "less often ahead"], className="legend-item"),
    ]
    said = html.Span(className="cross-said", **aria(hidden="true"))
    return html.Div([*parts, said], className="legend")


@callback(Output("tournament-telling", "children"), Input(SEARCH, "data"))
def show_telling(search: str | None) -> Any:
    """Return the most notable matches, each with reasons and a link to its replay."""
    reader = current_reader()
    frame = all_figures()[TELLING].frame(reader, Filter.read(read_search(search)))
    if frame.is_empty():
        return notice("No notable match")
    reasons: dict[str, list[tuple[str, str]]] = {}
    for row in frame.iter_rows(named=True):
        reasons.setdefault(row["match"], []).append((row["what"], row["why"]))
    told = dict(list(reasons.items())[:MOST_TELLING])
    plies = turning_plies(reader, list(told), [analytics.turning_points for analytics in all_analytics()])
    titles = match_titles(reader, _alike(told))
    plies |= {match: title.ply for match, title in titles.items()}
    return html.Ul(
        [
            _telling(match, whys, plies.get(match), titles[match].text if match in titles else "")
            for match, whys in told.items()
        ],
        className="plain-list telling",
    )


def _alike(reasons: Mapping[str, Sequence[tuple[str, str]]]) -> list[str]:
    """Return the matches listed for the same reasons, in the same words, as another one."""
    often = Counter(map(tuple, reasons.values()))
    return [match for match, whys in reasons.items() if often[tuple(whys)] > 1]


def _telling(match: str, reasons: list[tuple[str, str]], ply: int | None, title: str) -> Component:
    """Return a link to a position of a match, with its title, if any, and the reasons why it is notable."""
    kinds, whys = zip(*reasons, strict=True)
    said = [
        html.Span("; ".join(filter(None, (title, *whys))), className="when-told"),
        html.Span("; ".join(kinds), className="when-hidden"),
    ]
    at = [("match", match), *([("ply", str(ply))] if ply is not None else [])]
    return html.Li([html.A(match, href=url("/replay", at), className="row-link"), *said])


@callback(Output("tournament-rests", "children"), Input(SEARCH, "data"))
def show_rests(search: str | None) -> Any:
    """Return the players' versions, their conditions of play, and the digests of the logs."""
    reader, where = current_reader(), Filter.read(read_search(search))
    logs = logs_under(reader, where)
    if logs.is_empty():
        return notice(NOTHING)
    scope = scope_under(reader, where)
    facts: list[tuple[str, Any]] = [
        ("Rules", ", ".join(scope.rules)),
        ("Board", ", ".join(scope.boards)),
        ("Options", ", ".join(scope.options)),
        ("Seeds", f"{scope.seeds:,}"),
        ("Checked", scope.checks.in_words(terms_of(next(iter(scope.games), "")).chance)),
        *([("Interim looks", looked_at)] if (looked_at := scope.looked_at()) else []),
        ("Digest", html.Code(digest_of(logs))),
    ]
    columns = {"player": "Player", "version": "Version", "played": "Matches"}
    return [
        html.Dl([html.Div([html.Dt(name), html.Dd(fact)]) for name, fact in facts], className="facts"),
        data_table(versions_under(reader, where), columns, "Versions that played"),
        html.Details([html.Summary(f"Digests of {whole(logs.height, 'log')}"), _digests(logs)]),
    ]


def _digests(logs: pl.DataFrame) -> Component:
    more = f"The first {MOST_LOGS} of {logs.height:,}; a report has all. " if logs.height > MOST_LOGS else ""
    how = "SHA-256 of each log's lines. The overall digest is that of one line per match, in order of name:"
    how += " \N{LEFT DOUBLE QUOTATION MARK}digest, two spaces, match\N{RIGHT DOUBLE QUOTATION MARK}."
    table = data_table(logs.head(MOST_LOGS), {"match": "Match", "sha256": "SHA-256"}, "Digests of the logs")
    return html.Div([html.P(more + how, className="meta"), table])
