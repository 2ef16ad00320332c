"""Reports made in the background; equal requests share one."""

from functools import partial
from typing import NamedTuple

from dashboards.report.render import MIMETYPES, Format, make
from dashboards.warehouse.filters import Filter
from ingest.jobs import Job, Jobs, Progress
from ingest.warehouse import Warehouse

__all__ = ["Reports", "Wanted", "wanted_of"]


class Wanted(NamedTuple):
    """A requested report; `stamp` identifies the content of the database."""

    where: Filter
    format: Format
    stamp: str = ""

    @property
    def type(self) -> str:
        """Return the type of the file."""
        return MIMETYPES[self.format]


class Reports:
    """The reports of a server."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.jobs = Jobs("report", hint="; choose fewer matches")
        self._warehouse = warehouse

    def ask(self, wanted: Wanted, owner: str) -> Job:
        """Request a report for its owner; `Busy` if too many wait. Without a stamp none is shared."""
        return self.jobs.ask(wanted, partial(self._made, wanted), owner, shares=bool(wanted.stamp))

    def _made(self, wanted: Wanted, progress: Progress) -> bytes:
        def report(done: int, total: int, step: str) -> None:
            self._warehouse.backpressure.yield_to_readers()
            progress(done, total, step)

        with self._warehouse.of_one_file():
            return make(self._warehouse, wanted.where, wanted.format, report)


def wanted_of(job: Job) -> Wanted:
    """Return the report that a job makes."""
    assert isinstance(job.key, Wanted)
    return job.key
