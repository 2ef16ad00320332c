"""Reports on equal players wrongly claim a difference in at most 5 % of tournaments; also tests their power.

Each test run simulates a few tournaments, `make soak` hundreds of each kind. Players rotate through all seats within a
seed. A seed may strongly favour a seat, which says nothing about the players.
"""

from collections.abc import Iterator
from math import sqrt

import numpy as np
import polars as pl
import pytest

from dashboards.catalog.strength import STRENGTH_FIGURES
from dashboards.stats import strength_words as words
from dashboards.stats.claims import RISK
from dashboards.stats.compare import by_sides, compared
from dashboards.stats.differences import paired
from dashboards.stats.head_to_head import head_to_head
from dashboards.stats.ratings import ratings
from dashboards.stats.results import Lineups, lineups_of
from dashboards.stats.standing import placement, seat_effect, win_share
from tests.dashboards.stats.claimed import claims_a_difference
from tests.dashboards.stats.tournaments import TINY, results, simulated

NAMES = "abcdef"
FINDINGS = {
    "win-share": lambda lineups: words.win_finding(win_share(lineups)),
    "ratings": lambda lineups: words.ratings_finding(ratings(lineups)),
    "head-to-head": lambda lineups: words.head_to_head_finding(head_to_head(lineups)),
    "placement": lambda lineups: words.placement_finding(placement(lineups)),
    "seat-effect": lambda lineups: words.seat_finding(seat_effect(lineups)),
    "paired": lambda lineups: words.paired_finding(paired(lineups)),
}
"""The sentences of a report about strength, by figure."""
CELLS = [
    pytest.param(players, seeds, luck, id=f"{players} players, {seeds} seeds, {'strong' if luck else 'weak'} seeds")
    for players in (3, 4, 6)
    for seeds in (6, 12, 30, 100)
    for luck in (0.0, 3.0)
]


def equal(random: np.random.Generator, players: int, seeds: int, luck: float) -> pl.DataFrame:
    """Return the results of equal players, each of whom plays every seed in every seat."""
    names = dict.fromkeys(NAMES[:players], 0.0)
    return simulated(random, names, seeds, per_luck=players, luck=luck, rotated=True)


def false_claims(lineups: Lineups) -> Iterator[str]:
    """Yield the sentences that claim a difference."""
    for figure, said in FINDINGS.items():
        if claims_a_difference(figure, sentence := said(lineups)):
            yield sentence


def wrong_reports(random: np.random.Generator, tournaments: int, *cell: float, shown: int | None = None) -> int:
    """Count the tournaments with a sentence that claims a difference; `shown` limits the reported players."""
    wrong = 0
    for _ in range(tournaments):
        results = equal(random, *cell)  # type: ignore[arg-type]
        if shown:
            results = results.with_columns(pl.col("player").is_in(list(NAMES[:shown])).alias("kept"))
        wrong += any(false_claims(lineups_of(results)))
    return wrong


def most(tournaments: int) -> float:
    """Return the maximum number of wrong reports at an error rate of 5 %, plus three standard errors."""
    return tournaments * RISK + 3 * sqrt(tournaments * RISK * (1 - RISK))


@pytest.mark.slow("simulates tournaments")
@pytest.mark.parametrize("tournaments", [3, pytest.param(20, marks=pytest.mark.soak("simulates more tournaments"))])
@pytest.mark.parametrize("shown", [None, 2])
def test_reports_on_equal_players_are_rarely_wrong_anywhere(shown: int | None, tournaments: int) -> None:
    assert wrong_reports(np.random.default_rng(7), tournaments, 4, 12, 3.0, shown=shown) <= most(tournaments)


def test_every_figure_of_strength_is_covered() -> None:
    assert FINDINGS.keys() == {figure.name for figure in STRENGTH_FIGURES}


def test_claims_about_unequal_players_are_recognised() -> None:
    """One player always wins, also if it sits only in the second of three seats, so that seats differ as well."""
    turns = [[("a", 1), ("b", 2), ("c", 3)], [("b", 3), ("a", 1), ("c", 2)], [("c", 3), ("b", 1), ("a", 2)]]
    lineups = lineups_of(results(*((f"l{seed}", turn) for seed in range(100) for turn in turns)))
    assert len([*false_claims(lineups)]) == len(FINDINGS)
    assert not [*false_claims(lineups_of(TINY))]
    pair = lineups_of(results(*((f"l{seed}", {"a": 1, "b": 2}) for seed in range(100))))
    assert claims_a_difference("head-to-head", FINDINGS["head-to-head"](pair))


@pytest.mark.soak("simulates thousands of tournaments")
@pytest.mark.parametrize(("players", "seeds", "luck"), CELLS)
def test_reports_on_equal_players_are_rarely_wrong_in_any_cell(players: int, seeds: int, luck: float) -> None:
    random = np.random.default_rng(players * 1000 + seeds)
    assert wrong_reports(random, 400, players, seeds, luck) <= most(400)
    assert wrong_reports(random, 100, players, seeds, luck, shown=players - 1) <= most(100)


def found(random: np.random.Generator, tournaments: int, first: float, second: float) -> float:
    """Return how often the first of two players is found to win more than the second, in a hundred seeds of four.

    `first` and `second` are their true shares of wins; two equal players share the rest.
    """
    rest = (1 - first - second) / 2
    names = dict(zip(NAMES, np.log([first, second, rest, rest]).tolist(), strict=False))
    count = 0
    for _ in range(tournaments):
        played = simulated(random, names, 100, per_luck=4, rotated=True)
        frame = compared(by_sides(played, "player", NAMES[:2]), "player")
        count += (frame.filter(player=NAMES[0])["side_difference_holm"] <= RISK).any()
    return count / tournaments


def test_a_difference_that_is_there_is_found() -> None:
    assert found(np.random.default_rng(8), 10, 0.4, 0.2) == 1


@pytest.mark.soak("simulates thousands of tournaments")
def test_ten_points_in_a_hundred_seeds_of_four_seats_are_found_in_eighty_of_a_hundred_tournaments() -> None:
    assert found(np.random.default_rng(9), 1000, 0.3, 0.2) >= 0.8 - 3 * sqrt(0.8 * 0.2 / 1000)
