"""The one schema of events, twice more: as msgspec types for a fast decoder, and as typed tables.

Everything here is generated from the dataclasses of a game and from the envelope in `himalaya_core.log`, so a new
event or field needs no second description. A map whose keys are known beforehand (goods, regions) becomes a struct
with one field per key, and so one column per key; what is accepted stays the same.
"""

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from pydantic.fields import FieldInfo

from himalaya_core.game import Game, Range, log_name
from himalaya_core.log import MATCH_ENDED, MATCH_STARTED, Ended, Envelope, Header

__all__ = ["KEYS", "Column", "EventTable", "Shapes", "shapes"]

KEYS: Final = ("match_id", "seq", "ply", "round")
"""The first columns of every event table."""
RENAMED: Final = {"from": "from_village", "to": "to_village", "order": "order_id"}
"""Columns whose key in the log is a word of SQL."""
MOST_KEYS: Final = 32
"""A map with more possible keys than this is not spread over columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an event table, and how to read it from a decoded line.

    `role` is "seat" for the number of a seat and "per_seat" for a list with one figure for each seat.
    """

    name: str
    sql_type: str
    value: Callable[[Any], Any]
    role: str | None = None


@dataclass(frozen=True, slots=True)
class EventTable:
    """The typed table of one type of event; `data` is the SQL expression of the event's data as the log has it."""

    event: str
    line: type[msgspec.Struct]
    has_seat: bool
    columns: tuple[Column, ...]
    data: str

    @property
    def name(self) -> str:
        """The table's name."""
        return f"stg_{self.event}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that come from the envelope."""
        return (*KEYS, "seat") if self.has_seat else KEYS

    @property
    def create(self) -> str:
        """The statement that makes the table."""
        keys = [f"{key} INTEGER NOT NULL" for key in self.keys]
        columns = [f'"{column.name}" {column.sql_type}' for column in self.columns]
        return f"CREATE TABLE {self.name} ({', '.join([*keys, *columns])})"


@dataclass(frozen=True, slots=True)
class Shapes:
    """All that the lines of one game are checked and stored with."""

    game: Game[Any, Any, Any]
    decoder: msgspec.json.Decoder[Any]
    tables: Mapping[type[msgspec.Struct], EventTable]
    started: type[msgspec.Struct]
    ended: type[msgspec.Struct]


@cache
def shapes(game: Game[Any, Any, Any]) -> Shapes:
    """Generate the shapes of a game's log."""
    kinds: dict[str, type[Any]] = {MATCH_STARTED: Header, **game.event_types, MATCH_ENDED: Ended}
    tables = [_event_table(game, name, kind) for name, kind in kinds.items()]
    by_line = {table.line: table for table in tables}
    decoder = msgspec.json.Decoder(_union(by_line))
    return Shapes(game, decoder, by_line, tables[0].line, tables[-1].line)


def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _key(field: str) -> str:
    return field.rstrip("_")


def _union(members: Iterable[Any]) -> Any:
    return Union[tuple(members)]  # noqa: UP007 (a union that is made at run time)


def _members(hint: Any) -> tuple[Any, bool]:
    """Return a hint without `None`, and whether it had it."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    members = [member for member in get_args(hint) if member is not type(None)]
    return _union(members), len(members) < len(get_args(hint))


def _known_keys(hint: Any) -> list[str] | None:
    """Return the keys of a map that are known beforehand, or `None` for a map of any other kind."""
    if get_origin(hint) is not dict:
        return None
    key = get_args(hint)[0]
    if isinstance(key, type) and issubclass(key, StrEnum):
        return [str(member) for member in key]
    bounds = [part for part in get_args(key) if isinstance(part, Range)]
    if bounds and bounds[0].most - bounds[0].least < MOST_KEYS:
        return [str(number) for number in range(bounds[0].least, bounds[0].most + 1)]
    return None


# --- The decoder


def _line(game: Game[Any, Any, Any], name: str, kind: Any) -> type[msgspec.Struct]:
    """Return the struct of a whole line; unknown keys of the envelope are ignored, as the format says."""
    envelope = {key: _field_type(info) for key, info in Envelope.model_fields.items()}
    seat = _hints(kind).get("seat")
    kinds: list[Any] = [action for action in game.action_types.values() if ("seat" in _hints(action)) == bool(seat)]
    actions = [_struct(action, log_name(action)) for action in kinds]
    return msgspec.defstruct(
        name,
        [
            *((key, envelope[key]) for key in ("match", "seq", "ply", "round")),
            ("seat", None, None) if seat is None else ("seat", _decoded(seat)),
            ("data", _struct(kind)),
            ("action", _union([*actions, None]), None),
            ("at", _union([Annotated[datetime, msgspec.Meta(tz=True)], None]), None),
        ],
        tag_field="type",
        tag=name,
        kw_only=True,
        gc=False,
    )


@cache
def _struct(kind: Any, tag: str | None = None, *, nested: bool = False) -> type[msgspec.Struct]:
    """Return the struct of a dataclass; the seat of an event or action stands in the envelope instead."""
    hints = _hints(kind)
    members: list[Any] = [
        (field.name, _decoded(hints[field.name]), *(() if field.default is MISSING else (field.default,)))
        for field in fields(kind)
        if nested or field.name != "seat"
    ]
    return msgspec.defstruct(
        kind.__name__,
        members,
        rename={field.name: _key(field.name) for field in fields(kind)},
        tag_field=None if tag is None else "type",
        tag=tag,
        forbid_unknown_fields=True,
        kw_only=True,
        gc=False,
    )


def _decoded(hint: Any) -> Any:
    """Return the type that makes msgspec accept what the codec accepts for a hint."""
    if get_origin(hint) is Annotated:
        plain, *constraints = get_args(hint)
        return _constrained(_decoded(plain), constraints)
    if isinstance(hint, type) and is_dataclass(hint):
        return _struct(hint, nested=True)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return Literal[tuple(str(member) for member in hint)]
    plain, optional = _members(hint)
    if optional:
        return _decoded(plain) | None
    if get_origin(hint) is tuple:
        return tuple.__class_getitem__(tuple(part if part is Ellipsis else _decoded(part) for part in get_args(hint)))
    if get_origin(hint) is dict:
        return _map(hint)
    return hint


def _map(hint: Any) -> Any:
    keys = _known_keys(hint)
    if keys is None:
        key, value = get_args(hint)
        return dict[_decoded(key), _decoded(value)]  # type: ignore[misc]
    value = get_args(hint)[1]
    default = None if _members(value)[1] else 0
    return msgspec.defstruct(
        "Map",
        [(_attribute(key), _decoded(value), default) for key in keys],
        rename={_attribute(key): key for key in keys},
        forbid_unknown_fields=True,
        gc=False,
    )


def _attribute(key: str) -> str:
    return f"at_{key}"


def _field_type(info: FieldInfo) -> Any:
    return _constrained(_decoded(info.annotation), info.metadata)


def _constrained(decoded: Any, constraints: Iterable[Any]) -> Any:
    """Attach bounds, lengths and patterns; pydantic's `$` never stands before a line end, Python's may."""
    for constraint in constraints:
        if isinstance(constraint, FieldInfo):
            decoded = _constrained(decoded, constraint.metadata)
        elif isinstance(constraint, Range):
            decoded = Annotated[decoded, msgspec.Meta(ge=constraint.least, le=constraint.most)]
        elif (pattern := getattr(constraint, "pattern", None)) is not None:
            decoded = Annotated[decoded, msgspec.Meta(pattern=pattern.removesuffix("$") + r"\Z")]
        elif (least := getattr(constraint, "min_length", None)) is not None:
            decoded = Annotated[decoded, msgspec.Meta(min_length=least)]
        elif (most := getattr(constraint, "max_length", None)) is not None:
            decoded = Annotated[decoded, msgspec.Meta(max_length=most)]
        else:
            raise TypeError(f"the decoder has no counterpart of {constraint!r}")
    return decoded


# --- The tables


@dataclass(frozen=True, slots=True)
class _Path:
    """The way from a decoded line to a value; `guard` steps lead to something that may be absent."""

    steps: tuple[str, ...]
    guard: int = 0

    def down(self, step: str) -> "_Path":
        return _Path((*self.steps, step), self.guard)

    def optional(self) -> "_Path":
        return _Path(self.steps, len(self.steps))

    def reader(self) -> Callable[[Any], Any]:
        if self.guard in (0, len(self.steps)):
            return attrgetter(".".join(self.steps))
        outer = attrgetter(".".join(self.steps[: self.guard]))
        inner = attrgetter(".".join(self.steps[self.guard :]))

        def read(line: Any) -> Any:
            found = outer(line)
            return None if found is None else inner(found)

        return read


def _event_table(game: Game[Any, Any, Any], name: str, kind: type[Any]) -> EventTable:
    hints = _hints(kind)
    seats = [_hints(event).get("seat") for event in game.event_types.values()]
    columns: list[Column] = []
    always: list[str] = []
    sometimes: list[str] = []
    for field in fields(kind):
        if field.name == "seat":
            continue
        hint, key = hints[field.name], _key(field.name)
        column = RENAMED.get(key, key)
        if is_dataclass(_members(hint)[0]) and column == "order_id":
            column = "order"
        columns += _columns(hint, column, _Path(("data", field.name)), seats)
        pair = f"'{key}', {_json(hint, column)}"
        (always if field.default is MISSING else sometimes).append(pair)
    data = f"json_object({', '.join(always)})"
    if sometimes:
        data = f"json_merge_patch({data}, json_object({', '.join(sometimes)}))"
    return EventTable(name, _line(game, name, kind), "seat" in hints, tuple(columns), data)


def _columns(hint: Any, name: str, path: _Path, seats: list[Any]) -> list[Column]:
    """Return the columns that hold a value: several for a record or a map with known keys."""
    plain, optional = _members(hint)
    if optional:
        return _columns(plain, name, path.optional(), seats)
    if get_origin(plain) is not Annotated and is_dataclass(plain):
        hints = _hints(plain)  # type: ignore[arg-type]
        return [
            column
            for field in fields(plain)
            for column in _columns(hints[field.name], f"{name}_{_key(field.name)}", path.down(field.name), seats)
        ]
    keys = _known_keys(plain)
    if keys is not None:
        value = get_args(plain)[1]
        return [
            column for key in keys for column in _columns(value, f"{name}_{key}", path.down(_attribute(key)), seats)
        ]
    sql_type = _sql_type(plain)
    if sql_type == "JSON":
        read = path.reader()
        return [Column(name, sql_type, lambda line: msgspec.json.encode(read(line)).decode())]
    role = "seat" if plain in seats else "per_seat" if _is_per_seat(plain) else None
    return [Column(name, sql_type, path.reader(), role)]


def _is_per_seat(hint: Any) -> bool:
    """Say whether a hint is a list of figures of any length, which an event always has one of for each seat."""
    return get_origin(hint) is tuple and Ellipsis in get_args(hint) and _sql_type(get_args(hint)[0]) == "INTEGER"


def _sql_type(hint: Any) -> str:
    """Return the type of a column; JSON for what tables have no better type for."""
    if get_origin(hint) is Annotated:
        return _sql_type(get_args(hint)[0])
    if get_origin(hint) is Literal:
        return _sql_type(type(get_args(hint)[0]))
    if get_origin(hint) is tuple:
        inner = {_sql_type(part) for part in get_args(hint) if part is not Ellipsis}
        return "JSON" if len(inner) != 1 or "JSON" in inner else f"{inner.pop()}[]"
    if not isinstance(hint, type) or get_origin(hint) is not None:
        return "JSON"
    return "VARCHAR" if issubclass(hint, str) else {bool: "BOOLEAN", int: "INTEGER"}.get(hint, "JSON")


def _json(hint: Any, name: str) -> str:
    """Return the SQL expression that makes a value of the log again from its columns."""
    plain, optional = _members(hint)
    if get_origin(plain) is not Annotated and is_dataclass(plain):
        hints = _hints(plain)  # type: ignore[arg-type]
        parts = {_key(field.name): hints[field.name] for field in fields(plain)}
        made = _object({key: _json(part, f"{name}_{key}") for key, part in parts.items()})
        first = f"{name}_{next(iter(parts))}"
    elif (keys := _known_keys(plain)) is not None:
        value = get_args(plain)[1]
        first = f"{name}_{keys[0]}"
        if _members(value)[1]:
            made = _object({key: f'"{name}_{key}"' for key in keys})
        else:
            counts = _object({key: f'nullif("{name}_{key}", 0)' for key in keys})
            made = f"json_merge_patch('{{}}', {counts})"
    else:
        return f'"{name}"'
    return f'CASE WHEN "{first}" IS NOT NULL THEN {made} END' if optional else made


def _object(members: Mapping[str, str]) -> str:
    pairs = (f"'{key}', {value}" for key, value in members.items())
    return f"json_object({', '.join(pairs)})"
