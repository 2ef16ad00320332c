"""A report as a PDF for people and for screen readers (PDF/UA-1), set by WeasyPrint from the page for paper.

It runs in a process of its own: setting pages takes seconds that a server has for its readers, and it can be stopped.
`python -m dashboards.report.pdf` turns the page on standard input into the PDF on standard output.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import Any, Final

from dashboards.report.errors import Progress, ReportError
from dashboards.report.model import Report
from dashboards.report.page import FONT, page

__all__ = ["pdf"]

LOOK: Final = 0.2
"""Seconds after which the progress is told again, and may end the work."""
MISSING: Final = 3
INSTALL: Final = (
    "a PDF needs WeasyPrint and Pango: pip install 'himalaya[report]', and on Debian apt-get install libpangoft2-1.0-0"
    " libharfbuzz-subset0"
)


def pdf(report: Report, progress: Progress = lambda *_: None) -> bytes:
    """Return the report as PDF; the same report gives the same bytes. `ReportError` if WeasyPrint is not there."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}  # of the fonts in it, which say when they were cut
    command = [sys.executable, "-P", "-m", "dashboards.report.pdf"]
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


def main() -> int:
    """Set the page on standard input."""
    try:
        from weasyprint import HTML
        from weasyprint.urls import FatalURLFetchingError, URLFetcher
    except (ImportError, OSError):
        return MISSING

    class OnlyTheFont(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
        """Fetches the font beside this package, and nothing else, whatever a name in the report says."""

        def fetch(self, url: str, headers: Any = None) -> Any:
            if url != FONT.as_uri():
                raise FatalURLFetchingError(f"a report asks for nothing, found {url}")
            return super().fetch(url, headers)

    document = HTML(string=sys.stdin.buffer.read().decode(), url_fetcher=OnlyTheFont())
    made: Any = document.write_pdf(pdf_variant="pdf/ua-1")
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
