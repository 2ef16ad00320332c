"""The figures of strength, compared with a tiny tournament counted by hand."""

from collections.abc import Callable
from math import comb, sqrt
from typing import Any

import polars as pl
import pytest

from dashboards.catalog.figures import all_figures
from dashboards.catalog.metrics import METRICS, metric_of
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import seat_results
from dashboards.stats.claims import HEAD_TO_HEAD, corrected
from dashboards.stats.differences import paired, paired_by_luck
from dashboards.stats.head_to_head import head_to_head
from dashboards.stats.intervals import clopper_pearson, corrected_by_holm
from dashboards.stats.ratings import ratings
from dashboards.stats.results import RESULTS, by_version, scored
from dashboards.stats.standing import placement, seat_effect, win_share
from himalaya_core.replay import Replay
from ingest.warehouse import Warehouse
from tests.dashboards.stats.tournaments import STRENGTH, TINY, results

NAMES = {"a": "delta", "b": "alpha", "c": "omega"}


def row(frame: pl.DataFrame, **keys: object) -> dict[str, object]:
    return frame.row(by_predicate=pl.all_horizontal(pl.col(key) == value for key, value in keys.items()), named=True)


def test_a_seat_s_score_is_what_it_made_of_its_match() -> None:
    frame = scored(TINY)
    assert frame["win"].to_list() == [1, 0, 0, 0.5, 0, 0.5, 1, 0, 0, 0, 1, 0]
    assert frame["beaten"].to_list() == [1, 0.5, 0, 0.75, 0, 0.75, 1, 0.25, 0.25, 0, 1, 0.5]


def test_win_shares_count_a_shared_win_fractionally() -> None:
    frame = win_share(TINY)
    assert frame["player"].to_list() == ["a", "c", "b"]
    assert frame["win_share"].to_list() == [2.5 / 4, 1 / 4, 0.5 / 4]
    assert frame["played"].to_list() == [4, 4, 4]
    assert frame["groups"].to_list() == [2, 2, 2]
    assert frame["expected_share"].to_list() == pytest.approx([1 / 3] * 3)


def test_a_player_winning_most_seats_but_not_common_ones_is_not_ahead() -> None:
    """Duels are easier to win: a wins all its duels, but loses to b in every match that they share."""
    duels = [(f"d{n}", {"a": 1, "x": 2}) for n in range(60)]
    common = [(f"l{n}", {"b": 1, "a": 2, "x": 3}) for n in range(20)]
    losses = [(f"k{n}", {"x": 1, "b": 2, "y": 3}) for n in range(20)]
    frame = win_share(results(*duels, *common, *losses))
    assert frame["player"].to_list()[:2] == ["a", "b"]
    assert row(frame, player="b")["win_share_holm"] == 1


def test_matches_with_their_own_seeds_have_the_interval_of_trials() -> None:
    own = TINY.with_columns(pl.lit(None, pl.String).alias("luck"))
    found = row(win_share(own), player="a")
    assert (found["win_share_low"], found["win_share_high"]) == pytest.approx(clopper_pearson(2.5, 4))


def test_matches_on_shared_seeds_have_the_interval_of_the_effective_trials() -> None:
    ten = results(*((f"l{luck}", {"a": 1 + luck % 2, "b": 2 - luck % 2}) for luck in range(10) for _ in range(3)))
    low, high = win_share(ten).select("win_share_low", "win_share_high").row(0)
    varies, chance, usual = 10 / 9 * 10 * 1.5**2, 30 / 4, 1 + 0.3 * (3 - 1)  # each seed decides its matches
    weight = 10 * (1 - 15 / (varies / chance) / 20)  # 15 wins count as much as if each had its own seed
    effect, t = (varies + weight * usual) / (chance + weight), 2.2621571628540993  # t for nine degrees of freedom
    trials = 30 / effect * (1.959963984540054 / t) ** 2
    assert (low, high) == pytest.approx(clopper_pearson(trials / 2, trials))


def test_an_overall_share_rests_on_seeds_and_one_seed_shows_nothing() -> None:
    won = results(*((f"l{luck}", {"a": 1, "b": 2}) for luck in range(10) for _ in range(3)))
    usual = 1 + 0.3 * (3 - 1)  # no variation is seen, so three tenths of the variance are assumed to be between seeds
    trials = 30 / usual * (1.959963984540054 / 2.2621571628540993) ** 2
    assert row(win_share(won), player="a")["win_share_low"] == pytest.approx(clopper_pearson(trials, trials)[0])
    one = win_share(won.filter(pl.col("luck") == "l0"))
    assert one.select("win_share_low", "win_share_high").rows() == [(0, 1), (0, 1)]


def test_head_to_head_counts_pairs_of_seats_and_a_shared_place_by_half() -> None:
    frame = head_to_head(TINY)
    shares = {(player, other): share for player, other, share in frame.select("player", "other", "better_share").rows()}
    assert shares["a", "b"] == (1 + 0.5 + 1 + 1) / 4
    assert shares["b", "a"] == 1 - shares["a", "b"]
    assert shares["b", "c"] == (1 + 1 + 0.5 + 0) / 4
    assert frame.height == 6


def test_head_to_head_of_players_with_two_seats_each() -> None:
    frame = head_to_head(results((None, [("a", 1), ("b", 2), ("a", 3), ("b", 3)])))
    assert row(frame, player="a")["better_share"] == (1 + 1 + 0 + 0.5) / 4
    assert row(frame, player="a")["pairs"] == 4


def test_p_values_of_pairs_are_those_of_changed_signs() -> None:
    wins = [1, 1, 2, 1, 1, 1, 2, 1, 1, 1]
    frame = head_to_head(results(*((None, {"a": place, "b": 3 - place}) for place in wins)))
    assert frame["better_share_p"].to_list() == [2 * (comb(10, 8) + comb(10, 9) + 1) / 2**10] * 2


def test_p_values_are_never_below_the_limit_for_the_number_of_seeds() -> None:
    frame = head_to_head(results(*((f"l{luck}", {"a": 1, "b": 2}) for luck in range(4))))
    assert frame["better_share_p"].to_list() == [1 / 8, 1 / 8]
    assert head_to_head(results((None, {"a": 1, "b": 2})))["better_share_p"].to_list() == [1, 1]


def test_always_sitting_before_another_does_not_make_a_player_better() -> None:
    """Four players rotate and always finish in the order of seats: each is ahead of its neighbour in 3 of 4 matches."""
    turns = [{"abcd"[(turn + seat) % 4]: seat + 1 for seat in range(4)} for turn in range(4)]
    frame = head_to_head(results(*((f"l{luck}", turn) for luck in range(30) for turn in turns)))
    assert row(frame, player="a", other="b")["better_share"] == 3 / 4
    assert frame["better_share_p"].to_list() == [1] * 12
    ahead = [dict(turn, a=0) for turn in turns]  # a is first in every seat
    better = head_to_head(results(*((f"l{luck}", turn) for luck in range(30) for turn in ahead)))
    assert better.filter(player="a", other="b")["better_share_holm"].to_list() <= [0.01]


def test_pairs_with_hidden_players_belong_to_the_same_family() -> None:
    """Only a and b are shown, but pairs a–b, a–c and b–c are tested for wins together."""
    wins = results(*((f"l{luck}", {"a": 1 + luck % 9 // 8, "b": 2, "c": 3}) for luck in range(18)))
    shown = win_share(wins.with_columns(pl.col("player").is_in(["a", "b"]).alias("kept")))
    whole = win_share(wins)
    assert row(shown, player="b")["win_share_holm"] == row(whole, player="b")["win_share_holm"]


def test_holm_of_hand_picked_p_values() -> None:
    assert corrected_by_holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected_by_holm([0.6, 0.9]) == [1, 1]
    assert corrected_by_holm([]) == []


def test_holm_takes_each_pair_once() -> None:
    frame = head_to_head(TINY).filter(pl.col("player") < pl.col("other"))
    assert frame["better_share_holm"].to_list() == corrected(frame["better_share_p"].to_list(), HEAD_TO_HEAD)


def test_placement_splits_a_shared_place_over_the_places_it_covers() -> None:
    frame = placement(TINY)
    shares = frame.pivot("place", index="player", values="place_share").rows()
    assert shares == [("a", 2.5 / 4, 1.5 / 4, 0), ("b", 0.5 / 4, 2 / 4, 1.5 / 4), ("c", 1 / 4, 0.5 / 4, 2.5 / 4)]
    assert (
        frame.filter(pl.col("place") == 1)["place_share"].to_list()
        == win_share(TINY).sort("player")["win_share"].to_list()
    )


def test_placement_keeps_sizes_of_tables_apart() -> None:
    frame = placement(results((None, {"a": 1, "b": 2}), (None, {"a": 3, "b": 1, "c": 2})))
    assert [share for *_, share in frame.filter(player="a").select("players", "place", "place_share").rows()] == [
        1,
        0,
        0,
        0,
        1,
    ]


def test_a_seat_is_compared_with_the_players_who_sat_there() -> None:
    frame = seat_effect(TINY)
    assert frame["seat_share"].to_list() == [(1 + 0.5 + 1) / 4, 1 / 4, 0.5 / 4]
    a, b, c = 2.5 / 4, 0.5 / 4, 1 / 4
    assert frame["seat_effect"].to_list() == pytest.approx(
        [2.5 / 4 - (a + b + a + b) / 4, 1 / 4 - (b + c + b + c) / 4, 0.5 / 4 - (c + a + c + a) / 4]
    )
    assert (frame["seat_effect_p"] <= frame["seat_effect_holm"]).all()


def test_a_strong_player_in_the_first_seat_makes_no_strong_seat() -> None:
    frame = seat_effect(results(*((None, {"a": 1, "b": 2}) for _ in range(9))))
    assert frame["seat_share"].to_list() == [1, 0]
    assert frame["seat_effect"].to_list() == [0, 0]


def test_paired_differences_are_taken_seed_by_seed() -> None:
    by_luck = paired_by_luck(TINY, "a", "b", "beaten").sort("group")
    assert by_luck["luck_difference"].to_list() == [(1.75 - 1.25) / 2, (1.5 - 0.25) / 2]
    found = row(paired(TINY, "beaten"), player="a", other="b")
    assert found["paired_difference"] == pytest.approx((0.25 + 0.625) / 2)
    assert found["paired_difference_high"] == 1  # 12.7 · (0.625 − 0.25) / 2 exceeds the possible range of a share
    six = paired(results(*((f"l{n}", {"a": 1 + (n > 3), "b": 2 - (n > 3)}) for n in range(6))))
    reach = 2.5705818366147395 * deviation([1, 1, 1, 1, -1, -1]) / sqrt(6)  # t for five degrees of freedom
    assert row(six, player="a")["paired_difference_low"] == pytest.approx(2 / 6 - reach)
    assert row(paired(TINY, "win"), player="b", other="c")["paired_difference"] == (0.5 - 1) / 4


def test_the_width_without_pairing_is_that_of_matches_as_trials() -> None:
    """Written out: the effect of each match on the difference of means over seeds of means over seats."""
    rows = scored(TINY).to_dicts()
    seeds = sorted({each["group"] for each in rows})

    def seats(player: str, luck: str) -> list[dict[str, Any]]:
        return [each for each in rows if each["player"] == player and each["group"] == luck]

    moved: dict[str, float] = {}
    for player, sign in (("a", 1), ("c", -1)):
        means = [sum(each["beaten"] for each in seats(player, luck)) / len(seats(player, luck)) for luck in seeds]
        middle = sum(means) / len(seeds)
        for luck in seeds:
            for each in seats(player, luck):
                step = sign * (each["beaten"] - middle) / (len(seeds) * len(seats(player, luck)))
                moved[each["match"]] = moved.get(each["match"], 0) + step
    error = sqrt(4 / 3 * sum(step**2 for step in moved.values()))
    found = row(paired(TINY, "beaten"), player="a", other="c")
    first, second = paired_by_luck(TINY, "a", "c", "beaten")["luck_difference"]
    width = 12.706204736432095 * abs(first - second)  # t of one degree of freedom times s/√2 of two numbers
    assert found["narrowing"] == pytest.approx(2 * 3.1824463052842624 * error / width)  # t for three degrees of freedom


def test_pairing_removes_what_the_seed_gave_to_both() -> None:
    places = [(1, 2), (2, 3), (2, 3), (3, 4), (1, 2), (3, 3)]
    rivals = ("x", "y", "z")
    matches = [
        (f"l{number}", [(player, place), *zip(rivals, sorted({1, 2, 3, 4} - {place}), strict=True)])
        for number, pair in enumerate(places)
        for player, place in zip("ab", pair, strict=True)
    ]
    found = row(paired(results(*matches), "beaten"), player="a", other="b")
    a, b = ([(4 - place) / 3 for place in column] for column in zip(*places, strict=True))
    t6, t12 = 2.5705818366147395, 2.200985160082949
    together = t6 * deviation([x - y for x, y in zip(a, b, strict=True)]) / sqrt(6)
    apart = t12 * sqrt(12 / 11 * 5 / 36 * (deviation(a) ** 2 + deviation(b) ** 2))
    assert found["narrowing"] == pytest.approx(apart / together)
    assert found["worth"] == pytest.approx((apart / together) ** 2)
    assert apart / together > 2


def deviation(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


@pytest.mark.parametrize("name", STRENGTH)
def test_the_order_of_matches_changes_nothing(name: str) -> None:
    assert STRENGTH[name](TINY.sample(fraction=1, shuffle=True, seed=5)).equals(STRENGTH[name](TINY))


@pytest.mark.parametrize("name", STRENGTH)
def test_other_names_change_only_the_names(name: str) -> None:
    renamed = STRENGTH[name](TINY.with_columns(pl.col("player").replace(NAMES)))
    back = renamed.with_columns(
        pl.col(column).replace({new: old for old, new in NAMES.items()})
        for column in ("player", "other")
        if column in renamed.columns
    ).select(pl.exclude("against"))
    keys = [column for column in back.columns if metric_of(column) is None]
    expected = STRENGTH[name](TINY).select(pl.exclude("against")).sort(keys)
    assert back.sort(keys).select(keys).equals(expected.select(keys))
    for column in set(back.columns) - set(keys):
        assert back.sort(keys)[column].to_list() == pytest.approx(expected[column].to_list(), abs=1e-6), column


@pytest.mark.parametrize("name", STRENGTH)
def test_every_figure_of_nothing_is_an_empty_table_of_the_same_kind(name: str) -> None:
    assert STRENGTH[name](TINY.clear()).schema == STRENGTH[name](TINY).schema


@pytest.mark.parametrize(
    "figure", [*STRENGTH.values(), lambda frame: paired_by_luck(frame, "a", "b")], ids=[*STRENGTH, "by luck"]
)
def test_every_column_is_a_key_or_has_its_metric(figure: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    assert [metric_of(column) for column in figure(TINY).columns]


def test_every_metric_is_a_column_of_some_figure_and_whole() -> None:
    columns = {column for table in all_figures().values() for column in table.columns}
    named = {metric.name for column in columns if (metric := metric_of(column))}
    of_two = {"luck_difference", "side_difference", "ahead_difference"}
    of_two |= {"per_seat", "other_per_seat", "per_seat_difference"}
    assert set(METRICS) - named <= of_two  # metrics of two players, sides or selections
    for metric in METRICS.values():
        assert metric.sentence.endswith(".")
        assert all((metric.formula, metric.source, metric.grain, metric.unit))


def test_a_column_without_a_metric_is_an_error() -> None:
    with pytest.raises(KeyError):
        metric_of("luck_low")


def test_versions_of_a_player_are_distinguished() -> None:
    versions = TINY.with_columns(pl.when(pl.col("seat") == 0).then(pl.lit("2")).otherwise("version").alias("version"))
    assert set(ratings(by_version(versions))["player"]) == {"a 1", "a 2", "b 1", "b 2", "c 1"}


def test_results_are_those_of_the_logs(reader: Reader, warehouse: Warehouse, finished: list[Replay]) -> None:
    frame = seat_results(reader, Filter())
    assert frame.columns == [*RESULTS, "kept", "name"]
    with warehouse.reading() as cursor:
        names = dict(cursor.execute("select match_id, match from dim_matches").fetchall())
    seeds: dict[int, str | None] = {}
    expected = set()
    for replay in finished:
        assert replay.ended
        before = 0
        for seats in replay.ended.ranking:
            for seat in seats:
                info = replay.header.seats[seat]
                expected.add((replay.entries[0].match, replay.header.luck, seat, info.player, before + 1))
            before += len(seats)
    seeds = {number: luck for name, luck, *_ in expected for number in names if names[number] == name}
    groups = {luck: frame.filter(match=number)["luck"][0] for number, luck in seeds.items()}
    assert len(set(groups.values())) == len(groups)
    found = {
        (names[match], luck, *rest)
        for match, luck, *rest in frame.select("match", "luck", "seat", "player", "place").rows()
    }
    assert found == {(name, groups[luck], *rest) for name, luck, *rest in expected}
    assert frame.height == len(expected)


def test_results_under_a_filter_and_the_settings_of_a_player(reader: Reader) -> None:
    frame = seat_results(reader, Filter(tournaments=("three",)))
    assert set(frame["tournament"]) == {"three"}
    assert set(frame.filter(player="trader")["version"]) == {"1:delegation=0.8:inventory=1:stupa=0.8:yak=1"}
    assert set(frame.filter(player="greedy")["version"]) == {"1"}
    assert seat_results(reader, Filter(sizes=(6,))).is_empty()
