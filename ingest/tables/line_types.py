"""Generates msgspec types of log lines; their decoder is five times as fast as the reference reader.

The types come from a game's event types and the envelope in `himalaya_core.log.codec`, so a new event or field needs no
second description. A map with known keys becomes a struct with one field per key. The decoder accepts exactly the same
lines as the reference reader.
"""

import types
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from pydantic.fields import FieldInfo

from himalaya_core.game import PER_SEAT, Game, Range, log_name
from himalaya_core.log.codec import Ended, Envelope, Header

__all__ = ["HEAD", "attribute", "decoded", "hints_of", "known_keys", "line_type", "log_key", "union", "without_none"]

MOST_KEYS: Final = 32
"""Maximum number of possible keys of a map that becomes a struct."""
HEAD: Final = ("match", "seq", "ply", "round")
NOTHING: Final = Annotated[str, msgspec.Meta(min_length=1, max_length=0)]
"""A type that accepts no value."""


def hints_of(kind: Any) -> Mapping[str, Any]:
    """Return the types of a dataclass's fields, including bounds."""
    return _hints_of(kind)


@cache  # cached by class; typed `Any` because mypy considers classes unhashable
def _hints_of(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind, include_extras=True)


def log_key(field: str) -> str:
    """Return the key of a field in the log."""
    return field.rstrip("_")


def union(members: Iterable[Any]) -> Any:
    """Return the union of some types."""
    return Union[tuple(members)]  # noqa: UP007 (a union built at run time)


def without_none(hint: Any) -> tuple[Any, bool]:
    """Return a hint without `None`, and whether it included `None`."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    members = [member for member in get_args(hint) if member is not type(None)]
    return union(members), len(members) < len(get_args(hint))


def known_keys(hint: Any) -> list[str] | None:
    """Return the possible keys of a map; `None` if they are not known in advance."""
    if get_origin(hint) is not dict:
        return None
    key = get_args(hint)[0]
    if isinstance(key, type) and issubclass(key, StrEnum):
        return [str(member) for member in key]
    bounds = [part for part in get_args(key) if isinstance(part, Range)]
    if bounds and bounds[0].most - bounds[0].least < MOST_KEYS:
        return [str(number) for number in range(bounds[0].least, bounds[0].most + 1)]
    return None


def _envelope() -> dict[str, Any]:
    """Return the types of the envelope's keys, except for times, which `line_type` adds."""
    fields = {key: info for key, info in Envelope.model_fields.items() if key != "at"}
    return {key: _constrained(decoded(info.annotation), info.metadata) for key, info in fields.items()}


def line_type(game: Game[Any, Any, Any], name: str, kind: Any, *, whole: bool) -> type[msgspec.Struct]:
    """Return the struct of a whole line or, unless `whole`, of the part after the prefix (match, seq, ply, round).

    That part must not repeat the prefix's keys. Unknown keys of the envelope are ignored, as the log format requires.
    """
    envelope = _envelope()
    seat = hints_of(kind).get("seat")
    chosen: Iterable[Any] = () if kind in (Header, Ended) else game.action_types.values()
    kinds: list[Any] = [action for action in chosen if ("seat" in hints_of(action)) == bool(seat)]
    actions = [_record_type(action, log_name(action)) for action in kinds]
    return msgspec.defstruct(
        name,
        [
            *((key, envelope[key]) if whole else (key, NOTHING, None) for key in HEAD),
            ("seat", None, None) if seat is None else ("seat", decoded(seat)),
            ("data", _record_type(kind)),
            ("action", union([*actions, None]), None),
            ("at", union([Annotated[datetime, msgspec.Meta(tz=True)], None]), None),
        ],
        tag_field="type",
        tag=name,
        kw_only=True,
        omit_defaults=True,
        gc=False,
    )


@cache
def _record_type(kind: Any, tag: str | None = None, *, nested: bool = False) -> type[msgspec.Struct]:
    """Return the struct of a dataclass; the seat of an event or action is omitted, as it is in the envelope."""
    hints = hints_of(kind)
    members: list[Any] = [
        (field.name, decoded(hints[field.name]), *(() if field.default is MISSING else (field.default,)))
        for field in fields(kind)
        if nested or field.name != "seat"
    ]
    return msgspec.defstruct(
        kind.__name__,
        members,
        rename={field.name: log_key(field.name) for field in fields(kind)},
        tag_field=None if tag is None else "type",
        tag=tag,
        forbid_unknown_fields=True,
        kw_only=True,
        omit_defaults=True,
        gc=False,
    )


def decoded(hint: Any) -> Any:
    """Return the type with which msgspec accepts the same values as the codec accepts for a hint."""
    if get_origin(hint) is Annotated:
        plain, *constraints = get_args(hint)
        return _constrained(decoded(plain), constraints)
    if isinstance(hint, type) and is_dataclass(hint):
        return _record_type(hint, nested=True)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return Literal[tuple(str(member) for member in hint)]
    plain, optional = without_none(hint)
    if optional:
        return decoded(plain) | None
    if get_origin(hint) is tuple:
        return tuple.__class_getitem__(tuple(part if part is Ellipsis else decoded(part) for part in get_args(hint)))
    if get_origin(hint) is dict:
        return _map(hint)
    return hint


@cache
def _map(hint: Any) -> Any:
    keys = known_keys(hint)
    if keys is None:
        key, value = get_args(hint)
        return dict[decoded(key), decoded(value)]  # type: ignore[misc]
    value = decoded(get_args(hint)[1])
    default: Any = 0
    if without_none(get_args(hint)[1])[1]:  # tells an explicit `null` from a missing key
        value, default = value | msgspec.UnsetType, msgspec.UNSET
    return msgspec.defstruct(
        "Map",
        [(attribute(key), value, default) for key in keys],
        rename={attribute(key): key for key in keys},
        omit_defaults=True,
        forbid_unknown_fields=True,
        gc=False,
    )


def attribute(key: str) -> str:
    """Return the attribute for a key in a map's struct."""
    return f"at_{key}"


def _constrained(decoded: Any, constraints: Iterable[Any]) -> Any:
    """Attach bounds, lengths and patterns to a type.

    Patterns are adapted: Python's `$` also matches before a final newline, unlike pydantic's.
    """
    for constraint in constraints:
        if isinstance(constraint, FieldInfo):
            decoded = _constrained(decoded, constraint.metadata)
        elif constraint == PER_SEAT:
            continue  # checked in `ingest.validate.decode`, for a whole match
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
