"""The warehouse tables of each game: one record per game, found by the entry points `himalaya.marts`.

A game without a record can still be loaded: it has typed event tables, and its matches and seats have rows in `dim_`.
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
    """The tables of a game and their metadata; every field is optional."""

    sql: Traversable | None = None
    """Folder of the game's scripts `NN_name.sql` (see `ingest.tables.definitions`), in any package.

    Table names contain the name of the game, e.g. `fct_mygame_moves`.
    """
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Column names for log keys that are SQL keywords, e.g. `{"from": "from_village"}`."""
    promises: tuple[Promise, ...] = ()
    """Further checks of these tables by `himalaya check`, beyond grain and NOT NULL columns."""
    margin: str | None = None
    """Query for `match_id, margin`: the margin of each finished match, shown in `dim_matches`."""
    margin_unit: str | None = None
    """Unit of margins, e.g. `points`."""
    closeness: str | None = None
    """Query for `match_id, nearest, gap, unit, closeness` of finished matches in the table `batch`.

    This is the smallest change that would have made another seat win. `nearest` names its kind, `gap` is its size and
    `unit` the unit that fits the number (`1 yak`). `closeness` is the gap divided by the average gap, so matches of
    several games can be compared; 0 is the closest.
    """
    seat_endings: str | None = None
    """Query for `match_id, seat, ending`: a word for a seat's result that goes beyond won or lost.

    Cohorts are split by it. It reads events, and tables of scripts whose names sort before `20`.
    """
    endings: str | None = None
    """Query for `match_id, ending`, a word for how each finished match was decided."""
    about: str = ""
    """Paragraphs in Markdown that introduce these tables in `docs/warehouse.md`."""


def _check(_name: str, value: Any) -> None:
    if not isinstance(value, Marts):
        raise ValueError(f"expected Marts, found {type(value).__name__}")  # noqa: TRY004  same error type for all cases


NO_MARTS: Final = Marts()
MARTS: Final[Mapping[str, Marts]] = Registry[Marts]("himalaya.marts", check=_check)
"""Records by game, imported on access."""


def marts_of(game: str) -> Marts:
    """Return the record of a game, an empty one if it has none; `RegistryError` if its package fails.

    A game whose record fails is not loaded without it, as its tables would stay incomplete.
    """
    return MARTS.get(game, NO_MARTS)


def installed_games() -> tuple[tuple[str, Marts], ...]:
    """Return every game with its record; also the key of caches that depend on them."""
    return tuple((game, marts_of(game)) for game in GAMES)
