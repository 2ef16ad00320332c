"""The analytics of a game: one record with a default for everything, its terms, its map and its choices of actions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any, Final, Protocol

import polars as pl

from dashboards.boards.picture import AnyScene
from dashboards.boards.plain import facts_of, in_words, plain_scene
from dashboards.charts.svg import DrawFrame
from dashboards.games.figure import Figure
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.traffic import Place
from dashboards.stats.words import Metric
from himalaya_core.game import Game, log_name
from himalaya_core.games import GAMES, Registry
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import Evaluation

__all__ = [
    "ANALYTICS",
    "MOST_LISTED",
    "PLAIN",
    "Analytics",
    "Choice",
    "DrawMap",
    "ListChoices",
    "ListWays",
    "MapLayer",
    "Offer",
    "Terms",
    "Way",
    "all_analytics",
    "analytics_of",
    "no_ways",
    "plain_choices",
    "terms_of",
    "unsure_places",
    "without_name",
]


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a game for rounds, margins and endings, and its maximum number of rounds.

    `round` is singular and `rounds` plural; `first` explains round 0; `steps` are the numbers written on a slider over
    them; `margin` explains the margin in the list of matches. `endings` are the ways in which a match of it ends, with
    their names; empty if the results of seats show the ending.

    `close` describes in a sentence the change that would have made another seat win. Its keys are the words in
    `dim_matches.nearest`, with ` tied` behind it for a gap of zero; its placeholders are `{winner}`, `{gap}` and
    `{unit}`.

    `words` are other terms on its pages, with their meanings.
    """

    round: str
    rounds: str
    first: str
    last: int
    steps: tuple[int, ...]
    margin: str
    endings: Mapping[str, str] = field(default_factory=dict)
    close: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    def counted(self, rounds: int) -> str:
        """Return the number of rounds in words: `12 rounds`, `1 throw`."""
        return f"{rounds} {self.round if rounds == 1 else self.rounds}"

    def how_close(self, nearest: str, gap: int, unit: str, winner: str) -> str:
        """Describe how close a match was."""
        usual = self.close.get(nearest, "{winner} won by {gap} {unit}")
        said = usual if gap else self.close.get(f"{nearest} tied", usual)
        return said.format(winner=winner, gap=gap, unit=unit)


PLAIN: Final = Terms("round", "rounds", "0 is the set-up", 20, (0, 5, 10, 15, 20), "By how much the winner won")
"""The words of a game that defines none."""


@dataclass(frozen=True, slots=True)
class MapLayer:
    """A layer of a map: its name, the events in its places, and the kind of places (`what` of `PLACES`).

    `lines` are the events along the lines between them, if any.
    """

    name: str
    title: str
    one: str
    many: str
    what: str
    lines: str = ""


LEVEL: Final = 0.05


def unsure_places(rows: pl.DataFrame, by: Sequence[str]) -> frozenset[Any]:
    """Return the places whose difference is not significant after Holm's correction; empty without differences.

    A place with one key is that key, one with several is a tuple of them.
    """
    holm = "per_seat_difference_holm"
    if holm not in rows.columns:
        return frozenset()
    unsure = rows.filter(~(pl.col(holm) <= LEVEL).fill_null(value=False)).select(by)
    return frozenset(unsure.iter_rows() if len(by) > 1 else unsure.to_series())


DrawMap = Callable[[Any, MapLayer, pl.DataFrame, pl.DataFrame | None, Sequence[str], str], str]
"""Draws a layer, and returns the map with its legend as markup.

Arguments are the board, the layer, and the counts in its places: `total`, or for a difference `per_seat_difference` and
its `_holm`. The same counts along lines follow if the layer has lines. Then come the names of the two selections of a
difference (none without a difference), and the finding of the map in words.
"""


MOST_LISTED: Final = 400
"""Maximum number of actions in a page's list; further ones are typed."""


class Way(StrEnum):
    """Form of a choice: picked from a list, written as a plan of several steps, or made by laying a block."""

    LIST = "list"
    PLAN = "plan"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Choice:
    """An action of the game, its effect in words, and its targets on the board, by the ids of the scene."""

    action: Any
    text: str
    on: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """The choices of a seat, and their form; plans and moves of blocks are too many to be listed."""

    way: Way
    listed: Sequence[Choice]


class ListChoices(Protocol):
    """A game's own list of choices: `choices(game, state, seat, names)`; all seats have names."""

    def __call__(self, game: Game[Any, Any, Any], state: Any, seat: int, names: Sequence[str], /) -> Offer:
        """Return the choices; `seat` is one of the position's actors."""
        ...


class ListWays(Protocol):
    """A game's ways to complete an incomplete action: `ways(game, state, action, names)`."""

    def __call__(self, game: Game[Any, Any, Any], state: Any, action: Any, names: Sequence[str], /) -> list[Choice]:
        """Return them, each legal, the default one first; empty for a complete action."""
        ...


def no_ways(_game: Game[Any, Any, Any], _state: Any, _action: Any, _names: Sequence[str]) -> list[Choice]:
    """Return no ways: all actions are complete."""
    return []


def plain_choices(game: Game[Any, Any, Any], state: Any, seat: int, _names: Sequence[str]) -> Offer:
    """Return the first of all legal actions, by name; used for games with only rules."""
    actions: Iterable[Any] = game.legal_actions(state, seat)
    return Offer(Way.LIST, [Choice(action, _text(action)) for action in islice(actions, MOST_LISTED)])


def without_name(text: str, name: str) -> str:
    """Return the description of a seat's action without its name: the page shows the seat itself."""
    rest = text.removeprefix(name).removeprefix("'s").strip()
    return rest[:1].upper() + rest[1:]


def _text(action: Any) -> str:
    return ", ".join([in_words(log_name(type(action))), *facts_of(action)])


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
