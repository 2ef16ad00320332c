"""Comparison of sides: reads the sides from a page's address and computes the results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import polars as pl

from dashboards.catalog.figures import all_figures, shortened
from dashboards.games.shared.recent import counted_results, memo
from dashboards.queries.addresses import names_of
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import match_conditions, seat_results
from dashboards.queries.where import Choices, filter_choices, game_under, most_seats, participants
from dashboards.stats.compare import BETWEEN, BY, OF_MATCHES, By, by_sides, compared, pairs_of, verdict
from dashboards.stats.head_to_head import head_to_head, opponent_interaction
from dashboards.stats.matched import alike, is_reweighted, left_out
from dashboards.stats.ratings import pool_numbers, pools, ratings
from dashboards.stats.results import Lineups, lineups_of
from dashboards.stats.standing import placement, win_share
from dashboards.stats.strength_words import apart
from dashboards.stats.words import some, whole
from himalaya_core.names import shown_name

__all__ = [
    "APART",
    "BY_KEY",
    "CALLED",
    "SIDE_KEY",
    "STRENGTH",
    "Sides",
    "counted",
    "frame_of",
    "line_ups_of",
    "option_of",
    "possible_sides",
    "sides_of",
    "texts_of",
    "verdict_of",
]


BY_KEY, SIDE_KEY = "by", "side"
CALLED: Final = {
    "player": "Players",
    "version": "Versions",
    "tournament": "Tournaments",
    "option": "Options",
    "board": "Boards",
}
MOST_SIDES: Final = 6
"""Maximum number of sides, limited by how many colours readers can distinguish."""
USUAL_SIDES: Final = 4


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides compared under a filter: players, versions or kinds of matches.

    - `chosen`: true if the address names the sides.
    - `asked`: how many sides the address names. At most `MOST_SIDES` are compared.
    - `possible`: how many sides there are to choose from.
    - `labels`: for each player or version, its name in figures, and the filter key and value that select its matches.
    """

    by: By
    names: tuple[str, ...]
    where: Filter
    chosen: bool
    asked: int = 0
    possible: int = 0
    labels: tuple[tuple[str, str, str], ...] = ()

    def pairs(self) -> list[tuple[str, str]]:
        """Return the key–value pairs of an address that selects this comparison."""
        return [
            *self.where.pairs(),
            *([(BY_KEY, self.by)] if self.by != "player" else []),
            *((SIDE_KEY, name) for name in self.names),
        ]

    def narrowed(self, name: str) -> Filter:
        """Return the filter narrowed to one side."""
        return _with_sides(self.where, self.by, (name,))

    def lead(self) -> str:
        """Return what is compared, as a phrase, with a note if more sides were chosen or are available."""
        names = ", ".join(map(shown_name, self.shown()))
        if not self.chosen and self.possible > len(self.names):
            of_all = f"{len(self.names)} of {self.possible} {CALLED[self.by].lower()}"
            return f"{of_all}: {names}; choose others below"
        return f"{names}; the first {len(self.names)} of {self.asked} chosen" if self.asked > len(self.names) else names

    def shown(self) -> tuple[str, ...]:
        """Return the names of sides in figures: a player with several settings appears once per setting."""
        return tuple(name for name, _, _ in self.labels) or self.names

    def called(self) -> dict[str, str]:
        """Map each side that is a version or a kind of matches to its name in figures."""
        return dict(zip(self.names, self.shown(), strict=True))

    def behind(self, side: str) -> list[tuple[str, str]]:
        """Return the filter keys and values that select the matches of a side, given the side's name in figures."""
        if self.by not in OF_MATCHES:
            return [next(((key, value) for name, key, value in self.labels if name == side), (self.by, side))]
        player, _, name = side.rpartition(BETWEEN)
        return [("player", player), (self.by, name)]


def sides_of(reader: Reader, query: Mapping[str, Any]) -> Sides:
    """Return the sides that an address compares; if it names none, a default choice."""
    given = next(iter(texts_of(query, BY_KEY)), "player")
    by: By = BY[BY.index(given)] if given in BY else "player"
    where = Filter.read(query)
    names = names_of(query, SIDE_KEY) if by == "player" else texts_of(query, SIDE_KEY)
    if by == "player" and not names:
        names = where.players
    names = tuple(dict.fromkeys(names))
    if by == "option":  # the sides are values of one option, so values of any other option are dropped
        names = tuple(name for name in names if option_of(name) == option_of(names[0]))
    if len(names) > 1:
        sides = Sides(by, names[:MOST_SIDES], where, chosen=True, asked=len(names))
        return replace(sides, labels=_labels(reader, sides))
    usual = [name for name in _usual(reader, where, by) if name not in names]
    every = possible_sides(filter_choices(reader, game_under(reader, where)), by)
    sides = Sides(by, (*names, *usual)[:USUAL_SIDES], where, chosen=False, possible=len(every))
    return replace(sides, labels=_labels(reader, sides))


def _labels(reader: Reader, sides: Sides) -> tuple[tuple[str, str, str], ...]:
    if sides.by in OF_MATCHES:
        return ()
    found = participants(reader, replace(sides.where, versions=sides.names) if sides.by == "version" else sides.where)
    if sides.by == "version":
        names = {each.value: each.name for each in found}
        return tuple((names.get(name, name.rpartition(" ")[0]), "version", name) for name in sides.names)
    labels: list[tuple[str, str, str]] = []
    for name in sides.names:
        several = [(each.name, each.key, each.value) for each in found if each.player == name]
        labels += several or [(name, "player", name)]
    return tuple(labels)


def _with_sides(where: Filter, by: By, names: tuple[str, ...]) -> Filter:
    """Return the filter restricted to these sides, replacing its previous selection of sides."""
    if by == "board":
        return replace(where, board="".join(names[:1]))
    if by == "option":
        others = [option for option in where.options if not names or option_of(option) != option_of(names[0])]
        return replace(where, options=(*others, *names[:1]))
    field = {"player": "players", "version": "versions", "tournament": "tournaments"}[by]
    return replace(where, **{field: names})  # type: ignore[arg-type]


def option_of(value: str) -> str:
    """Return the name of the option in `name=value`."""
    return value.partition("=")[0]


def _usual(reader: Reader, where: Filter, by: By) -> Sequence[str]:
    """Return the default sides: those with most seats; for versions, only players with several versions."""
    where = _with_sides(where, by, ())
    if by in {"option", "board"}:
        choices = filter_choices(reader, game_under(reader, where))
        return (
            choices.boards
            if by == "board"
            else [each for each in choices.options if option_of(each) == option_of(choices.options[0])]
        )
    possible = memo(reader, ("most seats", where, by), lambda: most_seats(reader, where, by))
    if by != "version":
        return possible
    players = [version.rpartition(" ")[0] for version in possible]
    several = [version for version, player in zip(possible, players, strict=True) if players.count(player) > 1]
    return several or possible


def possible_sides(choices: Choices, by: By) -> Sequence[str]:
    """Return all sides to choose from in a comparison."""
    return {
        "player": choices.players,
        "version": choices.versions,
        "tournament": choices.tournaments,
        "option": choices.options,
        "board": choices.boards,
    }[by]


def texts_of(query: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return all values of a key in an address's query."""
    value = query.get(key) or ()
    return (value,) if isinstance(value, str) else tuple(value)


APART: Final = "apart"
UNLIKE_WHO_WINS: Final = (
    "Here every match on the shared seeds has equal weight; under Analysis → Who wins? every seed has, so figures may"
    " differ slightly."
)
MOST_LEFT: Final = 3
"""Maximum number of kinds of excluded matches that a sentence names."""
SAME: Final[Mapping[By, str]] = {
    "version": "opponents, seats, board and options",
    "tournament": "opponents, seats, board and options",
    "option": "opponents, seats, board and all other options",
    "board": "opponents, seats and options",
}
STRENGTH: Final[dict[str, Callable[[Lineups], pl.DataFrame]]] = {
    "win-share": win_share,
    "ratings": ratings,
    "head-to-head": head_to_head,
    "placement": placement,
}
"""Figures that are computed separately for the sides of a comparison."""


def counted(reader: Reader, sides: Sides) -> Lineups:
    """Return the results with each side as a player, under the same conditions as all strength figures."""
    sides = replace(sides, where=all_figures()["win-share"].under(sides.where))
    if sides.by == "player":
        everyone = counted_results(reader, replace(sides.where, players=()))
        return replace(everyone, seats=everyone.seats.with_columns(_kept(sides.shown())))
    if sides.by == "version":
        return counted_results(reader, replace(sides.where, versions=sides.names))
    key = (sides.by, sides.where, sides.names)
    return memo(reader, key, lambda: lineups_of(by_sides(_of_matches(reader, sides), sides.by, sides.names)))


@dataclass(frozen=True)
class Alike:
    """Results for each pair of sides, their number of matches, and `side, why, matches` of the excluded matches."""

    results: list[Lineups]
    matches: int
    left: list[tuple[str, str, int]]
    is_reweighted: bool


def alike_of(reader: Reader, sides: Sides) -> Alike:
    """Return comparable matches for each pair of sides.

    For players these are all matches: players share tables and seeds, so `stats.differences` pairs them.
    """
    if sides.by == "player":
        results = counted(reader, sides)
        return Alike([results], len(results.matches), [], is_reweighted=False)
    sides = replace(sides, where=all_figures()["win-share"].under(sides.where))
    return memo(reader, ("alike", sides.by, sides.where, sides.names), lambda: _alike(reader, sides))


def _alike(reader: Reader, sides: Sides) -> Alike:
    if sides.by == "version":
        where = replace(sides.where, versions=sides.names)
        played = seat_results(reader, where).filter(pl.col("kept").any().over("match"))
        conditions = _conditions(reader, sides, where)
    else:
        played = _of_matches(reader, sides)
        narrowed = [sides.narrowed(name) for name in sides.names] or [sides.where]
        conditions = pl.concat(_conditions(reader, sides, where) for where in narrowed)
    played = played.join(conditions, on="match")
    pairs: list[tuple[str, ...]] = [*combinations(sides.names, 2)] or [sides.names]
    parts = [alike(_of_sides(played, sides.by, pair), sides.by) for pair in pairs]
    named = [by_sides(part, sides.by, sides.names) for part in parts]
    results = [lineups_of(each.with_columns(pl.col("player").replace(sides.called()))) for each in named]
    found = pl.concat(part.select("match", "weight") for part in parts)
    called = sides.called() if sides.by == "version" else {}
    left = [(called.get(side, side), why, matches) for side, why, matches in left_out(played, found, sides.by)]
    return Alike(results, found["match"].n_unique(), left, is_reweighted(found))


def _of_sides(played: pl.DataFrame, by: By, names: Sequence[str]) -> pl.DataFrame:
    if by in OF_MATCHES:
        return played.filter(pl.col(by).is_in(list(names)))
    version = pl.concat_str("player", "version", separator=" ")
    return played.with_columns(pl.col("kept") & version.is_in(list(names)))


def _conditions(reader: Reader, sides: Sides, where: Filter) -> pl.DataFrame:
    """Return `match, conditions`: board and options in words, except the one that is compared."""
    found = match_conditions(reader, where)
    several = pl.col("copy").n_unique().over("board") > 1
    board = pl.when(several).then(pl.concat_str("board", "copy", separator=" ")).otherwise("board")
    compared_one = option_of(sides.names[0]) if sides.by == "option" and sides.names else ""
    told = {each: _without(each, compared_one) for each in found["options"].unique()}
    options = pl.col("options").replace_strict(told, return_dtype=pl.String)
    words = options if sides.by == "board" else pl.concat_str(board, options, separator="")
    return found.select("match", words.alias("conditions"))


def _without(options: str, name: str) -> str:
    """Return the options except the one called `name`, as text to append to a board's name."""
    return "".join(f", {option}" for option in options.split(", ") if option and option_of(option) != name)


def _of_matches(reader: Reader, sides: Sides) -> pl.DataFrame:
    """Return the results of all sides that are kinds of matches, with a column for the side; empty without sides."""
    if not sides.names:
        return seat_results(reader, sides.where).clear().with_columns(pl.lit("").alias(sides.by))
    return pl.concat(
        seat_results(reader, sides.narrowed(name)).with_columns(pl.lit(name).alias(sides.by), player="name")
        for name in sides.names
    )


def said_of_alike(reader: Reader, sides: Sides) -> list[str]:
    """Return sentences on which matches are compared, how they are weighted and which are left out.

    The list is empty if all matches are compared with equal weight.
    """
    found, called = alike_of(reader, sides), CALLED[sides.by].lower()
    left = ", ".join(f"{number:,} of {side} ({why.strip(', ')})" for side, why, number in found.left[:MOST_LEFT])
    others = sum(number for *_, number in found.left[MOST_LEFT:])
    left_over = f"Left out: {left}{f' and {others:,} others' if others else ''}." if found.left else ""
    if not found.matches:
        nothing = f"These {called} have no matches with the same {SAME[sides.by]}, so there is nothing to compare."
        return [nothing, left_over] if found.left else []
    said = [
        f"These {called} played such matches in different proportions, so all are weighted to the same mix."
    ] * found.is_reweighted
    if found.left:
        alike_ones = "" if len(sides.names) < 3 else ", each pair of sides over those"
        compared_ones = (
            f"Compares {whole(found.matches, 'match', 'matches')}{alike_ones} with the same {SAME[sides.by]}."
        )
        said = [compared_ones, *said, left_over]
    return said


def _kept(names: Sequence[str]) -> pl.Expr:
    return (pl.col("kept") & pl.col("player").is_in(list(names))).alias("kept")


def frame_of(reader: Reader, name: str, sides: Sides) -> pl.DataFrame:
    """Return a figure's frame in which each side is a player."""
    return memo(reader, (name, sides), lambda: _frame(reader, name, sides))


def _frame(reader: Reader, name: str, sides: Sides) -> pl.DataFrame:
    if name == APART:
        return compared(alike_of(reader, sides).results, sides.by)
    if not sides.names:
        return all_figures()[name].frame(reader, sides.where).clear()
    if name in STRENGTH:  # ratings are computed from all players, but only the sides are shown
        frame = STRENGTH[name](counted(reader, sides))
        sided = [pl.col(column).is_in(sides.shown()) for column in ("player", "other") if column in frame.columns]
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
    """Return how the difference between sides depends on the opponents; `None` if the sides never share a table."""
    if sides.by in OF_MATCHES:
        return None

    def count() -> pl.DataFrame:
        results = counted(reader, sides)
        return opponent_interaction(results, pairs_of(results, sides.by))

    return memo(reader, ("line-ups", sides), count)


def verdict_of(reader: Reader, sides: Sides) -> list[str]:
    """Return the verdict as sentences: first the finding, then which matches are compared and which are left out."""
    found, said = alike_of(reader, sides), said_of_alike(reader, sides)
    if not found.matches and said:
        return said
    never_met = _never_met(reader, sides)
    seats = pl.concat(each.seats.filter("kept").select("players") for each in found.results)
    sizes = seats["players"].unique().sort().to_list()
    frame = frame_of(reader, APART, sides)
    if frame.is_empty() and never_met:
        return never_met
    on_seeds = sides.by == "player" and (frame["ground"] == "luck").any()
    head, *more = verdict(frame, line_ups_of(reader, sides), sizes)
    sentences = [head, *never_met, *more, *([UNLIKE_WHO_WINS] * on_seeds), *said]
    return [shortened(sentence, frame) for sentence in sentences]


def _never_met(reader: Reader, sides: Sides) -> list[str]:
    """Return sentences on sides that are not compared because no tables connect them; none for kinds of matches."""
    if sides.by in OF_MATCHES:
        return []
    results = counted(reader, sides)
    shown = set(results.seats.filter("kept")["player"])
    found = [[name for name in pool if name in shown] for pool in pools(results.seats)]
    of_pool = pool_numbers(found := [pool for pool in found if pool])
    frame = frame_of(reader, APART, sides)
    compared_ones = {frozenset(pair) for pair in frame.select("player", "other").iter_rows()}
    left = [
        f"{one} and {other}"
        for one, other in combinations(sorted(shown), 2)
        if of_pool[one] == of_pool[other] and frozenset((one, other)) not in compared_ones
    ]
    never = f"{some(left)} sat neither at one table nor with the same others, so they are not compared."
    return [text for text in (apart(found), never if left else "") if text]
