"""A match on paper, as a file: first what is played and by whom, then what was chosen and what fell.

    game caravan
    players Anna, Ben, Chris
    option tokens
    option first=2         # seats count from 1
    ---
    9 ssb; 14 o17          # several entries of a line, with a semicolon
    1: stxxii

Empty lines say nothing, nor does what follows a `#`, unless it stands in quotes, as names may: `"Anna, or #1"`.
"""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from himalaya_core.errors import BoardError, HimalayaError
from himalaya_core.files import load_board
from himalaya_core.game import Game, Option
from himalaya_core.games import GAMES
from himalaya_core.names import did_you_mean
from himalaya_core.notation import write
from himalaya_core.recording import Recording, RecordingError
from himalaya_core.replay import Replay

__all__ = ["RecordFileError", "file_of", "recording_of"]

RULE: Final = "---"
KEYS: Final = ("game", "players", "board", "option")
SEAT: Final = "SEAT"
"""The placeholder of an option that is a seat: on paper they count from 1."""
SAID: Final = re.compile(r'(?:"[^"]*"|[^#"]|"(?=[^"]*$))*')
"""What stands before a comment; a `#` in quotes begins none."""
PLAIN_NAME: Final = re.compile(r'[^,#"\s](?:[^,#"]*[^,#"\s])?')


class RecordFileError(HimalayaError, ValueError):
    """A file that is no record: file and line, what was expected there, and what was found."""


def recording_of(path: Path) -> Recording:
    """Return the recording that a file says; `RecordFileError` names the first line that cannot be."""
    lines = _lines(path)
    recording: Recording | None = None
    said: dict[str, list[str]] = {}
    number = 0
    for number, line in lines:
        if recording is None and line != RULE:
            key, _, value = line.partition(" ")
            if key not in KEYS:
                raise _error(path, number, f"expected {', '.join(KEYS)} or {RULE}, found {key!r}")
            said.setdefault(key, []).append(value.strip())
        elif recording is None:
            recording = _placed(path, number, lambda: _begun(said))
        else:
            _placed(path, number, partial(_add_all, recording, line))
    if recording is None:
        raise _error(path, number + 1, f"expected a line {RULE} after what is played and by whom, found the end")
    return recording


def file_of(replay: Replay) -> str:
    """Return the file that says a match, a line for each round."""
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
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordFileError(f"{path}: cannot be read ({error})") from None
    for number, line in enumerate(text.splitlines(), start=1):
        said = _before_comment(line).strip()
        if said:
            yield number, said


def _begun(said: Mapping[str, Sequence[str]]) -> Recording:
    game = _game(_one(said, "game"))
    players = _names(_one(said, "players"))
    board = load_board(game, Path(said["board"][0]) if "board" in said else None)
    return Recording(game, board, players, dict(_option(game, text) for text in said.get("option", ())))


def _add_all(recording: Recording, line: str) -> None:
    for entry in filter(None, map(str.strip, line.split(";"))):
        recording.add(entry)


def _one(said: Mapping[str, Sequence[str]], key: str) -> str:
    if len(said.get(key, ())) != 1:
        raise RecordingError(f"expected one line {key!r} before {RULE}, found {len(said.get(key, ()))}")
    return said[key][0]


def _game(name: str) -> Game[Any, Any, Any]:
    if name not in GAMES:
        raise RecordingError(f"game: expected one of {', '.join(GAMES)}{did_you_mean(name, GAMES)}; found {name!r}")
    return GAMES[name]


def _option(game: Game[Any, Any, Any], text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    there: dict[str, Option] = {option.name: option for option in game.options}
    option = there.get(name.strip())
    if option is None:
        raise RecordingError(f"option: expected one of {', '.join(there)}{did_you_mean(name, there)}; found {name!r}")
    if option.number is None:
        return option.name, _switch(value.strip() or "on")
    least = int(option.number == SEAT)
    if not value.strip().isdecimal() or int(value) < least:
        what = "the number of a seat, from 1" if least else "a number"
        raise RecordingError(f"option {option.name}: expected {what}, found {value!r}")
    return option.name, int(value) - least


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


def _names(text: str) -> tuple[str, ...]:
    """Return names that are parted by commas; in quotes a name may have some, and a quote is doubled."""
    (names,) = csv.reader([text], skipinitialspace=True)
    return tuple([name.strip() for name in names])


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return name if PLAIN_NAME.fullmatch(name) else f'"{doubled}"'


def _before_comment(line: str) -> str:
    found = SAID.match(line)
    return found[0] if found else ""


def _placed(path: Path, number: int, make: Callable[[], Any]) -> Any:
    """Return what is made of a line; what cannot be names it."""
    try:
        return make()
    except (RecordingError, BoardError) as error:
        raise _error(path, number, str(error)) from None


def _error(path: Path, number: int, reason: str) -> RecordFileError:
    return RecordFileError(f"{path}:{number}: {reason}")
