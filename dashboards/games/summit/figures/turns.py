"""What turns moved: the climber, a Sherpa up or back, or nothing."""

from typing import Final

import polars as pl

from dashboards.charts.bars import stacked_parts
from dashboards.charts.chart import Chart
from dashboards.charts.dots import percent
from dashboards.charts.theme import Palette
from dashboards.games.figure import Figure, interval
from dashboards.games.summit.figures.shared import SEATS
from dashboards.stats.by_kind import in_order, with_all_kinds
from dashboards.stats.claims import told
from dashboards.stats.intervals import shares
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import NOTHING, whole
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "turn_finding", "turns"]

MOVES: Final = {
    "climber": "f.climber_moves",
    "forward": "f.forward_moves",
    "back": "f.back_moves",
    "forfeit": "f.forfeits",
}
"""What a turn moved: the climber, a Sherpa up, one back, nothing as no die fitted."""
CALLED: Final = {"climber": "climber", "forward": "Sherpa up", "back": "Sherpa back", "forfeit": "nothing"}


def turns(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, choice, turns, groups, turn_share` and its bounds: what a player's turns moved."""
    moved = " + ".join(MOVES.values())
    found = with_all_kinds(seat_sums(reader, SEATS, where, MOVES, moved).rename({"kind": "choice"}), "choice", MOVES)
    rows = shares(found, ["player", "choice"], "turn_share", "turns").with_columns(pl.col("turns").cast(pl.Int64))
    return in_order(rows, "choice", MOVES)


def turn_finding(frame: pl.DataFrame) -> str:
    """Say who moves its climber how often, and who Sherpas back."""
    if frame.is_empty():
        return NOTHING
    does = {"climber": "moves its climber", "back": "moves Sherpas back"}
    said = [
        told(
            frame.filter(choice=choice),
            "turn_share",
            "player",
            f"{{}} {text} most often: in {{}} of its turns",
            f"{{}} {text} in {{}} of its turns",
            percent,
        )
        for choice, text in does.items()
    ]
    idle = frame.filter(choice="forfeit")
    nothing = round(float((idle["turn_share"] * idle["turns"]).sum()))
    last = f"In {whole(nothing, 'turn')} no die fitted." if nothing else "A die fitted in every turn."
    return " ".join([*said, last])


def draw_turns(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw what turns moved, as shares of them."""
    return stacked_parts(frame, "choice", "turn_share", CALLED, colours.parts, shown=percent, is_share=True)


METRICS: Final = (
    Metric(
        "turns",
        "How many turns the player had in which it chose something.",
        "number of turns that ended with a move or a forfeited die",
        source_of(turns),
        "player",
        "turns",
    ),
    Metric(
        "turn_share",
        "What share of the player's turns move its climber, move a Sherpa up, move one back, or move nothing because"
        " no die fits.",
        "turns that moved it / turns",
        source_of(turns, f"interval: {KORN_GRAUBARD}"),
        "player, choice",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    "turns",
    "What turns moved",
    "why",
    turns,
    {
        "player": "Player",
        "choice": "Moved",
        "turns": "Turns",
        "groups": "Seeds",
        **interval("turn_share", "Share"),
    },
    turn_finding,
    draw=draw_turns,
    metrics=METRICS,
)
