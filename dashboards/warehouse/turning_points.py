"""Reading when matches turned, so that a link can lead there."""

from collections.abc import Mapping, Sequence
from typing import Final

from dashboards.warehouse.reader import Reader

__all__ = ["Reader"]

CARAVAN: Final = """select m.match, max(e.ply) as ply from dim_matches m join fct_courses c using (match_id)
    join stg_caravan_round_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""
SUMMIT: Final = """select m.match, max(e.ply) as ply from dim_matches m join fct_summit_courses c using (match_id)
    join stg_summit_turn_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""
CLIMBERS: Final = """select m.match, max(e.ply) as ply from dim_matches m join fct_climbers_courses c using (match_id)
    join stg_climbers_turn_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""
TURNS: Final[Mapping[str, str]] = {"caravan": CARAVAN, "summit": SUMMIT, "climbers": CLIMBERS}
"""Where each game's matches turned: `match, ply`. A match is of one game, so that only one of them finds it."""


def turning_plies(reader: Reader, matches: Sequence[str]) -> dict[str, int]:
    """Return the ply at the end of the decisive round of each match that has one, see the courses of its game."""
    rows = reader.rows(" union all ".join(f"({sql})" for sql in TURNS.values()), {"matches": list(matches)})
    return {str(match): int(ply) for match, ply in rows}
