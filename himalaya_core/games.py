"""Games, players and commands by name: entry points of installed packages, imported on first use."""

import copyreg
import importlib
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Generic, TypeVar

from himalaya_core.errors import RegistryError
from himalaya_core.game import Game

__all__ = ["GAMES", "Registry", "imported", "rescan", "title_of"]


T = TypeVar("T")

LAST: Final = 100
"""Sort position of registered values without an `order`: at the end."""


class Registry(Mapping[str, T], Generic[T]):
    """The entry points of a group with names that start with a prefix. Keys omit the prefix.

    Names are sorted by the attribute `order` of their values, then by name. `check` raises `ValueError` for a value
    that does not suit its name. Two distributions may register the same object, for example this package and its former
    name.
    """

    def __init__(self, group: str, *, prefix: str = "", check: Callable[[str, Any], None] | None = None) -> None:
        self._group = group
        self._prefix = prefix
        self._check = check
        self._found: Mapping[str, tuple[EntryPoint, ...]] = {}
        self._values: dict[str, T] = {}
        self._failures: dict[str, str] = {}
        self._names: tuple[str, ...] | None = None

    def __getitem__(self, name: str) -> T:
        """Return a value. Raises `RegistryError` if the name is registered but its value cannot be loaded."""
        entries = self._entries()[self._prefix + name]
        if name not in self._values:
            self._values[name] = self._load(name, entries)
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._prefix + name in self._entries()

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all loadable values, sorted by `order` and name."""
        entries = self._entries()
        if self._names is None:
            names = [name.removeprefix(self._prefix) for name in entries if name.startswith(self._prefix)]
            places = {name: place for name in names if (place := self._place(name)) is not None}
            self._names = tuple(sorted(places, key=lambda name: (places[name], name)))
        return iter(self._names)

    def __len__(self) -> int:
        return len(tuple(iter(self)))

    @property
    def has_several(self) -> bool:
        """True if more than one name is registered, loadable or not. Imports nothing."""
        return sum(name.startswith(self._prefix) for name in self._entries()) > 1

    @property
    def failures(self) -> Mapping[str, str]:
        """The reason why each unloadable value failed, by name."""
        iter(self)
        return self._failures

    def _entries(self) -> Mapping[str, tuple[EntryPoint, ...]]:
        found = _scanned(self._group)
        if found is not self._found:
            self._found, self._values, self._failures, self._names = found, {}, {}, None
        return found

    def _place(self, name: str) -> int | None:
        try:
            order = getattr(self[name], "order", LAST)
            return order if isinstance(order, int) else LAST
        except RegistryError as error:
            self._failures[name] = str(error)
            return None

    def _load(self, name: str, entries: tuple[EntryPoint, ...]) -> T:
        entry = entries[0]
        if len({each.value for each in entries}) > 1:
            both = " and ".join(sorted(map(_distribution, entries)))
            raise RegistryError(f"{self._group} has {entry.name!r} twice, from {both}; uninstall one of them")
        try:
            value: T = entry.load()
            if self._check:
                self._check(name, value)
        except (Exception, SystemExit) as error:  # third-party modules can raise anything; report it in one line
            why = "it ends the process" if isinstance(error, SystemExit) else str(error).partition("\n")[0]
            what = f"{self._group} has {entry.name!r} from {_distribution(entry)}"
            raise RegistryError(f"{what}, but {entry.value} cannot be loaded: {why}") from error
        return value


@cache
def _scanned(group: str) -> Mapping[str, tuple[EntryPoint, ...]]:
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in entry_points(group=group):
        found[entry.name] = (*found.get(entry.name, ()), entry)
    return found


def _distribution(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "an unknown package"


def imported(*groups: str) -> list[str]:
    """Return the modules of registered values that this process has already imported."""
    modules = {entry.module for group in groups for entries in _scanned(group).values() for entry in entries}
    return sorted(modules & set(sys.modules))


def rescan() -> None:
    """Make every registry search for installed packages again."""
    importlib.invalidate_caches()
    _scanned.cache_clear()


def _check(name: str, value: Any) -> None:
    if not isinstance(value, Game):
        raise ValueError(f"expected a Game, found {type(value).__name__}")  # noqa: TRY004  callers catch ValueError
    if value.name != name:
        raise ValueError(f"the game calls itself {value.name!r}")


GAMES: Final[Registry[Game[Any, Any, Any]]] = Registry("himalaya.games", check=_check)


def _game(name: str) -> Game[Any, Any, Any]:
    return GAMES[name]


def _reduced(game: Game[Any, Any, Any]) -> Any:
    """Pickle an installed game by its name, since its functions cannot be pickled, and any other by its fields."""
    is_installed = game.name in GAMES and GAMES[game.name] is game
    return (_game, (game.name,)) if is_installed else object.__reduce_ex__(game, pickle.DEFAULT_PROTOCOL)


copyreg.pickle(Game, _reduced)


def title_of(game: str) -> str:
    """Return a game's name for readers; a game that is not installed, or has no title, has only its key."""
    try:
        return GAMES[game].title or game
    except (KeyError, RegistryError):
        return game
