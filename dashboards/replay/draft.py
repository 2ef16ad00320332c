"""A match in a recording session, carried out by the rules from its set-up and its changes.

A change is checked here before it is stored, and noted once it is. It is JSON, as in the warehouse: `add` an action,
`undo` to a number of entries, `take` (claim) a seat, or `handed_in` (submitted) as a log.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from dashboards.replay.branch_document import read_action, write_action
from dashboards.replay.draft_setup import DRAWN, IN_PLAY, Setup, as_setup
from dashboards.replay.growth import cut, grown
from himalaya_core.game import CHANCE, Game
from himalaya_core.notation import write
from himalaya_core.recording import Recording, RecordingError
from himalaya_core.replay import Replay
from ingest.people.drafts import Change, KeptDraft

__all__ = ["MOST_ENTRIES", "Draft", "Entered", "HandedIn", "TakenSeat", "moment"]

MOST_ENTRIES: Final = 5_000
MOST_OF_NAME: Final = 40
"""Letters of a title at the start of the log's name."""


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry as in a log and in words, its seat (`None`: chance), its author and its time.

    `frame` is that of the scene after it.
    """

    action: dict[str, Any]
    text: str
    seat: int | None
    round: int
    at: str
    by: str
    frame: int


@dataclass(frozen=True, slots=True)
class TakenSeat:
    """Player in a claimed seat: the name, and the digest of the key of the claim."""

    name: str
    key_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A submitted log: the name of its match, the receipt, and the number of its entries."""

    match: str
    receipt: str
    entries: int


@dataclass
class Draft:
    """A match in a recording session; callers must make sure that only one of them uses it at a time."""

    stored: KeptDraft
    setup: Setup = field(init=False)
    recording: Recording = field(init=False)
    replay: Replay = field(init=False)
    changes: list[Change] = field(default_factory=list, init=False)
    entries: list[Entered] = field(default_factory=list, init=False)
    seats: list[TakenSeat | None] = field(init=False)
    handed_in: HandedIn | None = field(default=None, init=False)
    names: set[str] = field(default_factory=set, init=False)
    """Names under which it was submitted so far."""
    fewest: int = field(default=0, init=False)
    """The smallest number of entries since it was submitted."""
    answers: dict[str, bytes] = field(default_factory=dict, init=False)
    """Responses for its current state, by their cache keys."""

    def __post_init__(self) -> None:
        """Begin the match; `DocumentError` if its game is no longer installed."""
        self.setup = as_setup(self.stored.setup)
        self.recording = self.setup.recording()
        self.seats = [
            TakenSeat(seat.name) if self.setup.kind != IN_PLAY and seat.name else None for seat in self.setup.seats
        ]
        self.replay = Replay.read(self.recording.log(self.match).splitlines(keepends=True))
        self._lines = len(self.replay.entries)

    @property
    def game(self) -> Game[Any, Any, Any]:
        """The game of the match."""
        return self.recording.game

    @property
    def state(self) -> Any:
        """The position now."""
        return self.recording.match.state

    @property
    def actors(self) -> tuple[int, ...]:
        """Seats that may act now."""
        return self.recording.match.actors

    @property
    def is_over(self) -> bool:
        """Whether no choice is left."""
        return self.recording.match.is_over

    @property
    def is_play(self) -> bool:
        """Whether seats are claimed and secret choices stay secret."""
        return self.setup.kind == IN_PLAY

    @property
    def draws(self) -> bool:
        """Whether it is the turn of chance and the server draws it."""
        return self.setup.dice == DRAWN and CHANCE in self.actors

    @property
    def match(self) -> str:
        """Name of its log: a submitted match keeps its name, unless it was changed since."""
        slug = re.sub(r"[^A-Za-z0-9._]+", "-", self.stored.title).strip("-")[:MOST_OF_NAME].strip("-")
        name = f"{slug or self.stored.game}-{self.stored.id[:8]}"
        if self.handed_in is None:
            return name
        if self.fewest >= self.handed_in.entries:
            return self.handed_in.match
        return f"{name}-{len(self.names) + 1}"

    def lines_of(self, entries: int) -> int:
        """Return the number of shown lines from the first `entries` entries; all of them, if these are all."""
        if entries == len(self.entries):
            return len(self.replay.entries)
        return self.entries[entries - 1].frame + 1 if entries else self._lines

    def log(self, entries: int) -> bytes:
        """Return the log of the first `entries` entries; the seed of a match is named once it is over."""
        self.recording.luck = self.setup.luck if self.is_over else None
        return self.recording.log(self.match, entries)

    # --- Checks and possible changes

    def enter(self, action: Any, at: datetime) -> dict[str, Any]:
        """Carry out an action and return its change; `RecordingError` gives the reason if it is not allowed."""
        if len(self.recording.times) >= MOST_ENTRIES:
            raise RecordingError(f"expected at most {MOST_ENTRIES} entries, found one more")
        self.recording.add_action(action, moment(at))
        return {"add": write_action(self.game, action)}

    def draw(self, at: datetime) -> dict[str, Any]:
        """Draw a chance result and return its change; `RecordingError` if it is not the turn of chance."""
        action = self.recording.draw(self.setup.dice_source, moment(at))
        return {"add": write_action(self.game, action)}

    def entry_to_redo(self, to: int) -> int:
        """Return the number of entries to keep in an undo: the next one is neither drawn nor a program's choice."""
        while 0 < to < len(self.entries) and not self._is_free(self.entries[to]):
            to -= 1
        return to

    def _is_free(self, entry: Entered) -> bool:
        """Return whether a person may enter a different action there."""
        return self.setup.dice != DRAWN if entry.seat is None else self.setup.seats[entry.seat].program is None

    # --- Changes that were made

    def follow(self, changes: Sequence[Change]) -> None:
        """Carry out stored changes, and note them."""
        for change in changes:
            match change.change:
                case {"add": action}:
                    self.recording.add_action(read_action(self.game, action), moment(change.at))
                case {"undo": entries}:
                    self.recording.undo(entries)
            self.note(change)

    def note(self, change: Change) -> None:
        """Note a change that was carried out."""
        self.answers.clear()
        match change.change:
            case {"add": _}:
                self._note_entry(change)
            case {"undo": entries}:
                self.replay = cut(self.replay, self.lines_of(entries))
                del self.entries[entries:]
                self.fewest = min(self.fewest, entries)
            case {"take": seat, "name": name, "key_sha256": key}:
                self._note_seat(seat, TakenSeat(name, key))
            case {"handed_in": fields}:
                self.handed_in, self.fewest = HandedIn(**fields), fields["entries"]
                self.names.add(self.handed_in.match)
        self.changes.append(change)

    def _note_entry(self, change: Change) -> None:
        """Add the lines of the next entry to the shown ones."""
        match, before = self.recording.match, self.replay.states[-1]
        steps = match.history[len(self.replay.entries) - 1 :]
        following = next((number for number, step in enumerate(steps[1:], 1) if step.action is not None), len(steps))
        steps = steps[:following]
        is_last = len(self.replay.entries) + len(steps) == len(match.history) + 1
        self.replay = grown(self.replay, steps, match.outcome if is_last and match.is_over else None)
        action = steps[0].action
        seat = getattr(action, "seat", None)
        self.entries.append(
            Entered(
                change.change["add"],
                write(self.game, before, action),
                seat,
                self.game.round_of(steps[-1].state),
                moment(change.at),
                change.by,
                len(self.replay.entries) - 1,
            )
        )

    def _note_seat(self, seat: int, taken: TakenSeat) -> None:
        self.seats[seat] = taken
        names = list(self.recording.players)
        names[seat] = taken.name
        self.recording.players = tuple(names)
        header = self.replay.header
        seats = tuple(replace(info, player=taken.name) if info.seat == seat else info for info in header.seats)
        header = replace(header, seats=seats)
        first = replace(self.replay.entries[0], event=header)
        self.replay = replace(self.replay, header=header, entries=(first, *self.replay.entries[1:]))


def moment(at: datetime) -> str:
    """Return a time in the format of a log."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
