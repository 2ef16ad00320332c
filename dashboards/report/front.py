"""The first page of a report: winner, standings, cross-table, certainty, and checks."""

from collections.abc import Iterator
from html import escape
from typing import Final

from dashboards.report.model import Figure, Report
from dashboards.report.schemes import DarkSheet
from dashboards.report.tables import card
from dashboards.report.words import counted, counted_all_the_same, in_words, listed
from dashboards.stats.claims import WINS
from dashboards.stats.power import found_in_wins

__all__ = ["FRONT", "front", "head", "sure"]

STANDINGS: Final = "win-share"
PAIRED: Final = "paired"
FRONT: Final = (STANDINGS, "head-to-head")
"""The figures of the first page: the standings and the cross-table."""


def head(report: Report, contents: dict[str, str]) -> str:
    """Return the head of the page: the title, the subject, and links to its sections."""
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
    yield "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in report.scope.checks.by_kind().items()
    )
    yield "</dl></section>\n"


def sure(report: Report) -> list[str]:
    """Return sentences on how much the data could show, and the corrections for it."""
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
    """Return the difference between two players that would have been found, if two of them met the same seed."""
    return [] if paired is None else found_in_wins(paired.frame, WINS)
