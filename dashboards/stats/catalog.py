"""The one list of figures: what pages show, `/csv` and exports hand out, and reports are made of.

Some are of any game, the others of one; a filter means one game, and whoever has a filter asks `catalog_under`. What
their columns mean stands in `metrics.py` and the files that it joins.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from dashboards.filters import Filter
from dashboards.queries import Queries
from dashboards.stats.catalog_caravan import CARAVAN
from dashboards.stats.catalog_climbers import CLIMBERS
from dashboards.stats.catalog_strength import STRENGTH_TABLES
from dashboards.stats.catalog_summit import SUMMIT
from dashboards.stats.length import LENGTH
from dashboards.stats.table import Figures, Table
from dashboards.stats.telling import TELLING
from dashboards.stats.tournaments import TOURNAMENTS

__all__ = ["CATALOG", "NONE", "OF_GAMES", "Table", "catalog_of", "catalog_under"]

OF_GAMES: Final[Mapping[str, Figures]] = {"caravan": CARAVAN, "summit": SUMMIT, "climbers": CLIMBERS}
NONE: Final = Figures((), (), "")
"""The figures of a game that has none of its own."""


@cache
def catalog_of(game: str) -> Mapping[str, Table]:
    """Return the figures of a game, in the order of pages and reports: those of any game if it has none of its own."""
    own = OF_GAMES.get(game, NONE).tables
    return {table.name: table for table in (*STRENGTH_TABLES, TOURNAMENTS, *own, TELLING, LENGTH)}


def catalog_under(queries: Queries, where: Filter) -> Mapping[str, Table]:
    """Return the figures of the game that a filter means."""
    return catalog_of(queries.game_under(where))


CATALOG: Final[Mapping[str, Table]] = {name: table for game in OF_GAMES for name, table in catalog_of(game).items()}
"""The figures of every game: no two have the same name."""
