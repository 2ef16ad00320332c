"""Compare: players, or kinds of matches, side by side, and a verdict that holds for all comparisons at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import plotly.graph_objects as go
import polars as pl
from dash import ClientsideFunction, Input, Output, callback, clientside_callback, html, register_page, set_props
from dash.development.base_component import Component

from dashboards.catalog.drawings import drawing
from dashboards.catalog.figures import all_figures, finding_of, left_out
from dashboards.charts.plotly.compare import draw_apart
from dashboards.charts.plotly.narrow import led, of_row
from dashboards.charts.theme import Palette
from dashboards.games.analytics import all_analytics, analytics_of
from dashboards.games.figure import interval, of_all_alike
from dashboards.games.shared.memo import memo
from dashboards.games.shared.recent import counted_ratings, counted_results
from dashboards.http.tables import MORE
from dashboards.report.button import report_button, report_facts
from dashboards.stats.compare import (
    BETWEEN,
    BY,
    OF_MATCHES,
    By,
    by_sides,
    compared,
    like_with_like,
    pairs_of,
    short_versions,
)
from dashboards.stats.head_to_head import head_to_head
from dashboards.stats.line_ups import by_line_up
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.placement import placement
from dashboards.stats.ratings import ratings
from dashboards.stats.verdict import verdict
from dashboards.stats.win_share import win_share
from dashboards.stats.words import whole
from dashboards.ui.components import csv_path, current_reader, notice, over_matches, page_head
from dashboards.ui.figure_card import Shown, figure_card, kinds
from dashboards.ui.filter_bar import PARTS, SEARCH, filter_bar, pick, read_search
from dashboards.ui.segments import segments
from dashboards.warehouse.choices import Choices, filter_choices, game_under, most_seats
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.results import seat_results

register_page(__name__, path="/compare", title="Compare · Himalaya")

KIND: Final = "compare"
BY_KEY, SIDE_KEY = "by", "side"
CALLED: Final = {
    "player": "Players",
    "version": "Versions",
    "tournament": "Tournaments",
    "option": "Options",
    "board": "Boards",
}
MOST_SIDES: Final = 6
"""Neither colour nor eye distinguishes more than that."""
APART: Final = "apart"
APART_COLUMNS: Final = {
    "player": "Side",
    "other": "Other",
    "ground": "Rests on",
    "groups": "Seeds",
    **interval("side_difference", "Difference in wins"),
    "side_difference_p": "p",
    "side_difference_holm": "p (corrected)",
    **interval("ahead_difference", "Difference in opponents beaten"),
    "ahead_difference_p": "p",
    "ahead_difference_holm": "p (corrected)",
    "narrowing": "Narrower by",
}
USUAL_SIDES: Final = 4
STRENGTH: Final[dict[str, Callable[[Lineups], pl.DataFrame]]] = {
    "win-share": win_share,
    "ratings": ratings,
    "head-to-head": head_to_head,
    "placement": placement,
}
COMPARED: Final = tuple(name for analytics in all_analytics() for name in analytics.compared)
"""Figures that only one game has and that are compared side by side."""
"""Figures that are counted anew for each side, by game."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What is compared under a filter: players, or kinds of matches, and which; `chosen` if the address says.

    `asked` is how many the address names, of which no more are compared than the eye can distinguish.
    """

    by: By
    names: tuple[str, ...]
    where: Filter
    chosen: bool
    asked: int = 0

    def pairs(self) -> list[tuple[str, str]]:
        """Return the keys and values for an address."""
        return [
            *self.where.pairs(),
            *([(BY_KEY, self.by)] if self.by != "player" else []),
            *((SIDE_KEY, name) for name in self.names),
        ]

    def narrowed(self, name: str) -> Filter:
        """Return the filter narrowed to one side."""
        return _with_sides(self.where, self.by, (name,))

    def report(self) -> dict[str, Any]:
        """Return what a report of these sides goes by."""
        return report_facts([(self.by, name) for name in self.names], instead_of=self.by)

    def lead(self) -> str:
        """Say what is compared, and that there is more."""
        names = ", ".join(self.called().values())
        if not self.chosen:
            return f"{names}; choose other {CALLED[self.by].lower()} below"
        return f"{names}; the first {len(self.names)} of {self.asked} chosen" if self.asked > len(self.names) else names

    def called(self) -> dict[str, str]:
        """Return what each side is called in figures: versions by what tells them apart."""
        return short_versions(self.names) if self.by == "version" else {name: name for name in self.names}

    def behind(self, side: str) -> list[tuple[str, str]]:
        """Return what narrows a filter to the matches of a side as figures call it."""
        if self.by not in OF_MATCHES:
            return [(self.by, next((name for name, called in self.called().items() if called == side), side))]
        player, _, name = side.rpartition(BETWEEN)
        return [("player", player), (self.by, name)]


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Compare", lambda reader: page(reader, query))


def page(reader: Reader, query: Mapping[str, Any]) -> Component:
    """Return what is compared, the verdict, and the figures of the sides."""
    sides = sides_of(reader, query)
    choices = filter_choices(reader, game_under(reader, sides.where))
    given = _texts(query, SIDE_KEY)
    called = CALLED[sides.by]
    sides_input = pick(SIDE_KEY, called, _possible(choices, sides.by), given, hint=f"{called} to compare")
    parts = [part for part in PARTS if part != sides.by]
    return html.Div(
        [
            page_head("Compare", report_button(), lead=html.Span(id="compare-lead", role="status")),
            html.Div(segments("compare-by", "What is compared", CALLED, sides.by), className="page-segments"),
            filter_bar(query, parts, first=[sides_input]),
            html.Section([html.H2("Verdict"), html.Div(id="compare-verdict", role="status")], className="card verdict"),
            html.Div(
                [
                    figure_card(name, title_of(name), kind=KIND, class_name="wide" if is_wide(name) else "")
                    for name in (APART, *STRENGTH, *analytics_of(choices.game).compared)
                ],
                className="halves",
                id="compare-figures",
            ),
        ],
        className="page",
    )


def sides_of(reader: Reader, query: Mapping[str, Any]) -> Sides:
    """Return what an address compares; without sides in it those with most seats."""
    given = next(iter(_texts(query, BY_KEY)), "player")
    by: By = BY[BY.index(given)] if given in BY else "player"
    where, names = Filter.read(query), _texts(query, SIDE_KEY)
    if by == "player" and not names:
        names = where.players
    names = tuple(dict.fromkeys(names))
    if by == "option":  # values of one option are sides, those of several are not apart
        names = tuple(name for name in names if _option(name) == _option(names[0]))
    if len(names) > 1:
        return Sides(by, names[:MOST_SIDES], where, chosen=True, asked=len(names))
    usual = [name for name in _usual(reader, where, by) if name not in names]
    return Sides(by, (*names, *usual)[:USUAL_SIDES], where, chosen=False)


def _with_sides(where: Filter, by: By, names: tuple[str, ...]) -> Filter:
    """Return a filter that leaves these sides, whatever it left of them before."""
    if by == "board":
        return replace(where, board="".join(names[:1]))
    if by == "option":
        others = [option for option in where.options if not names or _option(option) != _option(names[0])]
        return replace(where, options=(*others, *names[:1]))
    field = {"player": "players", "version": "versions", "tournament": "tournaments"}[by]
    return replace(where, **{field: names})  # type: ignore[arg-type]


def _option(value: str) -> str:
    """Return which option `name=value` is about."""
    return value.partition("=")[0]


def counted(reader: Reader, sides: Sides) -> Lineups:
    """Return the results in which each side is a player; as for all figures of strength, of whatever result."""
    sides = replace(sides, where=all_figures()["win-share"].under(sides.where))
    if sides.by == "player":
        everyone = counted_results(reader, replace(sides.where, players=()))
        return replace(everyone, seats=everyone.seats.with_columns(_kept(sides.names)))
    if sides.by == "version":
        versions = counted_results(reader, replace(sides.where, versions=sides.names))
        return replace(versions, seats=versions.seats.with_columns(pl.col("player").replace(sides.called())))
    key = (sides.by, sides.where, sides.names)
    return memo(reader, key, lambda: lineups_of(by_sides(_of_matches(reader, sides), sides.by, sides.names)))


def counted_alike(reader: Reader, sides: Sides) -> Lineups:
    """Return the results that may be compared: of kinds of matches, those of line-ups that all of them have."""
    if sides.by not in OF_MATCHES:
        return counted(reader, sides)
    sides = replace(sides, where=all_figures()["win-share"].under(sides.where))

    def count() -> Lineups:
        return lineups_of(by_sides(like_with_like(_of_matches(reader, sides), sides.by), sides.by, sides.names))

    return memo(reader, ("alike", sides.by, sides.where, sides.names), count)


def _of_matches(reader: Reader, sides: Sides) -> pl.DataFrame:
    """Return the results of all sides, which are kinds of matches, with a column that says which."""
    return pl.concat(
        seat_results(reader, sides.narrowed(name)).with_columns(pl.lit(name).alias(sides.by)) for name in sides.names
    )


def said_of_matches(reader: Reader, sides: Sides) -> str:
    """Say which matches are compared, where line-ups that not all sides have are left out."""
    played, called = _of_matches(reader, sides), CALLED[sides.by].lower()
    alike = like_with_like(played, sides.by)["match"].n_unique()
    left = played["match"].n_unique() - alike
    if not alike and left:
        return f"These {called} have no line-up in common, so there is nothing alike to compare."
    if not left:
        return ""
    compared_ones = f"{whole(alike, 'match', 'matches')} of line-ups that all of these {called} have"
    return f"Compared are {compared_ones}; {whole(left, 'other is', 'others are')} left out."


def _kept(names: Sequence[str]) -> pl.Expr:
    return (pl.col("kept") & pl.col("player").is_in(list(names))).alias("kept")


def frame_of(reader: Reader, name: str, sides: Sides) -> pl.DataFrame:
    """Return the frame of a figure in which each side is a player."""
    return memo(reader, (name, sides), lambda: _frame(reader, name, sides))


def _frame(reader: Reader, name: str, sides: Sides) -> pl.DataFrame:
    if name == APART:
        return compared(counted_alike(reader, sides), sides.by)
    if name == "ratings" and sides.by in OF_MATCHES:  # those of different tournaments never met
        rated = [
            counted_ratings(reader, all_figures()[name].under(sides.narrowed(side))).with_columns(
                pl.concat_str("player", pl.lit(BETWEEN + side))
            )
            for side in sides.names
        ]
        return pl.concat(rated).sort("rating", "player", descending=[True, False])
    if name in STRENGTH:  # rated among all who played, of whom the sides are shown
        frame = STRENGTH[name](counted(reader, sides))
        sided = [
            pl.col(column).is_in(list(sides.called().values()))
            for column in ("player", "other")
            if column in frame.columns
        ]
        return frame if sides.by in OF_MATCHES else frame.filter(*sided)
    if sides.by == "player":
        return all_figures()[name].frame(reader, replace(sides.where, players=sides.names))
    frames = []
    for side, called in sides.called().items():
        frame = all_figures()[name].frame(reader, sides.narrowed(side))
        label = pl.concat_str("player", pl.lit(BETWEEN + side)) if sides.by in OF_MATCHES else pl.lit(called)
        frames.append(frame.with_columns(label.alias("player")))
    return pl.concat(frames)


def line_ups_of(reader: Reader, sides: Sides) -> pl.DataFrame | None:
    """Return how the sides differ by who else sits at the table; those of different matches never meet."""
    if sides.by in OF_MATCHES:
        return None

    def count() -> pl.DataFrame:
        results = counted(reader, sides)
        return by_line_up(results, pairs_of(results, sides.by))

    return memo(reader, ("line-ups", sides), count)


def verdict_of(reader: Reader, sides: Sides) -> list[str]:
    """Return the verdict in sentences, the first of them the finding; of kinds of matches also what is left out."""
    frame = frame_of(reader, APART, sides)
    left = said_of_matches(reader, sides) if sides.by in OF_MATCHES else ""
    said = verdict(frame, line_ups_of(reader, sides)) if frame.height or not left else []
    return [*said, *([left] if left else [])]


def of_sides(reader: Reader, name: str, query: Mapping[str, list[str]]) -> Shown:
    """Return a figure of the sides in an address."""
    sides = sides_of(reader, query)
    frame = frame_of(reader, name, sides)
    if name == APART:
        columns, finding = APART_COLUMNS, verdict_of(reader, sides)[0]
    else:
        columns = {**all_figures()[name].columns, "player": CALLED[sides.by].removesuffix("s")}
        finding = finding_of(all_figures()[name], frame, sides.where)
    plain = draw_apart if name == APART else all_figures()[name].overlaid or drawing(all_figures()[name], columns)
    narrows = of_all_alike if name == APART else all_figures()[name].narrows

    def draw(rows: pl.DataFrame, colours: Palette) -> go.Figure:
        named = tuple(dict.fromkeys(rows["player"].sort()))
        figure = plain(rows, colours if sides.by == "player" else replace(colours, players=named))
        return led(figure, narrows, partial(_translated, sides))

    def behind(row: Mapping[str, Any]) -> str:
        return _translated(sides, of_row(row, narrows))

    return Shown(
        title_of(name),
        frame,
        draw,
        columns,
        finding,
        csv_path(f"{KIND}-{name}", sides.pairs()),
        sides.where.pairs(),
        behind,
        left_out(all_figures()["win-share" if name == APART else name], sides.where),
    )


def csv_frame(name: str, reader: Reader, query: Mapping[str, list[str]]) -> pl.DataFrame:
    """Return the frame of a figure of the sides in an address."""
    return frame_of(reader, name, sides_of(reader, query))


def is_wide(name: str) -> bool:
    """Return whether a figure takes a whole line: one of rounds does, of which sides lie over each other."""
    return name != APART and all_figures()[name].overlaid is not None


def title_of(name: str) -> str:
    """Return the heading of a figure."""
    return "How far apart" if name == APART else all_figures()[name].title


kinds[KIND] = of_sides
for _name in (APART, *STRENGTH, *COMPARED):
    MORE[f"{KIND}-{_name}"] = partial(csv_frame, _name)


@callback(
    Output("compare-lead", "children"),
    Output("compare-verdict", "children"),
    Output("compare-figures", "hidden"),
    Input(SEARCH, "data"),
)
def judge(search: str) -> tuple[str, Any, bool]:
    """Say what is compared and which side is better."""
    reader = current_reader()
    sides = sides_of(reader, read_search(search))
    results = counted(reader, sides)
    names = results.seats.filter("kept")["player"].unique().to_list() if results.count else []
    set_props("report-facts", {"data": sides.report()})
    if len(names) < 2:
        words = f"Fewer than two of these {CALLED[sides.by].lower()} were played under these filters"
        return sides.lead(), notice(words, html.P("Choose others, or take a filter away.")), not names
    texts = verdict_of(reader, sides)
    said = [html.P(html.Strong(text) if place == 0 else text) for place, text in enumerate(texts)]
    return sides.lead(), said, False


clientside_callback(ClientsideFunction("figures", "choose"), Input("compare-by", "value"))


def _usual(reader: Reader, where: Filter, by: By) -> Sequence[str]:
    """Return what is compared unless something is chosen: of versions those of a player who has several."""
    where = _with_sides(where, by, ())
    if by in {"option", "board"}:
        choices = filter_choices(reader, game_under(reader, where))
        return (
            choices.boards
            if by == "board"
            else [each for each in choices.options if _option(each) == _option(choices.options[0])]
        )
    possible = memo(reader, ("most seats", where, by), lambda: most_seats(reader, where, by))
    if by != "version":
        return possible
    players = [version.rpartition(" ")[0] for version in possible]
    several = [version for version, player in zip(possible, players, strict=True) if players.count(player) > 1]
    return several or possible


def _possible(choices: Choices, by: By) -> Sequence[str]:
    return {
        "player": choices.players,
        "version": choices.versions,
        "tournament": choices.tournaments,
        "option": choices.options,
        "board": choices.boards,
    }[by]


def _translated(sides: Sides, narrow: str) -> str:
    """Return what narrows to a side in words of filters.

    The other of two sides is named where it is a player at the same tables: not a version, nor of another tournament.
    """
    found: list[tuple[str, str]] = []
    for key, value in parse_qsl(narrow):
        if key == "player":
            found += sides.behind(value)
        elif key != "with":
            found.append((key, value))
        else:
            (_, name), *where = sides.behind(value)
            found += [("with", name)] if sides.by != "version" and set(where) <= set(found) else []
    return urlencode(list(dict.fromkeys(found)))


def _texts(query: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = query.get(key) or ()
    return (value,) if isinstance(value, str) else tuple(value)
