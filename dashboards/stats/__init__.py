"""Match statistics: functions that take a polars frame and return one, without a database or charts.

Functions about players' strength take a frame of results with one row per match and seat (see `results.py`):

| column | type | meaning |
|---|---|---|
| `match` | integer or text | id of the match |
| `seat` | integer | from 0 |
| `player` | text | player in the seat |
| `place` | integer | 1 is best; tied seats have the same place, and the next place skips them: 1, 2, 2, 4 |
| `luck` | integer or text | the seed; matches on one seed are one observation, and each match without a seed is one |
| `tournament`, `version` | text | optional |
| `kept` | boolean | true if the seat is included in the result; optional, true by default |
| `weight` | float | weight of the seat in a comparison; optional, 1 by default |

>>> import polars as pl
>>> from dashboards.stats import win_share
>>> results = pl.DataFrame(
...     {"match": [1, 1, 2, 2], "seat": [0, 1, 0, 1], "player": ["a", "b", "b", "a"], "place": [1, 2, 2, 1]}
... )
>>> win_share(results).select("player", "played", "win_share").rows()
[('a', 2, 1.0), ('b', 2, 0.0)]
"""

from dashboards.stats.claims import corrected, lead
from dashboards.stats.compare import by_sides, compared, verdict
from dashboards.stats.differences import differences, paired, paired_by_luck
from dashboards.stats.head_to_head import head_to_head, opponent_interaction
from dashboards.stats.intervals import (
    clopper_pearson,
    corrected_by_holm,
    mean_intervals,
    mean_test,
    means,
    quartiles,
    share_intervals,
    shares,
    sums,
)
from dashboards.stats.matched import alike
from dashboards.stats.ratings import ratings
from dashboards.stats.results import Lineups, by_version, lineups_of, scored
from dashboards.stats.standing import placement, seat_effect, win_share

__all__ = [
    "Lineups",
    "alike",
    "by_sides",
    "by_version",
    "clopper_pearson",
    "compared",
    "corrected",
    "corrected_by_holm",
    "differences",
    "head_to_head",
    "lead",
    "lineups_of",
    "mean_intervals",
    "mean_test",
    "means",
    "opponent_interaction",
    "paired",
    "paired_by_luck",
    "placement",
    "quartiles",
    "ratings",
    "scored",
    "seat_effect",
    "share_intervals",
    "shares",
    "sums",
    "verdict",
    "win_share",
]
