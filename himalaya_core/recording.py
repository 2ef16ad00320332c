"""Records a match while people play it at a table: choices and rolls are entered one by one and can be undone.

The rules check every entry, so the log never contains an illegal action. The log is marked as unfinished until the
match is over.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from himalaya_core.boards import carried
from himalaya_core.errors import HimalayaError
from himalaya_core.game import CHANCE, DiceSource, Game, IllegalAction, Step
from himalaya_core.log.codec import BoardReference, Header, SeatInfo
from himalaya_core.log.encoder import LogEncoder
from himalaya_core.log.envelope import PERSON
from himalaya_core.match import Match
from himalaya_core.names import entered_names
from himalaya_core.notation import NotationError, expected, read, write
from himalaya_core.players import NamedPlayer
from himalaya_core.tournament.plan import seat_info

__all__ = ["PERSON", "Recording", "RecordingError"]


class RecordingError(HimalayaError, ValueError):
    """An invalid set-up or entry; the message gives what was expected."""


@dataclass
class Recording:
    """A recording of a match: the people or programs at its seats, and the entries so far.

    `programs` maps seats to the programs that play there. `times` holds the time of each entry, if known. `luck` is the
    seed named in the log, if every roll was drawn from it.
    """

    game: Game[Any, Any, Any]
    board: Any
    players: tuple[str, ...]
    options: Mapping[str, Any]
    programs: Mapping[int, NamedPlayer] = field(default_factory=dict)
    luck: str | None = None
    match: Match[Any, Any, Any] = field(init=False)
    times: list[str | None] = field(default_factory=list, init=False)
    respelt: Mapping[str, str] = field(init=False)
    """Names that were entered in more than one spelling, each mapped to the spelling used in the log."""

    def __post_init__(self) -> None:
        """Set up the match. Raises `RecordingError` for unknown options or invalid names."""
        try:
            spelt = entered_names(self.players)
        except ValueError as error:
            raise RecordingError(f"players: {error}") from None
        self.respelt = {name: other for name, other in spelt.items() if name != other}
        self.players = tuple([spelt[name] for name in self.players])
        try:
            self.match = Match(self.game, self.board, {**self.options, "players": len(self.players)})
        except ValueError as error:
            raise RecordingError(str(error)) from None

    @property
    def actions(self) -> list[Any]:
        """All entries so far, in order."""
        return [step.action for step in self.match.history if step.action is not None]

    @property
    def positions(self) -> list[Any]:
        """The position before each entry, followed by the current one."""
        match = self.match
        return [match.history[end - 1].state if end else match.start for end in self._ends()]

    @property
    def expected(self) -> str:
        """A text that says who is to choose next, and in which notation."""
        return expected(self.game, self.match.state)

    def add(self, text: str, at: str | None = None) -> Any:
        """Parse and enter an action; return it.

        Raises `RecordingError` with the expected text if it is invalid; the recording is then unchanged.
        """
        try:
            action = read(self.game, self.match.state, text)
        except NotationError as error:
            raise RecordingError(str(error)) from None
        return self.add_action(action, at)

    def add_action(self, action: Any, at: str | None = None) -> Any:
        """Enter an action and return it.

        Raises `RecordingError` with the reason if it is illegal; the recording is then unchanged.
        """
        try:
            self.match.play(action)
        except IllegalAction as error:
            raise RecordingError(f"{error}; expected {self.expected}") from None
        self.times.append(at)
        return action

    def draw(self, dice: DiceSource, at: str | None = None) -> Any:
        """Roll with the given dice, enter the roll and return it. Raises `RecordingError` if no roll is due."""
        if CHANCE not in self.match.actors:
            raise RecordingError(f"expected {self.expected}; nothing is drawn here")
        return self.add_action(self.match.sample_chance(dice), at)

    def undo(self, to: int) -> None:
        """Undo all entries after the first `to`."""
        ends = self._ends()
        if not 0 <= to < len(ends):
            raise RecordingError(f"expected 0 to {len(ends) - 1} entries to keep, found {to}")
        self.match = self.match.branch(ends[to])
        del self.times[to:]

    def log(self, name: str, entries: int | None = None) -> bytes:
        """Return the log of all entries, or of the first `entries`. The log is unfinished unless the match is over."""
        encoder = LogEncoder(self.game, name)
        ends = self._ends()
        history = self.match.history[: ends[-1 if entries is None else entries]]
        lines = [encoder.start(self._header(), carried(self.game, self.board))]
        lines += [encoder.step(step, self._time(step)) for step in history]
        last = history[-1:] if self.match.is_over and len(history) == len(self.match.history) else []
        lines += [encoder.end(step.ply, step.state, self.match.outcome) for step in last]
        return b"".join(lines)

    def notation(self) -> list[str]:
        """Return the written form of all entries, in order."""
        texts, state = list[str](), self.match.start
        for step in self.match.history:
            if step.action is not None:
                texts.append(write(self.game, state, step.action))
            state = step.state
        return texts

    def _ends(self) -> list[int]:
        """Return the number of events before each entry, followed by the total number of events."""
        history = self.match.history
        return [*(number for number, step in enumerate(history) if step.action is not None), len(history)]

    def _time(self, step: Step[Any, Any, Any]) -> str | None:
        return self.times[step.ply - 1] if step.ply else None

    def _header(self) -> Header:
        return Header(
            format=1,
            game=self.game.name,
            rules_version=self.game.rules_version,
            options={"players": len(self.players), **self.options},
            board=BoardReference(self.board.id, self.board.sha256),
            seats=tuple([self._seat(seat, name) for seat, name in enumerate(self.players)]),
            tournament=None,
            pairing=None,
            luck=self.luck,
        )

    def _seat(self, seat: int, name: str) -> SeatInfo:
        program = self.programs.get(seat)
        if program is not None:
            return seat_info(self.game, seat, program)
        return SeatInfo(seat, name, PERSON, {}, self.game.seat_labels[seat])
