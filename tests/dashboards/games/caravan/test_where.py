"""Where caravans go: each metric compared with a count from the logs, and intervals from resampled seeds."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from dashboards.games.caravan.figures.places import CONTESTED, DELEGATIONS, REGIONS, ROADS, STUPAS, SUPPLY, VILLAGES
from dashboards.games.caravan.map import CARAVAN_PLACES
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.traffic import amounts_of_selections, place_amounts, seed_sample
from dashboards.stats.intervals import difference_sums, sampled_sums, share_intervals, sums, trials_of
from himalaya_core.boards import shipped_board
from himalaya_core.caravan.events import (
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    Moved,
    RefillRolled,
    StupaPlaced,
)
from himalaya_core.replay import Replay
from ingest.warehouse import Warehouse
from tests.dashboards.games.caravan.folds import on_board, won
from tests.dashboards.games.marts import course, rows_by_match

ANY = Filter()
SHIPPED = shipped_board("caravan").sha256


def arrivals(replay: Replay, keeps: Callable[[Replay, Any], bool]) -> Counter[int]:
    found: Counter[int] = Counter()
    for entry in replay.entries:
        if keeps(replay, entry) and isinstance(entry.event, CaravanPlaced | Moved):
            found[entry.event.village if isinstance(entry.event, CaravanPlaced) else entry.event.to] += 1
    return found


FILTERS: list[tuple[Filter, Callable[[Replay, Any], bool]]] = [
    (ANY, lambda *_: True),
    (Filter(first=3, last=5), lambda _, entry: 3 <= entry.round <= 5),
    (Filter(seats=(0, 2)), lambda _, entry: entry.seat in {0, 2}),
    (Filter(players=("trader",)), lambda replay, entry: replay.header.seats[entry.seat or 0].player == "trader"),
    (Filter(results=("won",)), lambda replay, entry: entry.seat in won(replay)),
]


@pytest.mark.parametrize(("where", "keeps"), FILTERS, ids=["any", "rounds", "seats", "player", "winners"])
def test_arrivals_shares_and_intervals_are_those_of_the_logs(
    reader: Reader, finished: list[Replay], where: Filter, keeps: Callable[[Replay, Any], bool]
) -> None:
    rows = []
    for replay in on_board(finished, SHIPPED):
        counted = arrivals(replay, keeps)
        rows += [
            {"village": village, "group": replay.header.luck, "x": float(village == other)}
            for other, count in counted.items()
            for _ in range(count)
            for village in range(1, 21)
        ]
    expected = share_intervals(pl.DataFrame(rows), ["village"], "x", "arrival_share", "trials")
    found = VILLAGES.count(reader, where).sort("village")
    assert found.height == 20
    for column in ("arrival_share", "arrival_share_low", "arrival_share_high"):
        assert found[column].to_list() == pytest.approx(expected[column].to_list()), column


def test_trades_of_villages_are_those_of_the_logs(reader: Reader, finished: list[Replay]) -> None:
    counted: dict[type, Counter[int]] = {Collected: Counter(), Delivered: Counter()}
    for replay in on_board(finished, SHIPPED):
        for entry in replay.entries:
            if isinstance(entry.event, Collected | Delivered):
                counted[type(entry.event)][entry.event.village] += 1
    found = {
        village: rest
        for village, *rest in VILLAGES.count(reader, ANY).select("village", "collected", "delivered").rows()
    }
    assert found == {village: [counted[Collected][village], counted[Delivered][village]] for village in range(1, 21)}


def test_journeys_are_those_of_the_logs(reader: Reader, finished: list[Replay]) -> None:
    counted: Counter[tuple[int, int]] = Counter()
    for replay in on_board(finished, SHIPPED):
        for entry in replay.entries:
            if isinstance(entry.event, Moved):
                low, high = sorted((entry.event.from_, entry.event.to))
                counted[low, high] += 1
    frame = ROADS.count(reader, ANY)
    assert frame.height == 27
    assert {(a, b): count for a, b, count in frame.select("village_a", "village_b", "journeys").rows()} == counted


def test_stupas_and_delegations_are_those_of_the_logs(reader: Reader, finished: list[Replay]) -> None:
    placed: Counter[int] = Counter()
    sent: Counter[int] = Counter()
    played = on_board(finished, SHIPPED)
    for replay in played:
        for entry in replay.entries:
            if isinstance(entry.event, StupaPlaced):
                placed[entry.event.village] += 1
            elif isinstance(entry.event, DelegationsSent):
                sent.update(entry.event.regions)
    frame = STUPAS.count(reader, ANY)
    assert dict(frame.select("village", "stupas").iter_rows()) == {number: placed[number] for number in range(1, 21)}
    assert frame["stupa_share"].to_list() == pytest.approx([count / len(played) for count in frame["stupas"]])
    frame = DELEGATIONS.count(reader, ANY)
    assert dict(frame.select("region", "delegations").iter_rows()) == {number: sent[number] for number in range(1, 9)}


def test_contests_and_flips_are_recounted_from_the_facts(reader: Reader, finished: list[Replay]) -> None:
    courses = list(map(course, rows_by_match(reader, "caravan", on_board(finished, SHIPPED), "courses")))
    frame = REGIONS.count(reader, ANY)
    assert frame["flips"].sum() == sum(course["region_flips"] for course in courses)
    assert frame["flips_per_match"].sum() == pytest.approx(frame["flips"].sum() / len(courses))
    assert CONTESTED.count(reader, ANY)["contests"].sum() >= 2 * sum(course["contested_villages"] for course in courses)


def test_supply_and_demand_are_those_of_the_refills(reader: Reader, finished: list[Replay]) -> None:
    supplied: Counter[tuple[int, str]] = Counter()
    demanded: Counter[tuple[int, str]] = Counter()
    played = on_board(finished, SHIPPED)
    for replay in played:
        for entry in replay.entries:
            if isinstance(entry.event, RefillRolled):
                for resource, count in (entry.event.drawn or {}).items():
                    supplied[entry.event.village, str(resource)] += count
                for resource, count in (entry.event.order.demand if entry.event.order else {}).items():
                    demanded[entry.event.village, str(resource)] += count
    frame = SUPPLY.count(reader, Filter(players=("pilgrim",)))  # supply is the same for all seats
    assert frame.height == 100
    for village, resource, matches, came, wanted in frame.select(
        "village", "resource", "matches", "supplied_per_match", "demanded_per_match"
    ).iter_rows():
        assert matches == len(played)
        assert came * matches == pytest.approx(supplied[village, resource])
        assert wanted * matches == pytest.approx(demanded[village, resource])


def test_supply_is_that_of_all_matches_and_what_was_collected_that_of_the_seats(reader: Reader) -> None:
    """Only pilgrim misses some matches; its collections and the supply are divided by the same number of matches."""
    every, some = SUPPLY.count(reader, ANY), SUPPLY.count(reader, Filter(players=("pilgrim",)))
    same = ["matches", "supplied_per_match", "demanded_per_match"]
    assert some.select(same).equals(every.select(same))
    assert 0 < some["collected_per_match"].sum() < every["collected_per_match"].sum()
    late = SUPPLY.finding(SUPPLY.count(reader, Filter(first=12)))
    assert re.search(
        r"demanded in a match, and the players counted collect [\d.]+\. Supply minus demand: salt [+−]?\d", late
    )


def test_totals_do_not_depend_on_the_sample(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = VILLAGES.count(Reader(warehouse), ANY)
    monkeypatch.setattr("dashboards.queries.traffic.SEEDS", 2)
    part = VILLAGES.count(Reader(warehouse), ANY)
    assert part.drop("arrival_share_low", "arrival_share_high").equals(
        whole.drop("arrival_share_low", "arrival_share_high")
    )
    assert not part.equals(whole)


@pytest.mark.parametrize("what", ["arrivals", "delegations"])
def test_sides_read_together_equal_sides_read_separately(reader: Reader, what: str) -> None:
    """Both sides share seats, and each has its own values for the same filter keys."""
    sides = [Filter(results=("won",), first=2, last=7), Filter(players=("greedy", "trader"), first=5)]
    sample = seed_sample(reader, ANY, SHIPPED)
    both = amounts_of_selections(reader, CARAVAN_PLACES[what], sides, SHIPPED, sample.bound)
    keys = [key for key in both.columns if not key.startswith("x_")]
    for side, where in enumerate(sides):
        alone = place_amounts(reader, CARAVAN_PLACES[what], where, SHIPPED, sample)
        mine = both.select(*keys, x=f"x_{side}").filter(pl.col("x") > 0)
        assert mine.sort(keys).equals(alone.sort(keys))
    assert 0 < both["x_0"].sum() < both["x_1"].sum()


def test_a_sample_of_seeds_shows_the_spread_of_all() -> None:
    random = np.random.default_rng(5)
    seeds, sampled = 20_000, 1_000
    x = random.binomial(40, random.beta(3, 9, seeds))
    amounts = pl.DataFrame({"place": ["p"] * seeds, "unit": range(seeds), "x": x})
    rows = pl.concat([amounts, amounts.with_columns(pl.lit("q").alias("place"), (40 - pl.col("x")).alias("x"))])
    totals = rows.group_by("place").agg(pl.col("x").sum().alias("total")).sort("place")
    taken = rows.filter(pl.col("unit") < sampled)
    every = sampled_sums(totals, ["place"], 40 * seeds, seeds, rows, trials_of(rows))
    some = sampled_sums(totals, ["place"], 40 * seeds, seeds, taken, trials_of(taken))
    assert some.drop("residual").equals(every.drop("residual"))
    assert some["residual"].to_list() == pytest.approx(every["residual"].to_list(), rel=0.15)


def test_sums_of_a_whole_sample_are_those_of_its_rows() -> None:
    rows = pl.DataFrame({"place": ["p", "p", "q", "q", "q"], "group": [1, 2, 1, 1, 2], "x": [1.0, 1, 1, 1, 1]})
    amounts = rows.group_by("place", unit="group").agg(pl.col("x").sum())
    totals = pl.DataFrame({"place": ["p", "q"], "total": [2, 3]})
    found = sampled_sums(totals, ["place"], 5, 2, amounts, trials_of(amounts))
    each = pl.concat(
        [rows.with_columns((pl.col("place") == name).cast(pl.Float64).alias("x"), of=pl.lit(name)) for name in "pq"]
    )
    assert found["residual"].to_list() == pytest.approx(sums(each, ["of"], "x")["residual"].to_list())


def test_a_difference_removes_variation_shared_by_both_selections() -> None:
    """Selections of the same seeds that vary together differ significantly; independent ones do not."""
    mine = pl.DataFrame({"place": ["p", "q"] * 2, "unit": [1, 1, 2, 2], "x": [3, 1, 1, 3]})
    theirs = mine.with_columns(pl.col("unit") + 2)
    places = pl.DataFrame({"place": ["p", "q"]})
    same = difference_sums(places, ["place"], (mine, trials_of(mine)), (mine, trials_of(mine)))
    apart = difference_sums(places, ["place"], (mine, trials_of(mine)), (theirs, trials_of(theirs)))
    assert same["variance"].to_list() == [0, 0]
    e = (3 - 0.5 * 4) / 8  # each of four seeds changes its share by this much
    assert apart["variance"].to_list() == pytest.approx([4 / 3 * 4 * e**2] * 2)


def test_nothing_is_an_empty_board(reader: Reader) -> None:
    assert VILLAGES.count(reader, Filter(tournaments=("nothing",))).is_empty()
    nobody = VILLAGES.count(reader, Filter(first=12, last=12, players=("trader",), seats=(5,)))
    assert nobody.is_empty()
