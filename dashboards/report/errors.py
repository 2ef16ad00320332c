"""Errors of reports, and the type of progress callbacks."""

from himalaya_core.errors import HimalayaError
from ingest.jobs import Progress

__all__ = ["NothingToReport", "Progress", "ReportError"]


class ReportError(HimalayaError):
    """A report that cannot be made; the message is one line with the reason."""


class NothingToReport(ReportError):
    """A filter without any match."""
