"""Generates typed tables from a game's event types, and statements for tables of sums that grow with each match."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, Self, get_args, get_origin

import msgspec

from himalaya_core.game import PER_SEAT, Game
from himalaya_core.log.envelope import MATCH_ENDED, MATCH_STARTED, Ended, Header
from ingest.tables.line_types import attribute, decoded, hints_of, known_keys, line_type, log_key, union, without_none
from ingest.tables.marts import marts_of

__all__ = ["KEYS", "Column", "EventSchema", "EventTable", "Sums", "schema_of", "table_name"]


COLUMN: Final = re.compile(r"^    (\w+) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sums:
    """A table of sums: its grain, the summed columns, and the query for the sums over the matches in `batch`."""

    table: str
    grain: Sequence[str]
    summed: Sequence[str]
    of_batch: str

    @classmethod
    def read(cls, table: str, grain: Sequence[str], create: str, fill: str) -> Self:
        """Parse the CREATE and INSERT statements of a table of sums."""
        summed = [name for name in COLUMN.findall(create) if name not in grain]
        return cls(table, grain, summed, fill.removeprefix(f"INSERT INTO {table}").strip().removesuffix(";"))

    @property
    def add(self) -> str:
        """Return the statement that adds the sums of the batch."""
        return f"{self._merged('+')} WHEN NOT MATCHED THEN INSERT"

    @property
    def subtract(self) -> tuple[str, str]:
        """Return the statements that subtract the sums of the batch, and delete rows in which all sums are 0."""
        return self._merged("-"), f"DELETE FROM {self.table} WHERE {self._each('{0} = 0', ' AND ')}"

    @property
    def without(self) -> str:
        """Return the query for the table's rows after subtracting the batch."""
        return (
            f"SELECT {self._keys}, {self._each('CAST(sum({0}) AS INTEGER) AS {0}')} FROM (FROM {self.table} UNION ALL "
            f"BY NAME SELECT {self._keys}, {self._each('-{0} AS {0}')} FROM ({self.of_batch})) "
            f"GROUP BY {self._keys} HAVING {self._each('sum({0}) <> 0', ' OR ')}"
        )

    @property
    def differing(self) -> str:
        """Return the query for rows that differ from newly computed sums; the batch must contain all matches."""
        return (
            f"SELECT {self._keys} FROM {self.table} AS there FULL JOIN ({self.of_batch}) AS now "
            f"USING ({self._keys}) WHERE {self._each('there.{0} IS DISTINCT FROM now.{0}', ' OR ')}"
        )

    @property
    def _keys(self) -> str:
        return ", ".join(self.grain)

    def _each(self, text: str, between: str = ", ") -> str:
        return between.join(text.format(name) for name in self.summed)

    def _merged(self, sign: str) -> str:
        changes = self._each(f"{{0}} = {self.table}.{{0}} {sign} now.{{0}}")
        return (
            f"MERGE INTO {self.table} USING ({self.of_batch}) AS now USING ({self._keys}) "
            f"WHEN MATCHED THEN UPDATE SET {changes}"
        )


KEYS: Final = ("match_id", "seq", "ply", "round")
"""The first columns of every event table."""

Values = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an event table; `role` is "seat" (a seat number), "per_seat" (a value for each seat) or `None`.

    `words` are all possible texts, if known; the column is then an ENUM.
    """

    name: str
    sql_type: str
    role: str | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spread:
    """Columns for values of a type, and the function that converts a list of values to one list per column."""

    columns: tuple[Column, ...]
    read: Callable[[Values], list[Values]]


def table_name(game: str | None, event: str) -> str:
    """Return the table name of an event type; hyphens in a game's name are replaced, to avoid quotes in SQL."""
    return f"stg_{game.replace('-', '_')}_{event}" if game else f"stg_{event}"


@dataclass(frozen=True, slots=True)
class EventTable:
    """The typed table of an event type; `data` is the SQL expression that restores the event's data as in the log.

    Table names include the game, because two games may have events of the same name. The first and the last line of a
    match have the same type in all games; their `game` is `None`.
    """

    game: str | None
    event: str
    has_seat: bool
    spread: Spread
    data: str

    @property
    def name(self) -> str:
        """Return the table's name."""
        return table_name(self.game, self.event)

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the names of the columns that come from the envelope."""
        return (*KEYS, "seat") if self.has_seat else KEYS

    @property
    def create(self) -> str:
        """Return the CREATE statement."""
        keys = [f"{key} INTEGER NOT NULL" for key in self.keys]
        columns = [f'"{column.name}" {column.sql_type}' for column in self.spread.columns]
        return f"CREATE TABLE {self.name} ({', '.join([*keys, *columns])})"


@dataclass(frozen=True, slots=True)
class EventSchema:
    """Decoders and tables of a game's events.

    `line` decodes a whole line, and `payload` the part after the prefix (match, seq, ply, round). `kinds` maps the
    types that they return to indices in `tables`. The first table is for lines that start a match, the last one for
    lines that end it.
    """

    game: Game[Any, Any, Any]
    line: msgspec.json.Decoder[Any]
    payload: msgspec.json.Decoder[Any]
    tables: tuple[EventTable, ...]
    kinds: Mapping[type[msgspec.Struct], int]

    @property
    def started(self) -> int:
        """Return the index of the table of first lines."""
        return 0

    @property
    def ended(self) -> int:
        """Return the index of the table of last lines."""
        return len(self.tables) - 1


@cache
def schema_of(game: Game[Any, Any, Any]) -> EventSchema:
    """Generate decoders and tables from the event types of a game."""
    kinds: dict[str, type[Any]] = {MATCH_STARTED: Header, **game.event_types, MATCH_ENDED: Ended}
    lines = [line_type(game, name, kind, whole=True) for name, kind in kinds.items()]
    payloads = [line_type(game, name, kind, whole=False) for name, kind in kinds.items()]
    return EventSchema(
        game=game,
        line=msgspec.json.Decoder(union(lines)),
        payload=msgspec.json.Decoder(union(payloads)),
        tables=tuple(_event_table(game, name, kind) for name, kind in kinds.items()),
        kinds={kind: place for kinds in (lines, payloads) for place, kind in enumerate(kinds)},
    )


def _event_table(game: Game[Any, Any, Any], name: str, kind: type[Any]) -> EventTable:
    hints = hints_of(kind)
    seats = [hints_of(event).get("seat") for event in game.event_types.values()]
    renamed = {key: f"{key}_" for key in KEYS} | dict(marts_of(game.name).renamed)
    parts: dict[str, Spread] = {}
    always: list[str] = []
    sometimes: list[str] = []
    for field in fields(kind):
        if field.name == "seat":
            continue
        hint, key = hints[field.name], log_key(field.name)
        column = key if is_dataclass(without_none(hint)[0]) else renamed.get(key, key)
        parts[field.name] = _spread(hint, column, seats)
        (always if field.default is MISSING else sometimes).append(f"'{key}', {_json(hint, column)}")
    data = f"json_object({', '.join(always)})"
    if sometimes:
        data = f"json_merge_patch({data}, json_object({', '.join(sometimes)}))"
    return EventTable(game.name if name in game.event_types else None, name, "seat" in hints, _joined(parts), data)


# --- Converting values to columns


def _spread(hint: Any, name: str, seats: list[Any], *, optional: bool = False) -> Spread:
    """Return the columns for values of a type: several for a record or a map with known keys."""
    plain, may_lack = without_none(hint)
    optional = optional or may_lack
    if is_dataclass(plain):
        hints = hints_of(plain)
        keys = {field.name: hints[field.name] for field in fields(plain)}
        named = {key: _spread(part, f"{name}_{log_key(key)}", seats, optional=optional) for key, part in keys.items()}
        return _record(decoded(plain), named, optional=optional)
    known = known_keys(plain)
    if known is not None:
        part = get_args(plain)[1]
        named = {attribute(key): _or_absent(_spread(part, f"{name}_{key}", seats)) for key in known}
        return _record(decoded(plain), named, optional=optional)
    if isinstance(plain, type) and issubclass(plain, StrEnum):
        words = tuple(map(str, plain))
        listed = ", ".join(f"'{word}'" for word in words)
        return Spread((Column(name, f"ENUM({listed})", words=words),), _as_they_are)
    sql_type = _sql_type(plain)
    role = "seat" if plain in seats else "per_seat" if _is_per_seat(plain) else None
    return Spread((Column(name, sql_type, role),), _as_json if sql_type == "JSON" else _as_they_are)


def _or_absent(part: Spread) -> Spread:
    """Return the same columns, with NULL for values without a key."""
    return Spread(part.columns, lambda values: part.read([None if each is msgspec.UNSET else each for each in values]))


def _as_they_are(values: Values) -> list[Values]:
    return [values]


def _as_json(values: Values) -> list[Values]:
    return [[msgspec.json.encode(value).decode() for value in values]]


def _joined(parts: Mapping[str, Spread]) -> Spread:
    """Return the columns of records, given the columns of each field."""
    columns = [(attrgetter(name), part) for name, part in parts.items()]

    def read(records: Values) -> list[Values]:
        return list(chain.from_iterable(part.read([*map(field, records)]) for field, part in columns))

    return Spread(tuple(chain.from_iterable(part.columns for part in parts.values())), read)


def _record(kind: Any, parts: Mapping[str, Spread], *, optional: bool) -> Spread:
    """Return the columns of records; if `optional`, all columns are NULL for a missing record."""
    joined = _joined(parts)
    if not optional:
        return joined
    nothing = kind(**dict.fromkeys(kind.__struct_fields__))
    return Spread(joined.columns, lambda records: joined.read([nothing if r is None else r for r in records]))


def _is_per_seat(hint: Any) -> bool:
    return get_origin(hint) is Annotated and PER_SEAT in get_args(hint)


def _sql_type(hint: Any) -> str:
    """Return the SQL type of a type hint; JSON if no other type fits."""
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
    """Return the SQL expression that restores a value of the log from its columns."""
    plain, optional = without_none(hint)
    if get_origin(plain) is not Annotated and is_dataclass(plain):
        hints = hints_of(plain)
        parts = {log_key(field.name): hints[field.name] for field in fields(plain)}
        made = _object({key: _json(part, f"{name}_{key}") for key, part in parts.items()})
        first = f"{name}_{next(iter(parts))}"
    elif (keys := known_keys(plain)) is not None:
        value = get_args(plain)[1]
        first = f"{name}_{keys[0]}"
        if without_none(value)[1]:
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
