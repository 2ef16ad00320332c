"""The questions of the Analysis page, the figures that answer each, and the address of a figure."""

from collections.abc import Mapping
from typing import Final

from dashboards.catalog.figures import all_figures, figures_of
from dashboards.games.analytics import analytics_of
from dashboards.games.figure import Figure

__all__ = [
    "ANALYSIS",
    "ELSEWHERE",
    "MAP",
    "QUESTIONS",
    "answers_of",
    "figure_path",
    "findings_of",
    "overview_of",
    "questions_of",
]

ANALYSIS: Final = "/analysis"
QUESTIONS: Final = {
    "who": "Who wins?",
    "why": "Why?",
    "where": "Where?",
    "when": "When?",
    "seat": "Does the seat matter?",
    "chances": "How good are the chances?",
}
ELSEWHERE: Final = {"tournaments": "/tournaments", "telling-matches": "/"}
"""Figures that are lists on other pages, with these pages."""
BY_SECTION: Final = {"strength": "who"}
SEAT: Final = "seat-effect"
WINS: Final = "win-share"
MAP: Final = "On the map"
"""Title of the map, which is not in the catalog."""


def questions_of(game: str) -> Mapping[str, str]:
    """Return the questions in the words of a game."""
    return {**QUESTIONS, "seat": "Does going first matter?"} if analytics_of(game).starters else QUESTIONS


def question_of(figure: Figure) -> str:
    """Return the question that a figure answers."""
    return "seat" if figure.name == SEAT else BY_SECTION.get(figure.section, figure.section)


def answers_of(game: str, question: str) -> Mapping[str, Figure]:
    """Return the figures of a game that answer a question, by name, in the order of the catalog."""
    found = figures_of(game).items()
    return {name: each for name, each in found if name not in ELSEWHERE and question_of(each) == question}


def figure_path(name: str) -> str:
    """Return the path of the page that shows a figure.

    >>> from dashboards.catalog.questions import figure_path
    >>> figure_path("win-share"), figure_path("seat-effect"), figure_path("tournaments")
    ('/analysis/who/win-share', '/analysis/seat/seat-effect', '/tournaments')
    """
    return ELSEWHERE.get(name) or f"{ANALYSIS}/{question_of(all_figures()[name])}/{name}"


def findings_of(game: str) -> list[Figure]:
    """Return the figures with the findings at the top of a game's overview: who wins, then those that the game names.

    Figures that need a model are left out if the game has none.
    """
    figures = figures_of(game)
    return [figures[name] for name in (WINS, *analytics_of(game).findings) if name in figures]


def overview_of(game: str) -> list[Figure]:
    """Return the figures that a game's overview draws: who wins, when it is decided, and against whom."""
    return [figures_of(game)[name] for name in (WINS, analytics_of(game).decided, "head-to-head")]
