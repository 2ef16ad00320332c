"""Players who never met are not compared; each setting of a player is a separate row in all figures."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from dashboards.catalog.compare import sides_of, verdict_of
from dashboards.catalog.figures import all_figures, finding_of, tournaments_now
from dashboards.charts.chart import of_participants
from dashboards.games.shared.recent import counted_results
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import finished_count
from dashboards.queries.where import participants
from dashboards.stats.claims import RISK
from ingest.opening import open_warehouse
from tests.dashboards.games.caravan.tiny import insert

WHOLE: Final = Filter(game="caravan")
POOLS: Final = [*[("greedy", "random", "random")] * 8, *[("planner", "trader", "balanced")] * 8]


@contextmanager
def played(path: Path, *line_ups: tuple[str, ...]) -> Iterator[Reader]:
    """Yield a warehouse with matches on eight seeds, given each seating and its places; `name:x=1` is a setting."""
    common: dict[str, Any] = {"game": "caravan", "board_id": "b", "board_sha256": "b", "tournament": "t"}
    with open_warehouse(path / "w.duckdb") as warehouse, warehouse.writing() as connection:
        cohort = 0
        for number, line_up in enumerate(line_ups):
            names = [text.partition(":")[0] for text in line_up]
            match = {**common, "match_id": number, "match": f"m{number}", "luck": f"l{number % 8}", "verdict": "clean"}
            known = {"status": "finished", "players": len(names), "line_up": ", ".join(names), "winner_seats": [0]}
            insert(connection, "dim_matches", {**match, **known, "options": "{}"})
            for seat, text in enumerate(line_up):
                cohort += 1
                kind: Mapping[str, Any] = {"seat": seat, "version": "1", "place": seat + 1, "won": seat == 0}
                own = {"player": names[seat], "params": _params(text), "cohort": cohort}
                insert(connection, "dim_seats", {"match_id": number, "label": "", **kind, **own})
                of_match = {"players": len(names), "options": "{}", "verdict": "clean"}
                insert(connection, "dim_cohorts", {**common, **of_match, **kind, **own})
        yield Reader(warehouse)


def _params(text: str) -> str:
    settings = [setting.split("=") for setting in text.split(":")[1:]]
    return "{" + ", ".join(f'"{name}": {value}' for name, value in settings) + "}"


def said(reader: Reader, name: str, where: Filter = WHOLE) -> str:
    figure = all_figures()[name]
    return finding_of(reader, figure, figure.frame(reader, where), where)


def test_pools_that_never_met_have_no_common_winner_rating_or_p(tmp_path: Path) -> None:
    with played(tmp_path, *POOLS) as reader:
        shares = all_figures()["win-share"].frame(reader, WHOLE)
        ratings = all_figures()["ratings"].frame(reader, WHOLE)
        won, rated = said(reader, "win-share"), said(reader, "ratings")
    assert shares.select("player", "pool", "against").rows() == [
        ("planner", 1, "balanced, trader"),
        ("balanced", 1, "planner, trader"),
        ("trader", 1, "balanced, planner"),
        ("greedy", 2, "random"),
        ("random", 2, "greedy"),
    ]
    assert shares.filter(player="greedy")["win_share_p"].to_list() == [None]
    assert ratings.group_by("pool").agg(pl.col("rating").sum())["rating"].to_list() == pytest.approx([0, 0], abs=1e-6)
    never_met = "2 pools of players never met: balanced, planner, trader · greedy, random."
    assert won.startswith(f"{never_met} Among balanced, planner, trader: planner wins most often")
    assert " Among greedy, random: greedy wins most often: " in won
    assert rated.startswith(never_met)


def test_every_sentence_about_players_is_about_one_pool(tmp_path: Path) -> None:
    with played(tmp_path, *POOLS) as reader:
        assert "planner" not in said(reader, "placement").partition("Among greedy, random")[2]
        (tournament,) = tournaments_now(reader, 1).to_dicts()
        assert (tournament["pools"], tournament["leader"]) == (2, None)
        sides = sides_of(reader, {"game": "caravan", "side": ["greedy", "planner"]})
        assert verdict_of(reader, sides) == ["2 pools of players never met: planner · greedy."]


def test_halves_of_a_pool_that_one_match_joins_are_named(tmp_path: Path) -> None:
    with played(tmp_path, *POOLS, ("greedy", "planner")) as reader:
        rated = said(reader, "ratings")
        first = all_figures()["win-share"].frame(reader, WHOLE).filter(player="planner")
    assert "Only 1 match joins balanced, planner and trader to greedy and random" in rated
    assert first["win_share_holm"].item() is None or first["win_share_holm"].item() > RISK


def test_players_connected_through_others_are_rated_but_not_compared(tmp_path: Path) -> None:
    ladder = [*[("a", "b")] * 8, *[("b", "c")] * 8, *[("c", "d")] * 8]
    with played(tmp_path, *ladder) as reader:
        assert all_figures()["ratings"].frame(reader, WHOLE)["player"].to_list() == ["a", "b", "c", "d"]
        assert "It never met d, so there is no comparison." in said(reader, "win-share")


def test_ratings_without_a_limit_are_named(tmp_path: Path) -> None:
    with played(tmp_path, *[("a", "b")] * 8) as reader:
        assert said(reader, "ratings").endswith(
            "a finished ahead of b in all 8 matches they shared, so nothing limits the distance between their ratings."
            " Only more seeds can narrow its interval."
        )


def test_a_sweep_of_settings_is_one_row_for_each(tmp_path: Path) -> None:
    sweep = [(f"trader:horizon=2:yak={yak}", "greedy") for yak in (0.6, 1.0, 1.4) for _ in range(8)]
    with played(tmp_path, *sweep) as reader:
        names = {"greedy", "trader yak=0.6", "trader yak=1", "trader yak=1.4"}
        for name in ("win-share", "ratings", "placement", "final-influence"):
            frame = all_figures()[name].frame(reader, WHOLE)
            assert set(frame["player"]) == (names if frame.height else set()), name
        alone = Filter(game="caravan", players=("trader",))
        assert set(counted_results(reader, alone).seats.filter("kept")["player"]) == names - {"greedy"}
        led = of_participants(participants(reader, WHOLE))("player=trader+yak%3D0.6&with=greedy")
        assert led == "version=trader+1%3Ahorizon%3D2%3Ayak%3D0.6&with=greedy"
        assert finished_count(reader, Filter(game="caravan", versions=("trader 1:horizon=2:yak=0.6",))) == 8


def test_compare_makes_each_setting_of_a_player_a_side(tmp_path: Path) -> None:
    sweep = [line_up for yak in (0.6, 1.4) for line_up in [(f"trader:yak={yak}", "greedy")] * 8]
    with played(tmp_path, *sweep) as reader:
        players = sides_of(reader, {"game": "caravan", "side": ["trader", "greedy"]})
        versions = sides_of(reader, {"game": "caravan", "by": "version"})
        assert players.shown() == ("trader yak=0.6", "trader yak=1.4", "greedy")
        assert versions.shown() == players.shown()[:2]
        assert verdict_of(reader, players)[0].startswith("trader yak=0.6 and trader yak=1.4 win more than greedy")
        assert players.behind("trader yak=0.6") == [("version", "trader 1:yak=0.6")]


def test_many_settings_of_a_player_share_one_row_named_mixed(tmp_path: Path) -> None:
    with played(tmp_path, *[(f"trader:yak={yak}", "greedy") for yak in range(27)]) as reader:
        shares = all_figures()["win-share"].frame(reader, WHOLE)
        assert set(shares["player"]) == {"greedy", "trader (27 settings mixed)"}
        one = Filter(game="caravan", versions=("trader 1:yak=3",))
        assert all_figures()["win-share"].frame(reader, one)["player"].to_list() == ["trader yak=3"]
