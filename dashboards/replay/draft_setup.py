"""Set-up of a recorded match: game, board, options, players by seat, and source of dice.

At a table all seats belong to people, and anyone with write access enters for all of them. In play a person claims
seats, and programs or others have the rest; then secret choices are hidden from all others.
"""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field

from dashboards.replay.branch_document import STRICT, DocumentError, read_record
from himalaya_core.arena.record import seed_of
from himalaya_core.boards import boards_of
from himalaya_core.errors import HimalayaError
from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.names import did_you_mean, entered_names
from himalaya_core.players import NamedPlayer
from himalaya_core.players.named import line_up, make_player
from himalaya_core.recording import Recording, RecordingError
from himalaya_core.seed import Seed

__all__ = [
    "DRAWN",
    "ENTERED",
    "IN_PLAY",
    "PERSON",
    "Setup",
    "SetupSeat",
    "as_setup",
    "checked_name",
    "new_setup",
    "written",
]

IN_PLAY: Final = "play"
ENTERED: Final = "entered"
DRAWN: Final = "drawn"
MOST_SEATS: Final = 6
ASKED: Final = ("game", "seats", "board", "options", "dice")
"""Fields of a set-up that users may send."""
PERSON: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]{1,60}$"
Name = Annotated[str, Field(pattern=PERSON)]


@dataclass(frozen=True, slots=True)
class SetupSeat:
    """A seat: of a person by name, of a program, or open as long as it has neither."""

    __pydantic_config__: ClassVar[Any] = STRICT

    name: Name | None = None
    program: Annotated[str, Field(min_length=1, max_length=200)] | None = None

    def __post_init__(self) -> None:
        """Check that it is one of them; `DocumentError` if not."""
        if self.name is not None and (self.program is not None or not self.name.strip()):
            raise DocumentError("seats: expected the name of a person, a program, or neither where a seat is open")


@dataclass(frozen=True, slots=True)
class Setup:
    """Fixed settings: dice and programs use `seed`, which leaves the server only at the end."""

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
        """Source of dice: the seed, or a random one if people enter the dice but request a throw here."""
        return Seed(self.seed) if self.dice == DRAWN else Seed(secrets.token_hex(16))

    @property
    def luck(self) -> str | None:
        """The seed in the log of the whole match; `None` if people enter the dice."""
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
    """Return a set-up with a new seed from the request, with full names of programs.

    With seats to `take` (claim), programs or open seats it is one for play. `DocumentError` gives the reason if it is
    invalid.
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
    """Return a seat with its program as named for seeds; programs from outside this server are not allowed."""
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
