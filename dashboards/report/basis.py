"""The end of a report: how its figures are made, what their columns mean, and the data behind all of it."""

from collections.abc import Iterator
from html import escape

import polars as pl

from dashboards.catalog.metrics import Metric
from dashboards.report.method import METHOD
from dashboards.report.model import Figure, Report
from dashboards.report.schemes import DarkSheet
from dashboards.report.tables import OPEN_ROWS, card, table
from dashboards.report.words import address_of, counted

__all__ = ["TOURNAMENTS", "basis"]

TOURNAMENTS = "tournaments"
"""The figure in the section of the data."""


def basis(report: Report, dark: DarkSheet, *, on_paper: bool) -> Iterator[str]:
    """Yield the sections at the end; on paper, definitions leave out the place of their code."""
    method = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in METHOD.items())
    yield (
        '<section aria-labelledby="method"><h2 id="method">Method</h2>'
        f'<dl class="definitions">{method}</dl></section>\n'
    )
    words = "".join(_definition(metric, on_paper=on_paper) for metric in report.definitions)
    yield (
        '<section aria-labelledby="definitions"><h2 id="definitions">Definitions</h2>'
        f'<dl class="definitions">{words}</dl></section>\n'
    )
    yield from _data(report, dark, on_paper=on_paper)


def _definition(metric: Metric, *, on_paper: bool) -> str:
    grain = "" if metric.grain == "any" else f" One row per {escape(metric.grain)}."
    source = "" if on_paper else f" {escape(metric.source)}."
    return (
        f'<div><dt id="metric-{metric.name}">{escape(metric.name)} <span class="meta">({escape(metric.unit)})</span>'
        f"</dt><dd>{escape(metric.sentence)}</dd>"
        f'<dd class="meta">{escape(metric.formula)}.{grain}{source}</dd></div>'
    )


def _data(report: Report, dark: DarkSheet, *, on_paper: bool) -> Iterator[str]:
    filtered = f" --filter '{address_of(report.where)}'" if report.where.pairs() else ""
    commands = (
        f"himalaya report{filtered} --out report.html --db FILE\n"
        "himalaya report --check report.html --db FILE\n"
        "himalaya report --check report.html --logs DIR"
    )
    yield (
        '<section aria-labelledby="data"><h2 id="data">Data</h2>\n'
        f"<p>This report is based on the logs of {counted(report.logs.height, 'match', 'es')}. The SHA-256 of the lines"
        f" “digest, two spaces, match” in order of name, as <code>sha256sum</code> writes them, is"
        f" <code>{report.digest}</code>. The web page carries it in the data that the second command below reads."
        f"</p>\n<p>Made with himalaya {escape(report.software)}. To make it again, or check it against a database or"
        f' logs:</p>\n<pre tabindex="0"><code>{escape(commands)}</code></pre>\n'
    )
    if tournaments := report.figure(TOURNAMENTS):
        yield card(tournaments, dark, on_paper=on_paper)
    yield _listed(
        "versions",
        "Players and their versions",
        report.versions,
        {"player": "Player", "version": "Version", "played": "Matches"},
    )
    if report.logs.height <= OPEN_ROWS:
        yield _listed("logs", "Logs", report.logs, {"match": "Match", "sha256": "SHA-256 of its log"})
    yield "</section>\n"


def _listed(name: str, title: str, frame: pl.DataFrame, columns: dict[str, str]) -> str:
    listed = Figure(name, title, "data", frame, columns, "")
    return f'<div class="card"><h3 id="title-{name}">{title}</h3>{table(listed)}</div>\n'
