"""The standings of a tournament and its cross-table; both show an interval next to each number."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl
from dash import dcc, html
from dash.development.base_component import Component

from dashboards.catalog.metrics import metric_of
from dashboards.queries.addresses import url
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.where import game_under
from dashboards.stats.words import confidence, percent, significant, some, whole
from dashboards.ui.components import aria, meaning, participant
from himalaya_core.names import shown_name

__all__ = ["Leading", "cross_table", "heading", "standing_table"]

FURTHEST: Final = 0.3
"""Distance of a share from one half at which its cell has the strongest colour."""
EVEN: Final = 0.5


def heading(column: str, text: str, side: str = "", game: str = "") -> Component:
    """Return the heading of a column, with a link to its definition."""
    metric = metric_of(column)
    meant = html.A(text, href=meaning(metric.name, game), title=metric.sentence) if metric else text
    return html.Th(meant, scope="col", className=side)


@dataclass(frozen=True, slots=True)
class Leading:
    """Links from rows and cells to matches: the filter, and the filter key and value of each participant."""

    where: Filter
    keys: Mapping[str, tuple[str, str]]
    reader: Reader

    def matches_of(self, player: str, *others: str) -> str:
        """Return the address of a player's matches, restricted to tables where all `others` sat too."""
        key, value = self.keys.get(player, ("player", player))
        pairs = [pair for pair in self.where.pairs() if pair[0] != key]
        # Opponents are selected by player; filters cannot select them by settings.
        with_others = [("with", other) for other in others if other not in self.keys]
        return url("/matches", pairs, [(key, value)], with_others)


def standing_table(shares: pl.DataFrame, ratings: pl.DataFrame, leading: Leading) -> Component:
    """Return a table of players sorted by share of wins (`win_share`), with ratings, linked to their matches."""
    rated = {row["player"]: row for row in ratings.iter_rows(named=True)}
    most = float(shares["win_share_high"].max() or 1)  # type: ignore[arg-type]  # a column of floats
    bounds = _bounds(ratings)
    head = [
        html.Th("Place", scope="col", className="number"),
        html.Th("Player", scope="col"),
        heading("win_share", "Share won", "number", leading.where.game),
        html.Th(["95% CI", html.Span("; line: equal strength", className="when-wide")], scope="col"),
        heading("rating", "Rating (Elo)", "number", leading.where.game),
        html.Th("95% CI", scope="col"),
        heading("played", "Matches", "number", leading.where.game),
        heading("groups", "Seeds", "number", leading.where.game),
    ]
    pools = shares.partition_by("pool", maintain_order=True)
    bodies = [
        html.Tbody(
            [
                *([_pool_row(number, part, len(head))] if len(pools) > 1 else []),
                *(
                    _player_row(place, row, rated.get(row["player"]), most, bounds, leading)
                    for place, row in enumerate(part.iter_rows(named=True), start=1)
                ),
            ]
        )
        for number, part in enumerate(pools, start=1)
    ]
    return _scrolling("Standings", [html.Thead(html.Tr(head)), *bodies], "listing")


def cross_table(frame: pl.DataFrame, players: list[str], leading: Leading) -> Component:
    """Return a table of how often the row's player finished ahead of the column's player; cells link to their matches.

    `frame` is that of the figure `head-to-head`; `players` gives the order of rows and columns.
    """
    cells = {(row["player"], row["other"]): row for row in frame.iter_rows(named=True)}
    head = [
        html.Td("ahead of", className="corner"),
        *(html.Th(html.Span(shown_name(name)), scope="col", title=name) for name in players),
    ]
    rows = [
        html.Tr(
            [
                html.Th(shown_name(player), scope="row", title=player),
                *(_cell(cells.get((player, other)), leading) for other in players),
            ]
        )
        for player in players
    ]
    return _scrolling("Head to head", [html.Thead(html.Tr(head)), html.Tbody(rows)], "cross")


def _pool_row(number: int, pool: pl.DataFrame, width: int) -> Component:
    text = f"Pool {number}: {some([*map(shown_name, pool['player'])])}"
    return html.Tr(html.Th(text, scope="rowgroup", colSpan=width, className="pool"))


def _player_row(
    place: int,
    row: Mapping[str, Any],
    rated: Mapping[str, Any] | None,
    most: float,
    bounds: tuple[float, float],
    leading: Leading,
) -> Component:
    player = row["player"]
    scale = (0.0, most)
    share = _interval(row["win_share"], row["win_share_low"], row["win_share_high"], scale, row["expected_share"])
    said = f"{row['win_share_low']:.1%} to {row['win_share_high']:.1%}"
    rating: tuple[Any, Any] = ("\N{EN DASH}", "")
    if rated and rated["rating"] is not None:
        rating = (_signed(rated["rating"]), _rating_interval(rated, bounds))
    link = dcc.Link(
        participant(leading.reader, game_under(leading.reader, leading.where), player),
        href=leading.matches_of(player),
        className="row-link",
        title=f"The matches of {player}",
    )
    return html.Tr(
        [
            html.Td(str(place), className="number"),
            html.Th(link, scope="row"),
            html.Td(f"{row['win_share']:.1%}", className="number strong"),
            html.Td([share, html.Span(said, className="interval-text")], className="with-interval"),
            html.Td(rating[0], className="number strong"),
            html.Td(rating[1], className="with-interval"),
            html.Td(f"{row['played']:,}", className="number"),
            html.Td(f"{row['groups']:,}", className="number"),
        ]
    )


def _rating_interval(row: Mapping[str, Any], bounds: tuple[float, float]) -> list[Component]:
    low, high = row["rating_low"], row["rating_high"]
    if low is None:
        return [html.Span("\N{EN DASH}", className="interval-text")]
    text = f"{_signed(low)} to {_signed(high)}"
    return [_interval(row["rating"], low, high, bounds, 0.0), html.Span(text, className="interval-text")]


def _interval(at: float, low: float, high: float, scale: tuple[float, float], line: float) -> Component:
    """Return a value and its bounds drawn on a scale, with a line for comparison; decorative, as the text follows."""
    least, most = scale
    width = (most - least) or 1.0
    parts = {"low": low, "at": at, "high": high, "line": line}
    style = {f"--{name}": f"{min(max((value - least) / width, 0.0), 1.0):.4f}" for name, value in parts.items()}
    inside = [html.Span(className=f"interval-{part}") for part in ("line", "band", "dot")]
    return html.Span(inside, className="interval", style=style, **aria(hidden="true"))


def _bounds(ratings: pl.DataFrame) -> tuple[float, float]:
    values = [
        value
        for name in ("rating", "rating_low", "rating_high")
        for value in ratings[name].to_list()
        if value is not None
    ]
    return min(values, default=0.0), max(values, default=1.0)


def _cell(row: Mapping[str, Any] | None, leading: Leading) -> Component:
    if row is None:
        return html.Td("", className="none")
    share, apart = row["better_share"], significant(row, "better_share")
    sign = [html.Span("*", className="apart")] if apart else []
    both = leading.matches_of(row["player"], row["other"])
    said: dict[str, Any] = {"data-said": _said(row, apart=apart)}
    link = dcc.Link([f"{share:.0%}", *sign], href=both)
    strength = min(abs(share - EVEN) / FURTHEST, 1.0)
    return html.Td(
        html.Span([link, html.Span(said["data-said"], className="visually-hidden")], className="cell", **said),
        className="ahead" if share > EVEN else "behind" if share < EVEN else "even",
        style={"--strength": f"{strength:.3f}"},
    )


def _said(row: Mapping[str, Any], *, apart: bool) -> str:
    """Return a cell's tooltip, with all numbers behind the cell."""
    test = "significant" if apart else "not significant"
    meetings = whole(row["pairs"], "meeting")
    return (
        f"{shown_name(row['player'])} finished ahead of {shown_name(row['other'])}"
        f" in {row['better_share']:.1%} of their {meetings},"
        f" {confidence(percent(row['better_share_low']), percent(row['better_share_high']))}; {test}"
        f" (corrected p {_p(row['better_share_holm'])})."
    )


def _p(value: float | None) -> str:
    if value is None:
        return "\N{EN DASH}"
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def _signed(value: float) -> str:
    return f"{value:+z.0f}".replace("-", "\N{MINUS SIGN}")


def _scrolling(caption: str, parts: list[Component], class_name: str) -> Component:
    table = html.Table([html.Caption(caption, className="visually-hidden"), *parts], className=class_name)
    return html.Div(table, className="table-scroll", tabIndex=0, role="region", **aria(label=caption))
