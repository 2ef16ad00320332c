"""What all tests share: how long hypothesis searches, and that nothing is skipped where it counts.

In CI (the environment variable CI is "true") a skipped test fails the run: a check that did not run is not a check.
HYPOTHESIS_PROFILE=soak searches for as long as `make soak` wants.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", settings.get_profile("default"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

skipped: list[str] = []


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
