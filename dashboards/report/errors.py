"""What ends the making of a report, and who is told how far it is."""

from collections.abc import Callable

__all__ = ["NothingToReport", "Progress", "ReportError"]

Progress = Callable[[int, int, str], None]
"""Is told how many steps of how many are done, and what comes now; what it raises ends the making."""


class ReportError(Exception):
    """A report that cannot be made; the message is one line and says why."""


class NothingToReport(ReportError):
    """A filter that leaves no match."""
