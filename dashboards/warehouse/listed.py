"""The matches as pages list them: each with its status as it stands, the margin of its own game, and how it ended."""

from typing import Final

from ingest.tables.marts import installed_games

__all__ = ["LIVE", "endings", "listed"]

LIVE: Final = "select live from watched_files where live is not null"
NO_MARGIN: Final = "select null::integer as match_id, null::integer as margin where false"
NO_ENDING: Final = "select null::integer as match_id, null::varchar as ending where false"


def listed() -> str:
    """Return the source of matches `m` as they stand: live is one whose log is being followed as it grows."""
    margins = " union all ".join(f"({marts.margin})" for _, marts in installed_games() if marts.margin) or NO_MARGIN
    return f"""(
        select one.* replace (
            case when status = 'unfinished' and match in ({LIVE}) then 'live' else status end as status,
            coalesce(one.margin, own.margin) as margin
        )
        from dim_matches one left join ({margins}) own using (match_id)) m"""


def endings() -> str:
    """Return the question for `match_id, ending`: how each match ended, of games in which seats do not tell that."""
    return " union all ".join(f"({marts.endings})" for _, marts in installed_games() if marts.endings) or NO_ENDING
