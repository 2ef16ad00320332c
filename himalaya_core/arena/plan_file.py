"""A tournament described by a TOML file; its keys are those of the command, strictly: `docs/tournament.toml`."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from himalaya_core.arena.deciding import EloModel, SequentialTest
from himalaya_core.arena.plan import Plan, TournamentError, make_plan
from himalaya_core.arena.referee import at_most
from himalaya_core.arena.schedules import Schedule, Seating
from himalaya_core.document import as_json
from himalaya_core.errors import OptionsError
from himalaya_core.game import SEAT, Game
from himalaya_core.games import GAMES
from himalaya_core.names import TOURNAMENT_NAME, did_you_mean
from himalaya_core.players.named import UnknownPlayer

__all__ = ["Question", "read_plan"]


Check = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Question:
    """Question for a tournament to decide: the two players to compare (not given: the only two), and the test."""

    compare: tuple[str, ...] | None
    test: SequentialTest


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 1


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(TOURNAMENT_NAME, value) is not None


def _is_line_up(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(player, str) for player in value)


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_one_of(names: type[Schedule | Seating | EloModel]) -> Check:
    return lambda value: isinstance(value, str) and value in list(names)


KEYS: Final[Mapping[str, tuple[str, Check]]] = {
    "name": ("1 to 57 of A-Z a-z 0-9 . _ -", _is_name),
    "game": ("one of {games}", lambda value: isinstance(value, str) and value in GAMES),
    "players": ('a list of players such as ["greedy", "trader"]', _is_line_up),
    "schedule": (f"one of {', '.join(Schedule)}", _is_one_of(Schedule)),
    "seating": (f"one of {', '.join(Seating)}", _is_one_of(Seating)),
    "seats": ("a whole number from 1", _is_count),
    "seeds": ("a whole number from 1", _is_count),
    "matches": ("a whole number from 1", _is_count),
    "options": ("a table such as [options] with tokens = true", lambda value: isinstance(value, dict)),
    "board": ("the path of a file, or the id of a board that ships with the game", _is_path),
    "out": ("the path of a folder", _is_path),
    "until_decided": ("a table such as [until_decided] with elo1 = 20", lambda value: isinstance(value, dict)),
}
QUESTION: Final[Mapping[str, tuple[str, Check]]] = {
    "compare": ('two players such as ["greedy", "trader"]', lambda value: _is_line_up(value) and len(value) == 2),
    "elo0": ("a number", _is_number),
    "elo1": ("a number", _is_number),
    "alpha": ("a number", _is_number),
    "beta": ("a number", _is_number),
    "elo_model": (f"one of {', '.join(EloModel)}", _is_one_of(EloModel)),
}
FORMER: Final[Mapping[str, str]] = {"lucks": "seeds"}
"""Old names of keys."""
NEEDED: Final = ("name", "game", "players")


def read_plan(path: Path) -> tuple[Plan, Path | None, Question | None]:
    """Return the plan in a file, the folder it names, and its table `until_decided`, if it has one.

    Paths in it start from the file's own folder. `TournamentError` names the file, the key, the expected value and
    the one found.
    """
    found = _read(path)
    _check_keys(path, found, KEYS)
    for key in NEEDED:
        if key not in found:
            raise TournamentError(f"{path}: {key} is missing: {KEYS[key][0]}")
    out = found.pop("out", None)
    board = found.pop("board", None)
    if board is not None:
        beside = path.parent / board
        found["board"] = beside if beside.exists() else Path(board)
    for key, kind in (("schedule", Schedule), ("seating", Seating)):
        if key in found:
            found[key] = kind(found[key])
    if "options" in found:
        found["options"] = _from_zero(GAMES[found["game"]], found["options"])
    question = _question(path, found.pop("until_decided")) if "until_decided" in found else None
    try:
        plan = make_plan(**{**found, "players": tuple(found["players"])}, beside=path.parent)
    except (TournamentError, OptionsError, UnknownPlayer) as error:
        raise TournamentError(f"{path}: {error}") from None
    if question and not {"seeds", "matches"} & set(found):
        plan = at_most(plan)
    return plan, None if out is None else path.parent / out, question


def _read(path: Path) -> dict[str, Any]:
    """Return the keys of a file by their present names."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TournamentError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TournamentError(f"{path}: expected text in UTF-8; save the file so") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at (line \d+, column \d+|end of document)\)", str(error))
        where = f" at {place[1]}" if place else ""
        raise TournamentError(f"{path}: this is not TOML{where}; docs/tournament.toml shows the format") from None
    return {FORMER.get(key, key): value for key, value in found.items()}


def _from_zero(game: Game[Any, Any, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with seats counted from 0, as a log has them; in the file they count from 1."""
    seats = {option.name for option in game.options if option.number == SEAT}
    return {name: value - 1 if name in seats and type(value) is int else value for name, value in options.items()}


def _question(path: Path, found: Mapping[str, Any]) -> Question:
    _check_keys(path, found, QUESTION, "until_decided.")
    given = dict(found)
    compare = given.pop("compare", None)
    if "elo_model" in given:
        given["elo_model"] = EloModel(given["elo_model"])
    try:
        return Question(None if compare is None else tuple(compare), SequentialTest(**given))
    except ValueError as error:
        raise TournamentError(f"{path}: until_decided: {error}") from None


def _check_keys(path: Path, found: Mapping[str, Any], keys: Mapping[str, tuple[str, Check]], table: str = "") -> None:
    for key, value in found.items():
        if key not in keys:
            there = f"there are {', '.join(keys)}{did_you_mean(key, keys)}"
            raise TournamentError(f"{path}: key {table + key!r} is unknown; {there}")
        expected, fits = keys[key]
        if not fits(value):
            expected = expected.format(games=", ".join(GAMES))
            raise TournamentError(f"{path}: {table}{key}: expected {expected}, found {as_json(value)}")
