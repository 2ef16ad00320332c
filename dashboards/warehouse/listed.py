"""The matches as pages list them: each with its status as it stands, and the margin of its own game."""

from typing import Final

__all__ = ["LISTED", "LIVE"]

LIVE: Final = "select live from watched_files where live is not null"
LISTED: Final = f"""(
    select one.* replace (
        case when status = 'unfinished' and match in ({LIVE}) then 'live' else status end as status,
        coalesce(one.margin, of_summit.margin, of_climbers.margin) as margin
    )
    from dim_matches one
    left join fct_summit_courses of_summit using (match_id)
    left join fct_climbers_courses of_climbers using (match_id)) m"""  # noqa: S608
"""Matches as they stand; live is one whose log is being followed as it grows; each by the margin of its own game."""
