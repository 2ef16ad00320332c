"""The matches as pages list them: each with its status as it stands, and the margin of its own game."""

from typing import Final

from ingest.tables.marts import MARTS

__all__ = ["LIVE", "listed_matches", "match_endings"]

LIVE: Final = "select live from watched_files where live is not null"


def listed_matches() -> str:
    """Return the query for matches as they stand, called `m`.

    Live is one whose log is being followed as it grows; each has the margin of its own game.
    """
    margins = {f"of_{place}": marts.margin for place, marts in enumerate(MARTS.values()) if marts.margin}
    own = ", ".join(["one.margin", *(f"{name}.margin" for name in margins)])
    joins = " ".join(f"left join ({margin}) {name} using (match_id)" for name, margin in margins.items())
    return f"""(
    select one.* replace (
        case when status = 'unfinished' and match in ({LIVE}) then 'live' else status end as status,
        coalesce({own}) as margin
    )
    from dim_matches one {joins}) m"""  # noqa: S608


def match_endings() -> str:
    """Return the query for `match_id, ending`, of games in which what became of each seat does not tell it."""
    endings = [marts.endings for marts in MARTS.values() if marts.endings]
    return " union all ".join(endings) or "select null as match_id, null as ending where false"
