"""A game: a record of pure functions, and the few types that every game shares.

Theory of operation. A match is a fold over events. `decide` turns an action, chosen by a seat or by chance, into
events, or raises `IllegalAction`. `advance` returns the next automatic event, or `None` if an actor must choose or the
match is over. `apply` copies the facts of one event into the next state.

These functions do no I/O, read no clock and draw no random numbers. Chance is an actor like a seat.
`himalaya_core.match` samples its actions from a `DiceSource`, usually a `Seed`.
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
"""Notation for an empty list, or for no cubes."""


@dataclass(frozen=True, slots=True)
class Field:
    """A value of an action: its key in the log, functions to write and read it, and a hint at the expected text.

    `read` raises `ValueError` for an invalid text. A field with a `mark` is optional: if it is left out, its value is
    `absent`.
    """

    key: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    hint: str
    mark: str = ""
    absent: Any = None


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of action is written: a word (empty if the fields suffice), its fields in order, and a hint.

    A person at the table does not see every value of a log. `seen(state, seat, words)` turns words for what people see
    into the written form, or raises `ValueError`. `shown` is its inverse: the words for an action's data, or `None` if
    they would not be read back as the same action. `offers` lists words for all fields after the first, each with a
    remark.
    """

    word: str
    parts: tuple[Field, ...] = ()
    hint: str = ""
    seen: Callable[[Any, int, list[str]], list[str]] | None = None
    shown: Callable[[Any, Mapping[str, Any]], list[str] | None] | None = None
    offers: Callable[[Any], list[tuple[str, str]]] | None = None


def number(key: str, hint: str) -> Field:
    """Return a field for a whole number."""
    return Field(key, str, int, hint)


def seat(key: str, hint: str) -> Field:
    """Return a field for a seat, which is written counting from 1."""
    return Field(key, lambda value: str(value + 1), lambda text: int(text) - 1, hint)


def word(key: str, hint: str, values: Mapping[str, str] | None = None) -> Field:
    """Return a field for a lower-case word. `values` maps written forms to log values, which are read too."""
    if values is None:
        return Field(key, str, str.lower, hint)
    written = {value: text for text, value in values.items()}
    known = {value: value for value in written} | dict(values)
    return Field(key, lambda value: written[value], lambda text: _known(known, text.lower()), hint)


def letters(key: str, hint: str, values: Mapping[str, str]) -> Field:
    """Return a field for a list of values, each written as one letter."""
    written = {value: letter for letter, value in values.items()}
    return Field(
        key,
        lambda listed: "".join(written[value] for value in listed) or NONE,
        lambda text: [] if text == NONE else [_known(values, letter) for letter in text.lower()],
        hint,
    )


def counts(key: str, hint: str, values: Mapping[str, str]) -> Field:
    """Return a field for counts of things, written as one letter per thing."""
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
    """Return a field for any other value, given functions that write and read it."""
    return Field(key, write, read, hint)


def marked(mark: str, part: Field, absent: Any = None) -> Field:
    """Return an optional field. It is omitted if its value is `absent`; otherwise the mark comes before it."""
    return Field(part.key, part.write, part.read, f"{mark}{part.hint}", mark, absent)


def _known(values: Mapping[str, str], text: str) -> str:
    if text not in values:
        raise ValueError(text)
    return values[text]


CHANCE = -1
"""The actor for dice, bags and decks. It is never a player's seat."""
GAME_NAME: Final = r"^[a-z][a-z0-9_-]{0,31}$"
"""Pattern of a valid game name."""
MOST_SEATS: Final = 6
"""Maximum number of seats in a match."""
SEAT: Final = "SEAT"
"""Placeholder, in help, of an option that takes a seat. People count seats from 1, logs from 0."""
PLAYERS_ALONE: Final = defaults.players_from(2, MOST_SEATS)

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
T = TypeVar("T")


class IllegalAction(ValueError):
    """An action that the rules do not allow now; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds of an integer field, both inclusive: `Annotated[int, Range(1, 20)]`.

    The hook below passes the bounds to pydantic, so event classes do not need to import it.
    """

    least: int
    most: int

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        return {**handler(source), "ge": self.least, "le": self.most}


PER_SEAT: Final = "one for each seat"
PerSeat: TypeAlias = Annotated[tuple[T, ...], PER_SEAT]
"""Marks a field with one value per seat, unlike lists of other things such as dice: `PerSeat[Count]`."""


def _json_name(field: str) -> str:
    return field.rstrip("_")


@dataclass_transform(frozen_default=True)
def fact(cls: type[E]) -> type[E]:
    """Turn a class into a frozen dataclass that is read strictly: no unknown keys, no type conversion.

    If a field's log key is a Python keyword, the field's name has an underscore added.
    """
    cls.__pydantic_config__ = {  # type: ignore[attr-defined]
        "extra": "forbid",
        "strict": True,
        "alias_generator": _json_name,
    }
    return dataclass(frozen=True, slots=True)(cls)


def log_name(kind: type[Any]) -> str:
    """Return the log's name for a class of events or actions, such as `plan_committed` for `PlanCommitted`."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in kind.__name__).lstrip("_")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game, besides the number of players, and its effect.

    The option is on or off, unless `number` is set: then it takes a whole number, and `number` is its placeholder in
    help. An option with `reading` selects another interpretation of an unclear rule.
    """

    name: str
    text: str
    number: str | None = None
    reading: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match: groups of seats that share a rank, best first, and each seat's scores and remark."""

    ranking: tuple[tuple[int, ...], ...]
    scores: tuple[Mapping[str, int], ...]
    remarks: tuple[str, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share first place."""
        return self.ranking[0]

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the win: 1 for the only winner, a fraction for joint winners, 0 for the others."""
        return tuple([1 / len(self.winners) if seat in self.winners else 0.0 for seat in range(len(self.scores))])


class Dice(Protocol):
    """A source of uniformly distributed integers for one draw."""

    def below(self, bound: int, /) -> int:
        """Return the next integer in 0..bound-1; all are equally likely."""
        ...


class DiceSource(Protocol):
    """A source of dice. The same key always gives the same dice, whatever was drawn before."""

    def dice(self, purpose: str, round: int, index: int, /) -> Dice:
        """Return the dice of one draw, such as the third refill of resources in round 7."""
        ...


class Step(NamedTuple, Generic[S, A, E]):
    """One event of a match, with its ply and the state after it. Only the first event of a ply has an `action`."""

    ply: int
    event: E
    state: S
    action: A | None


@dataclass(frozen=True)
class Features(Generic[S]):
    """The inputs of a win-probability model. They use only what every player may know.

    `names` maps each feature to a sentence. `rows` returns one row per seat, with a number for each feature, in the
    order of `names`. `progress` estimates how far a match has come, from 0 to 1. `standing` is the outcome if the match
    were scored now. `package` is the package with the shipped model, `model.json`, if there is one.

    `is_closing` returns whether no draw can change the outcome any more. By default, every draw can.
    """

    names: Mapping[str, str]
    rows: Callable[[S], Sequence[Sequence[float]]]
    progress: Callable[[S], float]
    standing: Callable[[S], Outcome]
    package: str | None = None
    is_closing: Callable[[S], bool] | None = None


@dataclass(frozen=True, eq=False)
class Game(Generic[S, A, E]):
    """A game as a record of functions: everything the rest of the package knows about it.

    `actors` lists the actors that may act now. There are several while seats plan in secret, and none if the next event
    is automatic or the match is over. `CHANCE` can be one of them. `legal_actions` is lazy and complete; `decide`
    checks an action without that list. `view` is also called for `CHANCE`, and then hides everything that only one seat
    knows.

    The fields below `outcome` have defaults, which suit a game for 2 to 6 players without board, chance, secrets or
    automatic events. The defaults of `position` and `describe` need a state that is a dataclass of plain values. Logs
    contain the digest of `position`; `describe` returns the position as text.

    `position_schema` is the JSON Schema of `position`, for other programs that write logs. `options` excludes
    `players`, which the result of `parse_options` must include. `boards` is the package that contains, in its folder
    `boards/`, the shipped boards as JSON. `order` sorts lists of games. Without `features`, chances of winning are not
    estimated. `notation` maps the name of each kind of action to its written form. `title` is the name on the box, for
    readers; commands, logs and addresses use `name`.
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
    title: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(GAME_NAME.removesuffix("$"), self.name):
            raise ValueError(f"a game is called like {GAME_NAME}, not {self.name!r}")


BySeat: TypeAlias = Sequence[float]
"""One number per seat."""


def leads(values: BySeat, rank: int = 0) -> BySeat:
    """Return each seat's lead over its best opponent, or over its opponent of another `rank` (0: the best)."""
    return [
        values[seat] - sorted([*values[:seat], *values[seat + 1 :]], reverse=True)[min(rank, len(values) - 2)]
        for seat in range(len(values))
    ]


def below(values: BySeat) -> BySeat:
    """Return, for each seat, the share of its opponents that have a lower value."""
    return [sum([other < value for other in values]) / (len(values) - 1) for value in values]


def over_mean(values: BySeat) -> BySeat:
    """Return each seat's value minus the mean of its opponents."""
    return [value - (sum(values) - value) / (len(values) - 1) for value in values]


def places(outcome: Outcome) -> BySeat:
    """Return each seat's rank (0 for the first group), divided by the number of its opponents."""
    ranks = {seat: rank for rank, group in enumerate(outcome.ranking) for seat in group}
    return [ranks[seat] / (len(ranks) - 1) for seat in range(len(ranks))]
