"""The metrics of tournaments, each defined once; `metrics.py` joins them to the others."""

from typing import Final

from dashboards.stats.metric import Metric, source_of
from dashboards.warehouse.tournaments import tournament_list

__all__ = ["TOURNAMENT_METRICS"]

SOURCE: Final = source_of(tournament_list)

TOURNAMENT_METRICS: Final = (
    Metric(
        "all_matches",
        "How many matches of the tournament are loaded, whatever their status.",
        "number of matches",
        SOURCE,
        "tournament",
        "matches",
    ),
    Metric(
        "finished",
        "How many of its matches are finished; statistics count only these.",
        "number of matches with a log that ends with the result",
        SOURCE,
        "tournament",
        "matches",
    ),
    Metric(
        "player_count",
        "How many different players sat at its tables.",
        "number of different player names",
        SOURCE,
        "tournament",
        "players",
    ),
    Metric(
        "version_count",
        "How many different versions of players sat at its tables, settings included.",
        "number of different (player, version, settings)",
        SOURCE,
        "tournament",
        "versions",
    ),
    Metric(
        "sizes",
        "How many seats its tables have.",
        "the different numbers of seats in its matches",
        SOURCE,
        "tournament",
        "seats",
    ),
    Metric(
        "first_in",
        "When the first of its matches was loaded.",
        "earliest start of the ingest runs that loaded one",
        SOURCE,
        "tournament",
        "time, UTC",
    ),
    Metric(
        "last_in",
        "When the last of its matches was loaded or reloaded.",
        "latest start of the ingest runs that loaded one",
        SOURCE,
        "tournament",
        "time, UTC",
    ),
)
