"""Replay: a match stepped through event by event; assets/replay draws it, this page says which match."""

from typing import Any, Final

from dash import dcc, html, register_page
from dash.development.base_component import Component

from dashboards.components import card, empty_warehouse, page_head, queries
from dashboards.filters import MatchFilter, Sort, address

register_page(__name__, path="/replay", title="Replay · Himalaya")

SUGGESTED: Final = 8


def layout(match: str | None = None, **_query: Any) -> Component:
    """Return the place that assets/replay fills, or a choice of matches where the address names none that exists."""
    asked = queries()
    if not asked.match_count():
        return empty_warehouse("Replay", str(asked.database))
    if not match:
        return choice_of_matches("Steps through a match event by event: the map, the standings, the plans.")
    if asked.match_lines(match) is None:
        return choice_of_matches(f"There is no match {match} in this database.")
    which: dict[str, Any] = {"data-match": match}
    loading = html.P(f"Loading {match} …", className="replay-none meta")
    return html.Div(loading, id="replay", key=match, className="replay", **which)


def choice_of_matches(lead: str) -> Component:
    """Return links to the list of matches and to some worth looking at."""
    frame, total = queries().matches_page(MatchFilter(statuses=("finished",)), Sort("margin"), 0, SUGGESTED)
    return html.Div(
        [
            page_head("Replay", lead=lead),
            card(
                "Choose a match",
                html.P([dcc.Link(f"All {total:,} matches", href="/"), ", or one of the closest finishes:"]),
                html.Ul([html.Li(_suggestion(row)) for row in frame.iter_rows(named=True)]),
                class_name="prose",
            ),
        ],
        className="page",
    )


def _suggestion(row: dict[str, Any]) -> list[Any]:
    link = dcc.Link(row["match"], href="/replay" + address([("match", row["match"])]))
    margin = "" if row["margin"] is None else f", {row['margin']} yaks ahead"
    return [link, f": {row['line_up']}; {row['winner']} won{margin}"]
