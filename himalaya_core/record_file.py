"""A record file: a handwritten match with the game and its players first, then the choices and rolls.

    game caravan
    players Anna, Ben, Chris
    option tokens
    option first=2         # seats count from 1
    ---
    9 ssb; 14 barley tea 5 # semicolons separate entries on one line
    1: stxxii

Empty lines are ignored, and so is text after a `#`. A `#` inside quotes is part of the text: `"Anna, or #1"`.
"""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from himalaya_core.errors import BoardError, HimalayaError, OptionsError
from himalaya_core.files import load_board
from himalaya_core.game import SEAT, Game, Option
from himalaya_core.games import GAMES
from himalaya_core.names import did_you_mean
from himalaya_core.notation import write
from himalaya_core.recording import Recording, RecordingError
from himalaya_core.replay import Replay

__all__ = ["RecordFileError", "file_of", "recording_of"]

RULE: Final = "---"
KEYS: Final = ("game", "players", "board", "option")
SAID: Final = re.compile(r'(?:"[^"]*"|[^#"]|"(?=[^"]*$))*')
"""Matches the part of a line before a comment. A `#` inside quotes does not begin a comment."""
PLAIN_NAME: Final = re.compile(r'[^,#"\s](?:[^,#"]*[^,#"\s])?')


class RecordFileError(HimalayaError, ValueError):
    """An invalid record file; the message gives file and line, the expected text and the one found."""


def recording_of(path: Path) -> Recording:
    """Read a record file. `RecordFileError` names the first invalid line."""
    lines = _lines(path)
    recording: Recording | None = None
    head: list[tuple[int, str, str]] = []
    number = 0
    for number, line in lines:
        if recording is None and line != RULE:
            key, _, value = line.partition(" ")
            if key not in KEYS:
                raise _error(path, number, f"expected {', '.join(KEYS)} or {RULE}, found {key!r}")
            head.append((number, key, value.strip()))
        elif recording is None:
            recording = _begun(path, head, number)
        else:
            _placed(path, number, partial(_add_all, recording, line))
    if recording is None:
        raise _error(path, number + 1, f"expected a line {RULE} after the game and its players, found the end")
    return recording


def file_of(replay: Replay) -> str:
    """Return a match as the text of a record file, one line per round."""
    header, game = replay.header, replay.game
    options = [f"option {each.name}={_shown(each, header.options[each.name])}" for each in _given(game, header.options)]
    board = [] if header.board.id == game.default_board else [f"board {header.board.id}"]
    players = ", ".join(_quoted(info.player) for info in header.seats)
    head = [f"game {game.name}", f"players {players}", *board, *options, RULE]
    rounds: dict[int, list[str]] = {}
    for before, entry in zip(replay.states, replay.entries[1:], strict=False):
        if entry.action is not None:
            rounds.setdefault(entry.round, []).append(write(game, before, entry.action))
    return "\n".join([*head, *map("; ".join, rounds.values()), ""])


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise RecordFileError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordFileError(f"{path}: expected text in UTF-8; save the file so") from None
    for number, line in enumerate(text.splitlines(), start=1):
        said = _before_comment(line).strip()
        if said:
            yield number, said


def _begun(path: Path, head: Sequence[tuple[int, str, str]], rule: int) -> Recording:
    for key in ("game", "players", "board"):
        numbers = [number for number, each, _ in head if each == key]
        if len(numbers) > 1:
            raise _error(path, numbers[1], f"{key}: expected one such line, found another in line {numbers[0]}")
        if not numbers and key != "board":
            raise _error(path, rule, f"expected a line {key!r} before {RULE}, found none")
    said: dict[str, tuple[int, str]] = {key: (number, value) for number, key, value in head}
    line, name = said["game"]
    game = _placed(path, line, lambda: _game(name))
    line, named = said["players"]
    players = _placed(path, line, lambda: _names(game, named))
    options: dict[str, Any] = {}
    for number, key, value in head:
        if key == "option":
            options |= _placed(path, number, partial(_option, game, value, len(players)))
    number, place = said.get("board", (rule, None))
    board = _placed(path, number, lambda: load_board(game, None if place is None else Path(place)))
    made: Recording = _placed(path, line, lambda: Recording(game, board, players, options))
    return made


def _add_all(recording: Recording, line: str) -> None:
    for entry in filter(None, map(str.strip, line.split(";"))):
        recording.add(entry)


def _game(name: str) -> Game[Any, Any, Any]:
    if name not in GAMES:
        raise RecordingError(f"game: expected one of {', '.join(GAMES)}{did_you_mean(name, GAMES)}; found {name!r}")
    return GAMES[name]


def _option(game: Game[Any, Any, Any], text: str, players: int) -> dict[str, Any]:
    name, _, value = text.partition("=")
    there: dict[str, Option] = {option.name: option for option in game.options}
    option = there.get(name.strip())
    if option is None:
        raise RecordingError(f"option: expected one of {', '.join(there)}{did_you_mean(name, there)}; found {name!r}")
    if option.number is None:
        return {option.name: _switch(value.strip() or "on")}
    least = int(option.number == SEAT)
    if not value.strip().isdecimal() or int(value) < least:
        what = "the number of a seat, from 1" if least else "a number"
        raise RecordingError(f"option {option.name}: expected {what}, found {value!r}")
    if least and int(value) > players:
        raise RecordingError(f"option {option.name}: expected a seat from 1 to {players}, found {int(value)}")
    try:
        game.parse_options({"players": players, option.name: int(value) - least})
    except OptionsError as error:
        raise RecordingError(str(error)) from None
    return {option.name: int(value) - least}


def _switch(value: str) -> bool:
    known = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
    if value.lower() not in known:
        raise RecordingError(f"option: expected on or off, found {value!r}")
    return known[value.lower()]


def _given(game: Game[Any, Any, Any], options: Mapping[str, Any]) -> list[Option]:
    return [option for option in game.options if option.name in options]


def _shown(option: Option, value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value + (option.number == SEAT))


def _names(game: Game[Any, Any, Any], text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list. Names may be quoted; a quote inside is doubled."""
    names = tuple([name.strip() for row in csv.reader([text], skipinitialspace=True) for name in row])
    try:
        game.parse_options({"players": len(names)})
    except OptionsError as error:
        raise RecordingError(f"players: {error}") from None
    return names


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return name if PLAIN_NAME.fullmatch(name) else f'"{doubled}"'


def _before_comment(line: str) -> str:
    found = SAID.match(line)
    return found[0] if found else ""


def _placed(path: Path, number: int, make: Callable[[], Any]) -> Any:
    """Return `make()`. If it raises an error, add the file and line number."""
    try:
        return make()
    except (RecordingError, BoardError) as error:
        raise _error(path, number, str(error)) from None


def _error(path: Path, number: int, reason: str) -> RecordFileError:
    return RecordFileError(f"{path}:{number}: {reason}")
