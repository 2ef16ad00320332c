"""Games by name: those that installed packages register under `himalaya.games`."""

from typing import Any, Final

from himalaya_core.game import Game
from himalaya_core.registry import Registry

__all__ = ["GAMES"]


def _check(name: str, value: Any) -> None:
    if not isinstance(value, Game):
        raise ValueError(f"expected a Game, found {type(value).__name__}")  # noqa: TRY004  one kind of error for all
    if value.name != name:
        raise ValueError(f"the game calls itself {value.name!r}")


GAMES: Final[Registry[Game[Any, Any, Any]]] = Registry("himalaya.games", check=_check)
