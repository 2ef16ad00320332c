"""Home page: what this is, notable matches, the games, tournaments with their leaders, recent imports, and links."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dash import ClientsideFunction, Input, Output, clientside_callback, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.catalog.figures import tournaments_now
from dashboards.catalog.notable import Worth, story, worth_seeing
from dashboards.games.analytics import analytics_of
from dashboards.queries.addresses import shown_path, url
from dashboards.queries.imports import ingest_runs, live_matches, match_count, quarantine_reasons
from dashboards.queries.notable import played
from dashboards.queries.reader import Reader
from dashboards.replay.pictures import SMALL
from dashboards.report.button import report_button
from dashboards.stats.words import whole
from dashboards.ui.components import card, first_steps, hide_winners, notice, participant, readable
from dashboards.web.access import DOCUMENTATION
from himalaya_core.games import GAMES, title_of

register_page(__name__, path="/", title="Himalaya")

TOURNAMENTS: Final = 5
RUNS: Final = 4
HIDDEN: Final = "the winner"
"""Text in place of the winner's name while the winner is hidden."""
LIVE: Final = 4
CLAIM: Final = "Watch board games, and see why they were won"
ABOUT: Final = (
    "Himalaya replays a match move by move, shows each player's chance of winning, and compares players over whole "
    "tournaments. It is for people who play, and for people who write programs that play."
)


def layout(**_query: Any) -> Component:
    """Return the home page; in an empty warehouse, with the first steps in place of matches."""
    return readable("Himalaya", page)


def page(reader: Reader) -> Component:
    """Return the page: what this is, notable matches, the games, then the contents of the warehouse."""
    if not match_count(reader):
        actions = [_button("Record a match", "/record"), _button("Open a log", "/replay")]
        parts = [_claim(actions), first_steps(shown_path(reader.database)), _games(dict.fromkeys(GAMES, 0))]
        return html.Div(parts, className="page home")
    found = worth_seeing(reader)
    cards = [_worth(reader, each) for each in found] or [
        card("Notable matches", notice("No match is finished yet", html.P("The first one to finish appears here.")))
    ]
    begin = url("/replay", [("match", found[0].match), ("ply", "0")]) if found else ""
    watch = [html.A("Watch a match", href=begin, className="button button-strong watch")] if found else []
    return html.Div(
        [
            _claim([*watch, _button("Load your own logs", "/intake#load")]),
            html.Div([html.H2("Notable matches"), hide_winners()], className="home-part"),
            html.Div(cards, className="worth-list"),
            _games(played(reader)),
            html.Div([_tournaments(reader), *_intake(reader), _ways(reader)], className="home-more"),
            dcc.Store(id="home-shown"),
        ],
        id="home",
        className="page home",
    )


def _claim(actions: Sequence[Component]) -> Component:
    """Return the first words of the page, with the main actions."""
    words = html.Div([html.H1(CLAIM), html.P(ABOUT)])
    return html.Div([words, html.Div(actions, className="actions")], className="home-claim")


def _button(text: str, path: str) -> Component:
    return dcc.Link(text, href=url(path), className="button")


def _games(matches: Mapping[str, int]) -> Component:
    """Return a card for each game with the number of its matches: how it is won, and where its rules are."""
    return html.Div([_game(*each) for each in matches.items()], className="home-more")


def _game(game: str, matches: int) -> Component:
    known = analytics_of(game)
    pairs = [("game", game)]
    ways: list[Component] = []
    if known.guide:
        ways.append(html.A("How to play", href=url(f"{DOCUMENTATION}/{known.guide}")))
    if matches:
        ways.append(dcc.Link(whole(matches, "match", "matches"), href=url("/matches", pairs)))
    return card(title_of(game), html.P(known.aim), html.P(ways, className="home-ways"), class_name="home-game")


def _moment(worth: Worth) -> str:
    """Return the address of a match at the moment that makes it worth seeing."""
    return url("/replay", [("match", worth.match), ("ply", str(worth.ply))])


def _worth(reader: Reader, worth: Worth) -> Component:
    """Return the card of a match; assets/home.js adds a picture of the board in the page's colours."""
    width, height = SMALL
    drawn: dict[str, Any] = {
        "data-match": worth.match,
        "data-ply": str(worth.ply),
        "data-last": str(worth.last_ply),
        "style": {"aspectRatio": f"{width} / {height}"},
    }
    (told, more), (untold, _) = story(worth), story(worth, HIDDEN)
    title = [html.Span(told, className="when-told"), html.Span(untold, className="when-hidden")]
    seats = [
        html.Li(
            [
                *participant(reader, worth.game, player, label, seat),
                *([html.Span(" won", className="worth-won when-told")] if seat in worth.winners else []),
            ],
            className="worth-player",
        )
        for seat, (player, label) in enumerate(worth.seats)
    ]
    return html.Section(
        [
            html.Div(className="worth-picture", **drawn),
            html.Div(
                [
                    html.P(f"{worth.reason} \N{MIDDLE DOT} {title_of(worth.game)}", className="meta"),
                    html.H3(html.A(title, href=_moment(worth), className="worth-link watch")),
                    html.Ul(seats, className="worth-players"),
                    html.P([*([f"{more} \N{MIDDLE DOT} "] if more else []), worth.match], className="meta"),
                ],
                className="worth-words",
            ),
        ],
        className="card worth",
    )


def _tournaments(reader: Reader) -> Component:
    frame = tournaments_now(reader, TOURNAMENTS)
    if frame.is_empty():
        how = html.P(html.Code("himalaya tournament caravan --name cup"))
        return card("Tournaments", notice("No tournaments yet", how))
    rows = [html.Li(_tournament(row)) for row in frame.iter_rows(named=True)]
    return card(
        "Tournaments", html.Ul(rows, className="plain-list"), dcc.Link("All tournaments", href=url("/tournaments"))
    )


def _tournament(row: Mapping[str, Any]) -> list[Any]:
    where = url("/tournament", [("game", row["game"]), ("tournament", row["tournament"])])
    of_all = f"of {row['all_matches']:,} " if row["finished"] < row["all_matches"] else ""
    size = f" {title_of(row['game'])}, {row['finished']:,} {of_all}match{'' if row['all_matches'] == 1 else 'es'}"
    shown: list[Any] = [
        dcc.Link(row["tournament"], href=where, className="row-link"),
        html.Span(row["status"], className=f"status status-{row['status']}"),
        html.Span(size, className="meta"),
    ]
    if row["leader"] is None:
        never_met = f"{row['pools']} pools of players never met"
        return [*shown, html.Span(never_met, className="home-leader")] if row["pools"] > 1 else shown
    best = "Best" if row["status"] == "finished" else "Best so far"
    said = f"{best}: {row['leader']}, won {row['share']:.0%} of its {whole(row['seats'], 'match', 'matches')}"
    return [*shown, html.Span(said, className="home-leader when-told")]


def _intake(reader: Reader) -> list[Component]:
    """Return cards on live matches, recent imports, and the size of the quarantine; empty if unknown."""
    if reader.of_lake:
        return []
    live = live_matches(reader)
    lines: list[Any] = [
        [dcc.Link(row["match"], href=url("/replay", [("match", row["match"])])), " is live now"]
        for row in live.head(LIVE).iter_rows(named=True)
    ]
    for run in ingest_runs(reader, RUNS).iter_rows(named=True):
        taken = f"{whole(run['matches'], 'match', 'matches')}, {whole(run['events'], 'event')}"
        lines.append([f"{taken} ", html.Span(f"{run['started_at'][:16]} UTC", className="meta")])
    quarantined = int(quarantine_reasons(reader)["rows"].sum())
    rejected = f"{whole(quarantined, 'log')} with errors, in quarantine" if quarantined else "No logs with errors"
    parts = [
        html.Ul([html.Li(line) for line in lines], className="plain-list"),
        dcc.Link(rejected, href=url("/intake")),
    ]
    return [card("Recently added", *parts)]


def _ways(reader: Reader) -> Component:
    """Return links to the main tasks: see all matches, compare, report, drop a log, record a match."""
    every = f"Matches, game by game ({match_count(reader):,})"
    ways = (
        (dcc.Link(every, href=url("/matches")), "filter, sort, download as CSV"),
        (dcc.Link("Compare", href=url("/analysis/compare")), "players side by side, on the same seeds"),
        (
            dcc.Link("Open a log", href=url("/replay#replay-drop")),
            "from your disk; nothing is stored",
        ),
        (dcc.Link("Record a match", href=url("/record")), "at your table or against programs"),
    )
    return card(
        "Where next",
        html.Ul(
            [html.Li([link, html.Span(f" {text}", className="meta")]) for link, text in ways], className="plain-list"
        ),
        report_button(),
    )


clientside_callback(
    ClientsideFunction("home", "show"),
    Output("home-shown", "data"),
    Input("hide-winners", "checked"),
    Input("drawn-scheme", "data"),
)
