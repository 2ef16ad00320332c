"""A report as a PDF for people and for screen readers (PDF/UA-1), set by WeasyPrint from the page for paper.

That is done in a process of its own (`paper.py`): setting pages takes seconds that a server has for its readers, and it
can be stopped.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import Final

from dashboards.report.errors import Progress, ReportError
from dashboards.report.model import Report
from dashboards.report.page import page
from dashboards.report.paper import MISSING

__all__ = ["pdf"]

LOOK: Final = 0.2
"""Seconds after which the progress is told again, and may end the work."""
INSTALL: Final = (
    "a PDF needs WeasyPrint and Pango: pip install 'himalaya[report]', and on Debian apt-get install libpangoft2-1.0-0"
    " libharfbuzz-subset0"
)


def pdf(report: Report, progress: Progress = lambda *_: None) -> bytes:
    """Return the report as PDF; the same report gives the same bytes. `ReportError` if WeasyPrint is not there."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}  # of the fonts in it, which say when they were cut
    command = [sys.executable, "-P", "-m", "dashboards.report.paper"]
    with tempfile.TemporaryFile() as text:
        text.write(page(report, on_paper=True).encode())
        text.seek(0)
        process = subprocess.Popen(  # noqa: S603  our own module
            command, env=environment, stdin=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        made, problem = _awaited(process, progress)
    if process.returncode == MISSING:
        raise ReportError(INSTALL)
    if process.returncode:
        last = problem.decode(errors="replace").strip().splitlines()[-1:]
        raise ReportError(f"WeasyPrint could not set the report: {''.join(last)}")
    return made


def _awaited(process: "subprocess.Popen[bytes]", progress: Progress) -> tuple[bytes, bytes]:
    """Return what a process writes; it ends with the work if the progress ends that."""
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=LOOK)
            progress(0, 0, "setting the pages")
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
