"""Why players win: each metric compared with a tiny tournament counted by hand, and with a count from the logs."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl
import pytest

from dashboards.catalog.figures import all_figures, figures_of, left_out
from dashboards.games.caravan.figures.course import ENDINGS, FINAL_INFLUENCE, INFLUENCE_BY_ROUND, WINNERS
from dashboards.games.caravan.figures.eliminations import ELIMINATED, TIE_BREAKS
from dashboards.games.caravan.figures.orders import orders
from dashboards.games.caravan.figures.seat_sums import GOODS, INCOME, REWARDS, VOIDS
from dashboards.games.caravan.figures.tokens import TOKENS_PLACED
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.stats.intervals import mean_intervals, share_intervals, t_quantile
from himalaya_core.caravan.events import (
    ActionVoided,
    Bartered,
    Collected,
    DelegationsSent,
    Delivered,
    Eliminated,
    InfluenceScored,
    InventoryMarkerTaken,
    PoliticsRecounted,
    StupaPlaced,
)
from himalaya_core.replay import Replay
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from tests.dashboards.games.caravan.folds import won
from tests.dashboards.games.caravan.tiny import insert, tiny_warehouse
from tests.dashboards.stats.tournaments import most

GOLDEN = Path(__file__).parents[3] / "golden"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with tiny_warehouse(tmp_path_factory.mktemp("tiny") / "tiny.duckdb") as warehouse:
        yield Reader(warehouse)


def row(frame: pl.DataFrame, **keys: object) -> dict[str, Any]:
    return frame.row(by_predicate=pl.all_horizontal(pl.col(key) == value for key, value in keys.items()), named=True)


def test_income_is_a_mean_over_seats_with_seeds_as_trials(tiny: Reader) -> None:
    found = row(INCOME.count(tiny, Filter()), player="a", source="barter")
    assert (found["played"], found["groups"]) == (4, 2)
    assert found["yaks"] == (6 + 7 + 1 + 4) / 4
    assert found["yaks_high"] == pytest.approx(most([6, 7], [1, 4]))
    assert found["yaks_share"] == 18 / (18 + 9)


def test_income_under_a_filter_of_seats(tiny: Reader) -> None:
    frame = INCOME.count(tiny, Filter(seats=(1,), results=("won",)))
    assert row(frame, player="a", source="barter")["yaks"] == (7 + 4) / 2
    assert frame["player"].unique().to_list() == ["a"]


def test_goods_of_each_kind(tiny: Reader) -> None:
    frame = GOODS.count(tiny, Filter(players=("a",)))
    means = dict(frame.select("kind", "goods").iter_rows())
    assert means == {
        "collected": 5 / 4, "salt": 1, "barley": 0, "tea": 0, "jade": 0, "gold": 1 / 4, "market": 0, "spent": 3 / 4,
        "wasted": 2 / 4, "deliveries": 5 / 4,
    }  # fmt: skip


def test_voids_for_each_reason_and_too_late_among_them(tiny: Reader) -> None:
    frame = VOIDS.count(tiny, Filter(players=("a",)))
    means = {reason: mean for reason, mean in frame.select("reason", "voids").iter_rows() if mean}
    assert means == {"all": 1, "no_road": 1 / 4, "nothing_here": 3 / 4, "too_late": 2 / 4}
    said = VOIDS.figure.finding(frame)  # `nothing here` only: `too late` is reported separately, as it is drawn
    assert "a's commonest reason: came too late (0.5 a match)." in said
    earlier = frame.with_columns(pl.when(reason="too_late").then(0.25).otherwise("voids").alias("voids"))
    assert "a's commonest reason: nothing there (0.5 a match)." in VOIDS.figure.finding(earlier)


def test_reward_pairs_are_shares_of_deliveries(tiny: Reader) -> None:
    frame = REWARDS.count(tiny, Filter())
    shares = dict(frame.filter(player="a").select("pair", "pair_share").iter_rows())
    assert shares == {"barter_offering": 4 / 5, "barter_delegation": 1 / 5, "offering_delegation": 0, "fewer": 0}
    assert frame.filter(player="a")["deliveries"].unique().to_list() == [5]
    assert row(frame, player="b", pair="fewer")["pair_share"] == 1 / 2


def test_tokens_count_only_in_matches_with_tokens(tiny: Reader) -> None:
    frame = TOKENS_PLACED.count(tiny, Filter())
    yeti = row(frame, player="a", effect="stopped")
    assert (yeti["played"], yeti["placed_share"], yeti["token_effect"]) == (2, 1, 4 / 2)
    assert row(frame, player="a", effect="gained")["placed_share"] == 1 / 2
    assert row(frame, player="a", effect="gained")["token_effect"] == 3
    assert row(frame, player="b", effect="slowed")["token_effect"] is None
    assert TOKENS_PLACED.count(tiny, Filter(sizes=(2,))).is_empty()


@pytest.fixture
def larger(tmp_path: Path) -> Iterator[Reader]:
    """The tiny tournament with four players in matches 1 and 3, and three in match 2, which then eliminates nobody."""
    with tiny_warehouse(tmp_path / "larger.duckdb") as warehouse:
        with warehouse.writing() as connection:
            connection.execute("update dim_matches set players = 3 + match_id % 2")
        yield Reader(warehouse)


def test_shares_of_endings_are_of_matches_with_eliminations_and_sum_to_one(larger: Reader) -> None:
    frame = ENDINGS.count(larger, Filter())
    assert frame["player"].to_list() == ["a"] * 4 + ["b"] * 4
    assert frame.filter(player="a")["ending_share"].to_list() == pytest.approx([2 / 3, 0, 0, 1 / 3])
    assert frame.filter(player="b")["ending_share"].to_list() == pytest.approx([0, 1 / 2, 1 / 2, 0])
    none = ENDINGS.count(larger, Filter(sizes=(3,)))
    assert none.is_empty()
    assert ENDINGS.finding(none).endswith("with three, nobody can be eliminated.")


def test_final_influence_has_means_and_quartiles(tiny: Reader) -> None:
    found = row(FINAL_INFLUENCE.count(tiny, Filter()), player="a", influence="economic")
    assert (found["seats"], found["points"]) == (4, (9 + 7 + 1 + 10) / 4)
    assert [found[f"points_{end}"] for end in ("lower", "median", "upper")] == [5.5, 8, 9.25]  # from 1, 7, 9, 10


def test_winners_minus_losers(tiny: Reader) -> None:
    frame = WINNERS.count(tiny, Filter())
    found = row(frame, kind="political_influence")
    best, rest = (2 + 0 + 0 + 3) / 4, (1 + 4 + 0) / 3
    assert [found[name] for name in ("won_mean", "lost_mean", "groups")] == pytest.approx([best, rest, 2])
    first, second = (2 - best * 3) / 4 - (1 - rest) / 3, (3 - best) / 4 - (4 - rest * 2) / 3  # effect of each seed
    error = sqrt(2 * (first**2 + second**2))
    assert found["winner_difference_high"] == pytest.approx(best - rest + t_quantile(2) * error)
    assert row(frame, kind="yaks")["winner_difference"] == pytest.approx((9 + 7 + 7 + 10) / 4 - (5 + 1 + 30) / 3)
    assert row(frame, kind="void_actions")["winner_difference"] == pytest.approx(3 / 4 - 1 / 3)


def test_eliminations_with_margins_and_tie_breaks(larger: Reader) -> None:
    frame = ELIMINATED.count(larger, Filter())
    assert frame.select("influence", "player", "eliminations", "played", "margin_median", "tied").rows() == [
        ("religious", "b", 1, 2, 4, 0),
        ("political", "b", 1, 2, 0, 1),
    ]
    assert TIE_BREAKS.count(larger, Filter()).select("influence", "tie_break", "tie_share").rows() == [
        ("religious", "none needed", 1),
        ("political", "yaks", 1),
    ]


# Figures compared with counts from the logs

Count = Callable[[Any], int]
DEEDS: dict[str, tuple[str, str, type, Count]] = {
    "barter": ("income", "yaks", Bartered, lambda event: event.yaks),
    "inventory": ("income", "yaks", InventoryMarkerTaken, lambda event: event.yaks),
    "collected": ("goods", "goods", Collected, lambda _: 1),
    "gold": ("goods", "goods", Collected, lambda event: event.resource == "gold"),
    "spent": ("goods", "goods", Delivered, lambda event: sum(event.spent.values())),
    "deliveries": ("goods", "goods", Delivered, lambda _: 1),
    "all": ("voids", "voids", ActionVoided, lambda _: 1),
    "goods_missing": ("voids", "voids", ActionVoided, lambda event: event.reason == "goods_missing"),
    "no_road": ("voids", "voids", ActionVoided, lambda event: event.reason == "no_road"),
}


@pytest.mark.parametrize("kind", DEEDS)
def test_means_and_intervals_are_those_of_the_folded_logs(reader: Reader, finished: list[Replay], kind: str) -> None:
    name, value, event, amount = DEEDS[kind]
    rows = []
    for replay in finished:
        done: Counter[int] = Counter()
        for entry in replay.entries:
            if isinstance(entry.event, event):
                done[entry.event.seat] += amount(entry.event)
        rows += [(info.player, replay.header.luck, done[seat]) for seat, info in enumerate(replay.header.seats)]
    folded = pl.DataFrame(rows, schema=["player", "group", "x"], orient="row")
    expected = mean_intervals(folded, ["player"], "x", value).drop(f"{value}_p")
    key = {"income": "source", "goods": "kind", "voids": "reason"}[name]
    found = all_figures()[name].frame(reader, Filter()).filter(pl.col(key) == kind).sort("player")
    for column in expected.columns:
        assert found[column].to_list() == pytest.approx(expected[column].to_list()), column


OF_WINNERS: dict[str, Callable[[Replay, int], float]] = {
    "religious_influence": lambda replay, seat: final(replay, seat)["religious"],
    "political_influence": lambda replay, seat: final(replay, seat)["political"],
    "yaks": lambda replay, seat: final(replay, seat)["economic"],
    "goods_collected": lambda replay, seat: times(replay, seat, Collected),
    "deliveries": lambda replay, seat: times(replay, seat, Delivered),
    "barters": lambda replay, seat: times(replay, seat, Bartered),
    "stupas": lambda replay, seat: times(replay, seat, StupaPlaced),
    "delegations": lambda replay, seat: times(replay, seat, DelegationsSent, lambda event: sum(event.regions.values())),
    "inventory_markers": lambda replay, seat: times(replay, seat, InventoryMarkerTaken),
    "void_actions": lambda replay, seat: times(replay, seat, ActionVoided),
}


def final(replay: Replay, seat: int) -> Any:
    assert replay.ended is not None
    return replay.ended.scores[seat]


def times(replay: Replay, seat: int, kind: type, amount: Count = lambda _: 1) -> int:
    events: list[Any] = [entry.event for entry in replay.entries if isinstance(entry.event, kind)]
    return sum(amount(event) for event in events if event.seat == seat)


@pytest.mark.parametrize("kind", OF_WINNERS)
def test_winners_minus_losers_are_those_of_the_folded_logs(reader: Reader, finished: list[Replay], kind: str) -> None:
    rows = [
        (replay.header.luck, seat in won(replay), float(OF_WINNERS[kind](replay, seat)))
        for replay in finished
        for seat in range(len(replay.header.seats))
    ]
    folded = pl.DataFrame(rows, schema=["seed", "won", "x"], orient="row")
    means = [folded.filter(won=side)["x"].mean() for side in (True, False)]
    effect = (pl.col("x") - pl.col("x").mean().over("won")) / pl.len().over("won")
    signed = pl.when("won").then(effect).otherwise(-effect)
    of_seeds = folded.with_columns(signed.alias("effect")).group_by("seed").agg(pl.col("effect").sum())["effect"]
    count = of_seeds.len()
    error = sqrt(count / (count - 1) * sum(each**2 for each in of_seeds))
    found = row(WINNERS.count(reader, Filter()), kind=kind)
    assert [found["won_mean"], found["lost_mean"], found["groups"]] == pytest.approx([*means, count])
    assert found["winner_difference_high"] - found["winner_difference"] == pytest.approx(t_quantile(count) * error)


def test_margins_are_those_of_the_folded_logs(reader: Reader, finished: list[Replay]) -> None:
    margins = []
    for replay in finished:
        values: dict[str, tuple[int, ...]] = {}
        out: set[int] = set()
        for entry in replay.entries:
            event = entry.event
            if isinstance(event, InfluenceScored | PoliticsRecounted):
                scored = {name: getattr(event, name) for name in ("religious", "political") if hasattr(event, name)}
                values |= scored
            elif isinstance(event, Eliminated):
                of_it = values[event.influence]
                others = [of_it[seat] for seat in range(len(of_it)) if seat not in out | {event.seat}]
                margins.append(
                    (str(event.influence), replay.header.seats[event.seat].player, min(others) - event.value)
                )
                out.add(event.seat)
    folded = pl.DataFrame(margins, schema=["influence", "player", "margin"], orient="row")
    expected = folded.group_by("influence", "player").agg(pl.col("margin").median(), pl.len())
    found = ELIMINATED.count(reader, Filter()).select("influence", "player", "margin_median", "eliminations")
    assert set(found.rows()) == set(expected.rows())


def test_influence_by_round_has_the_quartiles_of_every_seat(reader: Reader, warehouse: Any) -> None:
    with warehouse.reading() as cursor:
        rows = cursor.execute(
            """select s.player, f.round, f.economic from fct_caravan_influence f join dim_seats s using (match_id, seat)
                join dim_matches m using (match_id) where m.status = 'finished' and m.tournament = 'four'"""
        ).fetchall()
    long = pl.DataFrame(rows, schema=["player", "round", "value"], orient="row")
    expected = long.group_by("player", "round").agg(
        pl.col("value").quantile(0.25, "linear").alias("lower"), pl.col("value").mean().alias("mean"), pl.len()
    )
    frame = INFLUENCE_BY_ROUND.count(reader, Filter(tournaments=("four",), first=3, last=9)).filter(
        influence="economic"
    )
    assert set(frame["round"]) == set(range(3, 10))
    found = frame.select("player", "round", "points_lower", "points", "seats")
    assert set(found.rows()) == set(expected.filter(pl.col("round").is_between(3, 9)).rows())


def test_shares_and_intervals_of_endings_are_those_of_the_results(reader: Reader, finished: list[Replay]) -> None:
    rows = [
        (info.player, replay.header.luck, float(replay.ended is not None and seat in replay.ended.ranking[0]))
        for replay in finished
        if len(replay.header.seats) > 3
        for seat, info in enumerate(replay.header.seats)
    ]
    folded = pl.DataFrame(rows, schema=["player", "group", "x"], orient="row")
    expected = share_intervals(folded, ["player"], "x", "ending_share", "played")
    found = ENDINGS.count(reader, Filter()).filter(ending="won").sort("player")
    for column in expected.columns:
        assert found[column].to_list() == pytest.approx(expected[column].to_list()), column


@pytest.mark.parametrize("name", ["win-share", "paired", "endings", "tie-breaks", "comebacks"])
def test_figures_of_outcomes_ignore_the_results_of_a_filter_and_say_so(reader: Reader, name: str) -> None:
    table, winners = all_figures()[name], Filter(results=("won",), first=5)
    frame = table.frame(reader, winners)
    assert frame.equals(table.frame(reader, Filter()))
    assert left_out(table, winners) == "Counts all rounds and all results, whatever the filter says."
    assert left_out(table, Filter()) == ""


@pytest.mark.slow("every figure")
def test_figures_say_whether_they_go_by_the_rounds_of_a_filter(reader: Reader) -> None:
    late = Filter(first=5)
    silent = {name for name, table in figures_of("caravan").items() if table.under(late) == late}
    for name in silent:
        assert not all_figures()[name].frame(reader, late).equals(all_figures()[name].frame(reader, Filter())), name
    goods = all_figures()["goods"]
    assert left_out(goods, late) == "Counts all rounds, whatever the filter says."


@pytest.mark.parametrize("golden", ["caravan-4", "caravan-6-advanced"])
def test_orders_are_offered_delivered_and_wait_as_in_the_log(tmp_path: Path, golden: str) -> None:
    log = GOLDEN / f"{golden}.jsonl"
    offered, waited = Counter[str](), dict[str, list[int]]()
    on_board: dict[str, int] = {}
    for entry in map(json.loads, log.read_text("utf-8").splitlines()):
        order = entry["data"].get("order")
        if entry["type"] == "refill_rolled" and order:
            offered[order["id"]] += entry["round"] < 12  # nobody acts after the last refill
            on_board[order["id"]] = entry["round"]
        if entry["type"] == "delivered":
            waited.setdefault(order["id"], []).append(entry["round"] - on_board.pop(order["id"]))
    ingest([log], tmp_path / "golden.duckdb", processes=0)
    with open_warehouse(tmp_path / "golden.duckdb") as warehouse:
        frame = orders(Reader(warehouse), Filter())
    found = {
        f"o{int(disc[:2])}": rest for disc, *rest in frame.select("disc", "offered", "delivered", "waiting").rows()
    }
    assert found == {
        disc: [often, len(waited.get(disc, ())), fmean(waited[disc]) if disc in waited else None]
        for disc, often in offered.items()
        if often
    }


def test_a_disc_can_be_offered_again_in_a_match(tmp_path: Path) -> None:
    with tiny_warehouse(tmp_path / "discs.duckdb") as warehouse:
        with warehouse.writing() as connection:
            for match, seq, round_, disc in ((1, 5, 0, "o2"), (1, 90, 4, "o2"), (2, 5, 0, "o2"), (2, 6, 0, None)):
                demand = {"order_demand_tea": 2, "order_demand_gold": 1, "order_yaks": 4} if disc else {}
                rolled = {"match_id": match, "seq": seq, "round": round_, "order_id": disc, "kind": "order", **demand}
                insert(connection, "stg_caravan_refill_rolled", rolled)
            insert(connection, "fct_caravan_deliveries", {"match_id": 1, "seq": 60, "round": 3, "order_id": "o2"})
        frame = orders(Reader(warehouse), Filter())
    columns = ("disc", "offered", "delivered", "groups", "undelivered_share", "waiting")
    assert frame.select(columns).rows() == [("02: 2 tea, gold; 4 yaks", 3, 1, 1, 2 / 3, 3.0)]
