"""Data embedded in a report: filter, versions, digests and figures, so that it can be compared with others.

In the page it is JSON, gzipped and in base 64, as text is in the way of no reader there and half of it are digests.
"""

import base64
import gzip
import io
import json
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any, Final

import polars as pl

from dashboards.report.errors import ReportError
from dashboards.report.model import FORMAT, Report, rows_of
from dashboards.report.players import claims_of

__all__ = ["DATA_ID", "data_of", "packed", "read_report"]

DATA_ID: Final = "himalaya-report"
SHORT: Final = 16
"""Hexadecimal digits of each log's digest, enough to identify a log that differs; one whole digest covers all logs."""
MOST_BYTES: Final = 1 << 28


def data_of(report: Report) -> dict[str, Any]:
    """Return the data of a report: plain JSON, in a fixed order."""
    return {
        "format": FORMAT,
        "software": report.software,
        "filter": report.where.pairs(),
        "matches": report.scope.matches,
        "digest": report.digest,
        "logs": _short(report.logs),
        "versions": report.versions.rows(),
        "players": claims_of(report.players),
        "coloured": report.coloured,
        "valued": [report.scope.reviewing.valued, [model for model, _ in report.scope.reviewing.models]],
        "figures": {
            figure.name: {"columns": list(figure.columns), "rows": rows_of(figure)} for figure in report.figures
        },
        "telling": [[match.match, match.moment] for match in report.telling],
    }


def packed(data: Mapping[str, Any]) -> str:
    """Return data as the text embedded in a page."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()


def read_report(page: str) -> dict[str, Any]:
    """Return the data of a page; `ReportError` for a page without any, or with an unknown format."""
    reader = _Reader()
    reader.feed(page)
    if not reader.found:
        raise ReportError("expected a report that `himalaya report` wrote as HTML, found none")
    try:
        with gzip.GzipFile(fileobj=_as_file("".join(reader.found))) as file:
            data = json.loads(file.read(MOST_BYTES))
        version = data["format"]
        data["players"] = {str(match): str(letters) for match, letters in data.get("players", {}).items()}
        data["coloured"] = [str(player) for player in data.get("coloured", [])]
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReportError(f"the data inside the report is damaged ({type(error).__name__})") from None
    if version != FORMAT:
        raise ReportError(f"the report is of format {version}, this himalaya reads {FORMAT}")
    found: dict[str, Any] = data
    return found


def _as_file(text: str) -> Any:
    return io.BytesIO(base64.b64decode(text.strip(), validate=True))


def _short(logs: pl.DataFrame) -> list[list[str]]:
    return [[match, sha256[:SHORT]] for match, sha256 in logs.select("match", "sha256").iter_rows()]


class _Reader(HTMLParser):
    """Extract the text of the template from a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notice where the template begins."""
        self._inside = tag == "template" and dict(attrs).get("id") == DATA_ID

    def handle_endtag(self, tag: str) -> None:
        """Notice where it ends."""
        self._inside = self._inside and tag != "template"

    def handle_data(self, data: str) -> None:
        """Keep what is inside."""
        if self._inside:
            self.found.append(data)
