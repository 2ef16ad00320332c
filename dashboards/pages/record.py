"""Record page: set up a match, enter it during play, and submit it; assets/replay/record draws the page."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from dash import html, register_page
from dash.development.base_component import Component

from dashboards.games.analytics import terms_of
from dashboards.ui.components import page_head
from himalaya_core.boards import boards_of
from himalaya_core.errors import OptionsError
from himalaya_core.game import Game, Option
from himalaya_core.games import GAMES
from himalaya_core.players import players_of

register_page(__name__, path="/record", title="Record a match · Himalaya")

LEAD: Final = (
    "Write a match down while it is played, at your table or against programs. The page asks for "
    "what comes next and accepts only legal entries."
)
MOST_SEATS: Final = 6
SEAT: Final = "SEAT"
"""Value placeholder of options that take a seat."""
DEFAULT: Final = re.compile(r"\s*\(default: ([^)]*)\)$")


def layout(draft: str | None = None, **_query: Any) -> Component:
    """Return the container for assets/replay/record, for a recording in progress or the form for a new one."""
    if draft:
        return _place(f"Loading {draft} …", {"data-draft": draft})
    games = {"data-games": json.dumps([_set_up(GAMES[name]) for name in GAMES])}
    return html.Div([page_head("Record a match", lead=LEAD), _place("Loading …", games)], className="page")


def _place(loading: str, which: dict[str, Any]) -> Component:
    waiting = html.P(loading, className="replay-none meta", role="status")
    return html.Div(html.Div(waiting, className="replay record"), id="record-place", key=str(which), **which)


def _set_up(game: Game[Any, Any, Any]) -> dict[str, Any]:
    """Return a game's data for the set-up form."""
    return {
        "name": game.name,
        "title": game.title or game.name,
        "seats": [seats for seats in range(1, MOST_SEATS + 1) if _may_have(game, seats)],
        "usual": int(game.parse_options({}).players),
        "board": game.default_board,
        "boards": [{"id": name, "title": _title(board.document, name)} for name, board in boards_of(game).items()],
        "options": [_option(option) for option in game.options],
        "programs": list(players_of(game)),
        "chance": terms_of(game.name).chance,
    }


def _may_have(game: Game[Any, Any, Any], seats: int) -> bool:
    try:
        game.parse_options({"players": seats})
    except OptionsError:
        return False
    return True


def _title(document: Mapping[str, Any], name: str) -> str:
    return str(document.get("title") or name)


def _option(option: Option) -> dict[str, Any]:
    """Return an option for display, with seats counted from 1."""
    kind = "switch" if option.number is None else "seat" if option.number == SEAT else "number"
    found = DEFAULT.search(option.text)
    usual = found[1] if found else ""
    return {"name": option.name, "text": DEFAULT.sub("", option.text), "kind": kind, "usual": usual}
