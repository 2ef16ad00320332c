"""Failed browser tests run a second time; if one passes then, the run lists it under a separate heading.

Browsers depend on the load of the machine, and one failure in many runs is no reason to repeat a whole run. The failure
is not hidden: the end of the run shows the test and the reason.
"""

import pytest
from _pytest.runner import runtestprotocol

UNSTEADY = "unsteady"
"""Name of the report property with the reason of the first failure."""


class Unsteady:
    """A pytest plugin that repeats failed browser tests and lists those that needed it."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Run a browser test; run it once more if it fails, and report only the second result."""
        if item.get_closest_marker("browser") is None:
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = [report for report in reports if report.failed]
        if failed:
            item._initrequest()  # type: ignore[attr-defined]  # recreates its fixtures
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
            if not any(report.failed for report in reports):
                reports[-1].user_properties.append((UNSTEADY, reason(failed[0])))
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember tests that ran twice; reports may come from other processes."""
        if why := dict(report.user_properties).get(UNSTEADY):
            self.reasons[report.nodeid] = str(why)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the tests that passed only the second time."""
        if self.reasons:
            terminalreporter.section("unsteady: failed once, then passed", yellow=True)
            for nodeid, why in sorted(self.reasons.items()):
                terminalreporter.line(f"{nodeid}: {why}")


def reason(report: pytest.TestReport) -> str:
    """Return the reason of a failure in one line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = str(crash.message) if crash else report.longreprtext.strip()
    return f"{report.when}: {text.partition(chr(10))[0]}"


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Unsteady())
