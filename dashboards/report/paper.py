"""Convert an HTML page on standard input to PDF on standard output: `python -m dashboards.report.paper`.

It imports no other module of this package, because loading them would take as long as typesetting a short report.
"""

import sys
from pathlib import Path
from typing import Any, Final

__all__ = ["FONT", "MISSING"]

FONT: Final = Path(__file__).parents[1] / "assets" / "fonts" / "inter-latin-variable.woff2"
MISSING: Final = 3
"""Exit code if WeasyPrint or a library that WeasyPrint needs is not installed."""


def main() -> int:
    """Convert standard input to PDF, and return an exit code."""
    try:
        from weasyprint import HTML
        from weasyprint.urls import FatalURLFetchingError, URLFetcher
    except (ImportError, OSError):
        return MISSING

    class OnlyTheFont(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
        """URL fetcher for WeasyPrint that serves only this package's font and rejects every other address."""

        def fetch(self, url: str, headers: Any = None) -> Any:
            if url != FONT.as_uri():
                raise FatalURLFetchingError(f"a report loads nothing from outside, found {url}")
            return super().fetch(url, headers)

    document = HTML(string=sys.stdin.buffer.read().decode(), url_fetcher=OnlyTheFont())
    made: Any = document.write_pdf(pdf_variant="pdf/ua-1")
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
