"""The one list of figures: what pages show, `/csv` and exports hand out, and reports are made of.

Some are of any game, the others of one; a filter means one game, and whoever has a filter asks `catalog_under`. What
their columns mean stands in `metrics.py` and the files that it joins.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from dashboards.catalog.highlights import TELLING
from dashboards.catalog.length import LENGTH
from dashboards.catalog.strength import STRENGTH_TABLES
from dashboards.catalog.tournaments import TOURNAMENTS
from dashboards.games.caravan.catalog import CARAVAN
from dashboards.games.climbers.catalog import CLIMBERS
from dashboards.games.figure import Figures, Table
from dashboards.games.summit.catalog import SUMMIT
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["CATALOG", "NONE", "OF_GAMES", "Table", "catalog_of", "catalog_under"]

OF_GAMES: Final[Mapping[str, Figures]] = {"caravan": CARAVAN, "summit": SUMMIT, "climbers": CLIMBERS}
NONE: Final = Figures((), (), "")
"""The figures of a game that has none of its own."""


@cache
def catalog_of(game: str) -> Mapping[str, Table]:
    """Return the figures of a game, in the order of pages and reports: those of any game if it has none of its own."""
    own = OF_GAMES.get(game, NONE).tables
    return {table.name: table for table in (*STRENGTH_TABLES, TOURNAMENTS, *own, TELLING, LENGTH)}


def catalog_under(reader: Reader, where: Filter) -> Mapping[str, Table]:
    """Return the figures of the game that a filter means."""
    return catalog_of(game_under(reader, where))


CATALOG: Final[Mapping[str, Table]] = {name: table for game in OF_GAMES for name, table in catalog_of(game).items()}
"""The figures of every game: no two have the same name."""
