"""When matches are decided, how long they are, and which ones are listed as notable."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from dashboards.catalog.length import length
from dashboards.catalog.notable import telling_matches
from dashboards.charts.chart import Columns
from dashboards.charts.theme import LIGHT
from dashboards.games.caravan.figures.course import COMEBACKS, DECISIVE_ROUND, IN_A_MATCH
from dashboards.queries.actions import length_sums
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import seat_results
from dashboards.stats.intervals import clopper_pearson
from dashboards.stats.ratings import ratings
from himalaya_core.replay import Replay
from tests.dashboards.games.caravan.folds import won
from tests.dashboards.games.caravan.tiny import tiny_warehouse
from tests.dashboards.games.marts import course, rows_by_match
from tests.dashboards.stats.tournaments import most

ANY = Filter()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with tiny_warehouse(tmp_path_factory.mktemp("tiny") / "tiny.duckdb") as warehouse:
        yield Reader(warehouse)


def row(frame: pl.DataFrame, **keys: object) -> dict[str, Any]:
    return frame.row(by_predicate=pl.all_horizontal(pl.col(key) == value for key, value in keys.items()), named=True)


def courses_of(reader: Reader, finished: list[Replay]) -> list[tuple[Replay, dict[str, Any]]]:
    return [(rows.replay, course(rows)) for rows in rows_by_match(reader, "caravan", finished, "courses")]


def test_decisive_rounds_add_up(tiny: Reader) -> None:
    frame = DECISIVE_ROUND.count(tiny, ANY)
    assert frame.select("round", "matches").rows() == [(1, 1), (5, 1), (None, 1)]
    assert frame["decided_by"].to_list() == [1 / 3, 2 / 3, None]
    low, high = clopper_pearson(2 / 3 * 2, 2)  # two seeds: decided in both matches of l0, never in the other match
    assert frame["decided_by_low"][1] < low
    assert frame["decided_by_high"][1] > high
    assert frame["decided_share"].to_list() == pytest.approx([1 / 3] * 3)
    assert "round 5" in DECISIVE_ROUND.finding(frame)


def test_matches_never_decided_have_no_column_in_the_chart(tiny: Reader) -> None:
    assert DECISIVE_ROUND.draw is not None
    chart = DECISIVE_ROUND.draw(DECISIVE_ROUND.count(tiny, ANY), LIGHT)
    assert isinstance(chart, Columns)
    assert [(column.at, column.parts) for column in chart.columns] == [(1, (1,)), (5, (1,))]


def test_decisive_rounds_outside_the_filter_are_left_out(tiny: Reader) -> None:
    assert DECISIVE_ROUND.count(tiny, Filter(first=2, last=12)).select("round", "decided_by").rows() == [
        (5, pytest.approx(2 / 3))
    ]


def test_sentences_on_decisive_rounds_cover_all_matches_whatever_rounds_are_shown(tiny: Reader) -> None:
    said = DECISIVE_ROUND.finding(DECISIVE_ROUND.count(tiny, Filter(first=2, last=12)))
    assert ". 33.3% of 3 matches are decided in round 5 (95% CI" in said
    assert "Half of the matches are decided by the end of round 5 (95% CI round 5 to the end)." in said


def test_half_decided_names_no_round_later_than_the_actual_one() -> None:
    late = pl.DataFrame(
        {
            "round": [11, 12],
            "matches": [10, 20],
            "decided_share": [0.1, 0.2],
            "decided_share_low": [0.05, 0.15],
            "decided_share_high": [0.15, 0.25],
            "decided_by": [0.8, 1.0],
            "decided_by_low": [0.7, 0.9],
            "decided_by_high": [0.9, 1.0],
        }
    )
    assert DECISIVE_ROUND.finding(late).startswith("20.0% of 100 matches are decided in round 12 (95% CI")
    assert "Half" not in DECISIVE_ROUND.finding(late)
    early = late.with_columns(decided_by=pl.Series([0.45, 0.65]), decided_by_low=pl.Series([0.4, 0.6]))
    assert "by the end of round 12 (95% CI round 11 to round 12)." in DECISIVE_ROUND.finding(early)


def test_comebacks_are_shares_of_wins_where_somebody_is_eliminated(tmp_path: Path) -> None:
    with tiny_warehouse(tmp_path / "larger.duckdb") as warehouse:
        with warehouse.writing() as connection:
            connection.execute("update dim_matches set players = 3 + match_id % 2")
        frame = COMEBACKS.count(Reader(warehouse), ANY)
        none = COMEBACKS.count(Reader(warehouse), Filter(sizes=(3,)))
    assert frame.select("player", "wins", "comebacks", "comeback_share").rows() == [("a", 2, 1, 1 / 2)]
    assert COMEBACKS.finding(none).endswith("with three, nobody can be eliminated.")


def test_courses_are_averaged_over_matches(tiny: Reader) -> None:
    frame = IN_A_MATCH.count(tiny, ANY)
    two = row(frame, kind="contested_villages", players=2)
    assert (two["matches"], two["groups"], two["per_match"], two["per_match_median"]) == (2, 1, 6, 6)
    assert two["per_match_high"] == float("inf")
    assert row(frame, kind="lead_changes", players=3)["per_match"] == 6


def test_length_is_a_mean_with_seeds_as_trials(tiny: Reader) -> None:
    every = length_sums(tiny, ANY)
    assert every["trials"].sum() == 3 * 3
    found = row(length(tiny, ANY), kind="plies", players=2)
    assert (found["length"], found["length_lower"], found["length_upper"]) == (11, 10.5, 11.5)


def test_courses_are_recounted_from_the_facts(reader: Reader, finished: list[Replay]) -> None:
    four = [each for each in courses_of(reader, finished) if len(each[0].header.seats) == 4]
    changes = [course["lead_changes"] for _, course in four]
    found = row(IN_A_MATCH.count(reader, ANY), kind="lead_changes", players=4)
    assert (found["matches"], found["per_match"]) == (len(four), pytest.approx(sum(changes) / len(four)))
    seeds = pl.DataFrame({"luck": [replay.header.luck for replay, _ in four], "x": changes}).group_by("luck")
    assert found["per_match_high"] == pytest.approx(most(*seeds.agg("x")["x"].to_list()))


def test_decided_rounds_and_comebacks_are_recounted_from_the_facts(reader: Reader, finished: list[Replay]) -> None:
    folded = courses_of(reader, finished)
    decided = [course["decisive_round"] for _, course in folded]
    frame = DECISIVE_ROUND.count(reader, ANY)
    counted = {number: decided.count(number) for number in set(decided)}
    assert dict(frame.select("round", "matches").iter_rows()) == counted
    came_back = sum(len(won(replay)) for replay, course in folded if course["comeback"])
    assert COMEBACKS.count(reader, ANY)["comebacks"].sum() == came_back


def test_telling_matches_are_the_extremes(reader: Reader, finished: list[Replay]) -> None:
    folded = {replay.entries[0].match: found for replay, found in courses_of(reader, finished)}
    frame = telling_matches(reader, ANY)
    first: dict[str, tuple[str, float]] = {}
    for what, match, telling in frame.select("what", "match", "telling").rows():
        first.setdefault(what, (match, telling))
    assert first["lead"][1] == max(course["lead_changes"] for course in folded.values())
    assert folded[first["lead"][0]]["lead_changes"] == first["lead"][1]
    assert first["quick"][1] == min(course["decisive_round"] for course in folded.values() if course["decisive_round"])
    assert all(len(why) > 10 for why in frame["why"])
    rated = dict(ratings(seat_results(reader, ANY), bounds=False).select("player", "rating").iter_rows())
    chances = {}
    for replay in finished:
        strengths = [10 ** (rated[seat.player] / 400) for seat in replay.header.seats]
        if len(won(replay)) == 1:
            (winner,) = won(replay)
            chances[replay.entries[0].match] = strengths[winner] / sum(strengths)
    match, chance = first["upset"]
    assert chance == pytest.approx(chances[match])
    assert chance == pytest.approx(min(chances.values()))


def test_an_upset_is_shown_only_for_a_match_with_a_seat_of_the_filter(reader: Reader, finished: list[Replay]) -> None:
    frame = telling_matches(reader, Filter(players=("pilgrim",), results=("won",)))
    by_pilgrim = {
        replay.entries[0].match
        for replay in finished
        if any(replay.header.seats[seat].player == "pilgrim" for seat in won(replay))
    }
    assert set(frame["match"]) <= by_pilgrim
    assert "upset" in set(frame["what"])
