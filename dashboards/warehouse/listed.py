"""Matches as pages list them, with their current status and ending."""

from typing import Final

from ingest.tables.marts import installed_games

__all__ = ["LIVE", "endings", "listed"]

LIVE: Final = "select live from watched_files where live is not null"
LOWEST: Final = "select match_id, lowest, lowest_ply from dim_reviews"
NO_ENDING: Final = "select null::integer as match_id, null::varchar as ending where false"


def listed() -> str:
    """Return the source of matches `m` with their current status; a match in a followed log is live.

    `lowest` is the winner's lowest chance of winning, after the ply `lowest_ply`, if the match is evaluated.
    """
    status = f"case when status = 'unfinished' and match in ({LIVE}) then 'live' else status end as status"
    return f"(select * replace ({status}) from dim_matches left join ({LOWEST}) using (match_id)) m"


def endings() -> str:
    """Return the query for `match_id, ending`, for games whose seats do not show how a match ended."""
    return " union all ".join(f"({marts.endings})" for _, marts in installed_games() if marts.endings) or NO_ENDING
