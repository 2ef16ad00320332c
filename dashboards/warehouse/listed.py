"""The matches as pages list them: each with its status as it stands, and how it ended."""

from typing import Final

from ingest.tables.marts import installed_games

__all__ = ["LIVE", "endings", "listed"]

LIVE: Final = "select live from watched_files where live is not null"
LOWEST: Final = "select match_id, lowest, lowest_ply from dim_reviews"
NO_ENDING: Final = "select null::integer as match_id, null::varchar as ending where false"


def listed() -> str:
    """Return the source of matches `m` as they stand: live is one whose log is being followed as it grows.

    `lowest` is the winner's lowest chance of winning, after the ply `lowest_ply`, where a match is valued.
    """
    status = f"case when status = 'unfinished' and match in ({LIVE}) then 'live' else status end as status"
    return f"(select * replace ({status}) from dim_matches left join ({LOWEST}) using (match_id)) m"


def endings() -> str:
    """Return the question for `match_id, ending`: how each match ended, of games in which seats do not tell that."""
    return " union all ".join(f"({marts.endings})" for _, marts in installed_games() if marts.endings) or NO_ENDING
