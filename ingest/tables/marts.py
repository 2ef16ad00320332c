"""What the warehouse knows of a game beside its rules: one record per game, found by the entry points `himalaya.marts`.

A game without a record is loaded all the same: its events have typed tables, its matches and seats rows in `dim_`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any, Final

from himalaya_core.games import GAMES
from himalaya_core.registry import Registry
from ingest.tables.promises import Promise

__all__ = ["MARTS", "Marts", "installed_games", "marts_of"]


@dataclass(frozen=True, eq=False)
class Marts:
    """The tables of one game, and what is said of them; every field may be left out."""

    sql: Traversable | None = None
    """The folder of its scripts `NN_name.sql`, written as `ingest.tables.definitions` says. It may lie in any package.

    Names of tables have the name of the game in them, `fct_mygame_moves`.
    """
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Names of columns by key of the log, for keys that are words of SQL: `{"from": "from_village"}`."""
    promises: tuple[Promise, ...] = ()
    """What `himalaya check` asks of these tables, beyond their grain and the columns that are never NULL."""
    margin: str | None = None
    """The query for `match_id, margin`, by how much each finished match was won, as `dim_matches` shows it."""
    margin_unit: str | None = None
    """What margins count, as in `points`."""
    closeness: str | None = None
    """The query for `match_id, nearest, gap, unit, closeness` of finished matches in the table `batch`.

    The least that had to go otherwise for another to win: `nearest` is a word of the game for what that is, `gap` how
    little of it, in a `unit` that fits the number (`1 yak`). `closeness` is the gap over that of an average match, so
    that matches of several games can be put in one order; 0 is the closest.
    """
    seat_endings: str | None = None
    """The query for `match_id, seat, ending`: a word for how it ended for a seat, where won or lost does not say it.

    Cohorts tell seats apart by it. It reads events, and tables of scripts whose names come before `20`.
    """
    endings: str | None = None
    """The query for `match_id, ending`, a word for how each finished match was decided."""
    about: str = ""
    """Paragraphs in Markdown that introduce these tables in `docs/warehouse.md`."""


def _check(_name: str, value: Any) -> None:
    if not isinstance(value, Marts):
        raise ValueError(f"expected Marts, found {type(value).__name__}")  # noqa: TRY004  one kind of error for all


NO_MARTS: Final = Marts()
MARTS: Final[Mapping[str, Marts]] = Registry[Marts]("himalaya.marts", check=_check)
"""By game; a record is imported when it is asked for."""


def marts_of(game: str) -> Marts:
    """Return the record of a game, an empty one if it has none; `RegistryError` if its package does not work.

    A game whose tables cannot be filled is not loaded without them: they would never be complete again.
    """
    return MARTS.get(game, NO_MARTS)


def installed_games() -> tuple[tuple[str, Marts], ...]:
    """Return every game with its record: what is cached of them holds as long as these are the same."""
    return tuple((game, marts_of(game)) for game in GAMES)
