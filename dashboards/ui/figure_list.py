"""The lists of figures on the Analysis page: those of one question next to the one shown, and those of all."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from dashboards.catalog.questions import ANALYSIS, MAP, answers_of, figure_path, questions_of
from dashboards.games.analytics import analytics_of
from dashboards.queries.addresses import url
from dashboards.ui.components import aria

__all__ = ["all_figures_listed", "with_neighbours"]


def _answers(game: str, question: str) -> dict[str, str]:
    """Return the titles of the figures that answer a question, by path; the map has the path of its question."""
    first = {f"{ANALYSIS}/{question}": MAP} if question == "where" and analytics_of(game).draw_map else {}
    return first | {figure_path(name): figure.title for name, figure in answers_of(game, question).items()}


def with_neighbours(game: str, question: str, current: str, *shown: Component | None) -> Component:
    """Return the figure at the path `current` with the list of its question, and links to the previous and next."""
    answers = _answers(game, question)
    paths = list(answers)
    at = paths.index(current)
    before = [_step("Previous", paths[at - 1], answers)] if at else []
    after = [_step("Next", paths[at + 1], answers)] if at + 1 < len(paths) else []
    steps = html.Nav([*before, *after], className="steps carries", **aria(label="Previous and next figure"))
    listed = html.Nav(
        _list(answers, current), className="figure-list carries", **aria(label="Figures on this question")
    )
    alone = len(paths) == 1
    inside = html.Div([*shown, *([] if alone else [steps])], className="page-part")
    return inside if alone else html.Div([listed, inside], className="with-list")


def _step(to: str, path: str, answers: dict[str, str]) -> Component:
    return html.A([html.Span(to, className="meta"), answers[path]], href=url(path), className=f"step step-{to.lower()}")


def _list(answers: dict[str, str], current: str = "") -> Component:
    def link(path: str, title: str) -> Component:
        marked: dict[str, Any] = aria(current="page") if path == current else {}
        return html.Li(html.A(title, href=url(path), **marked))

    return html.Ul([link(path, title) for path, title in answers.items()])


def all_figures_listed(game: str) -> Component:
    """Return links to all figures of a game, by question."""
    parts = []
    for question, title in questions_of(game).items():
        if answers := _answers(game, question):
            path = f"{ANALYSIS}/{question}"
            parts += [html.A(title, href=url(path), className="contents-part"), _list(answers)]
    return html.Nav(parts, className="card contents carries", **aria(label="All figures"))
