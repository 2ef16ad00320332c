"""All that the figures ask of a warehouse, put together."""

from dashboards.queries_caravan import CaravanQueries
from dashboards.queries_climbers import ClimbersQueries
from dashboards.queries_courses import CourseQueries
from dashboards.queries_endings import EndingQueries
from dashboards.queries_sides import SideQueries
from dashboards.queries_strength import StrengthQueries
from dashboards.queries_summit import SummitQueries
from dashboards.queries_traffic import TrafficQueries

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
