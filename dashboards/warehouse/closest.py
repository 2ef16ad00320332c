"""Reading which matches were close: in which the least had to go otherwise for another to win."""

import polars as pl

from dashboards.warehouse.reader import Reader
from ingest.validate.judged import Verdict

__all__ = ["closest_matches"]


def closest_matches(reader: Reader, most: int) -> pl.DataFrame:
    """Return `match, game, line_up, winner, nearest, gap, gap_unit` of the closest matches of each game, one by one.

    The closest of each game come first, then the second of each. Of equally close ones the least margin comes first,
    then the latest.
    """
    return reader.frame(
        f"""with ranked as (
                select *, row_number() over (
                    partition by game order by closeness, abs(margin), match_id desc) as nth
                from dim_matches
                where status = 'finished' and verdict = '{Verdict.CLEAN}' and closeness is not null)
            select match, game, line_up, winner, nearest, gap, gap_unit from ranked
            order by nth, closeness, game limit $most""",
        {"most": most},
    )
