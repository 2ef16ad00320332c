"""A game: a record of pure functions, and the few types every game shares.

Theory of operation. A match is a fold over events. `decide` turns an action (an intent of a seat or of
chance) into events or raises `IllegalAction`; `advance` yields the next automatic event, or
`None` when an actor must choose or the match is over; `apply` copies the facts of one event into the
next state. None of them does I/O, reads a clock or draws a random number: chance is an actor whose
actions are sampled by the shell (`himalaya_core.match`) from a `DiceSource`, usually a `Seed`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, dataclass_transform

from himalaya_core import defaults

__all__ = [
    "CHANCE",
    "GAME_NAME",
    "PER_SEAT",
    "BySeat",
    "Dice",
    "DiceSource",
    "Features",
    "Field",
    "Form",
    "Game",
    "IllegalAction",
    "Option",
    "Outcome",
    "PerSeat",
    "Range",
    "Step",
    "as_json",
    "below",
    "counts",
    "fact",
    "leads",
    "letters",
    "log_name",
    "marked",
    "number",
    "numbers",
    "over_mean",
    "places",
    "seat",
    "word",
]


NONE: Final = "-"
"""Stands for an empty list, or for no cubes."""


@dataclass(frozen=True, slots=True)
class Field:
    """A value of an action: its key in the log, how it is written and read, and the expected text.

    `read` raises `ValueError` for an invalid text. A part with a `mark` may be left out: then its value is `absent`.
    """

    key: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    hint: str
    mark: str = ""
    absent: Any = None


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of action is written: its word (none: its values alone), its parts in their order, and a hint."""

    word: str
    parts: tuple[Field, ...] = ()
    hint: str = ""


def number(key: str, hint: str) -> Field:
    """Return a field for a whole number."""
    return Field(key, str, int, hint)


def seat(key: str, hint: str) -> Field:
    """Return a field for a seat; by hand they count from 1."""
    return Field(key, lambda value: str(value + 1), lambda text: int(text) - 1, hint)


def word(key: str, hint: str, values: Mapping[str, str] | None = None) -> Field:
    """Return a field for a text in small letters, as the log has it, or by its written form."""
    if values is None:
        return Field(key, str, str.lower, hint)
    written = {value: text for text, value in values.items()}
    return Field(key, lambda value: written[value], lambda text: _known(values, text.lower()), hint)


def letters(key: str, hint: str, values: Mapping[str, str]) -> Field:
    """Return a field for a list of texts, a letter for each."""
    written = {value: letter for letter, value in values.items()}
    return Field(
        key,
        lambda listed: "".join(written[value] for value in listed) or NONE,
        lambda text: [] if text == NONE else [_known(values, letter) for letter in text.lower()],
        hint,
    )


def counts(key: str, hint: str, values: Mapping[str, str]) -> Field:
    """Return a field for counts of things, a letter for each one."""
    written = {value: letter for letter, value in values.items()}

    def read(text: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for letter in "" if text == NONE else text.lower():
            name = _known(values, letter)
            found[name] = found.get(name, 0) + 1
        return found

    return Field(
        key, lambda counted: "".join(written[name] * many for name, many in counted.items()) or NONE, read, hint
    )


def numbers(key: str, hint: str, between: str = "-") -> Field:
    """Return a field for a list of whole numbers."""
    return Field(
        key,
        lambda listed: between.join(map(str, listed)),
        lambda text: [int(each) for each in text.split(between)],
        hint,
    )


def as_json(key: str, hint: str, write: Callable[[Any], str], read: Callable[[str], Any]) -> Field:
    """Return a field for any other value, by two functions."""
    return Field(key, write, read, hint)


def marked(mark: str, part: Field, absent: Any = None) -> Field:
    """Return a part that is left out if its value is `absent`, and otherwise shown by a mark before it."""
    return Field(part.key, part.write, part.read, f"{mark}{part.hint}", mark, absent)


def _known(values: Mapping[str, str], text: str) -> str:
    if text not in values:
        raise ValueError(text)
    return values[text]


CHANCE = -1
"""Actor for dice, bags and decks; never the seat of a player."""
GAME_NAME: Final = r"^[a-z][a-z0-9_-]{0,31}$"
"""Pattern of a game's name, in a log too."""
MOST_SEATS: Final = 6
"""Maximum number of seats that a log can number."""
SEAT: Final = "SEAT"
"""Placeholder of an option that is a seat: people count seats from 1, a log from 0."""
PLAYERS_ALONE: Final = defaults.players_from(2, MOST_SEATS)

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
T = TypeVar("T")


class IllegalAction(ValueError):
    """An action that the rules do not allow now; the message says why."""


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds of an integer field, both included: `Annotated[int, Range(1, 20)]`.

    The codec's validator reads it through the hook below, so that events need no library to state their bounds.
    """

    least: int
    most: int

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        return {**handler(source), "ge": self.least, "le": self.most}


PER_SEAT: Final = "one for each seat"
PerSeat: TypeAlias = Annotated[tuple[T, ...], PER_SEAT]
"""Marks a field that has one value for each seat, unlike other lists such as dice: `PerSeat[Count]`."""


def _json_name(field: str) -> str:
    return field.rstrip("_")


@dataclass_transform(frozen_default=True)
def fact(cls: type[E]) -> type[E]:
    """Make a class a frozen dataclass that the codec reads strictly: no unknown keys, no coercion.

    A field whose name would clash with a keyword ends with an underscore; its key in the log does not.
    """
    cls.__pydantic_config__ = {  # type: ignore[attr-defined]
        "extra": "forbid",
        "strict": True,
        "alias_generator": _json_name,
    }
    return dataclass(frozen=True, slots=True)(cls)


def log_name(kind: type[Any]) -> str:
    """Return the name a log gives a class of events or actions: `PlanCommitted` is `plan_committed`."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in kind.__name__).lstrip("_")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game, besides the number of players, and what it does.

    It is on or off; with `number`, the placeholder shown in help, it takes a whole number. A `reading` adds nothing to
    the game: it reads an unclear sentence of the rules differently.
    """

    name: str
    text: str
    number: str | None = None
    reading: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: groups of seats, best first (a group shares its rank), and each seat's scores and remark."""

    ranking: tuple[tuple[int, ...], ...]
    scores: tuple[Mapping[str, int], ...]
    remarks: tuple[str, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of the first group."""
        return self.ranking[0]

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the win: all of it, nothing, or a part if it is shared."""
        return tuple([1 / len(self.winners) if seat in self.winners else 0.0 for seat in range(len(self.scores))])


class Dice(Protocol):
    """A source of uniform integers for one draw."""

    def below(self, bound: int, /) -> int:
        """Return the next integer in 0..bound-1, all equally likely."""
        ...


class DiceSource(Protocol):
    """Source of dice: the same key always gives the same dice, whatever was drawn before."""

    def dice(self, purpose: str, round: int, index: int, /) -> Dice:
        """Return the dice of one draw, e.g. the third refill of resources in round 7."""
        ...


class Step(NamedTuple, Generic[S, A, E]):
    """One event of a match: the ply it follows from, the state after it, and the action if it is the ply's first."""

    ply: int
    event: E
    state: S
    action: A | None


@dataclass(frozen=True)
class Features(Generic[S]):
    """A model's view of a position, to estimate chances of winning: only what every player may know then.

    `names` maps each feature to a sentence; `rows` returns one row for each seat, with a number for each name, in their
    order. `progress` says how far a match has come, from 0 to 1; `standing` how it would end if it were scored now.
    `package` is the package whose file `model.json` is the model that ships with the game, if one does.
    """

    names: Mapping[str, str]
    rows: Callable[[S], Sequence[Sequence[float]]]
    progress: Callable[[S], float]
    standing: Callable[[S], Outcome]
    package: str | None = None


@dataclass(frozen=True, eq=False)
class Game(Generic[S, A, E]):
    """A game as a record of functions: all that the kernel knows of it.

    `actors` lists the actors that may act now (`CHANCE` is one; several while plans are made in secret; none when the
    next event is automatic or the match is over). `legal_actions` is lazy and complete; `decide` checks directly.
    `view` is called for `CHANCE` too, which is no player: then it hides everything known to one seat only. The fields
    below `outcome` have defaults: a game without a board, chance, secrets or automatic events, for 2 to 6 players,
    needs none of them, as long as its state is a dataclass of plain values (for `position`, whose digest is in the log,
    and `describe`, which is a position as text with the names of its seats).

    `position_schema` is the JSON Schema of the value of `position`, for others that write logs.

    `options` are those that a match may be set up with, besides `players`, which the result of `parse_options` has too.
    `boards` is the package whose folder `boards/` has the boards that ship with the game, as JSON documents; `order`
    is the game's place in lists of games. Without `features` chances of winning are not estimated. `notation`
    gives the written form of each kind of action, by name.
    """

    name: str
    event_types: Mapping[str, type[E]]
    action_types: Mapping[str, type[A]]
    initial: Callable[[Any, Any], S]
    actors: Callable[[S], tuple[int, ...]]
    legal_actions: Callable[[S, int], Sequence[A]]
    decide: Callable[[S, A], tuple[E, ...]]
    apply: Callable[[S, E], S]
    outcome: Callable[[S], Outcome | None]
    rules_version: str = "1"
    seat_labels: tuple[str, ...] = tuple(f"seat {seat}" for seat in range(1, MOST_SEATS + 1))
    options: tuple[Option, ...] = ()
    parse_options: Callable[[Mapping[str, Any]], Any] = PLAYERS_ALONE
    boards: str | None = None
    default_board: str = defaults.NO_BOARD.id
    parse_board: Callable[[Mapping[str, Any]], Any] = defaults.simple_board
    sample_chance: Callable[[S, DiceSource], A] = defaults.no_chance
    advance: Callable[[S], E | None] = defaults.nothing
    round_of: Callable[[S], int] = defaults.set_up
    view: Callable[[S, int], S] = defaults.open_to_all
    position: Callable[[S], dict[str, Any]] = defaults.facts
    position_schema: Mapping[str, Any] | None = None
    describe: Callable[[S, Sequence[str]], str] = defaults.described
    features: Features[S] | None = None
    notation: Mapping[str, Form] = field(default_factory=dict)
    order: int = 100

    def __post_init__(self) -> None:
        if not re.fullmatch(GAME_NAME.removesuffix("$"), self.name):
            raise ValueError(f"a game is called like {GAME_NAME}, not {self.name!r}")


BySeat: TypeAlias = Sequence[float]
"""A number for each seat."""


def leads(values: BySeat, rank: int = 0) -> BySeat:
    """Return how far each seat is ahead of the one at that rank among the others; of the last, if there are fewer."""
    return [
        values[seat] - sorted([*values[:seat], *values[seat + 1 :]], reverse=True)[min(rank, len(values) - 2)]
        for seat in range(len(values))
    ]


def below(values: BySeat) -> BySeat:
    """Return the share of the other seats that have less than each seat."""
    return [sum([other < value for other in values]) / (len(values) - 1) for value in values]


def over_mean(values: BySeat) -> BySeat:
    """Return how much each seat has above the mean of the others."""
    return [value - (sum(values) - value) / (len(values) - 1) for value in values]


def places(outcome: Outcome) -> BySeat:
    """Return the place of each seat, from 0 for the first group to 1; the groups after it count one each."""
    ranks = {seat: rank for rank, group in enumerate(outcome.ranking) for seat in group}
    return [ranks[seat] / (len(ranks) - 1) for seat in range(len(ranks))]
