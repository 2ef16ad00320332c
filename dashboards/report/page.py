"""A report as one HTML file: no script, no request; readable in both colour schemes, and on paper."""

import base64
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from dashboards.catalog.valued import valued_in_words
from dashboards.report.basis import TOURNAMENTS, basis
from dashboards.report.data import DATA_ID, data_of, packed
from dashboards.report.front import FRONT, front, head
from dashboards.report.model import Figure, Report, Telling
from dashboards.report.paper import FONT
from dashboards.report.schemes import DarkSheet
from dashboards.report.summary import SECTIONS
from dashboards.report.tables import card, drawing, table_of

__all__ = ["page"]


HERE: Final = Path(__file__).parent
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'"
TELLING: Final = "telling-matches"
CHANCES: Final = "chances"
"""The section that states its coverage before its figures; these are left out if no match is valued."""
ELSEWHERE: Final = frozenset({*FRONT, TELLING, TOURNAMENTS})
"""Figures that are not in their usual section."""
ENDS: Final = {"method": "Method", "definitions": "Definitions", "data": "Data"}


def page(report: Report, *, on_paper: bool = False) -> str:
    """Return the page; `on_paper` leaves out parts for screens and programs, and tables that fill pages."""
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
    """Yield the coverage of the chances, and the data they are estimated from."""
    yield "".join(f"<p>{escape(sentence)}</p>" for sentence in valued_in_words(report.scope.reviewing)) + "\n"


def _telling(match: Telling, place: int, dark: DarkSheet) -> str:
    return (
        f'<article class="card telling" id="telling-{place}"><h3>{escape(match.match)}: {escape(match.why)}</h3>'
        f'<p class="meta">{escape(match.line_up)}</p>'
        f"<figure>{drawing(f'The board of {match.match}', dark.both(match.draw), 'drawing board')}"
        f"<figcaption>{escape(match.moment)}</figcaption></figure></article>\n"
    )


def _all_telling(figure: Figure, *, on_paper: bool) -> str:
    """Return the table of all notable matches; its finding is the matches drawn above it."""
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
