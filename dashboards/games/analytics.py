"""The record of what a game adds to the dashboards: figures, terms, map, replay scene and choices of actions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any, Final, Protocol

import polars as pl

from dashboards.boards.picture import AnyScene
from dashboards.boards.plain import facts_of, in_words, plain_scene
from dashboards.boards.story import Line, plain_story
from dashboards.charts.svg import DrawFrame
from dashboards.games.figure import Figure
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.traffic import Place
from dashboards.stats.words import Metric
from himalaya_core.game import Game, log_name
from himalaya_core.games import GAMES, Registry
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import Evaluation, Valued
from himalaya_core.winprob.review import Moment

__all__ = [
    "ANALYTICS",
    "MOST_LISTED",
    "PLAIN",
    "Analytics",
    "Choice",
    "DrawMap",
    "Foresee",
    "ForeseenStep",
    "ListChoices",
    "ListWays",
    "MapLayer",
    "Offer",
    "Terms",
    "Way",
    "all_analytics",
    "analytics_of",
    "no_steps",
    "no_ways",
    "plain_choices",
    "terms_of",
    "unsure_places",
    "without_name",
]


@dataclass(frozen=True, slots=True)
class Terms:
    """A game's own words for rounds, margins and endings, and its maximum number of rounds.

    `round` is singular and `rounds` plural; `first` explains what round 0 means; `steps` are the numbers on the slider
    for rounds; `margin` explains the margin in the list of matches. `endings` maps the ways in which a match can end to
    their names; it is empty if the seats' results already show how a match ended.

    `close` describes in a sentence the change that would have made another seat win. Its keys are the values of
    `dim_matches.nearest`, followed by ` tied` if the gap is zero. Its placeholders are `{winner}`, `{gap}` and
    `{unit}`.

    `words` are further terms on the game's pages, with their meanings. `chance` is a plural for what a seed decides.
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
    chance: str = "draws"

    def counted(self, rounds: int) -> str:
        """Return the number of rounds in the game's words: `12 rounds`, `1 throw`."""
        return f"{rounds} {self.round if rounds == 1 else self.rounds}"

    def how_close(self, nearest: str, gap: int, unit: str, winner: str) -> str:
        """Return a sentence on how close a match was."""
        usual = self.close.get(nearest, "{winner} won by {gap} {unit}")
        said = usual if gap else self.close.get(f"{nearest} tied", usual)
        return said.format(winner=winner, gap=gap, unit=unit)


PLAIN: Final = Terms("round", "rounds", "0 is the set-up", 20, (0, 5, 10, 15, 20), "By how much the winner won")
"""Default terms, for a game that defines none."""


@dataclass(frozen=True, slots=True)
class MapLayer:
    """A map layer: its name, a name for the events counted, and the kind of places (a key of `Analytics.places`).

    `lines` names the events along the lines between places, if any.
    """

    name: str
    title: str
    one: str
    many: str
    what: str
    lines: str = ""


LEVEL: Final = 0.05


def unsure_places(rows: pl.DataFrame, by: Sequence[str]) -> frozenset[Any]:
    """Return the places without a significant difference (Holm's correction); empty if no selections are compared.

    A place with one key is given as that key, a place with several keys as a tuple.
    """
    holm = "per_seat_difference_holm"
    if holm not in rows.columns:
        return frozenset()
    unsure = rows.filter(~(pl.col(holm) <= LEVEL).fill_null(value=False)).select(by)
    return frozenset(unsure.iter_rows() if len(by) > 1 else unsure.to_series())


DrawMap = Callable[[Any, MapLayer, pl.DataFrame, pl.DataFrame | None, Sequence[str], str], str]
"""Function that draws a layer, and returns the map with its legend as markup.

The arguments are, in this order:
- the board and the layer
- the counts by place: `total`, or `per_seat_difference` and its `_holm` if two selections are compared
- the same counts along lines, if the layer has lines
- the names of the two selections (empty if there is one), and the finding of the map in words
"""


MOST_LISTED: Final = 400
"""Maximum number of actions listed on a page; if there are more, users type the action."""


class Way(StrEnum):
    """How users choose an action: from a list, as a plan of several steps, or by placing a block."""

    LIST = "list"
    PLAN = "plan"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Choice:
    """An action of the game, its effect in words, and its targets on the board as ids of the scene."""

    action: Any
    text: str
    on: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """The way in which a seat chooses an action, and the listed choices. Plans and block moves are too many to list."""

    way: Way
    listed: Sequence[Choice]


class ListChoices(Protocol):
    """Signature of a game's list of choices: `choices(game, state, seat, names)`; `names` are those of all seats."""

    def __call__(self, game: Game[Any, Any, Any], state: Any, seat: int, names: Sequence[str], /) -> Offer:
        """Return the choices of `seat`, which must be one of the position's actors."""
        ...


class ListWays(Protocol):
    """Signature of the function that completes an incomplete action: `ways(game, state, action, names)`."""

    def __call__(self, game: Game[Any, Any, Any], state: Any, action: Any, names: Sequence[str], /) -> list[Choice]:
        """Return the completed actions, all legal, the default first; empty if the action is already complete."""
        ...


@dataclass(frozen=True, slots=True)
class ForeseenStep:
    """A step of a choice as its seat may foresee it: the node after it, the next node if it ends in between, or 0.

    `is_void` is true for a step without effect; `text` describes the step.
    """

    at: int
    ahead: int
    text: str
    is_void: bool


class Foresee(Protocol):
    """Signature of the function that foresees a choice in steps: `foresee(game, state, action, names)`."""

    def __call__(
        self, game: Game[Any, Any, Any], state: Any, action: Any, names: Sequence[str], /
    ) -> list[ForeseenStep]:
        """Return the steps of a legal action, using only what its seat knows; empty if it has none."""
        ...


def no_steps(_game: Game[Any, Any, Any], _state: Any, _action: Any, _names: Sequence[str]) -> list[ForeseenStep]:
    """Return no steps, for games in which an action takes effect in one."""
    return []


def no_ways(_game: Game[Any, Any, Any], _state: Any, _action: Any, _names: Sequence[str]) -> list[Choice]:
    """Return no completions, for games in which actions are always complete."""
    return []


def plain_choices(game: Game[Any, Any, Any], state: Any, seat: int, _names: Sequence[str]) -> Offer:
    """Return the first `MOST_LISTED` legal actions, named; used for games that define only rules."""
    actions: Iterable[Any] = game.legal_actions(state, seat)
    return Offer(Way.LIST, [Choice(action, _text(action)) for action in islice(actions, MOST_LISTED)])


def without_name(text: str, name: str) -> str:
    """Return the description of an action without the seat's name, because the page shows the seat separately."""
    rest = text.removeprefix(name).removeprefix("'s").strip()
    return rest[:1].upper() + rest[1:]


def _text(action: Any) -> str:
    return ", ".join([in_words(log_name(type(action))), *facts_of(action)])


def _nowhere(_replay: Replay, _judged: Evaluation) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Analytics:
    """The analytics of one game.

    - Words: `terms`, `aim`, which says in two sentences how the game is won, and `guide`, its page below `/docs/`.
    - Figures: `figures` are the game's own, in page order, and `metrics` define their columns. `keys` are columns that
      identify a row, with their meanings. `compared` names the figures on the tab Compare. `why` introduces the
      figures on reasons for wins. The overview has the finding on who wins, then those of the figures `findings`, and
      draws `decided`, on when matches are decided.
    - Turn order: `starters` is SQL that returns `match_id, first`, the seat that starts each match, for a game in which
      it is not always the same seat. Seats are then compared by turn order.
    - Map: `places` are the events counted by place. `places_on` returns the frames of a board's places, keyed by their
      first column; without a board, the frames are empty. `layers` are the map's layers by name, the default first.
      `draw_map` draws one.
    - Notable matches: `highlights` returns rows for the figure `telling-matches`. `turning_points` is SQL that returns
      `match, ply` with the turning point of each match in `$matches` that has one.
    - Course: `course` is part of two table names, `fct_{course}_courses` with the column `decisive_round`, and
      `fct_{course}_standings` with `round, seat, wins`.
    - Replay: `scene` builds the scene of a replay, complete or as one seat sees it; without it, a replay is shown as
      text. `board_kind` selects how the board is drawn. `story` returns at most five sentences on a match, given its
      chances and key moments, which are empty for a match without chances.
    - Choices: `opens` returns the nodes that one move would open to a seat, `choices` a seat's choices, `ways` the
      completions of an incomplete action, `foresee` the steps of an action that its seat may foresee.
      `alternative_targets` returns the targets of a better alternative (ids of `Scene.names`).
    - Print: `print_drawings` returns drawings of figures for a report by name, given the frames of all figures.
    """

    terms: Terms = PLAIN
    aim: str = ""
    guide: str = ""
    figures: tuple[Figure, ...] = ()
    metrics: tuple[Metric, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    compared: tuple[str, ...] = ()
    why: str = ""
    findings: tuple[str, ...] = ("ratings", "placement", "seat-effect", "paired")
    decided: str = "length"
    starters: str = ""
    places: Mapping[str, Place] = field(default_factory=dict)
    places_on: Callable[[Any], Mapping[str, pl.DataFrame]] | None = None
    layers: Mapping[str, MapLayer] = field(default_factory=dict)
    draw_map: DrawMap | None = None
    highlights: Callable[[Reader, Filter], list[dict[str, Any]]] | None = None
    turning_points: str = ""
    course: str = ""
    scene: Callable[[Replay, int | None], AnyScene] = plain_scene
    story: Callable[[Replay, Sequence[Valued], Sequence[Moment]], list[Line]] = plain_story
    board_kind: str = "plain"
    opens: Callable[[Any, int], list[int]] | None = None
    choices: ListChoices = plain_choices
    ways: ListWays = no_ways
    foresee: Foresee = no_steps
    alternative_targets: Callable[[Replay, Evaluation], Sequence[str]] = _nowhere
    print_drawings: Callable[[Reader, Filter, Mapping[str, pl.DataFrame]], dict[str, DrawFrame]] | None = None


RULES_ALONE: Final = Analytics()
"""Analytics of a game that registers only its rules."""
ANALYTICS: Final[Registry[Analytics]] = Registry("himalaya.analytics")


def analytics_of(game: str) -> Analytics:
    """Return the analytics of a game; the defaults if the game has none or is not installed."""
    return ANALYTICS.get(game, RULES_ALONE)


def all_analytics() -> Iterable[Analytics]:
    """Return the analytics of all games that have one, in the order of the games."""
    return [ANALYTICS[game] for game in GAMES if game in ANALYTICS]


def terms_of(game: str) -> Terms:
    """Return a game's own words for rounds, margins and endings."""
    return analytics_of(game).terms
