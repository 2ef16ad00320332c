"""Ratings by the Plackett–Luce model with shared places, compared with hand calculations and a library; edge cases."""

import warnings
from itertools import permutations
from math import log, log10, sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest

from dashboards.stats.plackett_luce import choices, fit
from dashboards.stats.ratings import ELO, ratings
from dashboards.stats.results import scored
from tests.dashboards.stats.tournaments import results, simulated

NONE = 1e-9
"""A prior too weak to have a visible effect."""


def rated(frame: pl.DataFrame, pseudo: float = NONE) -> dict[str, float]:
    found = ratings(frame, bounds=False, pseudo=pseudo)
    return dict(found.select("player", "rating").iter_rows())


def of_choix(frame: pl.DataFrame, names: str) -> list[float]:
    """Return the ratings fitted by choix, in Elo with mean 0."""
    import choix  # imported here, as it takes a second in every test process

    order = frame.sort("match", "place").group_by("match", maintain_order=True).agg("player")["player"]
    ranked: Any = [[names.index(name) for name in row] for row in order.to_list()]
    found = choix.opt_rankings(len(names), ranked)
    return list(ELO * (found - found.mean()))


def test_two_players_are_apart_by_the_odds_of_their_wins() -> None:
    frame = results(*[(None, {"a": 1, "b": 2})] * 4, (None, {"a": 2, "b": 1}))
    found = rated(frame)
    assert found["a"] - found["b"] == pytest.approx(400 * log10(4))
    assert found["a"] + found["b"] == pytest.approx(0)


def test_two_players_with_shared_places_are_those_of_davidson() -> None:
    frame = results(*[(None, {"a": 1, "b": 2})] * 4, (None, {"a": 2, "b": 1}), *[(None, {"a": 1, "b": 1})] * 6)
    data = choices(scored(frame))
    (found,) = fit(data, *data.sampled(np.ones((1, 11))), pseudo=NONE)
    assert found[0] - found[1] == pytest.approx(log(4))  # the ratio of wins to losses
    assert found[2] == pytest.approx(log(6 / (4 * 1) ** 0.5))  # shared places relative to √(wins · losses)


def test_three_players_with_shared_places_are_where_the_likelihood_is_greatest() -> None:
    """The slope of the likelihood, written out, is zero in every direction at the fitted strengths."""
    seen = [(1, 2, 3), (1, 1, 3), (2, 1, 2), (3, 1, 2), (1, 1, 1), (2, 3, 1), (1, 2, 2)]
    data = choices(scored(results(*((None, dict(zip("abc", places, strict=True))) for places in seen))))
    (found,) = fit(data, *data.sampled(np.ones((1, len(seen)))), pseudo=NONE)
    best = likelihood(found, seen)
    for place in range(5):
        for step in (-1e-3, 1e-3):
            other = found.copy()
            other[place] += step
            assert likelihood(other, seen) <= best + 1e-12


def likelihood(parameters: np.ndarray, seen: list[tuple[int, ...]]) -> float:
    sets = [{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}]

    def worth(chosen: set[int]) -> float:
        size = (0, parameters[3], parameters[4])[len(chosen) - 1]
        return float(np.exp(size + sum(parameters[player] for player in chosen) / len(chosen)))

    total = 0.0
    for places in seen:
        left = {0, 1, 2}
        for place in sorted(set(places)):
            chosen = {player for player in left if places[player] == place}
            if len(left) > 1:
                total += log(worth(chosen) / sum(worth(other) for other in sets if other <= left))
            left -= chosen
    return total


def test_a_single_win_is_held_back_by_the_prior() -> None:
    """If x is the winner's strength and 1/x the loser's: x³ − x² − x − 3 = 0."""
    found = rated(results((None, {"a": 1, "b": 2})), pseudo=0.5)
    x = max(root.real for root in np.roots([1, -1, -1, -3]) if abs(root.imag) < 1e-12)
    assert found["a"] == pytest.approx(ELO * log(x))


@pytest.mark.slow("an outside library beside ours")
def test_whole_rankings_without_shared_places_are_those_of_choix() -> None:
    frame = simulated(np.random.default_rng(7), {"a": 0, "b": 0.4, "c": 0.9, "d": 1.5}, 60)
    found = rated(frame)
    assert [found[name] for name in "abcd"] == pytest.approx(of_choix(frame, "abcd"), abs=0.01)


def test_parts_of_the_players_at_a_table_are_those_of_choix() -> None:
    random = np.random.default_rng(8)
    strengths = {"a": 0, "b": 0.3, "c": 0.8, "d": 1.0, "e": 1.2}
    parts = [
        simulated(random, {name: strengths[name] for name in table}, 15).with_columns(
            pl.format("{}-{}", pl.lit("".join(table)), column).alias(column) for column in ("match", "luck")
        )
        for table in ("abc", "bcd", "cde", "ae", "abde")
    ]
    frame = pl.concat(parts)
    found = rated(frame)
    assert [found[name] for name in "abcde"] == pytest.approx(of_choix(frame, "abcde"), abs=0.01)


def test_a_player_with_several_seats_is_one_player() -> None:
    """Against two of b, then against the remaining b; with x = a/b the wins of a are 3 = 4 · x/(x+2) + x/(x+1)."""
    seats = [(1, 2, 3), (1, 3, 2), (1, 2, 3), (3, 1, 2)]
    frame = results(*((None, list(zip("abb", places, strict=True))) for places in seats))
    data = choices(scored(frame))
    assert sorted(data.ways) == [1, 1, 1, 2, 2]  # ways to be first: abb: a or either b; ab: a or b; bb: either
    (found,) = fit(data, *data.sampled(np.ones((1, 4))), pseudo=NONE)
    x = float(np.exp(found[0] - found[1]))
    assert 3 - 4 * x / (x + 2) - x / (x + 1) == pytest.approx(0, abs=1e-6)


def test_players_who_never_lost_have_finite_ratings_and_each_pool_its_own_mean() -> None:
    frame = results(*[("l", {"a": 1, "b": 2})] * 5, *[("k", {"c": 1, "d": 1})] * 5, ("j", [("e", 1), ("e", 2)]))
    found = ratings(frame)
    assert found["player"].to_list() == ["a", "b", "c", "d", "e"]
    assert found["pool"].to_list() == [1, 1, 2, 2, 3]
    won, lost, *equal, alone = found["rating"].to_list()
    assert won == -lost > 0
    assert equal == pytest.approx([0, 0], abs=1e-6)
    assert alone is None  # players without opponents have no rating


def test_players_equal_by_symmetry_are_equal() -> None:
    found = rated(results(*((None, dict(zip(order, (1, 2, 2, 4), strict=True))) for order in permutations("abcd"))))
    assert list(found.values()) == pytest.approx([0] * 4, abs=1e-6)


def test_the_interval_is_that_of_leaving_out_each_seed() -> None:
    """The jackknife, written out; this many matches are enough for all three players."""
    frame = simulated(np.random.default_rng(1), {"a": 0, "b": 0.5, "c": 1}, 30, per_luck=4, luck=1.0)
    without = [rated(frame.filter(pl.col("luck") != luck), 0.5) for luck in frame["luck"].unique()]
    for row in ratings(frame).iter_rows(named=True):
        error = sqrt(29 / 30 * sum((each[row["player"]] - row["rating"]) ** 2 for each in without))
        reach = 2.045229642132703 * error  # Student's t for 29 degrees of freedom
        assert row["rating_low"] == pytest.approx(row["rating"] - reach, abs=1e-3)
        assert row["rating_high"] == pytest.approx(row["rating"] + reach, abs=1e-3)


def test_seeds_are_left_out_not_matches() -> None:
    """Duplicating every match within its seed does not narrow the interval."""
    once = simulated(np.random.default_rng(2), {"a": 0, "b": 0.5, "c": 1}, 100)
    twice = pl.concat([once, once.with_columns(pl.format("{}-again", "match").alias("match"))])
    single, double = (ratings(frame, pseudo=NONE) for frame in (once, twice))
    assert double["rating_high"].to_list() == pytest.approx(single["rating_high"].to_list(), abs=1e-3)
    assert double["rating_low"].to_list() == pytest.approx(single["rating_low"].to_list(), abs=1e-3)


def test_few_seeds_that_all_agree_leave_room_for_others() -> None:
    """Six seeds of three matches with the same order leave open how much better the first player is."""
    orders = [{"a": 1, "b": 2, "c": 3}] * 3
    found = ratings(results(*((f"l{seed}", order) for seed in range(6) for order in orders)))
    width = found["rating_high"] - found["rating_low"]
    assert width.min() > 300  # type: ignore[operator]
    first = found.row(0, named=True)
    assert first["rating_low"] > 0, "but that it is better"


def test_a_single_seed_has_no_interval() -> None:
    found = ratings(results(("l", {"a": 1, "b": 2}), ("l", {"b": 1, "a": 2})))
    assert found["rating_low"].is_null().all()


def test_a_player_of_few_seeds_is_rated_though_some_samples_have_none_of_them() -> None:
    """In a sample without its seeds, only the prior of half a match limits its strength, so the fit may take long."""
    random = np.random.default_rng(0)
    often = [(f"l{seed}", dict(zip("abce", random.permuted(range(1, 5)).tolist(), strict=True))) for seed in range(48)]
    others = [dict(zip("abe", random.permuted(range(1, 4)).tolist(), strict=True)) for _ in range(3)]
    loses = [(f"k{seed}", {**places, "d": 4}) for seed, places in enumerate(others)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ratings(results(*often, *(match for match in loses for _ in range(4))))
    assert found["player"][-1] == "d"
