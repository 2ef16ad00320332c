"""Findings of each game's figures name a leader only if the lead is significant."""

import ast
import inspect
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import polars as pl
import pytest

from dashboards.games.analytics import ANALYTICS
from dashboards.games.caravan.figures.course import INFLUENCE_BY_ROUND
from dashboards.games.climbers.figures.blocking import DISCS
from dashboards.stats import claims
from tests.dashboards.games.findings import Case, check, finding_of, with_bounds

CASES: Final[Mapping[str, Mapping[str, Case]]] = {
    game: import_module(f"tests.dashboards.games.{game}.cases").CASES for game in ANALYTICS
}


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, cases in CASES.items() for name in cases])
def test_only_a_significant_lead_is_called_a_lead(game: str, name: str) -> None:
    check(game, name, CASES[game][name])


@pytest.mark.parametrize("game", CASES)
def test_every_figure_with_bounds_has_its_sentences_here(game: str) -> None:
    assert CASES[game].keys() == with_bounds(game)


def telling() -> Iterator[ModuleType]:
    """Yield the modules of games that name a leader."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("dashboards.games.") and getattr(module, "lead_sentence", None) is claims.lead_sentence:
            yield module


def test_no_template_is_used_without_its_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call of `lead_sentence` is tested, with each of its templates once as a superlative and once without."""
    calls, reached = set[tuple[str, int]](), set[tuple[str, int]]()
    said: dict[tuple[str, str], set[bool]] = defaultdict(set)

    def spy(frame: pl.DataFrame, name: str, key: str, superlative: str, plain: str, *shown: Any, **how: Any) -> str:
        caller = sys._getframe(1)
        reached.add((caller.f_code.co_filename, caller.f_lineno))
        text, level = (
            claims.lead_sentence(frame, name, key, most, plain, *shown, **how) for most in (superlative, plain)
        )
        said[superlative, plain].add(text != level)
        return text

    for module in telling():
        file = inspect.getfile(module)
        nodes = ast.walk(ast.parse(Path(file).read_text("utf-8")))
        names = (node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
        calls |= {
            (file, node.lineno) for node in names if isinstance(node.func, ast.Name) and node.func.id == "lead_sentence"
        }
        monkeypatch.setattr(module, "lead_sentence", spy)
    for game, cases in CASES.items():
        for name, case in cases.items():
            for frame in (case.apart, case.near):
                finding_of(game, name)(frame)
    assert calls
    assert calls - reached == set()
    assert {templates for templates, both in said.items() if both != {True, False}} == set()


@pytest.mark.parametrize(
    ("medians", "said"),
    [
        ([5.0, 4.0, 9.0, 8.5], "ranges from 4 (b) to 5 (a), after round 9 from 8.5 (b) to 9 (a)"),
        ([5.0, 4.0, 9.0, 9.0], "ranges from 4 (b) to 5 (a), after round 9 is 9 for every player"),
    ],
)
def test_medians_name_no_leader(medians: list[float], said: str) -> None:
    keys = {"player": ["a", "b", "a", "b"], "round": [6, 6, 9, 9], "influence": ["economic"] * 4}
    assert INFLUENCE_BY_ROUND.finding(pl.DataFrame({**keys, "points_median": medians})) == (
        f"After round 6 the median economic influence {said}."
    )


def test_heights_are_reported_for_rounds_reached_by_half_of_each_player_s_matches() -> None:
    """By round 3, b has two of five matches left; by round 4, a has one, and b has none."""
    keys = {"player": [*"abababa"], "round": [1, 1, 2, 2, 3, 3, 4], "seats": [5, 5, 4, 3, 4, 2, 1], "figure": "level"}
    medians = [1.0, 1.0, 4.0, 3.0, 9.0, 9.0, 9.0]
    frame = pl.DataFrame(keys).with_columns(level_after=pl.lit(1.0), level_after_median=pl.Series(medians))
    assert finding_of("climbers", "levels-by-turn")(frame) == (
        "After turn 1 the median level of climbers is 1 for every player, after turn 2 ranges from 3 (b) to 4 (a)."
        " Counts only matches not over by then: 7 climbers at turn 2."
    )


def test_no_player_is_called_lucky_without_clear_evidence() -> None:
    near = CASES["summit"]["dice"].near.with_columns(dice_pips_low=pl.lit(-1.0))
    assert "). No player is clearly lucky: a gains +6.0 pips a match by the luck" in finding_of("summit", "dice")(near)


def test_an_interval_that_says_nothing_gives_way_to_counts() -> None:
    ways = CASES["climbers"]["ways-to-win"].near.with_columns(way_share_low=pl.lit(0.0), way_share_high=pl.lit(1.0))
    said = finding_of("climbers", "ways-to-win")(ways)
    assert said.startswith(
        "With 3 players, the winner of 2 of 10 matches shares the highest level and got there first."
    )
    turns = CASES["climbers"]["turns-taken"].near.with_columns(turns_taken_low=pl.lit(0.0))
    assert finding_of("climbers", "turns-taken")(turns).endswith("A match of 3 players takes 30.0 turns in 12 matches.")


def test_a_player_who_alone_places_tokens_is_named() -> None:
    placed = pl.when(pl.col("player") == "a").then("placed_share").otherwise(0.0)
    alone = CASES["caravan"]["tokens"].near.with_columns(placed_share=placed)
    tell = finding_of("caravan", "tokens")
    assert tell(alone).startswith("Only a places tokens. A Yeti placed by a stops")
    assert not tell(alone.filter(player="a")).startswith("Only"), "of a player by itself that says nothing"


def test_the_discs_of_two_seats_are_too_few_for_a_lead() -> None:
    apart, level = CASES["climbers"]["discs"].apart, "A disc of a hinders 1.00 opponents on average ("
    said = DISCS.finding(apart.with_columns(disc_share=pl.Series([0.04, 0.03])))
    assert level in said
    assert "; too few seeds to judge the lead)" in said
