"""The one list of figures: what pages show, `/csv` and exports hand out, and reports are made of.

What their columns mean stands in `metrics.py` and the files that it joins.
"""

from typing import Final

from dashboards.stats.catalog_caravan import CARAVAN_TABLES
from dashboards.stats.catalog_strength import STRENGTH_TABLES
from dashboards.stats.length import LENGTH
from dashboards.stats.table import Table
from dashboards.stats.tournaments import TOURNAMENTS

__all__ = ["CATALOG", "Table"]

CATALOG: Final[dict[str, Table]] = {
    table.name: table for table in (*STRENGTH_TABLES, TOURNAMENTS, *CARAVAN_TABLES, LENGTH)
}
