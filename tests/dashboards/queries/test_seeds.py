"""Matches without a seed, and copies of a match: how many observations each figure counts."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from dashboards.catalog.compare import APART, Sides, alike_of, frame_of
from dashboards.catalog.figures import figures_of
from dashboards.queries.filters import Filter
from dashboards.queries.participants import version_of
from dashboards.queries.provenance import scope_under
from dashboards.queries.reader import Reader
from dashboards.queries.results import finished_count, seat_results
from dashboards.queries.tournaments import tournament_list
from dashboards.queries.where import cohorts_where
from dashboards.ui.components import finished_in_words
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import Request, ingest, take_in
from tests.core.log.damage import resign
from tests.ingest.helping import summit_log, write

FURTHER = pytest.mark.slow("each kind of copy by itself")
NO_SEED = {"luck": None}
PLAYERS = ("random", "greedy")
OF_THE_LOG = {"match", "tournament", "first_in", "last_in"}
"""Columns that may differ between copies of the same match."""


def named(lines: Sequence[bytes], match: str, tournament: str | None, **changes: Any) -> list[bytes]:
    """Return a match under another name in a tournament, with changes to its header."""
    name = json.loads(lines[0])["match"]
    lines = [line.replace(f'"{name}"'.encode(), f'"{match}"'.encode(), 1) for line in lines]
    header = json.loads(lines[0])
    header["data"] |= {"tournament": tournament, **changes}
    return resign([json.dumps(header).encode() + b"\n", *lines[1:]])


@pytest.fixture(scope="module", params=[4, pytest.param(12, marks=pytest.mark.slow("more seeds"))])
def seeds(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def reader(seeds: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """Tournaments with the same matches: with seeds, without, half without, and copies of the first two.

    `again` copies the tournament with seeds; `twice` has two copies of each match without seeds.
    """
    folder = tmp_path_factory.mktemp("seeds")
    played = [summit_log(f"s.{n}", PLAYERS) for n in range(seeds)]
    tournaments: dict[str, Sequence[dict[str, Any]]] = {
        "seeded": [{}] * seeds,
        "seedless": [NO_SEED] * seeds,
        "mixed": [NO_SEED if n % 2 else {} for n in range(seeds)],
        "again": [{}] * seeds,
        "twice": [NO_SEED] * 2 * seeds,
    }
    logs = [
        named(played[n % seeds], f"{tournament}.{n}", tournament, **changed)
        for tournament, changes in tournaments.items()
        for n, changed in enumerate(changes)
    ]
    ingest([write(folder / "logs.jsonl", *logs)], folder / "w.duckdb", processes=0)
    run_operation(folder / "w.duckdb", "review", {})
    with open_warehouse(folder / "w.duckdb") as opened:
        yield Reader(opened)


def figures(reader: Reader, *tournaments: str) -> dict[str, pl.DataFrame]:
    """Return all figures of summit about some tournaments, and of a comparison, without columns specific to a log."""
    where = Filter(tournaments=tournaments)
    found = {name: figure.frame(reader, where) for name, figure in figures_of("summit").items()}
    found["compare"] = frame_of(reader, APART, Sides("player", PLAYERS, where, chosen=True))
    known = {name: frame.drop(OF_THE_LOG, strict=False) for name, frame in found.items() if name != "tournaments"}
    known["calibration"] = known["calibration"].select("bin", "groups")  # the rest is resampled
    return {name: frame.sort(frame.columns) for name, frame in known.items()}


@pytest.fixture(scope="module")
def figures_of_tournaments(reader: Reader) -> Callable[..., dict[str, pl.DataFrame]]:
    """Return a cached function that computes all figures about some tournaments."""
    return cache(partial(figures, reader))


def differing(found: dict[str, pl.DataFrame], expected: dict[str, pl.DataFrame]) -> set[str]:
    """Return the names of figures that differ from the expected ones; sums of fractions may differ by rounding."""
    return {name for name, frame in expected.items() if not _rounded(found[name]).equals(_rounded(frame))}


def _rounded(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(pl.Float64).round(9))


@pytest.mark.slow("every figure")
@pytest.mark.parametrize("tournament", ["mixed", pytest.param("seedless", marks=FURTHER)])
def test_a_match_without_a_seed_is_one_observation_in_every_figure(
    reader: Reader, seeds: int, figures_of_tournaments: Callable[..., dict[str, pl.DataFrame]], tournament: str
) -> None:
    assert scope_under(reader, Filter(tournaments=(tournament,))).seeds == seeds
    assert differing(figures_of_tournaments(tournament), figures_of_tournaments("seeded")) == set()


@pytest.mark.slow("copies, further on")
@pytest.mark.parametrize(
    ("tournaments", "alone"),
    [
        (("again",), "seeded"),
        pytest.param(("seedless", "twice"), "seedless", marks=FURTHER),
    ],
)
def test_copies_of_a_match_count_once_under_a_filter(
    reader: Reader,
    seeds: int,
    figures_of_tournaments: Callable[..., dict[str, pl.DataFrame]],
    tournaments: tuple[str, ...],
    alone: str,
) -> None:
    assert scope_under(reader, Filter(tournaments=tournaments)).matches == seeds
    assert differing(figures_of_tournaments(*tournaments), figures_of_tournaments(alone)) == set()


@pytest.mark.slow("every figure")
def test_the_list_of_tournaments_counts_seeds_and_not_copies(reader: Reader, seeds: int) -> None:
    rows = tournament_list(reader, Filter()).sort("tournament").select("tournament", "all_matches", "groups")
    assert dict(zip(rows["tournament"], rows["groups"], strict=True)) == dict.fromkeys(rows["tournament"], seeds)


def test_copies_count_on_each_side_of_a_comparison(reader: Reader, seeds: int) -> None:
    sides = Sides("tournament", ("seedless", "twice"), Filter(), chosen=True)
    assert alike_of(reader, sides).matches == 2 * seeds
    found = frame_of(reader, APART, sides)
    assert found["side_difference", "groups"].rows() == [(0, seeds)] * len(PLAYERS)


def test_a_null_setting_distinguishes_a_version_from_one_without_it() -> None:
    sql = f"select {version_of('k')} from (select '1' as version, json('{{\"yak\": null}}') as params) k"
    assert duckdb.connect().execute(sql).fetchall() == [("1:yak=null",)]


def counted(database: Path, where: Filter) -> tuple[int, int, int]:
    """Return the counted matches and seats: by match, by seat, and by cohort."""
    with open_warehouse(database) as opened:
        reader = Reader(opened)
        condition, values = cohorts_where(where)
        by_cohort = f"select count(*) from dim_seats s join dim_cohorts c using (cohort) where {condition}"
        ((seats,),) = reader.rows(by_cohort, values)
        return finished_count(reader, where), seat_results(reader, where).height, seats


ONE = (1, 2, 2)
"""Counts of one two-player match."""


@pytest.mark.slow("copies, further on")
@pytest.mark.parametrize("forgotten", ["first.1", pytest.param("second.1", marks=FURTHER)])
def test_whichever_copy_is_forgotten_the_other_counts(tmp_path: Path, forgotten: str) -> None:
    lines, database = summit_log("s.0", PLAYERS), tmp_path / "w.duckdb"
    logs = [named(lines, "first.1", "first"), named(lines, "second.1", "second")]
    ingest([write(tmp_path / "logs.jsonl", *logs)], database, processes=0)
    assert counted(database, Filter()) == ONE
    run_operation(database, "forget", {"matches": [forgotten]})
    assert counted(database, Filter()) == ONE


@pytest.mark.slow("copies, further on")
def test_copies_count_once_when_verified_later_completed_or_given_a_tournament(tmp_path: Path) -> None:
    lines, database = summit_log("s.0", PLAYERS), tmp_path / "w.duckdb"
    options = {"first": None, "players": 2}  # another program may write options in this way
    first, second = named(lines, "first.1", None), named(lines, "second.1", "second", options=options)
    ingest([write(tmp_path / "begun.jsonl", first[:50])], database, processes=0)
    ingest([write(tmp_path / "second.jsonl", second)], database, processes=0, judge="later")
    assert counted(database, Filter()) == (0, 0, 0)
    whole = write(tmp_path / "whole.jsonl", first)
    ingest([whole], database, processes=0)
    assert counted(database, Filter()) == ONE
    run_operation(database, "judge", {})
    assert counted(database, Filter()) == ONE
    with open_warehouse(database) as opened:
        take_in(opened, Request((whole,), "first", jobs=0), lambda _: None)
    assert counted(database, Filter()) == ONE
    assert counted(database, Filter(tournaments=("first",))) == ONE
    assert counted(database, Filter(tournaments=("second",))) == ONE
    assert run_operation(database, "check", {})["findings"] == []


def test_pages_and_reports_list_copies_of_matches(reader: Reader, seeds: int) -> None:
    count, where = seeds * 3 // 2, Filter(tournaments=("seeded", "mixed"))
    said = f"{count} also loaded as again, mixed, seedless and 1 more"
    assert finished_in_words(reader, where) == (count, f"{count} finished matches, {said}")
    assert scope_under(reader, where).checks.by_kind("dice")["Copies"] == f"{said}; each counts once"
