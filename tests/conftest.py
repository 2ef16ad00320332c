"""Shared by all tests: the effort of hypothesis, skips as failures in CI, and new warehouses.

In CI (environment variable CI is "true") a skipped test fails the run, as a check that did not run is no check.
HYPOTHESIS_PROFILE sets the number of cases per generated test: 25 in `make test`, 100 (all) in `make test-all`, 2,000
(soak) in `make soak`.
"""

import gc
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from himalaya_core.game import Game
from himalaya_core.games import GAMES
from tests.once import FOLDER
from tests.toy.installing import TOY, installed

settings.register_profile("all", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", settings.get_profile("all"), max_examples=25)
settings.register_profile("soak", settings.get_profile("all"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

pytest_plugins = ["tests.unsteady"]
LONGEST_FIRST = ("browser", "ingest", "dashboards", "golden", "core", "conformance")
"""Test folders from slowest to faster; all others are fast."""
TESTS = Path(__file__).parent
skipped: list[str] = []


def pytest_configure(config: pytest.Config) -> None:
    """Create a folder shared by the processes of this run; the other processes get its name at their start.

    Turn garbage collection off until all tests are collected: scanning imported modules and collected tests repeatedly
    takes a fifth of the time, and frees nothing.
    """
    gc.disable()
    if FOLDER not in os.environ:
        folder = TemporaryDirectory(prefix="himalaya-tests-")
        os.environ[FOLDER] = folder.name
        config.add_cleanup(folder.cleanup)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest tests first; reject a test that is excluded from `make test` without a reason."""
    for item in items:
        for mark in (*item.iter_markers("slow"), *item.iter_markers("soak")):
            if [type(reason) for reason in mark.args] != [str]:
                raise pytest.UsageError(f"{item.nodeid}: expected a reason, as in @pytest.mark.{mark.name}('…')")
    places = {folder: place for place, folder in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path.relative_to(TESTS).parts[0], len(places)))


def pytest_collection_finish() -> None:
    """Exclude existing objects from garbage collection, and run it less often; it took a twelfth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        skipped.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.skipped:
        skipped.append(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if skipped and os.environ.get("CI") == "true" and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if skipped and os.environ.get("CI") == "true":
        terminalreporter.section("skipped, which fails a run in CI", red=True)
        for nodeid in sorted(set(skipped)):
            terminalreporter.line(nodeid)


@pytest.fixture
def toy() -> Iterator[Game[Any, Any, Any]]:
    """Install the package in `tests/toy`, a game with rules only."""
    with installed(TOY):
        yield GAMES["nim2"]


@pytest.fixture(scope="session", autouse=True)
def new_warehouses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Create each new warehouse as a copy of a template: creating its tables takes a fifth of a small ingest.

    This applies only to this process. A command in another process creates the tables itself, as does a test with its
    own game.
    """
    from ingest import opening, warehouse

    made = tmp_path_factory.mktemp("new") / "himalaya.duckdb"
    with opening.open_warehouse(made) as opened, opened.writing() as connection:
        connection.execute("DELETE FROM app_store")  # each copy gets its own app store
    empty, connect, games = made.read_bytes(), warehouse._connect, list(GAMES)

    def copied(database: Path, *, read_only: bool) -> Any:
        if not read_only and database != warehouse.IN_MEMORY and list(GAMES) == games:
            with suppress(OSError), database.open("xb") as file:  # if it can't be created, the product reports why
                file.write(empty)
        return connect(database, read_only=read_only)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(warehouse, "_connect", copied)
        yield
