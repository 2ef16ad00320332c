"""Matched comparison: both sides have the same opponents, seats, board and options, in the same proportions."""

import polars as pl
import pytest

from dashboards.stats.compare import BETWEEN, by_sides, compared, verdict
from dashboards.stats.matched import alike, is_reweighted, left_out
from dashboards.stats.standing import win_share
from tests.dashboards.stats.tournaments import results

Match = tuple[str | None, dict[str, int]]


def of(tournament: str, *matches: Match, conditions: str = "", version: str = "1") -> pl.DataFrame:
    """Return the matches of a tournament played with this board and these options."""
    return results(*matches).with_columns(
        pl.concat_str("match", pl.lit(tournament + conditions)).alias("match"),
        tournament=pl.lit(tournament),
        conditions=pl.lit(conditions),
        version=pl.lit(version),
    )


def apart(*played: pl.DataFrame) -> list[tuple[object, ...]]:
    """Compare the tournaments spring and autumn; return `player, other, ground, groups, side_difference`."""
    both = by_sides(alike(pl.concat(played), "tournament"), "tournament", ["spring", "autumn"])
    return compared(both, "tournament").select("player", "other", "ground", "groups", "side_difference").rows()


SIX = [(f"l{seed}", {"a": 1, "b": 2}) for seed in range(6)]
TURNED = [(f"l{seed}", {"b": 2, "a": 1}) for seed in range(6)]
LOST = [(f"l{seed}", {"a": 2, "b": 1}) for seed in range(6)]


def test_a_player_is_compared_with_itself_against_the_same_opponents() -> None:
    other = [(f"l{seed}", {"a": 2, "c": 1}) for seed in range(6)]
    assert apart(of("spring", *SIX, *other), of("autumn", *LOST)) == [
        ("a · spring", "a · autumn", "luck", 6, 1.0),
        ("b · autumn", "b · spring", "luck", 6, 1.0),
    ]
    assert apart(of("spring", *other), of("autumn", *LOST)) == []


@pytest.mark.parametrize(
    "autumn",
    [
        of("autumn", *TURNED),
        of("autumn", *SIX, conditions="tokens=true"),
        of("autumn", *SIX, version="2"),
    ],
    ids=["in other seats", "by other options", "against another version"],
)
def test_unlike_matches_are_not_compared(autumn: pl.DataFrame) -> None:
    assert apart(of("spring", *SIX), of("autumn", *SIX)) != []
    assert apart(of("spring", *SIX), autumn) == []


def test_only_matches_alike_count_where_sides_have_others_as_well() -> None:
    spring = pl.concat([of("spring", *SIX), of("spring", *LOST, conditions="tokens=true")])
    assert apart(spring, of("autumn", *SIX)) == [
        ("a · autumn", "a · spring", "luck", 6, 0.0),
        ("b · autumn", "b · spring", "luck", 6, 0.0),
    ]


def test_another_mix_of_seats_is_no_difference_of_players() -> None:
    """Player a wins in seat 1 and loses in seat 2; it had seat 1 in 8 of 10 matches in spring, in 2 of 10 in autumn."""

    def seated(tournament: str, first: int) -> pl.DataFrame:
        won = [(None, {"a": 1, "b": 2})] * first
        return of(tournament, *won, *[(None, {"b": 1, "a": 2})] * (10 - first))

    played = pl.concat([seated("spring", 8), seated("autumn", 2)])
    raw = win_share(by_sides(played, "tournament", ["spring", "autumn"]))
    assert raw.sort("win_share")["win_share"].to_list() == [0.2, 0.2, 0.8, 0.8]
    found = alike(played, "tournament")
    assert is_reweighted(found)
    in_spring = found.filter(tournament="spring", player="a").unique("seat").sort("seat")
    assert in_spring["weight"].to_list() == [10 * 10 / (20 * 8), 10 * 10 / (20 * 2)]
    assert [row[-1] for row in apart(seated("spring", 8), seated("autumn", 2))] == pytest.approx([0, 0])
    assert not is_reweighted(alike(pl.concat([seated("spring", 8), seated("autumn", 8)]), "tournament"))


def test_versions_are_compared_at_the_same_tables_and_against_the_same_opponents() -> None:
    def tables(version: str, *others: str, place: int = 1) -> pl.DataFrame:
        seats = {"a": place, **dict.fromkeys(others, place + 1)}
        played = of(f"of {version} and {others}", *[(f"l{seed}", seats) for seed in range(6)])
        mine = pl.when(pl.col("player") == "a").then(pl.lit(version)).otherwise("version")
        return played.with_columns(mine.alias("version"))

    def sides(*played: pl.DataFrame) -> pl.DataFrame:
        both = pl.concat(played).with_columns((pl.col("player") == "a").alias("kept"))
        return by_sides(alike(both, "version"), "version", ["a 1", "a 2"])

    common = sides(tables("1", "x"), tables("2", "x", place=2), tables("2", "y"))
    assert set(common.filter("kept")["player"]) == {"a 1", "a 2"}
    assert set(common["player"]) == {"a 1", "a 2", "x 1"}
    assert sides(tables("1", "x"), tables("2", "y")).is_empty()
    met = of("met", *[(f"l{seed}", turn) for seed in range(6) for turn in ({"a": 1, "A": 2}, {"A": 2, "a": 1})])
    renamed = met.with_columns(
        pl.when(pl.col("player") == "A").then(pl.lit("2")).otherwise("version").alias("version"),
        pl.lit("a").alias("player"),
    )
    assert sides(renamed)["kept"].all(), "each meets the other, and sits in both seats"


def test_excluded_matches_are_named() -> None:
    spring = pl.concat([of("spring", *SIX), of("spring", *LOST[:2], conditions="tokens=true")])
    autumn = of("autumn", *SIX, *[(None, {"a": 1, "c": 2})] * 3)
    played, same = pl.concat([spring, autumn]), pl.concat([of("spring", *SIX), of("autumn", *SIX)])
    assert left_out(played, alike(played, "tournament"), "tournament") == [
        ("autumn", "a, c", 3),
        ("spring", "tokens=true", 2),
    ]
    assert left_out(same, alike(same, "tournament"), "tournament") == []


@pytest.mark.slow("simulates tournaments")
def test_equal_players_in_unequal_mixes_are_not_distinguished() -> None:
    """One seat always wins, and occurs three times as often in spring; the tournaments share no seeds."""
    spring = of("spring", *[(None, {"a": 1, "b": 2})] * 30, *[(None, {"b": 1, "a": 2})] * 10)
    autumn = of("autumn", *[(None, {"a": 1, "b": 2})] * 10, *[(None, {"b": 1, "a": 2})] * 30)
    played = pl.concat([spring, autumn])
    sides = ["spring", "autumn"]
    assert "won more of its matches" in verdict(compared(by_sides(played, "tournament", sides), "tournament"))[0]
    found = compared(by_sides(alike(played, "tournament"), "tournament", sides), "tournament")
    assert verdict(found)[0].startswith("No significant difference")
    assert {name.partition(BETWEEN)[0] for name in found["player"]} == {"a", "b"}
