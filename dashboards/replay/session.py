"""A recorded match: its set-up, and its entries carried out by the rules."""

import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field

from dashboards.replay.branch_document import STRICT, DocumentError, read_action, read_record, write_action
from dashboards.replay.scenes import cut, grown
from himalaya_core.boards import boards_of
from himalaya_core.errors import HimalayaError
from himalaya_core.game import CHANCE, Game
from himalaya_core.games import GAMES
from himalaya_core.names import did_you_mean, entered_names
from himalaya_core.notation import write
from himalaya_core.players import NamedPlayer
from himalaya_core.players.named import line_up, make_player
from himalaya_core.recording import Recording, RecordingError
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.tournament.plan import seed_of
from ingest.people.drafts import Change, KeptDraft

__all__ = [
    "DRAWN",
    "ENTERED",
    "IN_PLAY",
    "MOST_ENTRIES",
    "PERSON",
    "Draft",
    "Entered",
    "HandedIn",
    "Setup",
    "SetupSeat",
    "TakenSeat",
    "as_setup",
    "checked_name",
    "moment",
    "new_setup",
    "written",
]


IN_PLAY: Final = "play"
ENTERED: Final = "entered"
DRAWN: Final = "drawn"
MOST_SEATS: Final = 6
ASKED: Final = ("game", "seats", "board", "options", "dice")
"""Fields of a set-up that a request may contain."""
PERSON: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]{1,60}$"
Name = Annotated[str, Field(pattern=PERSON)]


@dataclass(frozen=True, slots=True)
class SetupSeat:
    """A seat: it has a person's name or a program; a seat with neither is open."""

    __pydantic_config__: ClassVar[Any] = STRICT

    name: Name | None = None
    program: Annotated[str, Field(min_length=1, max_length=200)] | None = None

    def __post_init__(self) -> None:
        """Raise `DocumentError` if the seat has both a name and a program, or a blank name."""
        if self.name is not None and (self.program is not None or not self.name.strip()):
            raise DocumentError("seats: expected the name of a person, a program, or neither where a seat is open")


@dataclass(frozen=True, slots=True)
class Setup:
    """Fixed settings of a session. Dice and programs use `seed`, which the server reveals when the match is over."""

    __pydantic_config__: ClassVar[Any] = STRICT

    game: Annotated[str, Field(max_length=32)]
    seats: Annotated[tuple[SetupSeat, ...], Field(min_length=1, max_length=MOST_SEATS)]
    board: Annotated[str, Field(max_length=200)] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    dice: Literal["entered", "drawn"] = "entered"
    kind: Literal["table", "play"] = "table"
    seed: str = ""

    @property
    def rules(self) -> Game[Any, Any, Any]:
        """The game; `DocumentError` if it is not installed."""
        if self.game not in GAMES:
            there = ", ".join(GAMES)
            raise DocumentError(f"game: expected one of {there}{did_you_mean(self.game, GAMES)}; found {self.game!r}")
        return GAMES[self.game]

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the seats before they are claimed."""
        return tuple([seat.name or seat.program or f"Seat {number}" for number, seat in enumerate(self.seats, start=1)])

    @property
    def dice_source(self) -> Seed:
        """Source of dice that the server throws: the match's seed, or a random one if people enter dice."""
        return Seed(self.seed) if self.dice == DRAWN else Seed(secrets.token_hex(16))

    @property
    def luck(self) -> str | None:
        """Seed to write into the log of a finished match; `None` at a table, or if people enter the dice."""
        return self.seed if (self.kind, self.dice) == (IN_PLAY, DRAWN) else None

    def program(self, seat: int) -> NamedPlayer | None:
        """Return the program of a seat, created with the seed that the log gives for it."""
        name = self.seats[seat].program
        return None if name is None else make_player(self.rules, name, seed_of(self.seed, name, seat))

    def recording(self) -> Recording:
        """Return the match before its first entry; `DocumentError` gives the reason if it is invalid."""
        programs = {seat: made for seat in range(len(self.seats)) if (made := self.program(seat)) is not None}
        try:
            return Recording(self.rules, self._board(), self.names, self.options, programs)
        except RecordingError as error:
            raise DocumentError(str(error)) from None

    def _board(self) -> Any:
        boards, name = boards_of(self.rules), self.board or self.rules.default_board
        if name not in boards:
            raise DocumentError(f"board: expected one of {', '.join(boards)}, found {name!r}")
        return boards[name]


def new_setup(fields: Mapping[str, Any], take: Collection[int]) -> Setup:
    """Return the set-up that a request describes, with a new seed and the full names of programs.

    The match is played here and keeps secrets if it has programs, open seats, or seats to claim (`take`).
    `DocumentError` gives the reason if it is invalid.
    """
    setup: Setup = read_record(Setup, {key: value for key, value in fields.items() if key in ASKED})
    if "players" in setup.options:
        raise DocumentError("options.players: expected none, as the seats say how many there are")
    for seat in take:
        if not 0 <= seat < len(setup.seats) or setup.seats[seat].name is None:
            raise DocumentError(f"take: expected seats with the name of who takes them, found {seat}")
    is_open = [seat.name is None for seat in setup.seats]
    in_full = tuple([_in_full(setup.rules, seat) for seat in setup.seats])
    kind: Literal["table", "play"] = "play" if take or any(is_open) else "table"
    if setup.dice == ENTERED and all(seat.program for seat in setup.seats):
        raise DocumentError("dice: expected drawn for a match between programs alone, found entered")
    found = replace(setup, seats=in_full, kind=kind, seed=f"record-{secrets.token_hex(12)}")
    found.recording()
    return found


def as_setup(fields: Mapping[str, Any]) -> Setup:
    """Return a stored set-up."""
    found: Setup = read_record(Setup, fields)
    return found


def checked_name(text: Any) -> str:
    """Return a person's name, with single spaces; `DocumentError` for an invalid name."""
    try:
        entered_names([text if isinstance(text, str) else ""])
    except ValueError as error:
        raise DocumentError(f"name: {error}") from None
    return " ".join(text.split())


def _in_full(game: Game[Any, Any, Any], seat: SetupSeat) -> SetupSeat:
    """Return a seat with the full name of its program; `DocumentError` for a program this server does not have."""
    if seat.program is None:
        return seat if seat.name is None else replace(seat, name=" ".join(seat.name.split()))
    try:
        make_player(game, seat.program, "")
        return replace(seat, program=line_up(game, [seat.program])[0][0])
    except HimalayaError as error:
        raise DocumentError(f"seats: {error}") from None


def written(setup: Setup) -> dict[str, Any]:
    """Return a set-up as stored."""
    return asdict(setup)


MOST_ENTRIES: Final = 5_000
MOST_OF_NAME: Final = 40
"""Maximum number of characters of the session's title in the name of its log."""


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry as in a log and in words, its seat (`None`: chance), its author and its time.

    `frame` is the frame of the scene after the entry.
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
    """The person in a claimed seat: name, and digest of the key by which the browser proves the claim."""

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
    """Names under which the match was submitted so far."""
    fewest: int = field(default=0, init=False)
    """The smallest number of entries at any time since the last submission."""
    answers: dict[str, bytes] = field(default_factory=dict, init=False)
    """Cached responses for the session's current state, by tag."""

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
        """True if no choice is left."""
        return self.recording.match.is_over

    @property
    def is_play(self) -> bool:
        """True if seats are claimed and secret choices stay secret."""
        return self.setup.kind == IN_PLAY

    @property
    def draws(self) -> bool:
        """True if it is the turn of chance and the server draws the result."""
        return self.setup.dice == DRAWN and CHANCE in self.actors

    @property
    def match(self) -> str:
        """Name of the log. A submitted match keeps its name, unless submitted entries were undone since."""
        slug = re.sub(r"[^A-Za-z0-9._]+", "-", self.stored.title).strip("-")[:MOST_OF_NAME].strip("-")
        name = f"{slug or self.stored.game}-{self.stored.id[:8]}"
        if self.handed_in is None:
            return name
        if self.fewest >= self.handed_in.entries:
            return self.handed_in.match
        return f"{name}-{len(self.names) + 1}"

    def lines_of(self, entries: int) -> int:
        """Return the number of lines in `replay` up to and including the first `entries` entries."""
        if entries == len(self.entries):
            return len(self.replay.entries)
        return self.entries[entries - 1].frame + 1 if entries else self._lines

    def log(self, entries: int) -> bytes:
        """Return the log of the first `entries` entries; it contains the seed only if the match is over."""
        self.recording.luck = self.setup.luck if self.is_over else None
        return self.recording.log(self.match, entries)

    # --- Make a change

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
        """Return how many entries an undo to `to` keeps: at most `to`, so that a person makes the next entry."""
        while 0 < to < len(self.entries) and not self._is_free(self.entries[to]):
            to -= 1
        return to

    def _is_free(self, entry: Entered) -> bool:
        """Return whether a person makes this entry, rather than a program or the server's dice."""
        return self.setup.dice != DRAWN if entry.seat is None else self.setup.seats[entry.seat].program is None

    # --- Apply changes that were made

    def follow(self, changes: Sequence[Change]) -> None:
        """Carry out stored changes, and update the session after each."""
        for change in changes:
            match change.change:
                case {"add": action}:
                    self.recording.add_action(read_action(self.game, action), moment(change.at))
                case {"undo": entries}:
                    self.recording.undo(entries)
            self.note(change)

    def note(self, change: Change) -> None:
        """Update the session after a change that was carried out."""
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
        """Extend `replay` and `entries` by the entry that was added."""
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
                self.game.round_of(steps[0].state),
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
