"""Figures of win probability, counted by hand in a tiny tournament with some reviewed matches."""

from collections.abc import Iterator
from typing import Any, Final

import duckdb
import polars as pl
import pytest

from dashboards.catalog.chances import (
    CHOSEN_LATER,
    DECIDED_BY_CHANCES,
    ESTIMATED,
    NAMED,
    calibration,
    calibration_finding,
    causes_finding,
    decided_by_chances,
    decided_finding,
    draw_calibration,
    draw_decided,
    largest_swings,
    moment_causes,
    swings_finding,
    valued_in_words,
)
from dashboards.catalog.figures import all_figures
from dashboards.charts.theme import LIGHT
from dashboards.games.caravan.figures.course import CAUSES, PLAN_COSTS
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.reviews import Reviewing, reviewing_under, sampled_chances
from dashboards.ui.figure_card import Shown, figure_table
from himalaya_core.winprob.key_moments import Cause
from tests.dashboards.games.caravan.tiny import insert, tiny_warehouse
from tests.dashboards.games.findings import rows

ANY: Final = Filter()
MODEL: Final = "c" * 64
VALUED: Final = {"model": MODEL, "calibration_error": 0.012}
REVIEWS: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "decided_round": 5, "lowest": 0.25, "lowest_round": 4, "lowest_ply": 7, **VALUED},
    {"match_id": 2, **VALUED},
    {"match_id": 3, "decided_round": 9, "lowest": 0.1, "lowest_round": 8, "lowest_ply": 15, **VALUED},
]
MOMENTS: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "number": 1, "ply": 3, "round": 2, "seat": 1, "cause": "dice", "swing": -0.3, "text": "Dice"},
    {"match_id": 1, "number": 2, "ply": 8, "round": 5, "seat": 0, "cause": "own plan", "swing": 0.5, "text": "Plan"},
    {
        "match_id": 3,
        "number": 1,
        "ply": 9,
        "round": 5,
        "seat": 1,
        "cause": "dice",
        "swing": 0.4,
        "text": "Dice: +40 points",
    },
]
AMOUNTS: Final = {
    (1, 0, "own plan"): 0.3,
    (1, 0, "dice"): 0.2,
    (1, 1, "own plan"): -0.3,
    (1, 1, "dice"): -0.2,
    (3, 0, "own plan"): -0.15,
    (3, 1, "own plan"): 0.6,
    (3, 2, "a rival's plan"): -0.45,
}
"""Changes by match, seat and cause: m1 starts at 50 % each, m3 at 15, 40 and 45 %."""
CHANCES: Final = [(0.5, 0.5), (0.25, 0.75), (0.6, 0.4), (1.0, 0.0)]
"""Win probabilities in m1 at each decision."""
LONG: Final = 40
"""Number of decisions in m3 before its end."""


def write_reviews(connection: duckdb.DuckDBPyConnection) -> None:
    for table, found in (("dim_reviews", REVIEWS), ("fct_moments", MOMENTS)):
        for row in found:
            insert(connection, table, row)
    for (match_id, seat, cause), amount in AMOUNTS.items():
        changed = {"match_id": match_id, "seat": seat, "cause": cause, "amount": amount}
        insert(connection, "fct_seat_causes", changed)
    long = [(0.2, place / 100, 0.8 - place / 100) for place in range(LONG)]
    for match_id, course in ((1, CHANCES), (3, [*long, (0.0, 1.0, 0.0)])):
        for seq, chances in enumerate(course):
            for seat, chance in enumerate(chances):
                row = {"match_id": match_id, "seq": 3 * seq, "seat": seat, "chance": chance, "model": MODEL}
                insert(connection, "fct_values", row)


@pytest.fixture
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with tiny_warehouse(tmp_path_factory.mktemp("tiny") / "tiny.duckdb") as warehouse:
        with warehouse.writing() as connection:
            write_reviews(connection)
        yield Reader(warehouse)


def test_a_match_is_decided_in_the_round_when_its_winner_becomes_favourite_for_good(tiny: Reader) -> None:
    frame = decided_by_chances(tiny, ANY)
    assert frame.select("round", "kind", "matches", "favourite_share", "favourite_by").rows() == [
        (5, "round", 1, 0.5, 0.5),
        (9, "round", 1, 0.5, 1.0),
    ]
    said = decided_finding(frame)
    assert said.startswith(
        "In the median of 2 matches with chances and one winner, the winner's chance was never again below one half"
        " from round 7 on (middle half: 6 to 8). In 50.0% of them this begins in round 5 (95% CI"
    )
    assert decided_by_chances(tiny, Filter(sizes=(3,)))["round"].to_list() == [9]
    with tiny.warehouse.writing() as connection:
        connection.execute("update dim_reviews set decided_round = 0 where match_id = 1")
    assert decided_by_chances(tiny, ANY)["round"].to_list() == [0, 9]
    draw_decided(decided_by_chances(tiny, ANY), LIGHT)


def test_a_round_decides_more_matches_only_if_that_is_significant() -> None:
    keys = {"round": [4, 9], "kind": ["throw", "throw"], "matches": [40, 160]}
    narrow, wide = rows("favourite_share", keys, [0.2, 0.8])
    assert "This begins in throw 9 most often: in 80.0% of them (95%" in decided_finding(narrow)
    assert "In 80.0% of them this begins in throw 9 (95% CI" in decided_finding(wide)


def test_the_largest_swings_lead_to_the_ply_where_they_can_be_seen(tiny: Reader) -> None:
    frame = largest_swings(tiny, ANY)
    assert frame.drop("label").rows() == [
        ("m1", 8, 5, "a", "own plan", 0.5, "Plan"),
        ("m3", 9, 5, "a", "dice", 0.4, "Dice: +40 points"),
        ("m1", 3, 2, "b", "dice", -0.3, "Dice"),
    ]
    said = swings_finding(frame.with_columns(label=pl.lit("Sherpa")))
    assert said == "The largest swing found is +50.0 points for a (Sherpa), in m1: Plan."
    assert largest_swings(tiny, Filter(players=("b",)))["ply"].to_list() == [3]
    assert largest_swings(tiny, Filter(first=3, sizes=(2,)))["ply"].to_list() == [8]
    columns = {name: name for name in frame.columns}
    table = str(figure_table(Shown("", frame, lambda *_: "", columns, "", "", [])))
    assert [f"/replay?match={match}&ply={ply}" in table for match, ply in (("m1", 8), ("m3", 9), ("m1", 3))] == [
        True
    ] * 3


def test_key_moments_are_counted_by_their_cause(tiny: Reader) -> None:
    frame = moment_causes(tiny, ANY)
    assert frame.select("cause", "moments", "moment_share").rows() == [
        ("dice", 2, pytest.approx(2 / 3)),
        ("own plan", 1, pytest.approx(1 / 3)),
    ]
    assert "The cause is dice in 66.7% of 3 key moments (95% CI" in causes_finding(frame)
    narrow, _ = rows("moment_share", {"cause": ["dice", "own plan"], "moments": [80, 20]}, [0.8, 0.2])
    assert causes_finding(narrow).startswith("The most frequent cause is dice: 80.0% of 100 key moments")


def test_changes_by_cause_sum_to_the_win_rate_minus_the_initial_chances(tiny: Reader) -> None:
    frame = PLAN_COSTS.count(tiny, ANY)
    changed = {(row["player"], row["cause"]): row["cause_change"] for row in frame.to_dicts()}
    assert changed == pytest.approx(
        {
            ("a", "own plan"): (0.3 - 0.15 + 0.6) / 3,
            ("a", "dice"): 0.2 / 3,
            ("b", "own plan"): -0.3 / 2,
            ("b", "a rival's plan"): -0.45 / 2,
            ("b", "dice"): -0.2 / 2,
        }
    )
    for player, wins, at_first in (("a", 2 / 3, (0.5 + 0.15 + 0.4) / 3), ("b", 0, (0.5 + 0.45) / 2)):
        assert frame.filter(player=player)["cause_change"].sum() == pytest.approx(wins - at_first)
    assert frame["played"].to_list() == [3, 3, 2, 2, 2]
    assert PLAN_COSTS.finding(frame).startswith("Own plans bring a +25.0 points a match (95% CI")
    assert set(CAUSES) == {cause.value for cause in Cause}


def test_chances_are_taken_from_positions_spread_over_each_match_before_its_end(tiny: Reader) -> None:
    frame = sampled_chances(tiny, ANY)
    of_first = frame.filter(match_id=1).select("nth", "seat", "chance", "won").rows()
    assert of_first == [
        (nth, seat, int(10_000 * chance), 10_000 * (seat == 0))
        for nth, chances in enumerate(CHANCES[:-1])
        for seat, chance in enumerate(chances)
    ]
    places = frame.filter(match_id=3)["nth"].unique().sort().to_list()
    assert places == [place * (LONG - 1) // 31 for place in range(32)]
    assert frame["match_id"].unique().sort().to_list() == [1, 3]


def test_chances_are_compared_with_win_rates(tiny: Reader) -> None:
    frame = calibration(tiny, ANY)
    seats = 3 * 2 + 32 * 3 - 1  # one chance is exactly 0: the rules knew the result
    assert frame["positions"].sum() == seats
    apart = frame["positions"] * frame["calibration_difference"].abs()
    assert frame["calibration_error"].to_list() == pytest.approx([apart.sum() / seats] * 10)
    assert (frame["checked_error"] == 0.012).all()
    (panel,) = draw_calibration(frame, LIGHT).panels
    assert panel
    assert [dot.text for dot in panel.dots] == [f"{share:.1%}" for share in frame["won_share"]]
    assert [dot.reference for dot in panel.dots] == frame["chance"].to_list()
    assert calibration_finding(frame).endswith(
        "In none of 10 bins do chances differ significantly from shares won (corrected)."
    )
    found = calibration_finding(frame.with_columns(calibration_difference_holm=pl.lit(0.01)))
    assert "In the model's own check they were off by 1.2. The model does not hold here: in 10 bins of 10" in found


def test_the_number_of_valued_matches_and_the_reasons_for_the_others_are_shown(tiny: Reader) -> None:
    found = reviewing_under(tiny, ANY)
    assert found == Reviewing(3, 3, 0, ((MODEL, 0.012),), {}, 0)
    assert valued_in_words(found) == [
        "Valued: all 3 matches.",
        ESTIMATED,
        f"Model {MODEL}, off by 1.2 points on average where it was checked.",
        CHOSEN_LATER,
    ]
    with tiny.warehouse.writing() as connection:
        connection.execute("update dim_reviews set not_valued = '3 players were not checked' where match_id = 3")
        connection.execute("delete from dim_reviews where match_id = 2")
        for match_id in (1, 2, 3):
            insert(connection, "raw_matches", {"match_id": match_id, "lines": b"", "model": MODEL})
    partly = reviewing_under(tiny, ANY)
    assert valued_in_words(partly)[0] == (
        "Valued: 1 of 3 matches; 1 waits to be reviewed, 1 not (3 players were not checked)."
    )
    assert valued_in_words(partly)[-1] == NAMED
    assert valued_in_words(reviewing_under(tiny, Filter(sizes=(3,)))) == [
        "Valued: 0 of 1 match; 1 not (3 players were not checked)."
    ]


@pytest.mark.usefixtures("app")
def test_the_overview_says_how_many_matches_still_wait_for_their_chances(tiny: Reader) -> None:
    from dashboards.pages.analysis import overview_finding

    assert "calculated" not in overview_finding(tiny, DECIDED_BY_CHANCES, ANY)
    with tiny.warehouse.writing() as connection:
        connection.execute("delete from dim_reviews where match_id = 2")
    waiting = "The chances of 1 of 3 matches are still being calculated."
    assert overview_finding(tiny, DECIDED_BY_CHANCES, ANY).endswith(f". {waiting}")
    assert waiting not in overview_finding(tiny, all_figures()["win-share"], ANY)
    with tiny.warehouse.writing() as connection:
        connection.execute("delete from dim_reviews")
    assert overview_finding(tiny, DECIDED_BY_CHANCES, ANY) == (
        "The chances of 3 of 3 matches are still being calculated."
    )
