"""What the queries count is what a fold of the logs counts."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from dashboards.filters import NO_TOURNAMENT, Filter, MatchFilter, OutcomeFilter, Sort, TrafficFilter
from dashboards.queries import MATCH_COLUMNS, Queries
from himalaya_core.boards import shipped_board
from himalaya_core.caravan.events import CaravanPlaced, Collected, Delivered, Eliminated, Moved
from himalaya_core.files import read_lines
from himalaya_core.log import Ended, Entry
from himalaya_core.replay import Replay

SHIPPED = shipped_board("caravan").sha256


def on_shipped_board(finished: list[Replay]) -> list[Replay]:
    return [replay for replay in finished if replay.board.sha256 == SHIPPED]


def ended(replay: Replay) -> Ended:
    assert replay.ended is not None
    return replay.ended


def test_arrivals_are_those_of_the_logs(asked: Queries, finished: list[Replay]) -> None:
    counted: Counter[int] = Counter()
    for replay in on_shipped_board(finished):
        for entry in replay.entries:
            if isinstance(entry.event, CaravanPlaced):
                counted[entry.event.village] += 1
            elif isinstance(entry.event, Moved):
                counted[entry.event.to] += 1
    frame = asked.village_traffic(TrafficFilter(), SHIPPED)
    assert dict(frame.select("village", "arrivals").iter_rows()) == counted


def test_trades_and_deliveries_are_those_of_the_logs(asked: Queries, finished: list[Replay]) -> None:
    trades: Counter[int] = Counter()
    deliveries: Counter[int] = Counter()
    for replay in on_shipped_board(finished):
        for entry in replay.entries:
            if isinstance(entry.event, Collected | Delivered):
                trades[entry.event.village] += 1
                deliveries[entry.event.village] += isinstance(entry.event, Delivered)
    frame = asked.village_traffic(TrafficFilter(), SHIPPED)
    assert dict(frame.select("village", "trades").iter_rows()) == {**dict.fromkeys(frame["village"], 0), **trades}
    assert frame["deliveries"].sum() == deliveries.total()


def player_of(replay: Replay, entry: Entry) -> str | None:
    return None if entry.seat is None else replay.header.seats[entry.seat].player


Keeps = Callable[[Replay, Entry], bool]
FILTERS: list[tuple[TrafficFilter, Keeps]] = [
    (TrafficFilter(first=3, last=5), lambda _, entry: 3 <= entry.round <= 5),
    (TrafficFilter(seats=(0, 2)), lambda _, entry: entry.seat in {0, 2}),
    (TrafficFilter(players=("trader",)), lambda replay, entry: player_of(replay, entry) == "trader"),
    (TrafficFilter(tournaments=("three",)), lambda replay, _: replay.header.tournament == "three"),
]


@pytest.mark.parametrize(("where", "keeps"), FILTERS, ids=["rounds", "seats", "players", "tournament"])
def test_journeys_under_a_filter_are_those_of_the_logs(
    asked: Queries, finished: list[Replay], where: TrafficFilter, keeps: Keeps
) -> None:
    counted: Counter[tuple[int, int]] = Counter()
    for replay in on_shipped_board(finished):
        for entry in replay.entries:
            if isinstance(entry.event, Moved) and keeps(replay, entry):
                low, high = sorted((entry.event.from_, entry.event.to))
                counted[low, high] += 1
    frame = asked.road_traffic(where, SHIPPED)
    assert {(a, b): journeys for a, b, _, journeys in frame.iter_rows()} == counted


def test_endings_are_those_of_the_logs(asked: Queries, finished: list[Replay]) -> None:
    counted: Counter[tuple[str, str]] = Counter()
    for replay in finished:
        players = [seat.player for seat in replay.header.seats]
        counted.update((player, "played") for player in players)
        counted.update((players[seat], "won") for seat in ended(replay).ranking[0])
        out = [entry.event for entry in replay.entries if isinstance(entry.event, Eliminated)]
        counted.update((players[event.seat], str(event.influence)) for event in out)
    frame = asked.endings(OutcomeFilter())
    for row in frame.iter_rows(named=True):
        kinds = ("played", "won", "religious", "political")
        assert [row[kind] for kind in kinds] == [counted[row["player"], kind] for kind in kinds]
        assert row["played"] == row["won"] + row["religious"] + row["political"] + row["outlasted"]


def test_final_influence_is_that_of_the_logs(asked: Queries, finished: list[Replay]) -> None:
    yaks = pl.Series(
        scores["economic"]
        for replay in finished
        for seat, scores in zip(replay.header.seats, ended(replay).scores, strict=True)
        if seat.player == "trader"
    )
    frame = asked.final_influence(OutcomeFilter()).filter(player="trader", influence="economic")
    row = frame.row(0, named=True)
    assert (row["median"], row["mean"], row["seats"]) == (yaks.median(), pytest.approx(yaks.mean()), len(yaks))


def test_eliminations_are_counted_once_each(asked: Queries) -> None:
    frame = asked.eliminations(OutcomeFilter(tournaments=("four",)))
    assert frame.group_by("influence").agg(pl.col("eliminations").sum()).sort("influence").rows() == [
        ("political", 8),
        ("religious", 8),
    ]


def test_influence_by_round_ends_with_the_last_round(asked: Queries) -> None:
    frame = asked.influence_by_round(OutcomeFilter(sizes=(4,)))
    assert sorted(frame["round"].unique()) == list(range(1, 13))
    assert set(frame["influence"]) == {"religious", "political", "economic"}


def test_only_finished_matches_are_counted(asked: Queries, finished: list[Replay]) -> None:
    assert asked.match_count() == len(finished) + 1
    assert asked.finished_count(OutcomeFilter()) == len(finished)
    assert asked.board_ids() == [shipped_board("caravan").id, "other-map"]
    assert asked.boards(TrafficFilter())["matches"].to_list() == [len(finished) - 1, 1]


def test_a_list_is_sorted_filtered_and_paged(asked: Queries) -> None:
    where = MatchFilter(Filter(tournaments=("four",)), together=("envoy", "trader"))
    whole, total = asked.matches_page(where, Sort("margin", descending=True), 0, 100)
    middle, _ = asked.matches_page(where, Sort("margin", descending=True), 2, 5)
    assert total == whole.height == 8
    assert whole["margin"].to_list() == sorted(whole["margin"].to_list(), reverse=True)
    assert middle.equals(whole[2:5])


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (MatchFilter(find="OTH"), {"other"}),
        (MatchFilter(statuses=("unfinished",)), {"cut-off"}),
        (MatchFilter(Filter(tournaments=(NO_TOURNAMENT,))), {"other", "cut-off"}),
        (MatchFilter(together=("random", "envoy")), set()),
        (MatchFilter(find="' or true --", together=("x'",)), set()),
    ],
)
def test_a_filter_of_matches(asked: Queries, where: MatchFilter, expected: set[str]) -> None:
    frame, total = asked.matches_page(where, Sort(), 0, 100)
    assert set(frame["match"]) == expected
    assert total == len(expected)


def test_winners_are_who_won(asked: Queries) -> None:
    frame, _ = asked.matches_page(MatchFilter(Filter(players=("trader",), results=("won",))), Sort(), 0, 100)
    assert frame.height
    assert all("trader" in winner for winner in frame["winner"])


def test_an_unknown_column_sorts_as_usual(asked: Queries) -> None:
    usual, _ = asked.matches_page(MatchFilter(), Sort(), 0, 100)
    strange, _ = asked.matches_page(MatchFilter(), Sort('match"; drop table dim_matches; --'), 0, 100)
    assert strange.equals(usual)
    assert usual.columns == list(MATCH_COLUMNS)


def test_the_lines_of_a_match_are_those_of_its_file(asked: Queries, logs: Path) -> None:
    assert asked.match_lines("other") == list(read_lines(logs / "other.jsonl"))
    assert asked.match_lines("nobody") is None
