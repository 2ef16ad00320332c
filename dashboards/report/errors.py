"""How a report under way is cancelled, and who is told of its progress."""

from collections.abc import Callable

__all__ = ["NothingToReport", "Progress", "ReportError"]

Progress = Callable[[int, int, str], None]
"""Called with the steps done, the number of steps and the name of the next; an exception from it stops the report."""


class ReportError(Exception):
    """A report that cannot be made; the message is one line and says why."""


class NothingToReport(ReportError):
    """A filter that leaves no match."""
