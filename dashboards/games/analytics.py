"""The analytics of a game: one record with a default for everything, so that a game with only rules has every page.

Records are found by entry points of the group `himalaya.analytics`, under the name of the game.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from dashboards.boards.picture import AnyScene
from dashboards.boards.plain.build import plain_scene
from dashboards.charts.canvas import DrawFrame
from dashboards.games.choices import ListChoices, ListWays, no_ways, plain_choices
from dashboards.games.figure import Figure
from dashboards.games.map_layer import DrawMap, MapLayer
from dashboards.games.terms import PLAIN, Terms
from dashboards.stats.metric import Metric
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.places import Place
from dashboards.warehouse.reader import Reader
from himalaya_core.games import GAMES
from himalaya_core.registry import Registry
from himalaya_core.replay import Replay
from himalaya_core.review.swings import Evaluation

__all__ = ["ANALYTICS", "Analytics", "all_analytics", "analytics_of", "terms_of"]


def _nowhere(_replay: Replay, _judged: Evaluation) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Analytics:
    """The analytics of one game.

    `figures` are its own figures, in the order of pages and reports; `metrics` define their columns. `keys` are columns
    that identify a row, with their meanings. `compared` names the figures shown side by side; `why` is the lead of the
    section on reasons for wins.

    `places` are the counts by place. `places_on` returns the places of a board by their first key (empty frames without
    a board). `layers` are those of the map by name, the default one first; `draw_map` draws one.

    `highlights` returns further notable matches, as rows of the figure `telling-matches`. `turning_points` is a query
    for `match, ply`: the turning point of each of `$matches`, if any.

    `course` names its tables of the course of matches, `fct_{course}_courses` and `fct_{course}_standings`: with
    columns `decisive_round`, and `round, seat, wins`.

    `scene` makes the scene of a replay, complete or in the view of one seat; without one a replay is shown as text.
    `board_kind` is the kind of board for drawing. `opens` returns the nodes that one move would open to a seat in a
    position, `choices` the choices of a seat there, `ways` the completions of an incomplete action.
    `alternative_targets` returns the targets of a better alternative on the board (ids of `Scene.names`).
    `print_drawings` returns the drawings of figures for a report, by name, given the frames of all.
    """

    terms: Terms = PLAIN
    figures: tuple[Figure, ...] = ()
    metrics: tuple[Metric, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    compared: tuple[str, ...] = ()
    why: str = ""
    places: Mapping[str, Place] = field(default_factory=dict)
    places_on: Callable[[Any], Mapping[str, pl.DataFrame]] | None = None
    layers: Mapping[str, MapLayer] = field(default_factory=dict)
    draw_map: DrawMap | None = None
    highlights: Callable[[Reader, Filter], list[dict[str, Any]]] | None = None
    turning_points: str = ""
    course: str = ""
    scene: Callable[[Replay, int | None], AnyScene] = plain_scene
    board_kind: str = "plain"
    opens: Callable[[Any, int], list[int]] | None = None
    choices: ListChoices = plain_choices
    ways: ListWays = no_ways
    alternative_targets: Callable[[Replay, Evaluation], Sequence[str]] = _nowhere
    print_drawings: Callable[[Reader, Filter, Mapping[str, pl.DataFrame]], dict[str, DrawFrame]] | None = None


RULES_ALONE: Final = Analytics()
"""The record of a game that registers only its rules."""
ANALYTICS: Final[Registry[Analytics]] = Registry("himalaya.analytics")


def analytics_of(game: str) -> Analytics:
    """Return the record of a game; one with defaults for a game that has none, or that is not installed."""
    return ANALYTICS.get(game, RULES_ALONE)


def all_analytics() -> Iterable[Analytics]:
    """Return the records of all games that have one, in the order of the games."""
    return [ANALYTICS[game] for game in GAMES if game in ANALYTICS]


def terms_of(game: str) -> Terms:
    """Return the words of a game for rounds, margins and endings."""
    return analytics_of(game).terms
