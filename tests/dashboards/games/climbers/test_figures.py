"""Figures of The Climbers, compared with a tiny tournament counted by hand and with a match of the logs."""

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest

from dashboards.catalog.notable import telling_matches
from dashboards.games.climbers.analytics import TURNING_POINTS
from dashboards.games.climbers.figures.blocking import DISCS, HINDERED_BY
from dashboards.games.climbers.figures.course import (
    COMEBACKS,
    DECISIVE_TURN,
    IN_A_MATCH,
    MORE_OF,
    TURNS_TAKEN,
    WAYS_TO_WIN,
)
from dashboards.games.climbers.figures.levels import LEVELS, LEVELS_BY_TURN, LEVELS_STOOD
from dashboards.games.climbers.figures.seat_sums import BLOCKS, HINDERED, LADDERS, LEVELS_GAINED
from dashboards.queries.filters import Filter
from dashboards.queries.matches import turning_plies
from dashboards.queries.reader import Reader
from dashboards.stats.intervals import COUNT, clipped, mean_intervals, share_intervals
from himalaya_core.climbers.events import TurnEnded
from tests.dashboards.games.climbers.tiny import tiny_climbers
from tests.dashboards.games.marts import Rows, course, rows_by_match
from tests.dashboards.stats.tournaments import most

ANY = Filter()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with tiny_climbers(tmp_path_factory.mktemp("tiny") / "tiny.duckdb") as warehouse:
        yield Reader(warehouse)


def row(frame: pl.DataFrame, **keys: object) -> dict[str, Any]:
    return frame.row(by_predicate=pl.all_horizontal(pl.col(key) == value for key, value in keys.items()), named=True)


def test_levels_have_means_quartiles_and_seeds_as_trials(tiny: Reader) -> None:
    found = row(LEVELS.count(tiny, ANY), player="a")
    mean = (9 + 8 + 0 + 0) / 4
    assert (found["seats"], found["groups"], found["level_reached"]) == (4, 2, mean)
    assert [found[f"level_reached_{end}"] for end in ("lower", "median", "upper")] == [0, 4, 8.25]
    assert found["level_reached_high"] == pytest.approx(most([9, 8], [0, 0]))
    assert row(LEVELS.count(tiny, Filter(seats=(0,), results=("won",), sizes=(2,))), player="b")["level_reached"] == 8


def test_levels_are_gained_in_own_and_others_turns(tiny: Reader) -> None:
    assert LEVELS_GAINED.count(tiny, ANY).select("player", "kind", "levels_gained").rows() == [
        ("a", "own", 15 / 4),
        ("a", "others", 2 / 4),
        ("b", "own", 10 / 3),
        ("b", "others", 4 / 3),
    ]


def test_ladders_left_spent_and_what_they_brought(tiny: Reader) -> None:
    of_a = dict(LADDERS.count(tiny, Filter(players=("a",))).select("kind", "ladders").rows())
    assert of_a == {"left": 6 / 4, "short": 1 / 4, "long": 1 / 4, "levels": 5 / 4}


def test_intervals_of_ladders_end_at_what_two_ladders_can_do(of_climbers: Reader) -> None:
    frame = LADDERS.count(of_climbers, ANY).filter(pl.col("ladders_high").is_finite())
    most = dict(frame.group_by("kind").agg(pl.col("ladders_high").max()).rows())
    assert [most[kind] <= limit for kind, limit in {"left": 2, "short": 1, "long": 1, "levels": 6}.items()] == [
        True
    ] * 4
    assert most["long"] == 1


def test_blocks_moved_turned_raised_lowered(tiny: Reader) -> None:
    of_a = dict(BLOCKS.count(tiny, Filter(players=("a",))).select("kind", "blocks").rows())
    assert of_a == {"moved": 10 / 4, "turned": 1 / 4, "raised": 1 / 4, "lowered": 1 / 4, "shifted": 1 / 4}


def test_discs_are_shares_of_seats_and_means_of_discs(tiny: Reader) -> None:
    frame = DISCS.count(tiny, ANY)
    assert frame.select("player", "played", "disc_share", "disc_turn", "disc_hindered").rows() == [
        ("b", 3, 1 / 3, 9, 0),
        ("a", 4, 1 / 4, 5, 1),
    ]
    assert "A disc of a hinders 1.00 opponents on average (too few seeds" in DISCS.finding(frame)
    none = DISCS.count(tiny, Filter(sizes=(3,)))
    assert none["disc_turn"].to_list() == [None, None]
    assert DISCS.finding(none).endswith("No disc was laid.")


def test_hindrances_are_counted_by_kind_and_by_opponent(tiny: Reader) -> None:
    of_b = dict(HINDERED.count(tiny, Filter(players=("b",))).select("kind", "hindrances").rows())
    assert of_b == {"blocks": 1 / 3, "discs": 1 / 3, "hindering": 2 / 3, "shifted": 1 / 3}
    assert HINDERED_BY.count(tiny, ANY).select("player", "other", "pairs", "hindered_by").rows() == [
        ("a", "a", 2, 0),
        ("a", "b", 4, 2 / 4),
        ("b", "a", 4, 2 / 4),
    ]


def test_winners_minus_losers(tiny: Reader) -> None:
    found = row(MORE_OF.count(tiny, ANY), kind="blocks_moved")
    assert [found["won_mean"], found["lost_mean"]] == pytest.approx([(5 + 6 + 3) / 5, (4 + 3) / 2])


def test_levels_by_turn_leave_out_what_few_seats_met(tiny: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = LEVELS_BY_TURN.count(tiny, ANY)
    assert frame.select("player", "round", "seats", "level_after", "level_after_median").rows() == [
        ("a", 3, 4, 1.5, 1),
        ("a", 9, 1, 9, 9),
    ]
    assert "After turn 3 the median level of climbers is 1 (a). Counts only" in LEVELS_BY_TURN.finding(frame)
    monkeypatch.setattr("dashboards.games.shared.course.LEAST", 0.5)
    assert LEVELS_BY_TURN.count(tiny, ANY)["round"].to_list() == [3]


def test_matches_are_won_by_level_or_by_reaching_it_first(tiny: Reader) -> None:
    frame = WAYS_TO_WIN.count(tiny, ANY)
    assert frame.select("players", "ending", "matches", "of_matches", "way_share").rows() == [
        (2, "highest", 1, 2, 1 / 2),
        (2, "earlier", 1, 2, 1 / 2),
        (2, "table", 0, 2, 0),
        (3, "highest", 0, 1, 0),
        (3, "earlier", 0, 1, 0),
        (3, "table", 1, 1, 1),
    ]
    assert WAYS_TO_WIN.finding(frame).endswith("In 1 match no climber left the table.")


def test_courses_of_matches(tiny: Reader) -> None:
    assert TURNS_TAKEN.count(tiny, ANY).select("players", "matches", "turns_taken", "turns_taken_median").rows() == [
        (2, 2, 11.5, 11.5),
        (3, 1, 3, 3),
    ]
    assert row(IN_A_MATCH.count(tiny, ANY), kind="hindrances", players=2)["happens"] == 2
    assert DECISIVE_TURN.count(tiny, ANY).select("round", "matches").rows() == [(1, 2), (4, 1)]
    frame = COMEBACKS.count(tiny, ANY)
    assert frame.select("player", "wins", "comebacks").rows() == [("a", 3, 1), ("b", 2, 0)]
    assert COMEBACKS.finding(frame).startswith("Of a's 3 wins, 33.3% were comebacks (")
    none = COMEBACKS.finding(COMEBACKS.count(tiny, Filter(sizes=(3,))))
    assert none.startswith("Of 3 wins, none was a comeback: for a, 0.0% of 2 wins (95% CI 0.0–100.0).")


def test_telling_matches_of_climbers(tiny: Reader) -> None:
    told = telling_matches(tiny, ANY).filter(pl.col("what") != "upset").select("what", "match", "telling", "why").rows()
    assert [(what, match, telling) for what, match, telling, _ in told] == [
        ("comeback", "m1", 4),
        ("lead", "m1", 2),
        ("close", "m2", 0),
        ("close", "m1", 3),
        ("quick", "m2", 1),
        ("quick", "m1", 4),
    ]
    assert told[2][3].endswith("was the first of several on level 8")


# Figures compared with counts from the fact tables


@pytest.fixture(scope="module")
def matches(of_climbers: Reader, climbers_finished: list[Any]) -> list[Rows]:
    facts = ("seats", "climbs", "placements", "hindrances", "standings", "courses")
    return rows_by_match(of_climbers, "climbers", climbers_finished, *facts)


def seats_of(matches: list[Rows], amount: Callable[[Rows, int], float]) -> pl.DataFrame:
    """Return columns `player, group, x`, with a number for each seat of the logs."""
    rows = [
        (info.player, match.replay.header.luck, float(amount(match, seat)))
        for match in matches
        for seat, info in enumerate(match.replay.header.seats)
    ]
    return pl.DataFrame(rows, schema=["player", "group", "x"], orient="row")


AMOUNTS: dict[tuple[str, str], Callable[[Rows, int], float]] = {
    ("gained", "own"): lambda match, seat: match.seats[seat]["levels_own"],
    ("gained", "others"): lambda match, seat: match.seats[seat]["levels_others"],
    ("ladders", "left"): lambda match, seat: match.seats[seat]["ladders_left"],
    ("ladders", "levels"): lambda match, seat: sum(
        climb["rise"] for climb in match.climbs if climb["seat"] == seat and climb["ladder"] != "none"
    ),
    ("ladders", "long"): lambda match, seat: sum(
        climb["seat"] == seat and climb["ladder"] == "long" for climb in match.climbs
    ),
    ("blocks", "moved"): lambda match, seat: sum(block["seat"] == seat for block in match.placements),
    ("blocks", "raised"): lambda match, seat: sum(
        block["seat"] == seat and block["to_level"] > block["from_level"] for block in match.placements
    ),
    ("hindered", "blocks"): lambda match, seat: sum(
        lost["seat"] == seat and lost["means"] == "block" for lost in match.hindrances
    ),
    ("hindered", "hindering"): lambda match, seat: sum(lost["by_seat"] == seat for lost in match.hindrances),
}
POSSIBLE = {("ladders", "long"): (0.0, 1.0), ("ladders", "levels"): (0.0, 6.0)}
FRAMES = {
    "gained": (LEVELS_GAINED.count, "levels_gained"),
    "ladders": (LADDERS.count, "ladders"),
    "blocks": (BLOCKS.count, "blocks"),
    "hindered": (HINDERED.count, "hindrances"),
}


@pytest.mark.parametrize(("name", "kind"), AMOUNTS)
def test_means_and_intervals_are_recounted_from_the_facts(
    of_climbers: Reader, matches: list[Rows], name: str, kind: str
) -> None:
    count, value = FRAMES[name]
    expected = mean_intervals(seats_of(matches, AMOUNTS[name, kind]), ["player"], "x", value).drop(f"{value}_p")
    expected = clipped(expected, value, POSSIBLE.get((name, kind), COUNT))
    found = count(of_climbers, ANY).filter(kind=kind).sort("player")
    assert expected[value].sum() > 0
    for column in expected.columns:
        assert found[column].to_list() == pytest.approx(expected[column].to_list()), column


def test_hinderers_are_those_of_the_logs(of_climbers: Reader, matches: list[Rows]) -> None:
    rows = [
        (infos[seat].player, infos[other].player, match.replay.header.luck, float(times))
        for match in matches
        if (infos := match.replay.header.seats)
        for seat, row in enumerate(match.seats)
        for other, times in enumerate(row["hindered_by"])
        if other != seat
    ]
    long = pl.DataFrame(rows, schema=["player", "other", "group", "x"], orient="row")
    expected = mean_intervals(long, ["player", "other"], "x", "hindered_by")
    found = HINDERED_BY.count(of_climbers, ANY)
    for column in ("player", "other", "hindered_by", "hindered_by_low", "hindered_by_high"):
        assert found[column].to_list() == pytest.approx(expected[column].to_list()), column


Keeps = Callable[[Rows, int, int], bool]
FILTERS: dict[str, tuple[Filter, Keeps]] = {
    "any": (ANY, lambda *_: True),
    "turns": (Filter(first=3, last=5), lambda _, __, turn: 3 <= turn <= 5),
    "winners": (Filter(results=("won",)), lambda match, seat, _: seat in match.replay.ended.ranking[0]),  # type: ignore[union-attr]
}


@pytest.mark.parametrize("kind", FILTERS)
def test_occupied_levels_are_those_of_the_logs(of_climbers: Reader, matches: list[Rows], kind: str) -> None:
    where, keeps = FILTERS[kind]
    rows = [
        (row["level"], match.replay.header.luck)
        for match in matches
        for row in match.standings
        if row["level"] and keeps(match, row["seat"], row["round"])
    ]
    stands = pl.DataFrame(rows, schema=["level", "group"], orient="row")
    each = stands.select("level").unique().join(stands.select("group", at="level"), how="cross")
    each = each.with_columns((pl.col("level") == pl.col("at")).cast(pl.Float64).alias("x"))
    expected = share_intervals(each, ["level"], "x", "level_share", "trials").sort("level")
    found = LEVELS_STOOD.count(of_climbers, where).sort("level")
    for column in ("level", "level_share", "level_share_low", "level_share_high"):
        assert found[column].to_list() == pytest.approx(expected[column].to_list()), column


def test_levels_by_turn_are_those_of_every_seat(of_climbers: Reader, matches: list[Rows]) -> None:
    rows = [
        (match.replay.header.seats[standing["seat"]].player, standing["round"], standing["level"])
        for match in matches
        for standing in match.standings
        if 2 <= standing["round"] <= 5
    ]
    long = pl.DataFrame(rows, schema=["player", "round", "value"], orient="row")
    expected = long.group_by("player", "round").agg(
        pl.col("value").quantile(0.25, "linear").alias("lower"), pl.col("value").mean().alias("mean"), pl.len()
    )
    frame = LEVELS_BY_TURN.count(of_climbers, Filter(first=2, last=5)).filter(figure="level")
    found = set(frame.select("player", "round", "level_after_lower", "level_after", "seats").rows())
    assert found == set(expected.rows())


def test_a_link_leads_to_the_end_of_the_decisive_turn(of_climbers: Reader, matches: list[Rows]) -> None:
    ends = {
        match.replay.entries[0].match: max(
            entry.ply
            for entry in match.replay.entries
            if isinstance(entry.event, TurnEnded) and entry.round == course(match)["decisive_round"]
        )
        for match in matches
    }
    assert turning_plies(of_climbers, list(ends), [TURNING_POINTS]) == ends
