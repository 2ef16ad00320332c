"""Build a report: all figures of the catalog under a filter, and notable matches."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import polars as pl

from dashboards.boards.engine import DrawingError
from dashboards.boards.picture import AnyScene, draw_board, place_and_event
from dashboards.catalog.figures import drawing, figures_under, finding_of
from dashboards.catalog.metrics import metric_of
from dashboards.charts.chart import Drawing
from dashboards.charts.svg import About, DrawFrame
from dashboards.charts.theme import LIGHT, Palette, Scheme, palette
from dashboards.charts.to_svg import fits_on_paper, svg_chart
from dashboards.games.analytics import analytics_of
from dashboards.games.figure import Figure as CatalogFigure
from dashboards.games.figure import shown_columns
from dashboards.queries.filters import Filter
from dashboards.queries.imports import player_names
from dashboards.queries.logs import match_summary, packed_log
from dashboards.queries.provenance import logs_under, player_verdicts_under, scope_under, versions_under
from dashboards.queries.reader import Reader
from dashboards.queries.where import game_under
from dashboards.replay.scenes import fold, scene_of
from dashboards.report.model import (
    SYMMETRIC,
    Claims,
    Figure,
    NothingToReport,
    Report,
    ReportError,
    Telling,
    counts_of,
    digest_of,
)
from dashboards.report.words import in_words
from dashboards.stats.words import Metric
from himalaya_core import __version__
from himalaya_core.replay import ReplayError
from ingest.jobs import Progress
from ingest.warehouse import Warehouse

__all__ = ["build", "each_pair_once", "telling_matches"]


SIZE: Final = (840, 470)
LEADS: Final = "Lead changes"
"""Label of the marks in a replay scene at which the likely winner changes."""


def telling_matches(reader: Reader, found: pl.DataFrame) -> tuple[Telling, ...]:
    """Return the first match for each reason in `found` (`what, match, why`); no match is repeated.

    Matches that cannot be replayed are left out.
    """
    reasons: dict[str, list[str]] = {}
    for match, why in found.unique("what", keep="first", maintain_order=True).select("match", "why").iter_rows():
        reasons.setdefault(match, []).append(str(why))
    telling = []
    for match, whys in reasons.items():
        log, facts = packed_log(reader, match), match_summary(reader, match)
        if log is None or facts is None:
            continue
        try:
            scene = scene_of(fold(log.text()), None)
        except ReplayError:
            continue  # possible only if a filter includes matches not verified against the rules
        frame = _turn(scene)
        moment = ": ".join(part for part in place_and_event(scene, frame) if part)
        sentence = f"{moment} – {_ending(scene, frame)}"
        telling.append(
            Telling(match, "; ".join(whys), facts.line_up, sentence, partial(_highlight_drawing, scene, frame))
        )
    return tuple(telling)


def _turn(scene: AnyScene) -> int:
    """Return the frame at which the likely winner changes for the last time; the last frame if that never happens."""
    marks = next((lane["marks"] for lane in scene["lanes"] if lane["name"] == LEADS), [])
    return max((at for at, _ in marks), default=len(scene["frames"]) - 1)


def _ending(scene: AnyScene, frame: int) -> str:
    ending = scene["endings"][scene["frames"][frame]["e"]]
    return f"{ending['head']}: {ending['text']}"


def _highlight_drawing(scene: AnyScene, frame: int, scheme: Scheme) -> str:
    width, height = SIZE
    try:
        return draw_board(scene, frame, theme=scheme, width=width, height=height, caption=False)
    except DrawingError as error:
        raise ReportError(f"The board of {scene['match']} cannot be drawn: {error}") from None


TRIES: Final = 3
TELLING: Final = "telling-matches"
STANDINGS: Final = "win-share"
PAIR: Final = ("player", "other")
CLOCK: Final = frozenset({"first_in", "last_in"})
"""Columns with load times; a report omits them because databases with the same logs differ in load times."""


def build(
    warehouse: Warehouse,
    where: Filter,
    progress: Progress = lambda *_: None,
    claims: Claims | None = None,
    coloured: Sequence[str] | None = None,
) -> Report:
    """Return the report of a filter; `ReportError` if no match fits it, or matches keep arriving.

    `claims` are the reproducibility results of players from another report, used instead of those in the database.
    `coloured` is the order in which players are assigned colours, instead of the database's order.
    """
    reader = Reader(warehouse)
    for _ in range(TRIES):
        logs = logs_under(reader, where)
        if logs.is_empty():
            raise NothingToReport(f"no finished match fits the filter ({in_words(where)})")
        report = _built(warehouse, where, logs, progress, claims, coloured)
        if digest_of(logs_under(reader, where)) == report.digest:
            return report
    raise ReportError("new matches kept arriving, so no report of a single state could be made; try again")


def _built(
    warehouse: Warehouse,
    where: Filter,
    logs: pl.DataFrame,
    progress: Progress,
    claims: Claims | None,
    coloured: Sequence[str] | None,
) -> Report:
    reader = Reader(warehouse)
    tables = list(figures_under(reader, where).values())
    total = len(tables) + 2
    frames: dict[str, pl.DataFrame] = {}
    for place, table in enumerate(tables):
        progress(place, total, table.title)
        frames[table.name] = table.frame(reader, where)
    progress(total - 2, total, "notable matches")
    telling = telling_matches(reader, frames[TELLING]) if TELLING in frames else ()
    order = frames[STANDINGS]["player"].to_list() if STANDINGS in frames else []
    game = game_under(reader, where)
    draw_own = analytics_of(game).print_drawings
    own = draw_own(reader, where, frames) if draw_own else {}
    players, versions = player_verdicts_under(reader, where), versions_under(reader, where)
    given = _order_of(player_names(reader, game), versions["player"]) if coloured is None else tuple(coloured)
    figures = tuple(
        _figure(reader, table, frames[table.name], where, own.get(table.name), given, order) for table in tables
    )
    scope = scope_under(reader, where, None if claims is None else counts_of(claims, players))
    progress(total - 1, total, "the file")
    definitions = _definitions(figures)
    return Report(where, scope, figures, telling, definitions, versions, logs, players, given, __version__)


def each_pair_once(frame: pl.DataFrame, order: Sequence[str]) -> pl.DataFrame:
    """Return a frame with one row per pair of players; the player that is earlier in `order` comes first.

    If neither is in `order`, the first by name comes first. Rows are sorted in the same way.
    """
    ranks = {name: place for place, name in enumerate(order)}
    rank = [pl.col(name).replace_strict(ranks, default=len(ranks), return_dtype=pl.Int64) for name in PAIR]
    keyed = frame.with_columns(pl.concat_list(PAIR).list.sort().alias("pair"), mine=rank[0], theirs=rank[1])
    ordered = keyed.sort("mine", "theirs", *PAIR)
    return ordered.unique("pair", keep="first", maintain_order=True).drop("pair", "mine", "theirs")


def _order_of(database: Sequence[str], players: Iterable[str]) -> tuple[str, ...]:
    """Return the database's order of players up to the last one in the report, with "" for players not in it."""
    present = set(players)
    named = [player if player in present else "" for player in database]
    while named and not named[-1]:
        named.pop()
    return tuple(named)


def _figure(
    reader: Reader,
    table: CatalogFigure,
    frame: pl.DataFrame,
    where: Filter,
    own: DrawFrame | None,
    coloured: tuple[str, ...],
    order: Sequence[str],
) -> Figure:
    """Return a figure of the catalog with its drawing: on the game's map, or as a chart if it fits on paper."""
    columns = {name: title for name, title in shown_columns(table.columns, frame).items() if name not in CLOCK}
    finding = finding_of(reader, table, frame, where)
    about = About(f"drawing-{table.name}", table.title, finding or table.title)
    draw, chart = own, drawing(table, columns)
    is_drawn = table.draw is not None or any(column.endswith("_low") for column in columns)
    if draw is None and is_drawn and not frame.is_empty() and fits_on_paper(chart(frame, LIGHT)):
        draw = partial(_chart, chart)
    drawn = partial(_drawn, draw, about, frame, coloured) if draw else None
    shown = each_pair_once(frame, order) if table.name in SYMMETRIC else frame
    return Figure(table.name, table.title, table.section, shown, columns, finding, drawn)


def _chart(draw: Drawing, about: About, frame: pl.DataFrame, ink: Palette) -> str:
    return svg_chart(draw(frame, ink), about, ink)


def _drawn(draw: DrawFrame, about: About, frame: pl.DataFrame, order: tuple[str, ...], scheme: Scheme) -> str:
    return draw(about, frame, replace(palette(scheme), players=order))


def _definitions(figures: Iterable[Figure]) -> tuple[Metric, ...]:
    """Return the metrics of the columns shown, in order of appearance."""
    found: dict[str, Metric] = {}
    for figure in figures:
        for column in figure.columns:
            metric = metric_of(column)
            if metric is not None:
                found.setdefault(metric.name, metric)
    return tuple(found.values())
