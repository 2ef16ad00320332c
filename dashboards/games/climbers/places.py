"""What is counted by place of The Climbers: where climbers stood, square by square and level by level."""

from collections.abc import Mapping
from typing import Final

from dashboards.warehouse.places import Place

__all__ = ["CLIMBERS_PLACES"]

MIDDLE: Final = """(select match_id, (min(pose_x) + max(pose_x + pose_dx)) // 2 as middle_x,
        (min(pose_y) + max(pose_y + pose_dy)) // 2 as middle_y
    from (from stg_climbers_block_placed semi join sampled using (match_id)) where block >= 33 group by match_id)"""
"""The corner in the middle of the two triples, which are the last blocks, see agg_climbers_cells."""
STOOD: Final = "(from fct_climbers_standings semi join sampled using (match_id, seat))"
STEPPED: Final = "(from fct_climbers_climbs semi join sampled using (match_id, seat))"
SQUARES: Final = """(select cohort, round, x as square_x, y as square_y, level, arrivals, stands,
        case when level <= 3 then stands else 0 end as low,
        case when level between 4 and 7 then stands else 0 end as middle,
        case when level >= 8 then stands else 0 end as high from agg_climbers_cells)"""
BY_SQUARE: Final = ("square_x", "square_y")


def _stands(column: str, levels: str) -> Place:
    events = f"""select match_id, seat, round, p.x - middle_x as square_x, p.y - middle_y as square_y, 1 as x
        from {STOOD} p join {MIDDLE} using (match_id) where p.x is not null and {levels}"""
    return Place(events, SQUARES, column, BY_SQUARE, "square", is_sparse=True)


CLIMBERS_PLACES: Final[Mapping[str, Place]] = {
    "stands": _stands("stands", "true"),
    "low": _stands("low", "level <= 3"),
    "middle": _stands("middle", "level between 4 and 7"),
    "high": _stands("high", "level >= 8"),
    "climbed_to": Place(
        f"""select match_id, seat, round, p.to_x - middle_x as square_x, p.to_y - middle_y as square_y, 1 as x
            from {STEPPED} p join {MIDDLE} using (match_id)""",
        SQUARES,
        "arrivals",
        BY_SQUARE,
        "square",
        is_sparse=True,
    ),
    "levels_stood": Place(
        f"select match_id, seat, round, level, 1 as x from {STOOD} where x is not null",
        "agg_climbers_cells",
        "stands",
        ("level",),
        is_sparse=True,
    ),
}
"""Climbers after each turn, by the square they stood on and its level, and steps to a square."""
