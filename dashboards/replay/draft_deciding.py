"""Run the programs that decide in recording sessions, in a separate process that reads and writes JSON lines.

A program decides as if it had played from the start: it is created with the seed of the match, and first repeats all
earlier decisions of its seat.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from dashboards.replay.branch_document import read_action, write_action
from dashboards.replay.session import Setup, as_setup
from himalaya_core.child import Child, serve
from himalaya_core.players import NamedPlayer
from himalaya_core.recording import Recording

__all__ = ["Deciding", "NotDecided", "Table", "main"]

NICE: Final = 5
SECONDS: Final = 10.0
"""Time limit in seconds for a program's decision."""
PATIENCE: Final = 60.0
"""Seconds allowed before a decision begins: the process has to start and repeat the program's earlier decisions."""
MOST_TABLES: Final = 8
BEGUN: Final = {"begun": True}


class NotDecided(Exception):
    """Error for a program that made no decision; the message gives the reason."""


class Deciding:
    """The deciding process. It makes one decision at a time, and may be ended from another thread."""

    def __init__(self) -> None:
        self._child = Child("dashboards.replay.draft_deciding:main")

    def decision(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Return a program's choice; `NotDecided` if it makes none; the caller must then end the process.

        `wanted` has the id of the `draft`, its `setup`, all `actions` so far and the `seat`.
        """
        self._child.ask(wanted)
        answer = self._answer(PATIENCE)
        if answer == BEGUN:
            answer = self._answer(SECONDS)
        if "error" in answer:
            raise NotDecided(answer["error"])
        found: dict[str, Any] = answer["action"]
        return found

    def end(self) -> None:
        """End the process."""
        self._child.end()

    def _answer(self, seconds: float) -> dict[str, Any]:
        try:
            line = self._child.line(seconds)
        except TimeoutError:
            raise NotDecided(f"takes longer than {seconds:.0f} seconds") from None
        if line is None:
            raise NotDecided("was ended from outside")
        found: dict[str, Any] = json.loads(line)
        return found


@dataclass
class Table:
    """A match with deciding programs: its actions so far, and its programs."""

    setup: Setup
    recording: Recording = field(init=False)
    done: list[dict[str, Any]] = field(default_factory=list, init=False)
    programs: dict[int, tuple[NamedPlayer, list[int]]] = field(default_factory=dict, init=False)
    """By seat: the program, and the number of entries before each of its decisions. The last may not be entered yet."""

    def __post_init__(self) -> None:
        self.recording = self.setup.recording()

    def follow(self, actions: Sequence[dict[str, Any]]) -> None:
        """Bring the match to exactly these actions: undo actions that differ, then carry out the rest."""
        same = next((at for at, pair in enumerate(zip(self.done, actions, strict=False)) if pair[0] != pair[1]), None)
        keep = min(len(self.done), len(actions)) if same is None else same
        self.recording.undo(keep)
        for action in actions[keep:]:
            self.recording.add_action(read_action(self.recording.game, action))
        self.done = list(actions)

    def ready(self, seat: int) -> NamedPlayer:
        """Return a seat's program after all decisions of the seat so far; recreate it if it has not made them."""
        decided = [at for at, action in enumerate(self.done) if action.get("seat") == seat]
        player, decisions = self.programs.pop(seat, (None, []))
        if player is None or decisions != decided:
            player = self.setup.program(seat)
            assert player is not None, "a seat of a program"
            positions, game = self.recording.positions, self.recording.game
            for at in decided:
                player.choose(game.view(positions[at], seat), seat)
        self.programs[seat] = player, [*decided, len(self.done)]
        return player

    def decision(self, player: NamedPlayer, seat: int) -> dict[str, Any]:
        """Return a program's choice in the current position."""
        game, state = self.recording.game, self.recording.match.state
        return write_action(game, player.choose(game.view(state, seat), seat))


def main() -> None:
    """Answer each line of standard input; report the start of each decision before its result."""
    serve(partial(_answer, OrderedDict[str, Table]()), NICE)


def _answer(tables: OrderedDict[str, Table], wanted: Mapping[str, Any], say: Callable[[Any], None]) -> None:
    try:
        table = tables.pop(wanted["draft"], None) or Table(as_setup(wanted["setup"]))
        table.follow(wanted["actions"])
        player = table.ready(wanted["seat"])
        say(BEGUN)
        say({"action": table.decision(player, wanted["seat"])})
        tables[wanted["draft"]] = table
        if len(tables) > MOST_TABLES:
            tables.popitem(last=False)
    except Exception as error:  # noqa: BLE001  a program may fail in any way
        say({"error": f"fails ({type(error).__name__})"})
