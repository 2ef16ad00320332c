"""All that the figures ask of a warehouse, put together."""

from dashboards.games.caravan.outcomes_sql import EndingQueries
from dashboards.games.caravan.queries import CaravanQueries
from dashboards.games.climbers.queries import ClimbersQueries
from dashboards.games.summit.queries import SummitQueries
from dashboards.warehouse.progress import CourseQueries
from dashboards.warehouse.results import StrengthQueries
from dashboards.warehouse.traffic import TrafficQueries
from dashboards.warehouse.winners_vs_losers import SideQueries

__all__ = ["FigureQueries"]


class FigureQueries(
    StrengthQueries,
    CaravanQueries,
    SummitQueries,
    ClimbersQueries,
    SideQueries,
    CourseQueries,
    EndingQueries,
    TrafficQueries,
):
    """The questions of every figure; each file beside this one has those of its topic."""
