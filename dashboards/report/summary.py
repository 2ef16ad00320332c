"""A report in a few sentences: the findings of the figures, each with its interval, without new numbers."""

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
"""Number of figures of each part in the summary, from the first."""


def summary(report: Report) -> list[str]:
    """Return the sentences: those of the figures, unchanged."""
    sentences = []
    for section in SECTIONS:
        found = [figure.finding for figure in report.figures if figure.section == section and figure.finding]
        sentences += found[: SAID[section]]
    return sentences
