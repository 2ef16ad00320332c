"""What the figures of each game say: who leads, if the lead is significant, and otherwise no superlative."""

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
from dashboards.games.caravan.figures.influence_by_round import round_finding
from dashboards.games.climbers.figures.discs import disc_finding
from dashboards.stats import claims
from tests.dashboards.games.findings import Case, check, finding_of, with_bounds

CASES: Final[Mapping[str, Mapping[str, Case]]] = {
    game: import_module(f"tests.dashboards.games.{game}.cases").CASES for game in ANALYTICS
}


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, cases in CASES.items() for name in cases])
def test_a_lead_is_called_one_only_if_it_is_significant(game: str, name: str) -> None:
    check(game, name, CASES[game][name])


@pytest.mark.parametrize("game", CASES)
def test_every_figure_with_bounds_has_its_sentences_here(game: str) -> None:
    assert CASES[game].keys() == with_bounds(game)


def telling() -> Iterator[ModuleType]:
    """Yield the modules of games that say who leads."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("dashboards.games.") and getattr(module, "told", None) is claims.told:
            yield module


def test_no_template_is_used_without_its_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call of `claims.told` is reached, and each of its templates once as a superlative and once without."""
    calls, reached = set[tuple[str, int]](), set[tuple[str, int]]()
    said: dict[tuple[str, str], set[bool]] = defaultdict(set)

    def spy(frame: pl.DataFrame, name: str, key: str, superlative: str, plain: str, *shown: Any, **how: Any) -> str:
        caller = sys._getframe(1)
        reached.add((caller.f_code.co_filename, caller.f_lineno))
        text, level = (claims.told(frame, name, key, most, plain, *shown, **how) for most in (superlative, plain))
        said[superlative, plain].add(text != level)
        return text

    for module in telling():
        file = inspect.getfile(module)
        nodes = ast.walk(ast.parse(Path(file).read_text("utf-8")))
        names = (node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
        calls |= {(file, node.lineno) for node in names if isinstance(node.func, ast.Name) and node.func.id == "told"}
        monkeypatch.setattr(module, "told", spy)
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
        ([5.0, 4.0, 9.0, 8.5], "runs from 4 (b) to 5 (a) after round 6, and from 8.5 (b) to 9 (a) after round 9"),
        ([5.0, 4.0, 9.0, 9.0], "runs from 4 (b) to 5 (a) after round 6, and is 9 for every player after round 9"),
    ],
)
def test_of_medians_nobody_leads(medians: list[float], said: str) -> None:
    keys = {"player": ["a", "b", "a", "b"], "round": [6, 6, 9, 9], "influence": ["economic"] * 4}
    assert round_finding(pl.DataFrame({**keys, "points_median": medians})) == f"The median economic influence {said}."


def test_the_discs_of_two_seats_are_too_few_for_a_lead() -> None:
    apart, level = CASES["climbers"]["discs"].apart, "A disc of a hinders 1.00 opponents on average"
    assert level in disc_finding(apart.with_columns(disc_share=pl.Series([0.04, 0.03])))
