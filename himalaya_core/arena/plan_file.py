"""A tournament described by a TOML file; its keys are those of the command, strictly: `docs/tournament.toml`."""

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from himalaya_core.arena.plan import Plan, TournamentError, make_plan
from himalaya_core.arena.schedules import Schedule, Seating
from himalaya_core.errors import OptionsError
from himalaya_core.games import GAMES
from himalaya_core.players.named import UnknownPlayer

__all__ = ["TOURNAMENT_NAME", "read_plan"]

TOURNAMENT_NAME: Final = r"[A-Za-z0-9._-]{1,57}"

Check = Callable[[Any], bool]


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 1


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(TOURNAMENT_NAME, value) is not None


def _is_line_up(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(player, str) for player in value)


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_one_of(names: Mapping[str, Any] | type[Schedule] | type[Seating]) -> Check:
    return lambda value: isinstance(value, str) and value in list(names)


KEYS: Final[Mapping[str, tuple[str, Check]]] = {
    "name": ("1 to 57 of A-Z a-z 0-9 . _ -", _is_name),
    "game": ("one of {games}", lambda value: isinstance(value, str) and value in GAMES),
    "players": ('a list of players such as ["greedy", "trader"]', _is_line_up),
    "schedule": (f"one of {', '.join(Schedule)}", _is_one_of(Schedule)),
    "seating": (f"one of {', '.join(Seating)}", _is_one_of(Seating)),
    "seats": ("a whole number from 1", _is_count),
    "lucks": ("a whole number from 1", _is_count),
    "matches": ("a whole number from 1", _is_count),
    "options": ("a table such as [options] with tokens = true", lambda value: isinstance(value, dict)),
    "board": ("the path of a file, or the id of a board that ships with the game", _is_path),
    "out": ("the path of a folder", _is_path),
}
NEEDED: Final = ("name", "game", "players")


def read_plan(path: Path) -> tuple[Plan, Path | None]:
    """Return the plan in a file and the folder it names; paths in it start from the file's own folder.

    `TournamentError` names the file, the key, what was expected there and what was found.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TournamentError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise TournamentError(f"{path}: {error}") from None
    _check_keys(path, found)
    out = found.pop("out", None)
    board = found.pop("board", None)
    if board is not None:
        beside = path.parent / board
        found["board"] = beside if beside.exists() else Path(board)
    if "lucks" in found:
        found["seeds"] = found.pop("lucks")
    for key, kind in (("schedule", Schedule), ("seating", Seating)):
        if key in found:
            found[key] = kind(found[key])
    try:
        plan = make_plan(**{**found, "players": tuple(found["players"])}, beside=path.parent)
    except (TournamentError, OptionsError, UnknownPlayer) as error:
        raise TournamentError(f"{path}: {error}") from None
    return plan, None if out is None else path.parent / out


def _check_keys(path: Path, found: Mapping[str, Any]) -> None:
    for key, value in found.items():
        if key not in KEYS:
            raise TournamentError(f"{path}: key {key!r} is unknown; there are {', '.join(KEYS)}")
        expected, fits = KEYS[key]
        if not fits(value):
            expected = expected.format(games=", ".join(GAMES))
            raise TournamentError(f"{path}: {key}: expected {expected}, found {value!r}")
    for key in NEEDED:
        if key not in found:
            raise TournamentError(f"{path}: {key} is missing: {KEYS[key][0]}")
