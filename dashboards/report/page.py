"""A report as one HTML file: no script, no request; readable in both colour schemes, and on paper."""

import base64
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import polars as pl

from dashboards.catalog.metrics import Metric
from dashboards.catalog.numbers import definition_of, kind_of, written
from dashboards.report.data import DATA_ID, data_of, packed
from dashboards.report.method import METHOD
from dashboards.report.model import Figure, Report, Telling
from dashboards.report.paper import FONT
from dashboards.report.schemes import DarkSheet
from dashboards.report.summary import SECTIONS, summary
from dashboards.report.words import address_of, counted, counted_all_the_same, in_words, listed

__all__ = ["page"]


HERE: Final = Path(__file__).parent
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'"
OPEN_ROWS: Final = 16
MOST_ROWS: Final = 600
PRINTED_ROWS: Final = 30
WIDE: Final = 9
"""Columns beyond which a table is set smaller on paper."""
SHORT: Final = 12
"""Rows of a table that is not broken over two pages."""
MOST_TEXT: Final = 160
"""Letters of a name in a table; the data has all of them."""


def page(report: Report, *, on_paper: bool = False) -> str:
    """Return the page; `on_paper` leaves out what only a screen or a program reads, and tables that fill pages."""
    dark = DarkSheet()
    body = "".join(_body(report, dark, on_paper=on_paper))
    font = FONT.as_uri() if on_paper else f"data:font/woff2;base64,{_font()}"
    face = f'@font-face{{font-family:Inter;src:url("{font}") format("woff2");font-weight:100 900}}'
    title = escape(f"{report.title}: report")
    data = "" if on_paper else f'<template id="{DATA_ID}">{escape(packed(data_of(report)), quote=False)}</template>\n'
    policy = "" if on_paper else f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{policy}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="himalaya {escape(report.software)}">\n'
        f"<title>{title}</title>\n<style>{face}\n{_style()}{'' if on_paper else dark.text()}</style>\n</head>\n"
        f"<body>\n{body}{data}</body>\n</html>\n"
    )


def _body(report: Report, dark: DarkSheet, *, on_paper: bool) -> Iterator[str]:
    yield _head(report)
    yield '<main>\n<section aria-labelledby="summary"><h2 id="summary">Summary</h2><ul class="summary">'
    yield "".join(f"<li>{escape(sentence)}</li>" for sentence in summary(report))
    yield "</ul></section>\n"
    for section, title in SECTIONS.items():
        figures = [figure for figure in report.figures if figure.section == section]
        if figures:
            yield f'<section aria-labelledby="{section}"><h2 id="{section}">{title}</h2>\n'
            yield from (_figure(figure, dark, on_paper=on_paper) for figure in figures)
            yield "</section>\n"
    if report.telling:
        yield '<section aria-labelledby="telling"><h2 id="telling">Telling matches</h2>\n'
        yield from (_telling(match, place, dark) for place, match in enumerate(report.telling, 1))
        yield "</section>\n"
    yield _method(report)
    yield _basis(report)
    yield "</main>\n"


def _head(report: Report) -> str:
    scope = report.scope
    facts = {
        "Matches": f"{counted(scope.matches, 'finished match', 'es')}, {counted(scope.seeds, 'seed')}",
        "Filter": in_words(report.where, report.game) + counted_all_the_same(report.where, report.game),
        "Players": listed(report.versions["player"].unique(maintain_order=True)),
        "Tournaments": listed(scope.tournaments) or "none",
        "Rules": listed(scope.rules),
        "Board": listed(scope.boards),
        "Checked": scope.checks.in_words(),
        **({"Looked at": looked_at} if (looked_at := scope.looked_at()) else {}),
        "As of": f"the logs with the digest {report.digest[:16]} (see Data)",
    }
    rows = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in facts.items())
    sections = {name: title for name, title in SECTIONS.items() if any(each.section == name for each in report.figures)}
    telling = {"telling": "Telling matches"} if report.telling else {}
    contents = (
        {"summary": "Summary"} | sections | telling | {"method": "Method", "definitions": "Definitions", "data": "Data"}
    )
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in contents.items())
    return (
        f'<header>\n<p class="kicker">Himalaya · report</p>\n<h1>{escape(report.title)}</h1>\n'
        f'<dl class="facts">{rows}</dl>\n'
        f'<nav aria-label="Contents"><ul>{links}</ul></nav>\n</header>\n'
    )


def _figure(figure: Figure, dark: DarkSheet, *, on_paper: bool) -> str:
    drawing = _drawing(figure.title, dark.both(figure.draw)) if figure.draw else ""
    words = f"<figcaption>{escape(figure.finding)}</figcaption>" if figure.finding else ""
    drawn = f"<figure>{drawing}{words}</figure>" if drawing else f"<p>{escape(figure.finding)}</p>"
    return (
        f'<article class="card" id="figure-{figure.name}"><h3>{escape(figure.title)}</h3>'
        f"{drawn}{_data(figure, on_paper=on_paper)}</article>\n"
    )


def _drawing(title: str, svg: str, kind: str = "drawing") -> str:
    return f'<div class="{kind}" tabindex="0" role="group" aria-label="{escape(title)}">{svg}</div>'


def _data(figure: Figure, *, on_paper: bool) -> str:
    most = PRINTED_ROWS if on_paper else MOST_ROWS
    rows = figure.frame.height
    if rows == 0:
        return ""
    if on_paper and rows > most:
        return f'<p class="meta">Its table of {rows:,} rows is in the web page and the workbook.</p>'
    table = _table(figure, most)
    if rows <= OPEN_ROWS or on_paper:
        return table
    return f"<details><summary>Show data ({rows:,} rows)</summary>{table}</details>"


def _table(figure: Figure, most: int) -> str:
    shown = figure.frame.head(most).select(*figure.columns)
    classes = [' class="number"' if kind.is_numeric() else "" for kind in shown.dtypes]
    head = "".join(
        f'<th scope="col"{kind}>{_heading(name, title)}</th>'
        for (name, title), kind in zip(figure.columns.items(), classes, strict=True)
    )
    body = []
    for row in shown.iter_rows():
        cells = [_cell(written(name, value)) for name, value in zip(figure.columns, row, strict=True)]
        rest = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(cells[1:], classes[1:], strict=True))
        body.append(f'<tr><th scope="row"{classes[0]}>{cells[0]}</th>{rest}</tr>')
    left = figure.frame.height - shown.height
    more = f", the first {shown.height:,} of {figure.frame.height:,} rows" if left else ""
    name = f"table-{figure.name}"
    kinds = [name for name, holds in (("wide", len(figure.columns) > WIDE), ("short", shown.height <= SHORT)) if holds]
    looks = f' class="{" ".join(kinds)}"' if kinds else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{name}"><table{looks}>'
        f'<caption id="{name}">{escape(figure.title)}{more}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    return escape(text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 1]}…")


def _heading(column: str, title: str) -> str:
    metric = definition_of(column)
    if kind_of(column) == "points" and metric and column == metric.name:
        title = f"{title} (points)"
    return f'<a href="#metric-{metric.name}">{escape(title)}</a>' if metric else escape(title)


def _telling(match: Telling, place: int, dark: DarkSheet) -> str:
    return (
        f'<article class="card" id="telling-{place}"><h3>{escape(match.match)}: {escape(match.why)}</h3>'
        f'<p class="meta">{escape(match.line_up)}</p>'
        f"<figure>{_drawing(f'The board of {match.match}', dark.both(match.draw), 'drawing board')}"
        f"<figcaption>{escape(match.moment)}</figcaption></figure></article>\n"
    )


def _method(report: Report) -> str:
    method = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in METHOD.items())
    words = "".join(
        f'<dt id="metric-{metric.name}">{escape(metric.name)} <span class="meta">({escape(metric.unit)})</span></dt>'
        f"<dd>{escape(metric.sentence)}</dd>"
        f'<dd class="meta">{escape(metric.formula)}. {_grain(metric)}{escape(metric.source)}.</dd>'
        for metric in report.definitions
    )
    return (
        '<section aria-labelledby="method"><h2 id="method">Method</h2>'
        f'<dl class="definitions">{method}</dl></section>\n'
        '<section aria-labelledby="definitions"><h2 id="definitions">Definitions</h2>'
        f'<dl class="definitions">{words}</dl></section>\n'
    )


def _grain(metric: Metric) -> str:
    return "" if metric.grain == "any" else f"One per {escape(metric.grain)}. "


def _basis(report: Report) -> str:
    versions = Figure(
        "versions",
        "Players and their versions",
        "data",
        report.versions,
        {"player": "Player", "version": "Version", "played": "Played"},
        "",
    )
    filtered = f" --filter '{address_of(report.where)}'" if report.where.pairs() else ""
    commands = (
        f"himalaya report{filtered} --out report.html --db FILE\n"
        "himalaya report --check report.html --db FILE\n"
        "himalaya report --check report.html --logs DIR"
    )
    return (
        '<section aria-labelledby="data"><h2 id="data">Data</h2>\n'
        f"<p>This report rests on the logs of {counted(report.logs.height, 'match', 'es')}. The SHA-256 over the lines"
        f" “digest, two spaces, match” in the order of the names, as <code>sha256sum</code> writes them, is"
        f" <code>{report.digest}</code>. The file says so of itself, in data that the second command below reads.</p>\n"
        f"<p>Made with himalaya {escape(report.software)}. How to make it again, or hold it against a database or logs:"
        f'</p>\n<pre tabindex="0"><code>{escape(commands)}</code></pre>\n'
        f"{_table(versions, MOST_ROWS)}{_logs(report.logs)}</section>\n"
    )


def _logs(logs: pl.DataFrame) -> str:
    if logs.height > OPEN_ROWS:
        return ""
    columns = {"match": "Match", "sha256": "SHA-256 of its log"}
    return _table(Figure("logs", "Logs", "data", logs, columns, ""), MOST_ROWS)


@cache
def _font() -> str:
    return base64.b64encode(FONT.read_bytes()).decode()


@cache
def _style() -> str:
    return (HERE / "style.css").read_text("utf-8")
