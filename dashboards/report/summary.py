"""A report in some sentences: what the figures found, each with its interval; no number that they don't have."""

from typing import Final

from dashboards.report.model import Report

__all__ = ["SECTIONS", "summary"]

SECTIONS: Final = {
    "strength": "Strength",
    "why": "Why",
    "where": "Where",
    "when": "When",
    "chances": "Chances of winning",
}
"""The parts of a report, in order."""
SAID: Final = {"strength": 6, "why": 3, "where": 1, "when": 3, "chances": 1}
"""How many figures of each part the summary tells of, the first ones."""


def summary(report: Report) -> list[str]:
    """Return the sentences: those of the figures, as they stand below them."""
    sentences = []
    for section in SECTIONS:
        found = [figure.finding for figure in report.figures if figure.section == section and figure.finding]
        sentences += found[: SAID[section]]
    return sentences
