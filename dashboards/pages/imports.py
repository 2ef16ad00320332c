"""Imports page: loaded, live and quarantined matches with reasons; it refreshes while it is open."""

from typing import Any, Final

import polars as pl
from dash import Input, Output, State, callback, dcc, html, no_update, register_page
from dash.development.base_component import Component
from flask import request

from dashboards.games.analytics import terms_of
from dashboards.queries.addresses import shown_path, url
from dashboards.queries.imports import (
    ingest_runs,
    intake_stamp,
    live_matches,
    match_count,
    quarantine_reasons,
    quarantine_rows,
)
from dashboards.queries.reader import Reader
from dashboards.stats.words import whole
from dashboards.ui.components import card, csv_link, csv_path, current_reader, data_table, notice, page_head
from dashboards.web.access import DOCUMENTATION, is_on_this_machine
from ingest.replica import Replica

register_page(__name__, path="/intake", title="Imports · Himalaya")

RENEWED: Final = 5_000
"""Milliseconds between two refreshes."""
SHOWN: Final = 100
RUNS: Final = {
    "run": "Run",
    "started_at": "Started (UTC)",
    "source": "Source",
    "files": "Files",
    "matches": "Matches",
    "events": "Events",
    "skipped": "Skipped",
    "quarantined": "Quarantined",
}
QUARANTINED: Final = {
    "quarantine_id": "Number",
    "place": "Where",
    "match": "Match",
    "reason": "Reason",
    "message": "Problem",
}


def layout(**_query: Any) -> Component:
    """Return the page with its current contents."""
    reader = current_reader()
    return html.Div(
        [
            page_head("Imports", lead=html.Span(lead(reader), id="intake-lead", role="status")),
            _load(reader),
            html.Div(sections(reader), id="intake-sections", className="sections"),
            dcc.Store(id="intake-shown", data=intake_stamp(reader)),
            dcc.Interval(id="intake-clock", interval=RENEWED),
        ],
        className="page",
    )


def _load(reader: Reader) -> Component:
    """Return a card that says how this visitor can load logs."""
    look: list[Any] = [
        dcc.Link("Open a log", href=url("/replay#replay-drop")),
        " to watch it from your disk; nothing is stored.",
    ]
    ways: list[Component]
    if isinstance(reader.warehouse, Replica):
        ways = [html.P("This server shows a copy. Load logs into the database that it was made from.")]
    elif is_on_this_machine():
        command = f"himalaya ingest logs --db {shown_path(reader.database)}"
        ways = [html.P(["To load a folder of logs, in a terminal on this machine:"]), html.Pre(command, tabIndex=0)]
    else:
        root = f"{request.host_url.rstrip('/')}{url('')}"
        ways = [
            html.P("To load a folder of logs, on the machine that has them:"),
            html.Pre(f"himalaya push logs --to {root}", tabIndex=0),
            html.P(
                [
                    "This needs a token with the role ",
                    html.Em("sender"),
                    " in HIMALAYA_TOKEN. The operator of this server creates it: ",
                    html.Code("himalaya token create NAME --role sender"),
                ]
            ),
        ]
    guide = html.A("More ways", href=url(f"{DOCUMENTATION}/operate/receive-logs.html"))
    return card("Load logs", *ways, html.P(look), html.P(guide), class_name="prose", name="load")


@callback(
    Output("intake-lead", "children"),
    Output("intake-sections", "children"),
    Output("intake-shown", "data"),
    Input("intake-clock", "n_intervals"),
    State("intake-shown", "data"),
    prevent_initial_call=True,
)
def renew(_clock: int, shown: str) -> tuple[Any, Any, Any]:
    """Return updated contents if anything has changed, else leave the page as it is."""
    reader = current_reader()
    stamp = intake_stamp(reader)
    if stamp == shown:
        return no_update, no_update, no_update
    return lead(reader), sections(reader), stamp


def lead(reader: Reader) -> str:
    """Return a line with the totals."""
    if reader.of_lake:
        return f"{whole(match_count(reader), 'match', 'matches')} in this lake"
    quarantined = int(quarantine_reasons(reader)["rows"].sum())
    matches = match_count(reader)
    return f"{matches:,} match{'' if matches == 1 else 'es'} loaded, {quarantined:,} quarantined"


def sections(reader: Reader) -> list[Component]:
    """Return the cards: live matches (if there are any), quarantine, and runs."""
    if reader.of_lake:
        where = "The database that the lake was written from has them; one derived from logs has a table quarantine."
        return [card("Imports", notice("A lake has no runs and no quarantine", html.P(where)))]
    live = live_matches(reader)
    return [*([_live(live)] if len(live) else []), _quarantine(reader), _runs(ingest_runs(reader, SHOWN))]


def _so_far(row: dict[str, Any]) -> str:
    """Return the progress of a match in words."""
    events = f"{row['events']:,} event{'' if row['events'] == 1 else 's'}"
    return f"{terms_of(row['game']).round} {row['rounds']}, {events}" if row["rounds"] else events


def _live(live: pl.DataFrame) -> Component:
    links = [
        html.Li(
            [
                dcc.Link(row["match"], href=url("/replay", [("match", row["match"])])),
                f" \N{MIDDLE DOT} {row['line_up']} \N{MIDDLE DOT} {_so_far(row)}",
            ]
        )
        for row in live.iter_rows(named=True)
    ]
    return card("Live now", html.Ul(links, className="plain-list"))


def _quarantine(reader: Reader) -> Component:
    reasons = quarantine_reasons(reader)
    if reasons.is_empty():
        return card(
            "Quarantine",
            notice(
                "Quarantine is empty",
                html.P("Logs with errors wait here to be repaired; there are none."),
                is_good=True,
            ),
        )
    counts = ", ".join(f"{rows:,} × {reason}" for reason, rows in reasons.iter_rows())
    total, table = int(reasons["rows"].sum()), quarantine_rows(reader, SHOWN)
    more = f" Showing the first {SHOWN}." if total > SHOWN else ""
    ways = (
        ("save the rejected lines as they are", "himalaya quarantine show NUMBER --out repaired.jsonl"),
        ("load them once they are repaired", "himalaya quarantine retry NUMBER --from repaired.jsonl"),
    )
    return card(
        "Quarantine",
        html.P(f"{counts}.{more}", className="finding"),
        data_table(table, QUARANTINED, "Quarantined lines and why"),
        html.Ul(
            [html.Li([f"{text[0].upper()}{text[1:]}: ", html.Code(command)]) for text, command in ways],
            className="plain-list meta",
        ),
        actions=[csv_link("quarantine-csv", "Quarantine as CSV", csv_path("quarantine"))],
    )


def _runs(runs: pl.DataFrame) -> Component:
    if runs.is_empty():
        return card(
            "Runs", notice("Nothing loaded yet", html.P(["In a terminal: ", html.Code("himalaya ingest logs")]))
        )
    return card(
        "Runs",
        data_table(runs, RUNS, "Ingest runs, latest first"),
        actions=[csv_link("runs-csv", "Runs as CSV", csv_path("runs"))],
    )
