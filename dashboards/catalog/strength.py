"""Figures of strength: which players are better, by how much, and with what certainty. For any game."""

from collections.abc import Callable
from typing import Final

import polars as pl

from dashboards.catalog.strength_charts import (
    draw_head_to_head,
    draw_paired,
    draw_placement,
    draw_ratings,
    draw_seat_effect,
    draw_win_share,
)
from dashboards.games.figure import BY_OUTCOME, OF_PLAYER, Figure, interval, of_wins
from dashboards.games.shared.recent import counted_ratings, counted_results
from dashboards.stats import strength_words as words
from dashboards.stats.head_to_head import head_to_head
from dashboards.stats.lineups import Lineups
from dashboards.stats.paired import paired
from dashboards.stats.placement import placement
from dashboards.stats.seats import seat_effect
from dashboards.stats.win_share import win_share
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["STRENGTH_FIGURES"]


def _of_results(figure: Callable[[Lineups], pl.DataFrame]) -> Callable[[Reader, Filter], pl.DataFrame]:
    """Return the table of a figure, in which players of several settings or versions are participants."""
    return lambda reader, where: figure(counted_results(reader, where))


STRENGTH_FIGURES: Final = (
    Figure(
        "win-share",
        "Share of matches won",
        "strength",
        _of_results(win_share),
        {
            "player": "Player",
            **OF_PLAYER,
            **interval("win_share", "Share won"),
            "expected_share": "Equal share",
            "shared_seeds": "Seeds shared with first row",
            "win_share_p": "p vs. first row",
            "win_share_holm": "p (corrected)",
            "pool": "Pool",
            "against": "Against",
        },
        words.win_finding,
        BY_OUTCOME,
        draw=draw_win_share,
    ),
    Figure(
        "ratings",
        "Ratings",
        "strength",
        counted_ratings,
        {"player": "Player", **OF_PLAYER, **interval("rating", "Rating (Elo)"), "pool": "Pool"},
        words.ratings_finding,
        BY_OUTCOME,
        draw=draw_ratings,
    ),
    Figure(
        "head-to-head",
        "Head to head",
        "strength",
        _of_results(head_to_head),
        {
            "player": "Player",
            "other": "Ahead of",
            "pairs": "Meetings",
            "groups": "Seeds",
            **interval("better_share", "Share of meetings"),
            "better_share_p": "p",
            "better_share_holm": "p (corrected)",
        },
        words.head_to_head_finding,
        BY_OUTCOME,
        is_wide=True,
        draw=draw_head_to_head,
    ),
    Figure(
        "placement",
        "Places taken",
        "strength",
        _of_results(placement),
        {
            "player": "Player",
            "players": "Table size",
            "place": "Place",
            **OF_PLAYER,
            **interval("place_share", "Share"),
        },
        words.placement_finding,
        BY_OUTCOME,
        narrows=lambda row: of_wins(row) if row["place"] == 1 else {},
        draw=draw_placement,
    ),
    Figure(
        "seat-effect",
        "Seat advantage",
        "strength",
        _of_results(seat_effect),
        {
            "players": "Table size",
            "seat": "Seat",
            **OF_PLAYER,
            **interval("seat_share", "Share won"),
            **interval("seat_effect", "Above usual"),
            "seat_effect_p": "p",
            "seat_effect_holm": "p (corrected)",
        },
        words.seat_finding,
        BY_OUTCOME,
        draw=draw_seat_effect,
    ),
    Figure(
        "paired",
        "On the same seeds",
        "strength",
        _of_results(paired),
        {
            "player": "Player",
            "other": "Compared with",
            "groups": "Seeds",
            **interval("paired_difference", "Difference in wins"),
            "paired_difference_p": "p",
            "narrowing": "Width unpaired (×)",
            "worth": "Matches unpaired (×)",
            "paired_difference_holm": "p (corrected)",
        },
        words.paired_finding,
        BY_OUTCOME,
        is_wide=True,
        draw=draw_paired,
    ),
)
