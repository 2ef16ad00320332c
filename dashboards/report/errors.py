"""Why a report cannot be made, and who is told of its progress."""

from himalaya_core.errors import HimalayaError
from ingest.jobs import Progress

__all__ = ["NothingToReport", "Progress", "ReportError"]


class ReportError(HimalayaError):
    """A report that cannot be made; the message is one line and says why."""


class NothingToReport(ReportError):
    """A filter that leaves no match."""
