"""Figures of summit, compared with a tiny tournament counted by hand and with the fact tables."""

from collections import Counter
from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any
from urllib.parse import parse_qs

import polars as pl
import pytest

from dashboards.catalog.notable import telling_matches
from dashboards.charts.theme import LIGHT
from dashboards.charts.to_plotly import plotly_figure
from dashboards.games.shared.places import compared_places, counted_places, selections
from dashboards.games.shared.winners_vs_losers import winner_finding
from dashboards.games.summit.figures.course import (
    COMEBACKS,
    DECISIVE_THROW,
    IN_A_MATCH,
    OUTCOMES,
    THROWS,
    WEATHER,
    WINNERS,
)
from dashboards.games.summit.figures.route import HEIGHTS, HEIGHTS_BY_THROW, LOST_SHERPAS, VISITED
from dashboards.games.summit.figures.seat_sums import CARDS, CLIMBED, FALLS, LOSS
from dashboards.games.summit.figures.turns import DICE, TURNS
from dashboards.games.summit.map import SUMMIT_LAYERS, draw_summit_map
from dashboards.queries.addresses import Sort
from dashboards.queries.filters import Filter
from dashboards.queries.matches import MatchFilter, matches_page
from dashboards.queries.reader import Reader
from dashboards.stats.intervals import ANY as ANYTHING
from dashboards.stats.intervals import COUNT, clipped, difference_sums, mean_intervals, share_intervals, t_quantile
from dashboards.ui.figure_card import kinds
from himalaya_core.boards import shipped_board
from tests.dashboards.games.marts import Rows, course, rows_by_match
from tests.dashboards.games.summit.tiny import tiny_summit

T1 = 12.706204736432095
"""Student's t for one degree of freedom: standard errors to each side in the interval of two seeds."""
ANY = Filter()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with tiny_summit(tmp_path_factory.mktemp("tiny") / "tiny.duckdb") as warehouse:
        yield Reader(warehouse)


def row(frame: pl.DataFrame, **keys: object) -> dict[str, Any]:
    return frame.row(by_predicate=pl.all_horizontal(pl.col(key) == value for key, value in keys.items()), named=True)


def test_shares_of_outcomes_sum_to_one(tiny: Reader) -> None:
    frame = OUTCOMES.count(tiny, ANY)
    names = ["won_summit", "won_bad_weather", "lost_bad_weather", "lost_summit"]
    assert frame["outcome"].to_list() == names * 2
    assert frame.filter(player="a")["outcome_share"].to_list() == [1 / 4, 1 / 4, 2 / 4, 0]
    assert frame.filter(player="b")["outcome_share"].to_list() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])


def test_links_of_endings_find_as_many_matches(tiny: Reader) -> None:
    for name, counted in (("outcomes", "seats"), ("weather", "matches"), ("throws", "matches")):
        shown = kinds["catalog"](tiny, name, {"game": ["summit"]})
        chart = shown.draw(shown.frame, LIGHT)
        assert not isinstance(chart, str)
        drawn: Any = plotly_figure(chart, LIGHT, shown.of_row)
        bars = {text for trace in drawn.data for text in (trace.meta or {}).get("narrow", ())}
        assert bars == {shown.of_row(row) for row in shown.frame.iter_rows(named=True)}
        for each in shown.frame.iter_rows(named=True):
            found = MatchFilter.read(parse_qs(f"game=summit&{shown.of_row(each)}"))
            assert matches_page(tiny, found, Sort(), 0, 1)[1] == each[counted]


def test_matches_end_on_the_summit_or_by_bad_weather(tiny: Reader) -> None:
    assert WEATHER.count(tiny, ANY).select("players", "ending", "matches", "of_matches", "weather_share").rows() == [
        (2, "summit", 1, 2, 1 / 2),
        (2, "bad_weather", 1, 2, 1 / 2),
        (3, "summit", 0, 1, 0),
        (3, "bad_weather", 1, 1, 1),
    ]
    assert THROWS.count(tiny, ANY).select("players", "ending", "throws_taken", "throws_taken_median").rows() == [
        (2, "summit", 10, 10),
        (2, "bad_weather", 12, 12),
        (3, "bad_weather", 14, 14),
    ]


def test_dice_outcomes_are_a_mean_over_seats_with_seeds_as_trials(tiny: Reader) -> None:
    found = row(DICE.count(tiny, ANY), player="a", part="luck")
    assert (found["played"], found["groups"]) == (4, 2)
    mean = (2.5 - 2.0 + 0.0 + 1.0) / 4
    assert found["dice_pips"] == pytest.approx(mean)
    error = sqrt(2 * ((0.5 - 2 * mean) ** 2 + (1.0 - 2 * mean) ** 2)) / 4  # by seed: sum − seats · mean
    assert found["dice_pips_high"] == pytest.approx(mean + T1 * error)
    assert found["dice_pips_low"] == pytest.approx(mean - T1 * error)
    of_one = row(DICE.count(tiny, Filter(seats=(0,), results=("won",))), player="a", part="choice")
    assert of_one["dice_pips"] == pytest.approx(6)


def test_winners_minus_losers(tiny: Reader) -> None:
    found = row(WINNERS.count(tiny, ANY), kind="dice_luck")
    won, lost = (2.5 + 0.5 + 1.0) / 3, (-1.0 - 2.0 + 0.0 - 3.0) / 4
    assert [found["won_mean"], found["lost_mean"], found["groups"]] == pytest.approx([won, lost, 2])
    first = (3.0 - won * 2) / 3 - (-3.0 - lost * 2) / 4
    other = (1.0 - won * 1) / 3 - (-3.0 - lost * 2) / 4
    error = sqrt(2 * (first**2 + other**2))
    assert found["winner_difference"] == pytest.approx(won - lost)
    assert found["winner_difference_high"] == pytest.approx(won - lost + T1 * error)
    assert winner_finding(WINNERS.count(tiny, ANY)).startswith(
        "No significant difference between winners and losers in any of 9 respects (corrected). The clearest sign: "
    )
    assert WINNERS.count(tiny, Filter(tournaments=("none",))).is_empty()


def test_moves_are_shares_of_turns(tiny: Reader) -> None:
    frame = TURNS.count(tiny, ANY)
    assert row(frame, player="a", choice="climber")["turn_share"] == pytest.approx(14 / 33)
    assert row(frame, player="b", choice="forfeit")["turn_share"] == pytest.approx(1 / 14)
    assert TURNS.figure.finding(frame).endswith("In 1 turn no die fitted.")


def test_means_of_fields_falls_and_cards(tiny: Reader) -> None:
    of_a = dict(CLIMBED.count(tiny, Filter(players=("a",))).select("kind", "fields_climbed").rows())
    assert of_a == {"climber": 72 / 4, "forward": 60 / 4, "along": 0, "back": -3 / 4, "slid": -2 / 4, "chased": 0}
    fallen = dict(FALLS.count(tiny, Filter(players=("a",))).select("fall", "falls").rows())
    assert fallen == {"all": 11 / 4, "slide": 8 / 4, "yeti_arrived": 2 / 4, "climber_left": 1 / 4, "slid_to_yeti": 0}
    assert row(CARDS.count(tiny, ANY), player="a", kind="played")["cards"] == 3 / 4


def test_heights_have_means_and_quartiles(tiny: Reader) -> None:
    found = row(HEIGHTS.count(tiny, ANY), player="a", figure="climber")
    assert (found["seats"], found["height"]) == (4, (32 + 19 + 10 + 11) / 4)
    assert [found[f"height_{end}"] for end in ("lower", "median", "upper")] == [10.75, 15, 22.25]  # from 10, 11, 19, 32


def test_heights_by_throw_leave_out_what_few_seats_met(tiny: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = HEIGHTS_BY_THROW.count(tiny, ANY)
    assert frame.select("player", "round", "seats", "height", "height_median").rows() == [
        ("a", 3, 4, 6, 6),
        ("a", 9, 1, 26, 26),
    ]
    assert "After throw 3 the median field of climbers is 6 (a). Counts only" in HEIGHTS_BY_THROW.finding(frame)
    monkeypatch.setattr("dashboards.games.shared.course.LEAST", 0.5)
    assert HEIGHTS_BY_THROW.count(tiny, ANY)["round"].to_list() == [3]


def test_courses_of_matches(tiny: Reader) -> None:
    found = row(IN_A_MATCH.count(tiny, ANY), kind="slides", players=2)
    assert (found["matches"], found["times_per_match"], found["times_per_match_median"]) == (2, 2, 2)
    assert DECISIVE_THROW.count(tiny, ANY).select("round", "matches").rows() == [(1, 1), (4, 1), (14, 1)]
    frame = COMEBACKS.count(tiny, ANY)
    assert frame.select("player", "wins", "comebacks", "behind_share").rows() == [("a", 2, 1, 1 / 2), ("b", 1, 0, 0)]
    assert COMEBACKS.finding(frame).startswith("Of a's 2 wins, 50.0% were comebacks (")


def test_telling_matches_of_summit(tiny: Reader) -> None:
    told = telling_matches(tiny, ANY).filter(pl.col("what") != "upset").select("what", "match", "telling").rows()
    assert told == [
        ("comeback", "m1", 4),
        ("lead", "m3", 5),
        ("lead", "m1", 2),
        ("close", "m3", 1),
        ("close", "m2", 2),
        ("close", "m1", 7),
        ("quick", "m2", 1),
        ("quick", "m1", 4),
        ("quick", "m3", 14),
    ]


# Figures compared with counts from the fact tables


@pytest.fixture(scope="module")
def matches(of_summit: Reader, summit_finished: list[Any]) -> list[Rows]:
    return rows_by_match(of_summit, "summit", summit_finished, "seats", "moves", "standings", "courses")


def seats_of(matches: list[Rows], amount: Callable[[Rows, int], float]) -> pl.DataFrame:
    """Return columns `player, group, won, x`, with a number for each seat of the logs."""
    rows = [
        (info.player, match.replay.header.luck, seat in ranking[0], float(amount(match, seat)))
        for match in matches
        if (ranking := match.replay.ended.ranking if match.replay.ended else None)
        for seat, info in enumerate(match.replay.header.seats)
    ]
    return pl.DataFrame(rows, schema=["player", "group", "won", "x"], orient="row")


AMOUNTS: dict[tuple[str, str], Callable[[Rows, int], float]] = {
    ("dice", "luck"): lambda match, seat: match.seats[seat]["dice_luck"],
    ("dice", "choice"): lambda match, seat: match.seats[seat]["dice_choice"],
    ("dice", "unused"): lambda match, seat: match.seats[seat]["unused_pips"],
    ("climbed", "along"): lambda match, seat: match.seats[seat]["fields_along"],
    ("climbed", "chased"): lambda match, seat: -match.seats[seat]["fields_chased"],
    ("falls", "all"): lambda match, seat: match.seats[seat]["slides"] + match.seats[seat]["chases"],
    ("cards", "moved_by"): lambda match, seat: match.seats[seat]["card_pips"],
    ("heights", "sherpas"): lambda match, seat: sum(match.replay.states[-1].sherpas[seat]),
}
FRAMES = {
    "dice": (DICE.count, "part", "dice_pips"),
    "climbed": (CLIMBED.count, "kind", "fields_climbed"),
    "falls": (FALLS.count, "fall", "falls"),
    "cards": (CARDS.count, "kind", "cards"),
    "heights": (HEIGHTS.count, "figure", "height"),
}


@pytest.mark.parametrize(("name", "kind"), AMOUNTS)
def test_means_and_intervals_are_recounted_from_the_facts(
    of_summit: Reader, matches: list[Rows], name: str, kind: str
) -> None:
    count, key, value = FRAMES[name]
    within = ANYTHING if name in {"dice", "climbed"} else COUNT
    expected = mean_intervals(seats_of(matches, AMOUNTS[name, kind]), ["player"], "x", value, within).drop(f"{value}_p")
    expected = clipped(expected, value, {"along": COUNT, "chased": LOSS}.get(kind, within))
    found = count(of_summit, ANY).filter(pl.col(key) == kind).sort("player")
    for column in expected.columns:
        assert found[column].to_list() == pytest.approx(expected[column].to_list()), column


def test_outcomes_are_those_of_the_logs(of_summit: Reader, matches: list[Rows]) -> None:
    rows = seats_of(matches, lambda match, _: course(match)["ending"] == "summit")
    rows = rows.with_columns((pl.col("x") * pl.col("won")).alias("x"))
    expected = share_intervals(rows, ["player"], "x", "outcome_share", "played")
    found = OUTCOMES.count(of_summit, ANY).filter(outcome="won_summit").sort("player")
    for column in expected.columns:
        assert found[column].to_list() == pytest.approx(expected[column].to_list()), column


def test_differences_of_winners_and_losers_match_the_logs(of_summit: Reader, matches: list[Rows]) -> None:
    rows = seats_of(matches, lambda match, seat: match.seats[seat]["dice_choice"])
    sides = [
        (
            rows.filter(won=won).group_by(unit="group").agg(pl.col("x").sum(), kind=pl.lit("k")),
            rows.filter(won=won).group_by(unit="group").agg(n=pl.len()),
        )
        for won in (True, False)
    ]
    sums = difference_sums(pl.DataFrame({"kind": ["k"]}), ["kind"], *sides)
    means = [rows.filter(won=won)["x"].mean() for won in (True, False)]
    found = row(WINNERS.count(of_summit, ANY), kind="dice_choice")
    assert [found["won_mean"], found["lost_mean"]] == pytest.approx(means)
    reach = found["winner_difference_high"] - found["winner_difference"]
    assert reach == pytest.approx(t_quantile(found["groups"]) * sqrt(sums["variance"][0]))


Keeps = Callable[[Rows, dict[str, Any]], bool]
FILTERS: dict[str, tuple[Filter, Keeps]] = {
    "any": (ANY, lambda *_: True),
    "throws": (Filter(first=3, last=5), lambda _, move: 3 <= move["round"] <= 5),
    "seat": (Filter(seats=(1,)), lambda _, move: move["seat"] == 1),
    "winners": (Filter(results=("won",)), lambda match, move: move["seat"] in match.replay.ended.ranking[0]),  # type: ignore[union-attr]
}


@pytest.mark.parametrize("kind", FILTERS)
def test_fields_visited_are_those_of_the_logs(of_summit: Reader, matches: list[Rows], kind: str) -> None:
    where, keeps = FILTERS[kind]
    rows = [
        {"field": field, "group": match.replay.header.luck, "x": float(move["to_field"] == field)}
        for match in matches
        for move in match.moves
        if keeps(match, move)
        for field in range(33)
        if field != 15
    ]
    expected = share_intervals(pl.DataFrame(rows), ["field"], "x", "visit_share", "trials")
    found = VISITED.count(of_summit, where)
    for column in ("field", "visit_share", "visit_share_low", "visit_share_high"):
        assert found[column].to_list() == pytest.approx(expected[column].to_list()), column


def test_sherpas_are_sent_back_as_in_the_logs(of_summit: Reader, matches: list[Rows]) -> None:
    lost: Counter[tuple[int, str]] = Counter()
    for match in matches:
        lost.update((move["from_field"], move["kind"]) for move in match.moves if move["kind"] in {"slid", "chased"})
    frame = LOST_SHERPAS.count(of_summit, ANY)
    places = {field for field, _ in lost}
    rows = [
        {"field": field, "group": match.replay.header.luck, "x": float(gone[field])}
        for match in matches
        if (gone := Counter(move["from_field"] for move in match.moves if move["kind"] in {"slid", "chased"}))
        is not None
        for field in places
    ]
    expected = mean_intervals(pl.DataFrame(rows), ["field"], "x", "lost_per_match")
    for column in ("lost_per_match_low", "lost_per_match_high"):
        assert frame.sort("field")[column].to_list() == pytest.approx(expected[column].to_list()), column
    assert frame["lost_per_match"].to_list() == pytest.approx([count / len(matches) for count in frame["lost"]])
    ways = {field: (lost[field, "slid"], lost[field, "chased"]) for field in places}
    assert {field: tuple(way) for field, *way in frame.select("field", "slid", "chased").rows()} == ways


def test_winners_are_compared_with_losers_on_the_route(of_summit: Reader, matches: list[Rows]) -> None:
    ground, chosen = selections(of_summit, "winners", ANY, ANY)
    frame = compared_places(of_summit, "lost", chosen, ground)
    counted = dict(counted_places(of_summit, "lost", chosen[0], ground).select("field", "total").rows())
    by_winners: Counter[int] = Counter()
    for match in matches:
        assert match.replay.ended
        won = match.replay.ended.ranking[0]
        by_winners.update(
            move["from_field"] for move in match.moves if move["kind"] in {"slid", "chased"} and move["seat"] in won
        )
    assert {field: count for field, count in counted.items() if count} == by_winners
    seats = {one.name: one.seats for one in chosen}
    top = frame.row(0, named=True)
    assert top["per_seat"] == pytest.approx(100 * by_winners[top["field"]] / seats["winners"])
    assert frame.height == 32  # all fields except the cave


def test_heights_by_throw_are_those_of_every_seat(of_summit: Reader, matches: list[Rows]) -> None:
    rows = [
        (match.replay.header.seats[standing["seat"]].player, standing["round"], standing["climber"])
        for match in matches
        for standing in match.standings
    ]
    long = pl.DataFrame(rows, schema=["player", "round", "value"], orient="row")
    expected = long.group_by("player", "round").agg(
        pl.col("value").quantile(0.25, "linear").alias("lower"), pl.col("value").mean().alias("mean"), pl.len()
    )
    frame = HEIGHTS_BY_THROW.count(of_summit, Filter(first=2, last=6)).filter(figure="climber")
    assert set(frame["round"]) == set(range(2, 7))
    found = set(frame.select("player", "round", "height_lower", "height", "seats").rows())
    assert found == set(expected.filter(pl.col("round").is_between(2, 6)).rows())


def test_the_map_has_every_field_with_its_number_and_its_name() -> None:
    board = shipped_board("summit")
    rows = pl.DataFrame({"field": [3, 7], "total": [5.0, 0.0]})
    drawn = draw_summit_map(board, SUMMIT_LAYERS["visits"], rows, None, (), "Arrivals by field")
    assert drawn.count('class="name') == drawn.count("<circle") == 2 * (board.summit + 1)
    assert drawn.count("<title>Field 3: 5 arrivals</title>") == 2, "broad and narrow"
