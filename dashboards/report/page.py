"""A report as one HTML file without scripts or requests, readable in light and dark colour schemes."""

import base64
import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Final

import polars as pl

from dashboards.catalog.chances import valued_in_words
from dashboards.catalog.numbers import definition_of, kind_of, written
from dashboards.charts.svg import FONT_SIZE, MIDDLE
from dashboards.charts.theme import Scheme
from dashboards.games.analytics import terms_of
from dashboards.queries.filters import listed
from dashboards.report.model import DATA_ID, SYMMETRIC, Figure, Report, Telling, data_of, packed
from dashboards.report.paper import FONT
from dashboards.report.words import METHOD, SECTIONS, address_of, counted, counted_all_the_same, in_words
from dashboards.stats.claims import WINS, found_in_wins
from dashboards.stats.words import Metric
from himalaya_core.names import shown_name

__all__ = [
    "BESIDE_ROWS",
    "FRONT",
    "MOST_ROWS",
    "OPEN_ROWS",
    "TOURNAMENTS",
    "DarkSheet",
    "basis",
    "card",
    "drawing",
    "front",
    "head",
    "page",
    "set_over",
    "sure",
    "table",
    "table_of",
]


TAG: Final = re.compile(r"<[a-z][^>]*>")
PAINT: Final = re.compile(r' (fill|stroke)="(#[0-9a-f]{6})"')
LEFT_OUT: Final = re.compile(r' (?:class|data-seat|xmlns)="[^"]*"')


class DarkSheet:
    """Style sheet for the dark colours of drawings; rules are numbered, so that equal drawings give equal rules."""

    def __init__(self) -> None:
        self._rules: dict[str, str] = {}

    def both(self, draw: Callable[[Scheme], str]) -> str:
        """Return a drawing that follows the reader's colour scheme; `draw` draws one scheme."""
        light, dark = draw("light"), draw("dark")
        others = iter(TAG.findall(dark))
        return TAG.sub(lambda found: self._painted(found[0], next(others)), light)

    def text(self) -> str:
        """Return the rules as CSS text."""
        rules = "".join(f".{name}{{{rule}}}" for rule, name in self._rules.items())
        return f"@media screen and (prefers-color-scheme:dark){{{rules}}}" if rules else ""

    def _painted(self, light: str, dark: str) -> str:
        pairs = zip_longest(PAINT.findall(light), PAINT.findall(dark), fillvalue=("", ""))
        rule = ";".join(f"{name}:{colour}" for (_, before), (name, colour) in pairs if before != colour)
        plain = LEFT_OUT.sub("", light)
        if not rule:
            return plain
        name = self._rules.setdefault(rule, f"d{len(self._rules)}")
        return re.sub(r"^<(\w+)", rf'<\1 class="{name}"', plain)


TEXT: Final = re.compile(r"<text ([^>]*)>([^<]*[^\x00-\u024f\u2000-\u22ff][^<]*)</text>")
"""Matches a text element with a character that is neither Latin nor a mathematical sign."""
ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')
VIEW: Final = re.compile(r'<svg [^>]*viewBox="0 0 ([\d.]+) ')
SHIFTS: Final = {"middle": "-50%", "end": "-100%"}


def set_over(svg: str) -> str:
    """Return a drawing with non-Latin names in an HTML layer above; in the layer, one em is one unit of the drawing.

    A drawing with transformed groups, such as a map, is returned unchanged.
    """
    texts, view = TEXT.findall(svg), VIEW.match(svg)
    if not texts or view is None or "<g transform" in svg:
        return svg
    layer = "".join(_placed(dict(ATTRIBUTE.findall(attributes)), text) for attributes, text in texts)
    return f'{TEXT.sub("", svg)}<div class="names" style="font-size:calc(var(--wide) / {view[1]})">{layer}</div>'


def _placed(at: dict[str, str], text: str) -> str:
    style = (
        f"font-size:{at.get('font-size', FONT_SIZE)}em;font-weight:{at.get('font-weight', 400)};color:{at['fill']};"
        f"transform:translate({SHIFTS.get(at.get('text-anchor', ''), '0')},-{MIDDLE}em)"
    )
    return f'<p style="left:{at["x"]}em;top:{at["y"]}em"><bdi style="{style}">{text}</bdi></p>'


OPEN_ROWS: Final = 16
MOST_ROWS: Final = 600
PRINTED_ROWS: Final = 20
BESIDE_ROWS: Final = 12
"""Maximum number of table rows on paper, without and with a drawing above; tables of pairs are always complete."""
WIDE: Final = 9
"""Number of columns above which a table has a smaller font on paper."""
PEOPLE: Final = ("player", "other")
"""Columns of names, which are cut to fit; the data has the full names."""
MOST_TEXT: Final = 160
"""Maximum number of characters of a text cell that is not a name."""


def card(figure: Figure, dark: DarkSheet, *, on_paper: bool) -> str:
    """Return a figure with its title, finding, drawing and table."""
    return (
        f'<article class="card" id="figure-{figure.name}">'
        f'<h3 id="title-{figure.name}">{escape(figure.title)}</h3>'
        f"{_drawn(figure, dark, on_paper=on_paper)}{table_of(figure, on_paper=on_paper)}</article>\n"
    )


def _drawn(figure: Figure, dark: DarkSheet, *, on_paper: bool) -> str:
    if not figure.draw:
        return f"<p>{escape(figure.finding)}</p>" if figure.finding else ""
    words = f"<figcaption>{escape(figure.finding)}</figcaption>" if figure.finding else ""
    svg = dark.both(figure.draw)
    return f"<figure>{words}{drawing(figure.title, set_over(svg) if on_paper else svg)}</figure>"


def drawing(title: str, svg: str, kind: str = "drawing") -> str:
    """Return a drawing in a box that scrolls if the drawing is too wide."""
    return f'<div class="{kind}" tabindex="0" role="group" aria-label="{escape(title)}">{svg}</div>'


def table_of(figure: Figure, *, on_paper: bool) -> str:
    """Return the table of a figure, collapsed if it is long. On paper, long tables are left out.

    Readers find them in the page and the workbook.
    """
    rows = figure.frame.height
    if rows == 0:
        return ""
    most = (0 if figure.name in SYMMETRIC else BESIDE_ROWS) if figure.draw else PRINTED_ROWS
    if on_paper and rows > most:
        return f'<p class="meta">The table, {rows:,} rows, is in the web page and the workbook.</p>'
    if rows <= OPEN_ROWS or on_paper:
        return table(figure)
    return f"<details><summary>Show data ({rows:,} rows)</summary>{table(figure)}</details>"


def table(figure: Figure, most: int = MOST_ROWS) -> str:
    """Return the first `most` rows of a figure as a table; its caption states how many rows are left out."""
    shown = figure.frame.head(most).select(*figure.columns)
    classes = [' class="number"' if kind.is_numeric() else "" for kind in shown.dtypes]
    head = "".join(
        f'<th scope="col"{kind}>{_heading(name, title)}</th>'
        for (name, title), kind in zip(figure.columns.items(), classes, strict=True)
    )
    body = []
    for row in shown.iter_rows():
        cells = [
            _cell(shown_name(value) if name in PEOPLE else written(name, value))
            for name, value in zip(figure.columns, row, strict=True)
        ]
        rest = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(cells[1:], classes[1:], strict=True))
        body.append(f'<tr><th scope="row"{classes[0]}>{cells[0]}</th>{rest}</tr>')
    left = figure.frame.height - shown.height
    more = f"<caption>The first {shown.height:,} of {figure.frame.height:,} rows</caption>" if left else ""
    wide = ' class="wide"' if len(figure.columns) > WIDE else ""
    name = f'aria-labelledby="title-{figure.name}"'
    return (
        f'<div class="scroll" tabindex="0" role="region" {name}><table{wide} {name}>{more}'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    return escape(text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 1]}…")


def _heading(column: str, title: str) -> str:
    metric = definition_of(column)
    if kind_of(column) == "points" and metric and column == metric.name:
        title = f"{title} (points)"
    return f'<a href="#metric-{metric.name}">{escape(title)}</a>' if metric else escape(title)


TOURNAMENTS = "tournaments"
"""Name of the figure in the section about the data."""


def basis(report: Report, dark: DarkSheet, *, on_paper: bool) -> Iterator[str]:
    """Yield the sections at the end of the report; on paper, definitions omit the source file."""
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


STANDINGS: Final = "win-share"
PAIRED: Final = "paired"
FRONT: Final = (STANDINGS, "head-to-head")
"""Figures on the first page: the standings and the cross-table."""


def head(report: Report, contents: dict[str, str]) -> str:
    """Return the head of the page: title, subject, and links to the sections."""
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in contents.items())
    return (
        f'<header>\n<p class="kicker">Himalaya · report</p>\n<h1>{escape(report.title)}</h1>\n'
        f'<p class="about">{escape(" · ".join(_about(report)))}</p>\n'
        f'<nav aria-label="Contents"><ul>{links}</ul></nav>\n</header>\n'
    )


def _about(report: Report) -> Iterator[str]:
    scope = report.scope
    yield f"{counted(scope.matches, 'finished match', 'es')}, {counted(scope.seeds, 'seed')}"
    yield in_words(report.where, report.game) + counted_all_the_same(report.where, report.game)
    if len(scope.tournaments) > 1 and not report.where.tournaments:
        yield f"tournaments {listed(scope.tournaments)}"
    yield f"rules {listed(scope.rules)}"
    if scope.boards:
        yield f"board {listed(scope.boards)}"
    yield f"logs {report.digest[:16]}"


def front(report: Report, dark: DarkSheet, *, on_paper: bool) -> Iterator[str]:
    """Yield the sections of the first page."""
    yield '<section class="front" aria-labelledby="standings"><h2 id="standings">Who won</h2>\n'
    yield from (card(figure, dark, on_paper=on_paper) for name in FRONT if (figure := report.figure(name)))
    yield '<h2 id="sure">How sure this is</h2>\n<ul class="sure">'
    yield "".join(f"<li>{escape(sentence)}</li>" for sentence in sure(report))
    yield '</ul>\n<h2 id="checked">What was checked</h2>\n<dl class="facts">'
    checks = report.scope.checks.by_kind(terms_of(report.game).chance)
    yield "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in checks.items())
    yield "</dl></section>\n"


def sure(report: Report) -> list[str]:
    """Return sentences on the power of the data, and on how significance is corrected."""
    scope = report.scope
    seeds = (
        f"Matches with the same seed count as one observation:"
        f" {counted(scope.matches, 'match', 'es')}, {counted(scope.seeds, 'seed')}."
    )
    corrected = (
        "Differences are called significant only after correction for everything this report compares: of reports on"
        " players who do not differ, at most 5% claim anywhere that some do."
    )
    looked_at = scope.looked_at()
    sentences = [*_found(report.figure(PAIRED)), seeds, corrected]
    return [*sentences, *([f"{looked_at}."] if looked_at else [])]


def _found(paired: Figure | None) -> list[str]:
    """Return sentences on the smallest detectable difference between players; empty if no two share a seed."""
    return [] if paired is None else found_in_wins(paired.frame, WINS)


HERE: Final = Path(__file__).parent
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'"
TELLING: Final = "telling-matches"
CHANCES: Final = "chances"
"""Name of the section on win probabilities, which starts with the number of evaluated matches and may lack figures."""
ELSEWHERE: Final = frozenset({*FRONT, TELLING, TOURNAMENTS})
"""Figures shown outside their usual section."""
ENDS: Final = {"method": "Method", "definitions": "Definitions", "data": "Data"}


def page(report: Report, *, on_paper: bool = False) -> str:
    """Return the report's page; `on_paper` omits parts for screens and programs, and very long tables."""
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
    sections = {
        section: figures
        for section in SECTIONS
        if (figures := [each for each in report.figures if each.section == section and each.name not in ELSEWHERE])
    }
    telling = report.figure(TELLING)
    contents = {"standings": "Who won", "sure": "How sure this is", "checked": "What was checked"}
    contents |= {section: SECTIONS[section] for section in sections}
    contents |= {"telling": "Notable matches"} if telling or report.telling else {}
    yield head(report, contents | ENDS)
    yield "<main>\n"
    yield from front(report, dark, on_paper=on_paper)
    for section, figures in sections.items():
        yield f'<section aria-labelledby="{section}"><h2 id="{section}">{SECTIONS[section]}</h2>\n'
        yield from _valued(report) if section == CHANCES else ()
        if section != CHANCES or report.scope.reviewing.valued:
            yield from (card(figure, dark, on_paper=on_paper) for figure in figures)
        yield "</section>\n"
    if "telling" in contents:
        yield '<section aria-labelledby="telling"><h2 id="telling">Notable matches</h2>\n'
        yield from (_telling(match, place, dark) for place, match in enumerate(report.telling, 1))
        yield _all_telling(telling, on_paper=on_paper) if telling else ""
        yield "</section>\n"
    yield from basis(report, dark, on_paper=on_paper)
    yield "</main>\n"


def _valued(report: Report) -> Iterator[str]:
    """Yield sentences on how many matches are evaluated, and on the data behind the model."""
    yield "".join(f"<p>{escape(sentence)}</p>" for sentence in valued_in_words(report.scope.reviewing)) + "\n"


def _telling(match: Telling, place: int, dark: DarkSheet) -> str:
    return (
        f'<article class="card telling" id="telling-{place}"><h3>{escape(match.match)}: {escape(match.why)}</h3>'
        f'<p class="meta">{escape(match.line_up)}</p>'
        f"<figure>{drawing(f'The board of {match.match}', dark.both(match.draw), 'drawing board')}"
        f"<figcaption>{escape(match.moment)}</figcaption></figure></article>\n"
    )


def _all_telling(figure: Figure, *, on_paper: bool) -> str:
    """Return the table of all notable matches, without a finding because the matches are drawn above."""
    return (
        f'<article class="card" id="figure-{figure.name}"><h3 id="title-{figure.name}">{escape(figure.title)}</h3>'
        f"{table_of(figure, on_paper=on_paper)}</article>\n"
    )


@cache
def _font() -> str:
    return base64.b64encode(FONT.read_bytes()).decode()


@cache
def _style() -> str:
    return (HERE / "style.css").read_text("utf-8")
