"""Compared sides from an address: players, versions, or kinds of matches, and the selection of these."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from dashboards.games.shared.memo import memo
from dashboards.stats.compare import BETWEEN, BY, OF_MATCHES, By
from dashboards.warehouse.addresses import names_of
from dashboards.warehouse.choices import Choices, filter_choices, game_under, most_seats
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import participants

__all__ = ["BY_KEY", "CALLED", "SIDE_KEY", "Sides", "option_of", "possible_sides", "sides_of", "texts_of"]

BY_KEY, SIDE_KEY = "by", "side"
CALLED: Final = {
    "player": "Players",
    "version": "Versions",
    "tournament": "Tournaments",
    "option": "Options",
    "board": "Boards",
}
MOST_SIDES: Final = 6
"""Largest number of sides that colours and the eye can distinguish."""
USUAL_SIDES: Final = 4


@dataclass(frozen=True, slots=True)
class Sides:
    """Compared sides under a filter: players or kinds of matches, and their names; `chosen` if the address names them.

    `asked` is the number that the address names; no more are compared than the eye can distinguish. `possible` is the
    number of sides to choose from. `labels` are the names of players and versions in figures, each with the key and
    value of the filter that selects it.
    """

    by: By
    names: tuple[str, ...]
    where: Filter
    chosen: bool
    asked: int = 0
    possible: int = 0
    labels: tuple[tuple[str, str, str], ...] = ()

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

    def lead(self) -> str:
        """Say what is compared, and that there is more."""
        names = ", ".join(self.shown())
        if not self.chosen and self.possible > len(self.names):
            of_all = f"{len(self.names)} of {self.possible} {CALLED[self.by].lower()}"
            return f"{of_all}: {names}; choose others below"
        return f"{names}; the first {len(self.names)} of {self.asked} chosen" if self.asked > len(self.names) else names

    def shown(self) -> tuple[str, ...]:
        """Return the names of sides in figures: a player with several settings counts once per setting."""
        return tuple(name for name, _, _ in self.labels) or self.names

    def called(self) -> dict[str, str]:
        """Return the name in figures of each side that is a version or a kind of matches."""
        return dict(zip(self.names, self.shown(), strict=True))

    def behind(self, side: str) -> list[tuple[str, str]]:
        """Return the keys and values that narrow a filter to the matches of a side, given its name in figures."""
        if self.by not in OF_MATCHES:
            return [next(((key, value) for name, key, value in self.labels if name == side), (self.by, side))]
        player, _, name = side.rpartition(BETWEEN)
        return [("player", player), (self.by, name)]


def sides_of(reader: Reader, query: Mapping[str, Any]) -> Sides:
    """Return the sides that an address compares; without any in it, those with most seats."""
    given = next(iter(texts_of(query, BY_KEY)), "player")
    by: By = BY[BY.index(given)] if given in BY else "player"
    where = Filter.read(query)
    names = names_of(query, SIDE_KEY) if by == "player" else texts_of(query, SIDE_KEY)
    if by == "player" and not names:
        names = where.players
    names = tuple(dict.fromkeys(names))
    if by == "option":  # values of one option are sides, those of several are not apart
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
    """Return a filter that selects these sides, whatever it selected before."""
    if by == "board":
        return replace(where, board="".join(names[:1]))
    if by == "option":
        others = [option for option in where.options if not names or option_of(option) != option_of(names[0])]
        return replace(where, options=(*others, *names[:1]))
    field = {"player": "players", "version": "versions", "tournament": "tournaments"}[by]
    return replace(where, **{field: names})  # type: ignore[arg-type]


def option_of(value: str) -> str:
    """Return the option that `name=value` is about."""
    return value.partition("=")[0]


def _usual(reader: Reader, where: Filter, by: By) -> Sequence[str]:
    """Return the default comparison: of versions, those of a player with several."""
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
    """Return the possible sides."""
    return {
        "player": choices.players,
        "version": choices.versions,
        "tournament": choices.tournaments,
        "option": choices.options,
        "board": choices.boards,
    }[by]


def texts_of(query: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the values of a key of an address."""
    value = query.get(key) or ()
    return (value,) if isinstance(value, str) else tuple(value)
