"""Home page: notable matches with their reasons, tournaments with their leaders, recent imports, and links."""

from collections.abc import Mapping
from typing import Any, Final

import dash_mantine_components as dmc
from dash import ClientsideFunction, Input, Output, clientside_callback, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.catalog.figures import tournaments_now
from dashboards.catalog.notable import WINNER, Worth, worth_seeing
from dashboards.queries.addresses import url
from dashboards.queries.imports import ingest_runs, live_matches, match_count, quarantine_reasons
from dashboards.queries.reader import Reader
from dashboards.queries.where import games_played
from dashboards.replay.pictures import SMALL
from dashboards.report.button import report_button
from dashboards.stats.words import whole
from dashboards.ui.components import card, notice, over_matches, page_head, participant

register_page(__name__, path="/", title="Himalaya")

TOURNAMENTS: Final = 5
RUNS: Final = 4
HIDDEN: Final = "the winner"
"""Text in place of the winner's name while the winner is hidden."""
LIVE: Final = 4
LEAD: Final = "Each opens in the replay at a key moment."
ABOUT: Final = "Step through any match and see why it was won."


def layout(**_query: Any) -> Component:
    """Return the home page, or instructions if the warehouse is empty."""
    return over_matches("Himalaya", page)


def page(reader: Reader) -> Component:
    """Return the page: notable matches first, then the contents of the warehouse."""
    found = worth_seeing(reader)
    hide = dmc.Switch(id="hide-winners", label="Hide winners", persistence=True, persistence_type="local", size="sm")
    cards = [_worth(reader, each) for each in found] or [
        card("Notable matches", notice("No match is finished yet", html.P("The first one to finish appears here.")))
    ]
    return html.Div(
        [
            page_head("Notable matches", hide, lead=f"{_about(reader)} {LEAD}".strip()),
            html.Div(cards, className="worth-list"),
            html.Div([_tournaments(reader), *_intake(reader), _ways(reader)], className="home-more"),
            dcc.Store(id="home-shown"),
        ],
        id="home",
        className="page home",
    )


def _about(reader: Reader) -> str:
    """Return a sentence on the games in the warehouse and the purpose of their matches; empty if there are none."""
    games = games_played(reader)
    if not games:
        return ""
    named = games[0] if len(games) == 1 else f"{', '.join(games[:-1])} and {games[-1]}"
    return f"Here are matches of {named}. {ABOUT}"


def _worth(reader: Reader, worth: Worth) -> Component:
    """Return the card of a match; assets/home.js adds a picture of the board in the page's colours."""
    where = url("/replay", [("match", worth.match), ("ply", str(worth.ply))])
    width, height = SMALL
    drawn: dict[str, Any] = {
        "data-match": worth.match,
        "data-ply": str(worth.ply),
        "data-last": str(worth.last_ply),
        "style": {"aspectRatio": f"{width} / {height}"},
    }
    told, untold = _sentence(worth.told, worth.winner), _sentence(worth.told, HIDDEN)
    seats = [
        html.Li(
            [
                *participant(reader, worth.game, player, label, seat),
                *([html.Span(" won", className="worth-won")] if seat in worth.winners else []),
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
                    html.Div(
                        [html.H2(worth.reason), html.Span(worth.game, className="meta")],
                        className="worth-head",
                    ),
                    html.P(told, className="when-told"),
                    html.P(untold, className="when-hidden"),
                    html.Ul(seats, className="worth-players"),
                    html.A(worth.match, href=where, className="worth-link"),
                ],
                className="worth-words",
            ),
        ],
        className="card worth",
    )


def _sentence(told: str, winner: str) -> str:
    """Return the reason as a sentence; a player's name is not capitalised, even at the beginning."""
    text = told.replace(WINNER, winner)
    return f"{text}." if text.startswith(winner) and winner != HIDDEN else f"{text[:1].upper()}{text[1:]}."


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
    played = f" {row['game']}, {row['finished']:,} {of_all}match{'' if row['all_matches'] == 1 else 'es'}"
    shown: list[Any] = [
        dcc.Link(row["tournament"], href=where, className="row-link"),
        html.Span(row["status"], className=f"status status-{row['status']}"),
        html.Span(played, className="meta"),
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
            dcc.Link("Replay a log of your own", href=url("/replay#replay-drop")),
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
