"""Climbers figures by seat and kind: actions and results per match."""

from typing import Final

from dashboards.games.climbers.terms import SEATS
from dashboards.games.shared.seat_sums import Kind, SeatSums
from dashboards.stats.words import hundredths

__all__ = ["BLOCKS", "HINDERED", "LADDERS", "LEVELS_GAINED"]

LEVELS_GAINED: Final = SeatSums(
    name="levels-gained",
    title="Levels gained in own turns and after others'",
    table=SEATS,
    value="levels_gained",
    definition="How many levels a climber rises in a match in its own turns, or after those of others.",
    unit="levels per player and match",
    formula="Σ levels / played",
    headings=("When", "Levels per match"),
    kinds={
        "own": Kind(
            "f.levels_own",
            "own turns",
            "{} gains the most levels in its own turns: {} a match",
            "{} gains {} levels a match in its own turns",
        ),
        "others": Kind(
            "f.levels_others",
            "after others' turns",
            "{} gains the most levels after the turns of others: {} a match",
            "{} gains {} levels a match after the turns of others",
        ),
    },
    is_stacked=True,
    is_wide=False,
)
LADDERS: Final = SeatSums(
    name="ladders",
    title="Ladders kept, used, and levels gained",
    table=f"""(select match_id, seat, any_value(d.ladders_left) as ladders_left,
        any_value(d.levels_by_ladder) as levels_by_ladder, count(*) filter (l.ladder = 'short') as short,
        count(*) filter (l.ladder = 'long') as long
        from {SEATS} d left join fct_climbers_ladders l using (match_id, seat) group by match_id, seat)""",
    value="ladders",
    definition="How many of its two ladders a seat has left at the end, how many short and long ones it spent, and how"
    " many levels it gained by those.",
    formula="number / played; Σ levels / played",
    kinds={
        "left": Kind(
            "f.ladders_left",
            "Ladders left (of 2)",
            "{} has the most ladders left at the end: {} of 2",
            "{} has {} of 2 ladders left at the end",
            within=(0, 2),
        ),
        "short": Kind("f.short", "Short ladder used", within=(0, 1)),
        "long": Kind("f.long", "Long ladder used", within=(0, 1)),
        "levels": Kind(
            "f.levels_by_ladder",
            "Levels gained",
            "{} gains the most by ladders: {} levels a match",
            "{} gains {} levels a match by ladders",
            within=(0, 6),  # two by the short ladder, four by the long
        ),
    },
    shown=hundredths,
)
BLOCKS: Final = SeatSums(
    name="blocks",
    title="Blocks moved",
    table=f"""(select match_id, seat, any_value(d.blocks_moved) as moved, any_value(d.blocks_turned) as turned,
        count(*) filter (p.to_level > p.from_level) as raised, count(*) filter (p.to_level < p.from_level) as lowered,
        coalesce(sum(p.shifted), 0) as shifted
        from {SEATS} d left join fct_climbers_placements p using (match_id, seat) group by match_id, seat)""",
    value="blocks",
    definition="How many blocks a seat moves in a match; of these, how many it turns in place, and sets so that"
    " their tops are higher or lower than before; how many climbers it sets aside to make room.",
    kinds={
        "moved": Kind("f.moved", "Moved", "{} moves the most blocks: {} a match", "{} moves {} blocks a match"),
        "turned": Kind("f.turned", "Turned in place"),
        "raised": Kind(
            "f.raised",
            "Moved higher",
            "{} sets the most blocks higher than before: {} a match",
            "{} sets {} blocks a match higher than before",
        ),
        "lowered": Kind("f.lowered", "Moved lower"),
        "shifted": Kind("f.shifted", "Climbers set aside"),
    },
)
HINDERED: Final = SeatSums(
    name="hindered",
    title="Steps blocked",
    table=SEATS,
    value="hindrances",
    definition="How often in a match another's block or disc takes away a step that the climber might have taken just"
    " before; how often its own do that to others, each one counted; how often another sets its climber aside.",
    unit="times per player and match",
    headings=("What", "Times per match"),
    kinds={
        "blocks": Kind(
            "f.hindered_by_blocks",
            "By blocks of others",
            "{} loses a step to others' blocks most often: {} times a match",
            "{} loses a step to others' blocks {} times a match",
        ),
        "discs": Kind(
            "f.hindered_by_discs",
            "By discs of others",
            "{} loses a step to others' discs most often: {} times a match",
            "{} loses a step to others' discs {} times a match",
        ),
        "hindering": Kind(
            "f.hindering",
            "Blocking others",
            "{} hinders others most often: {} times a match",
            "{} hinders others {} times a match",
        ),
        "shifted": Kind("f.shifted", "Set aside by others"),
    },
    shown=hundredths,
)
