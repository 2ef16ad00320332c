"""Carry an address over to another game: keys that its matches share stay, the rest is left out."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from dashboards.games.analytics import terms_of
from dashboards.warehouse.choices import Choices, Reader, filter_choices

__all__ = ["in_game"]

OF_ONE_GAME: Final = frozenset({"from", "to", "layer"})
"""Keys with values that mean something else in each game: rounds, and layers of a map."""
SECOND: Final = "b."
"""Prefix of the keys of a second selection."""
SIDES: Final = {"player": "player", "version": "version", "tournament": "tournament"}


def in_game(reader: Reader, query: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Return the keys and values of an address that mean something in the game that it names, or the one most played.

    Keys outside the filter, such as the order of a list, stay as they are.
    """
    game = next(iter(query.get("game", ())), "")
    known = _known(filter_choices(reader, game))
    by = next(iter(query.get("by", ())), "player")
    known |= {"with": known["player"], "side": known[SIDES.get(by, "player")]}
    kept = []
    for key, values in query.items():
        own = key.removeprefix(SECOND)
        if own not in OF_ONE_GAME:
            kept += [(key, value) for value in values if own not in known or value in known[own]]
    return kept


def _known(choices: Choices) -> dict[str, Collection[str]]:
    """Return the possible values of a game's filters."""
    ends = {*choices.eliminations, "outlasted"} if choices.eliminations else set()
    return {
        "tournament": choices.tournaments,
        "option": choices.options,
        "players": {str(size) for size in choices.sizes},
        "player": choices.players,
        "version": choices.versions,
        "seat": {str(seat) for seat in range(1, choices.seats + 1)},
        "result": {"won", "lost", *ends},
        "ending": terms_of(choices.game).endings,
        "board": choices.boards,
    }
