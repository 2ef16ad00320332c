"""A report as a PDF that screen readers can read (PDF/UA-1), typeset by WeasyPrint from the page for paper.

This runs in a separate process (`paper.py`), which can be killed. Typesetting would occupy a server for seconds.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import Final

from dashboards.report.model import Progress, Report, ReportError
from dashboards.report.page import page
from dashboards.report.paper import MISSING

__all__ = ["pdf"]

LOOK: Final = 0.2
"""Seconds between two progress reports; `progress` may raise an error to stop the work."""
INSTALL: Final = (
    "a PDF needs WeasyPrint and Pango: run pip install '.[report]' in the folder of Himalaya's sources, and on Debian"
    " apt-get install libpangoft2-1.0-0 libharfbuzz-subset0"
)


def pdf(report: Report, progress: Progress = lambda *_: None) -> bytes:
    """Return the report as PDF; the same report gives the same bytes. `ReportError` if WeasyPrint is not installed."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}  # fixes the timestamp in font subsets
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
    """Return the output of a process, and kill the process if `progress` raises an error."""
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=LOOK)
            progress(0, 0, "setting the pages")
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
