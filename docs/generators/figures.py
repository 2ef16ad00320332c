"""Generates the page of figures and metrics from the catalog."""

from collections.abc import Iterator
from typing import Final

from dashboards.catalog.compare import APART
from dashboards.catalog.figures import all_figures, figures_of
from dashboards.catalog.metrics import METRICS, Metric, key_of, metric_of
from dashboards.catalog.questions import figure_path
from dashboards.games.analytics import ANALYTICS
from dashboards.games.figure import Figure
from dashboards.stats.claims import INTERVALS
from himalaya_core.games import GAMES

__all__ = ["page"]

BEGINS: Final = f"""\
# Figures and metrics

Each figure of the pages and its columns; below them, each metric with its definition, formula and method. Export a
figure under a filter with its name:

```sh
himalaya export win-share --tournament cup --out win-share.csv
```

A figure counts finished matches with the verdict `clean`, unless the filter says otherwise. Columns that end in `_low`
and `_high` are the bounds of a 95% confidence interval. {INTERVALS}

Columns that end in `_p` are p-values, in `_holm`
p-values corrected for all rows (Holm), in `_lower`, `_median` and `_upper` quartiles. `groups` counts seeds: matches
with the same seed share their dice, so observations are seeds.

"""
SECTIONS: Final = {
    "strength": "Strength",
    "why": "Why matches are won",
    "where": "Places on the board",
    "when": "The course of a match",
    "chances": "Chances of winning",
}
"""Heading of each section."""
IGNORED: Final = {"rounds": "the rounds", "results": "the results"}
OF_PAGES: Final = f"""\
({APART})=
### How far apart

On the tab *Compare* of *Analysis*: [`side_difference`](#metric-side_difference) for each two of the compared sides,
with its interval and its corrected p. Above it, the page says which sides differ and by how much.

(map)=
### On the map

On the tab *Where?* of *Analysis*: the number of visits to each place and road of the board, or of what the chosen
layer counts. With two selections the map shows the difference of their shares. It uses the whole filter.

"""


def page() -> str:
    """Return the page as Markdown."""
    figures = all_figures()
    parts = [BEGINS]
    for section, title in SECTIONS.items():
        parts.append(f"## {title}\n\n")
        parts += (text for figure in figures.values() if figure.section == section for text in _figure(figure))
    parts += ["## Figures of single pages\n\n", OF_PAGES, "## Metrics\n\n"]
    parts += (text for name in sorted(METRICS) for text in _metric(METRICS[name]))
    return "".join(parts).rstrip() + "\n"


def _figure(figure: Figure) -> Iterator[str]:
    games = [game for game in GAMES if game in ANALYTICS and figure.name in figures_of(game)]
    of_games = "all games" if len(games) == len(ANALYTICS) else ", ".join(games)
    ignored = " and ".join(IGNORED[key] for key in IGNORED if key in figure.ignores)
    under = f"It ignores {ignored} of the filter." if ignored else "It uses the whole filter."
    yield f"({figure.name})=\n### {figure.title}\n\n"
    yield f"`{figure.name}`, shown at `{figure_path(figure.name)}`, of {of_games}. {under}\n\n"
    yield from _other_forms(figure, games)
    yield "| columns | heading | meaning |\n|---|---|---|\n"
    for columns in _by_metric(figure):
        first = columns[0]
        names = ", ".join([f"`{first}`", *(f"`{column}`" for column in columns[1:])])
        yield f"| {names} | {figure.columns[first]} | {_meaning(first, games[0] if games else '')} |\n"
    yield "\n"


def _other_forms(figure: Figure, games: list[str]) -> Iterator[str]:
    """Yield the title and the columns of a figure in the games that show it with other columns."""
    forms = {game: figures_of(game)[figure.name] for game in games}
    for title in dict.fromkeys(form.title for form in forms.values() if form.columns != figure.columns):
        of_games = [game for game, form in forms.items() if form.title == title]
        form = forms[of_games[0]]
        own = [column for column in form.columns if column not in figure.columns]
        usual = ", ".join(f"`{column}`" for column in figure.columns if column not in form.columns)
        named = ", ".join(f"`{column}` ({key_of(column, of_games[0])})" for column in own)
        yield f"In {', '.join(of_games)} it is *{title}*, with {named} in place of {usual}.\n\n"


def _by_metric(figure: Figure) -> list[list[str]]:
    """Group a figure's columns by metric: a metric's value, bounds, p-values and quartiles belong together."""
    found: dict[str, list[str]] = {}
    for column in figure.columns:
        metric = metric_of(column)
        found.setdefault(column if metric is None else metric.name, []).append(column)
    return list(found.values())


def _meaning(column: str, game: str) -> str:
    metric = metric_of(column)
    if metric is None:
        return key_of(column, game)
    return f"{_first(metric.sentence)} ([method](#metric-{metric.name}))"


def _first(text: str) -> str:
    """Return the first sentence of a text."""
    return text.partition(". ")[0].rstrip(".").replace("|", "\\|")


def _metric(metric: Metric) -> Iterator[str]:
    place, _, method = metric.source.partition("; ")
    facts = [
        ("Formula", metric.formula),
        ("Unit", metric.unit),
        ("One row per", metric.grain),
        ("Method", method),
        ("Code", f"`{place}`"),
    ]
    yield f"(metric-{metric.name})=\n### `{metric.name}`\n\n{metric.sentence}\n\n"
    yield "".join(f"- {name}: {text}\n" for name, text in facts if text) + "\n"
