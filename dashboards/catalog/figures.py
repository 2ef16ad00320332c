"""All figures of pages, `/csv`, exports and reports: filters, drawing, findings; and the list of tournaments."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Final

import polars as pl

from dashboards.catalog.chances import CALIBRATION, DECIDED_BY_CHANCES, LARGEST_SWINGS, MOMENT_CAUSES, has_model
from dashboards.catalog.length import LENGTH
from dashboards.catalog.metrics import metric_of
from dashboards.catalog.notable import TELLING
from dashboards.catalog.strength import strength_figures
from dashboards.charts import builders
from dashboards.charts.builders import Panel, by_part, interval_panels, number, percent_label
from dashboards.charts.chart import Chart, Drawing
from dashboards.charts.theme import Palette
from dashboards.games.analytics import ANALYTICS, PLAIN, all_analytics, analytics_of, terms_of
from dashboards.games.figure import Figure
from dashboards.games.shared.recent import counted_results, memo
from dashboards.queries.filters import FILTER_KEYS, LAST_ROUND, Filter
from dashboards.queries.reader import Reader
from dashboards.queries.tournaments import latest_tournaments, leader, tournament_list
from dashboards.queries.where import game_under, of_any_seat, tables_under
from dashboards.stats.ratings import pools
from dashboards.stats.results import Lineups
from dashboards.stats.strength_words import apart, weakness
from dashboards.stats.words import some, whole
from himalaya_core.games import GAMES, title_of
from himalaya_core.names import did_you_mean, shown_name

__all__ = [
    "TOURNAMENTS",
    "FilterError",
    "all_figures",
    "asked_filter",
    "drawing",
    "figure_of",
    "figure_under",
    "figures_of",
    "figures_under",
    "finding_of",
    "left_out",
    "pools_under",
    "shortened",
    "tournaments_now",
]


USUAL: Final = {("from", "0")}


class FilterError(ValueError):
    """Raised for an unknown filter key or an impossible value; the message is a sentence without a full stop."""


def asked_filter(pairs: Iterable[tuple[str, str]]) -> Filter:
    """Return the filter for these keys and values. Raises `FilterError` for an unknown key or an impossible value."""
    asked: dict[str, list[str]] = {}
    for key, value in pairs:
        if key not in FILTER_KEYS:
            raise FilterError(
                f"expected one of {', '.join(FILTER_KEYS)}, found {key[:40]!r}{did_you_mean(key, FILTER_KEYS)}"
            )
        asked.setdefault(key, []).append(value)
    where = Filter.read(asked)
    turned = {("from", str(where.last)), ("to", str(where.first))}
    understood = {*where.pairs(), *USUAL, *turned}
    most = (
        terms_of(where.game).last
        if where.game
        else max((analytics.terms.last for analytics in all_analytics()), default=PLAIN.last)
    )
    understood -= {(key, value) for key, value in understood if key in {"from", "to"} and int(value) > most}
    for key, values in asked.items():
        for value in values:
            if (key, value) not in understood:
                raise FilterError(f"{key} cannot be {value[:40]!r}")
    return where


def drawing(figure: Figure, columns: Mapping[str, str] | None = None) -> Drawing:
    """Return a figure's drawing function; the default draws its intervals or else its numbers."""
    shown = figure.columns if columns is None else columns
    return figure.draw or (lambda frame, colours: _draw_any(frame, shown, colours))


def _draw_any(frame: pl.DataFrame, columns: Mapping[str, str], colours: Palette) -> Chart:
    """Draw each column that has an interval. With several key columns, draw one panel per value of the further keys."""
    known = {column: heading for column, heading in columns.items() if column in frame.columns}
    keys = [column for column in known if metric_of(column) is None]
    with_bounds = [column for column in known if f"{column}_low" in frame.columns]
    shown = with_bounds or [column for column in known if column not in keys and frame[column].dtype.is_numeric()]
    rows = "player" if "player" in keys else keys[0]
    named = frame.with_columns(pl.col(rows).cast(pl.String))
    others = [key for key in keys if key != rows]
    if others:
        named = named.with_columns(pl.concat_str(others, separator=" ").alias("part"))
        return interval_panels(by_part(named, "part", shown[0], _format(shown[0])), colours, rows=rows)
    parts = [Panel(known[column], named, column, _format(column)) for column in shown]
    return interval_panels(parts, colours, rows=rows)


def _format(column: str) -> builders.Format:
    metric = metric_of(column)
    return percent_label if metric and "share" in metric.unit else number


def _frame(reader: Reader, where: Filter) -> pl.DataFrame:
    return tournament_list(reader, where)


def tournaments_now(reader: Reader, most: int) -> pl.DataFrame:
    """Return the latest tournaments with their leaders: `latest_tournaments` plus `pools, leader, share, seats`.

    The added columns are computed from the finished matches that statistics count.

    The leader is null if no match has ended, or if there are several pools of players (`stats.pools`).
    """
    shown = latest_tournaments(reader, most)
    wheres = [Filter(game=game, tournaments=(name,)) for name, game in shown.select("tournament", "game").rows()]
    rows = [memo(reader, ("leader", where), partial(_led, reader, where)) for where in wheres]
    schema = {"pools": pl.Int64, "leader": pl.String, "share": pl.Float64, "seats": pl.Int64}
    return pl.concat([shown, pl.DataFrame(rows, schema=schema, orient="row")], how="horizontal")


def _led(reader: Reader, where: Filter) -> tuple[object, ...]:
    found = pools(tables_under(reader, where))
    return (1, *leader(reader, where)) if len(found) == 1 else (len(found), None, None, None)


def finding(frame: pl.DataFrame) -> str:
    """Return a sentence: the number of tournaments, their game if they share one, and how many are finished."""
    if frame.is_empty():
        return "No tournament has a match that fits these filters."
    matches, finished = int(frame["all_matches"].sum()), int(frame["finished"].sum())
    games = frame["game"].unique().to_list()
    of_game = f" of {title_of(games[0])}" if len(games) == 1 else ""
    said = f"{whole(frame.height, 'tournament')}{of_game} with {whole(matches, 'match', 'matches')}"
    return f"{said}, all finished." if finished == matches else f"{said}, {finished:,} finished."


TOURNAMENTS: Final = Figure(
    "tournaments",
    "Tournaments",
    "strength",
    _frame,
    {
        "tournament": "Tournament",
        "game": "Game",
        "status": "Status",
        "all_matches": "Matches",
        "finished": "Finished",
        "groups": "Seeds",
        "player_count": "Players",
        "version_count": "Versions",
        "sizes": "Table size",
        "first_in": "First loaded (UTC)",
        "last_in": "Last loaded (UTC)",
    },
    finding,
)


MOST_POOLS: Final = 3
CHANCES: Final = (DECIDED_BY_CHANCES, LARGEST_SWINGS, MOMENT_CAUSES, CALIBRATION)
"""Figures for every game that ships with a win probability model."""


@cache
def figures_of(game: str) -> Mapping[str, Figure]:
    """Return the figures of a game in page order; for a game without figures, those that suit any game."""
    analytics, chances = analytics_of(game), CHANCES if has_model(game) else ()
    strength = strength_figures(analytics.starters)
    return {figure.name: figure for figure in (*strength, TOURNAMENTS, *analytics.figures, TELLING, LENGTH, *chances)}


def figures_under(reader: Reader, where: Filter) -> Mapping[str, Figure]:
    """Return the figures of the game that a filter selects.

    >>> from pathlib import Path
    >>> import himalaya_core as hm
    >>> from dashboards.catalog.figures import figures_under
    >>> from dashboards.queries.filters import Filter
    >>> from dashboards.queries.reader import Reader
    >>> from ingest.opening import open_warehouse
    >>> from ingest.pipeline import ingest
    >>> files = hm.run_tournament(hm.make_plan("pair", "summit", ("porter", "racer"), seeds=2), Path("pair"), 1)
    >>> loaded = ingest(files, Path("figures.duckdb"), processes=1)
    >>> with open_warehouse(Path("figures.duckdb")) as warehouse:
    ...     reader, where = Reader(warehouse), Filter(tournaments=("pair",))
    ...     frame = figures_under(reader, where)["win-share"].frame(reader, where)
    >>> sorted(frame["player"]), frame["played"].sum()
    (['porter', 'racer'], 8)
    """
    return figures_of(game_under(reader, where))


@cache
def all_figures() -> Mapping[str, Figure]:
    """Return the figures of all games by name, as the first game that has a figure shows it (see `figure_of`)."""
    found = dict[str, Figure]()
    for game in [game for game in GAMES if game in ANALYTICS] or [""]:
        found |= {name: figure for name, figure in figures_of(game).items() if name not in found}
    return found


def figure_of(game: str, name: str) -> Figure:
    """Return a figure as a game shows it, or as the first game that has it does. Raises `KeyError` for another name."""
    return figures_of(game).get(name) or all_figures()[name]


def figure_under(reader: Reader, where: Filter, name: str) -> Figure:
    """Return a figure as the game shows it that a filter selects. Raises `KeyError` for an unknown name."""
    return figure_of(game_under(reader, where), name)


def finding_of(
    reader: Reader, figure: Figure, frame: pl.DataFrame, where: Filter, results: Lineups | None = None
) -> str:
    """Return the finding of a figure in words, separately for each pool of players (`stats.pools`).

    If the filter shows only some players, the finding starts with a note on this. `results` are passed if sides of a
    comparison take the role of players.
    """
    if "player" not in frame.columns or frame.is_empty():
        return shortened(figure.finding(frame), frame)
    found = pools(results.seats) if results else pools_under(reader, where)
    parts = [(pool, frame.filter(pl.col("player").is_in(pool))) for pool in found]
    parts = [(pool, part) for pool, part in parts if part.height]
    said = [apart([pool for pool, _ in parts])] if figure.section == "strength" and not results else []
    for pool, part in parts[:MOST_POOLS]:
        is_partial = bool(where.players or where.versions) and part["player"].n_unique() > 1
        among = f"Among {'the chosen players' if len(parts) == 1 else some(pool)}: "
        is_named = is_partial if len(parts) == 1 else len(pool) > 1 and not results
        said.append(f"{among if is_named else ''}{figure.finding(part)}")
    if figure.name == "ratings":
        said += weakness(results or counted_results(reader, figure.under(where)))
    return shortened(" ".join(filter(None, said)), frame)


def shortened(text: str, frame: pl.DataFrame) -> str:
    """Return a text in which names of players are written as `shown_name` writes them."""
    columns = [frame[column] for column in ("player", "other", "winner") if column in frame.columns]
    for name in {name for column in columns for name in column.unique().drop_nulls().cast(pl.String)}:
        text = text.replace(name, shown_name(name)) if shown_name(name) != name else text
    return text


def pools_under(reader: Reader, where: Filter) -> list[list[str]]:
    """Return the pools of players in the matches that a filter selects."""
    where = replace(of_any_seat(where), versions=where.versions, first=0, last=LAST_ROUND)
    return memo(reader, ("pools", where), lambda: pools(tables_under(reader, where)))


def left_out(figure: Figure, where: Filter) -> str:
    """Return a note on rounds or results that a figure includes against the filter; empty if there are none."""
    under = figure.under(where)
    every = f"all {terms_of(where.game).rounds}"
    rounds = [every] if (under.first, under.last) != (where.first, where.last) else []
    left = " and ".join([*rounds, *(["all results"] if under.results != where.results else [])])
    return f"Counts {left}, whatever the filter says." if left else ""
