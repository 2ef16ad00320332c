"""The places of a board, and the counts on a map: for one selection, or the difference of two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from dashboards.games.analytics import MapLayer, analytics_of
from dashboards.games.shared.recent import counted_sample, memo
from dashboards.queries.filters import Filter
from dashboards.queries.logs import match_lines
from dashboards.queries.reader import Reader
from dashboards.queries.traffic import Place, amounts_of_selections, boards_used, place_totals
from dashboards.queries.where import game_under
from dashboards.stats.intervals import corrected_by_holm, difference_sums, mean_test
from dashboards.stats.words import bounds, plain, signed, whole
from himalaya_core.boards import board_for
from himalaya_core.errors import BoardError
from himalaya_core.games import GAMES
from himalaya_core.log.codec import decode_line
from himalaya_core.log.envelope import Header

__all__ = [
    "BoardContext",
    "Selection",
    "board_context",
    "compared_places",
    "counted_places",
    "differences",
    "map_finding",
    "selections",
]


@dataclass(frozen=True)
class BoardContext:
    """A board of a game with its digest and places; no board and empty frames if no match fits the filter.

    `matches` is the number of filtered matches on this board, `matches_in_all` that on all boards.
    """

    game: str
    board: Any
    digest: str
    matches: int
    matches_in_all: int
    places: Mapping[str, pl.DataFrame]

    def of(self, what: str) -> pl.DataFrame:
        """Return the places of the event `what`, with their properties."""
        return self.places[self.place(what).by[0]]

    def place(self, what: str) -> Place:
        """Return how the event `what` is counted by place; `what` is a key of the game's `places`."""
        return analytics_of(self.game).places[what]


def board_context(reader: Reader, where: Filter) -> BoardContext:
    """Return the board that the filter names, or the available board with most matches under the filter."""
    return memo(reader, ("context", where), lambda: _context(reader, where))


def _context(reader: Reader, where: Filter) -> BoardContext:
    game, boards = game_under(reader, where), boards_used(reader, where)
    at_hand = ((each, board) for each in boards.iter_rows(named=True) if (board := _board(reader, each["match"])))
    nowhere: dict[str, Any] = {"board_sha256": "", "matches": 0}
    used, board = next(at_hand, (nowhere, None))
    places_on = analytics_of(game).places_on
    places = places_on(board) if places_on else {}
    return BoardContext(game, board, used["board_sha256"], used["matches"], int(boards["matches"].sum()), places)


def _board(reader: Reader, match: str) -> Any:
    lines = match_lines(reader, match)
    assert lines, "the warehouse has the lines of every match"
    first = decode_line(lines[0])
    assert isinstance(first.event, Header), "ingest takes whole matches only"
    header = first.event
    try:
        return board_for(GAMES[header.game], header.board.id, header.board.sha256, first.extra)
    except BoardError:
        return None  # the board of an unverified match may not be installed here


NAMES: Final = frozenset({"player", "version", "tournament", "result"})
"""Filter keys that a selection's name omits, because the value alone is clear (a player, a tournament)."""
SHORT: Final = 40
LEVEL: Final = 0.05


@dataclass(frozen=True, slots=True)
class Selection:
    """A selection on the map: its name, its filter, and the number of seats under that filter."""

    name: str
    where: Filter
    seats: int


def selections(reader: Reader, show: str, first: Filter, second: Filter) -> tuple[BoardContext, list[Selection]]:
    """Return the board and the selections shown: one, winners and losers, or two filters on the board of the first."""
    context = board_context(reader, first)
    if show == "winners":
        named = [("winners", replace(first, results=("won",))), ("losers", replace(first, results=("lost",)))]
    elif show == "two":
        named = [(_called(first, second, "first"), first), (_called(second, first, "second"), second)]
    else:
        named = [("", first)]
    return context, [
        Selection(name, where, counted_sample(reader, where, context.digest).seats) for name, where in named
    ]


def _called(one: Filter, other: Filter, nth: str) -> str:
    """Return a name for a selection: the part of its filter that differs from the other, if short enough."""
    own = [pair for pair in one.pairs() if pair not in other.pairs()]
    said = ", ".join(
        value if key in NAMES else f"{value} players" if key == "players" else f"{key} {value}" for key, value in own
    )
    return said if said and len(said) <= SHORT else f"{nth} selection"


def counted_places(reader: Reader, what: str, selection: Selection, context: BoardContext) -> pl.DataFrame:
    """Return the places with `total` and `per_seat`, one row per place of the board, most events first."""
    rows = _everywhere(reader, what, selection, context)
    return rows.filter(pl.col("total") > 0) if context.place(what).is_sparse else rows


def _everywhere(reader: Reader, what: str, selection: Selection, context: BoardContext) -> pl.DataFrame:
    places = context.of(what)
    place = context.place(what)
    by = list(place.by)
    counted = place_totals(reader, [place.column], place.table, by, selection.where, context.digest)
    counted = counted.with_columns(pl.col(by).cast(pl.Int64)).rename({place.column: "total"})
    rows = places.join(counted, on=by, how="left", maintain_order="left").with_columns(pl.col("total").fill_null(0))
    per_seat = (100 * pl.col("total") / max(selection.seats, 1)).alias("per_seat")
    return rows.with_columns(per_seat).sort("total", *by, descending=[True, *[False] * len(by)])


def differences(reader: Reader, what: str, chosen: Sequence[Selection], context: BoardContext) -> pl.DataFrame:
    """Return the places with `per_seat, other_per_seat, per_seat_difference` from all matches, without intervals."""
    first, second = chosen
    by = list(context.place(what).by)
    mine = _everywhere(reader, what, first, context).drop("total")
    theirs = _everywhere(reader, what, second, context).select(*by, other_per_seat="per_seat")
    difference = (pl.col("per_seat") - pl.col("other_per_seat")).alias("per_seat_difference")
    rows = mine.join(theirs, on=by, maintain_order="left").with_columns(difference)
    some = (pl.col("per_seat") > 0) | (pl.col("other_per_seat") > 0)
    return rows.filter(some) if context.place(what).is_sparse else rows


def compared_places(reader: Reader, what: str, chosen: Sequence[Selection], context: BoardContext) -> pl.DataFrame:
    """Return `differences` with `groups`, bounds, p-values (`_p`) and corrected p-values (`_holm`), largest first.

    Each difference is tested as a mean over the seeds in either selection. Its p-value is corrected for all places. If
    seeds are sampled, the variance is that of the sample.
    """
    by = list(context.place(what).by)
    rows = differences(reader, what, chosen, context)
    samples = [counted_sample(reader, one.where, context.digest) for one in chosen]
    bound = min(sample.bound for sample in samples)
    both = amounts_of_selections(reader, context.place(what), [one.where for one in chosen], context.digest, bound)
    both = both.with_columns(pl.col(by).cast(pl.Int64))
    amounts = [both.select(*by, "unit", x=f"x_{side}") for side in range(len(chosen))]
    trials = [sample.trials("seats", bound) for sample in samples]
    sums = difference_sums(rows.select(by), by, (amounts[0], trials[0]), (amounts[1], trials[1]))
    sampled = max((part.height for part in trials), default=0)
    every = max((sample.seeds.height for sample in samples), default=0)
    smaller = sampled / every if every else 1.0
    tests = [
        mean_test(1, difference, groups, 100**2 * variance * smaller * (groups - 1) / max(groups, 1))
        for difference, variance, groups in zip(
            rows["per_seat_difference"], sums["variance"], sums["groups"], strict=True
        )
    ]
    name = "per_seat_difference"
    return rows.with_columns(
        sums["groups"],
        *(
            pl.Series(f"{name}{end}", [test[place] for test in tests], pl.Float64)
            for place, end in enumerate(("", "_low", "_high", "_p"))
        ),
        pl.Series(f"{name}_holm", corrected_by_holm([p for *_, p in tests]), pl.Float64),
    ).sort(pl.col(name).abs(), *by, descending=[True, *[False] * len(by)])


def map_finding(layer: MapLayer, place: Place, frame: pl.DataFrame, chosen: Sequence[Selection]) -> str:
    """Return a sentence on the total and range over places, or for two selections on the significant differences."""
    if not any(one.seats for one in chosen):
        return "No finished match fits these filters."
    if len(chosen) == 1:
        total = int(frame["total"].sum())
        if not total:
            return f"There are no {layer.many} under these filters."
        high, low = (
            f"{row['total']:,} ({row['total'] / total:.1%}) in {_place(row, place)}"
            for row in (frame.row(0, named=True), frame.row(-1, named=True))
        )
        never = frame.filter(total=0).height
        rest = f"none in {whole(never, place.called)}, up to {high}" if never else f"from {low} to {high}"
        each = f"{total / chosen[0].seats:.1f} per player and match"
        return f"{whole(total, layer.one, layer.many)}, {each}: {rest}."
    for one in chosen:
        if not one.seats:
            return f"{one.name.capitalize()} has no seat on this board, so there is nothing to compare."
    mine, theirs = chosen
    seats = [f"{whole(one.seats, 'seat')}" for one in chosen]
    if not any(frame["per_seat_difference"]):
        return f"The two do not differ: {layer.many} per 100 seats are the same everywhere."
    return (
        f"{layer.many[:1].upper()}{layer.many[1:]} per 100 seats, {mine.name} ({seats[0]}) minus {theirs.name}"
        f" ({seats[1]}): {_apart(frame, place)}"
    )


def _apart(frame: pl.DataFrame, place: Place) -> str:
    """Return sentences on how many places differ significantly (after correction), with the largest differences."""
    name = "per_seat_difference"
    places = whole(frame.height, place.called)
    apart = frame.filter(pl.col(f"{name}_holm") <= LEVEL).sort(name, descending=True)
    if apart.is_empty():
        return f"no significant difference in any of {places} (Holm, 5%)."
    more, fewer = apart.row(0, named=True), apart.row(-1, named=True)
    said = [f"significant difference in {apart.height} of {places} (Holm, 5%)."]
    if more[name] > 0:
        said.append(f"There are more in {_place(more, place)}, {_difference(more)}.")
    if fewer[name] < 0:
        said.append(f"There are fewer in {_place(fewer, place)}, {_difference(fewer)}.")
    return " ".join(said)


def _place(row: dict[str, float], place: Place) -> str:
    return f"{place.called} {', '.join(plain(row[key], 0) for key in place.by)}"


def _difference(row: dict[str, float]) -> str:
    name = "per_seat_difference"
    said = f"{signed(row[name])}{bounds(row, name, signed)}"
    return f"{row['per_seat']:.1f} against {row['other_per_seat']:.1f}: {said}"
