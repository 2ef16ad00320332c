"""The event log, format 1: decode lines to entries and encode them. This module accesses no files.

`decode_line` reads one line strictly and raises `LogError`, which names the field, the expected value and the value
found. `encoder.py` writes all lines of a match. The format is a public contract: see `docs/reference/event-log.md`.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import Any, Final, get_args, get_origin, get_type_hints

from pydantic import AwareDatetime, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, SchemaSerializer, SchemaValidator, from_json, to_json

from himalaya_core.game import Game, Outcome
from himalaya_core.log.envelope import (
    MATCH_ENDED,
    MATCH_NAME,
    MATCH_STARTED,
    BoardReference,
    BranchOrigin,
    Ended,
    Envelope,
    Header,
    Reason,
    SeatInfo,
)
from himalaya_core.log.text import ONCE, first_inexact, members

__all__ = [
    "AFTER_SEQ",
    "BEFORE_SEQ",
    "LINE",
    "LINE_END",
    "MATCH_ENDED",
    "MATCH_NAME",
    "MATCH_STARTED",
    "MAX_LINE_BYTES",
    "NO_MARK",
    "ONCE",
    "TEXT",
    "UTF_8",
    "BoardReference",
    "BranchOrigin",
    "Ended",
    "Entry",
    "Envelope",
    "Header",
    "LogError",
    "Reason",
    "SeatInfo",
    "as_logged",
    "canonical",
    "decode_action",
    "decode_line",
    "decode_written_action",
    "differing",
    "head",
    "last_payload",
    "payload",
    "state_digest",
    "written_action",
    "written_header",
]

MAX_LINE_BYTES: Final = 1 << 20
LINE_END: Final = r"a line end of \n alone"
"""Expected value in the error message for a wrong line end."""
TEXT, UTF_8, NO_MARK = "text", "UTF-8", "text without a byte order mark"
"""Expected values in error messages for invalid bytes in a line."""
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
A_TIME: Final = "a time like 2026-01-31T18:05:00Z"
BEFORE_SEQ: Final = b'{"match":"%b","seq":'
"""Beginning of a line up to the sequence number; `%b` is the match name."""
AFTER_SEQ: Final = b',"ply":%d,"round":'
"""The part of a line between sequence number and round; `%d` is the ply."""
LINE: Final = b'%b%d,"ply":%d,"round":%d%b'
"""A whole line: beginning, sequence number, ply, round and payload."""
MOST_PAYLOADS: Final = 1 << 15
"""Maximum cached payloads of events without an action. Caravan uses a few thousand."""
UNCHOSEN: Final = (Header, Ended)
"""Types of events that never result from an action."""
OUR_ACTION: Final = re.compile(rb'\{"type":"(\w+)",?(.*)\}', re.DOTALL).fullmatch
NUMBER: Final = re.compile(r"0|-?[1-9][0-9]*").fullmatch
LONGEST_QUOTE: Final = 80
AROUND_PLACE: Final = 12
"""Number of bytes shown on each side of the place where a line stops being valid JSON."""
PERHAPS_NO_NUMBER: Final = re.compile(rb"NaN|Infinity|\d\.?[eE]\+?\d{3}|\d{200}")
"""A quick first test. It matches every line with a number outside the range of doubles, and few other lines."""


class LogError(ValueError):
    """A line with an invalid format; the message gives the field, the expected value and the one found."""

    def __init__(self, field: str, expected: str, found: object) -> None:
        self.field = _quote(field)
        self.expected = expected
        self.found = _quote(found)
        super().__init__(f"{self.field}: expected {expected}, found {self.found}")


def _quote(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
    if not text.isprintable():
        text = json.dumps(text)[1:-1]
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a log, decoded."""

    match: str
    seq: int
    ply: int
    round: int
    type: str
    seat: int | None
    event: Any
    action: Any
    extra: Mapping[str, Any]


def decode_line(line: bytes, game: Game[Any, Any, Any] | None = None) -> Entry:
    """Decode one line. `game` is the game named in the match's header; it is not needed for `match_started`."""
    if len(line) > MAX_LINE_BYTES:
        raise LogError("line", f"at most {MAX_LINE_BYTES} bytes", "more")
    if line.endswith(b"\r\n"):
        raise LogError("line", LINE_END, r"\r\n")
    try:
        envelope = Envelope.model_validate_json(line)
    except ValidationError as error:
        raise _log_error("", error) from None
    if (at := envelope.at) is not None and (at[8:10] > "28" or at.startswith("0000")):
        _check_day(at)
    extra = envelope.model_extra or {}
    _check_keys(line, envelope, extra)
    if extra or envelope.type == MATCH_STARTED:
        _check_numbers(line)
    if envelope.type == MATCH_STARTED:
        kind: Any = Header
    elif envelope.type == MATCH_ENDED:
        kind = Ended
    elif game is None:
        raise LogError("type", f"{MATCH_STARTED} in the first line", envelope.type)
    else:
        kind = game.event_types.get(envelope.type)
    if kind is None:
        raise LogError("type", "a known type of event", envelope.type)
    if envelope.action is not None and kind in UNCHOSEN:
        raise LogError("action", f"none: {envelope.type} follows no decision", envelope.action)
    event = _decode_data("data", kind, envelope.data, envelope.seat)
    action = None if envelope.action is None or game is None else decode_action(game, envelope.action, envelope.seat)
    place = (envelope.match, envelope.seq, envelope.ply, envelope.round)
    return Entry(*place, envelope.type, envelope.seat, event, action, extra)


def _check_day(text: str) -> None:
    """Reject a time on a day that does not exist, or in the year 0."""
    try:
        _adapter(AwareDatetime).validator.validate_python(text.replace(":60", ":59"))  # a leap second
    except ValidationError:
        raise LogError("at", A_TIME, json.dumps(text)) from None


def _check_keys(line: bytes, envelope: Envelope, extra: Mapping[str, Any]) -> None:
    """Reject a line in which an object contains the same key twice.

    Every member of an object has a colon. A line with no more colons than decoded keys therefore has no repeated key.
    Colons inside the time are not counted.
    """
    data, action, at = envelope.data, envelope.action, envelope.at
    colons = line.count(b":")
    if at is not None and b"\\" not in line:
        colons -= at.count(":")
    keys = len(envelope.model_fields_set) + len(data) + (len(action) if action else 0)
    if colons > keys:
        keys += sum(members(value) for part in (data, action or {}, extra) for value in part.values())
        if colons > keys:
            _check_exact(line)


def _check_numbers(line: bytes) -> None:
    """Reject numbers that are invalid in JSON or outside the range of doubles, in fields without a type check."""
    if PERHAPS_NO_NUMBER.search(line):
        try:
            from_json(line, allow_inf_nan=False)
        except ValueError as error:
            raise _no_json(line, str(error)) from None
        _check_exact(line)


def _check_exact(line: bytes) -> None:
    if (found := first_inexact(line.decode())) is not None:
        raise LogError(*found)


def decode_action(game: Game[Any, Any, Any], data: Mapping[str, Any], seat: int | None) -> Any:
    """Decode an action from a line's `action` and `seat`. Raises `LogError` if the game has no such action."""
    rest = dict(data)
    name = rest.pop("type", None)
    kind = game.action_types.get(name) if isinstance(name, str) else None
    if kind is None:
        raise LogError("action.type", "a known type of action", name)
    return _decode_data("action", kind, rest, seat)


def decode_written_action(game: Game[Any, Any, Any], written: bytes, seat: bytes) -> Any:
    """Decode an action from JSON in our own spelling; `None` if the spelling differs. `seat` is a digit or empty.

    This is faster than `decode_action`, but less strict. Callers must encode the action again and compare the bytes.
    """
    found = OUR_ACTION(written)
    kind: Any = game.action_types.get(found[1].decode()) if found else None
    if found is None or kind is None:
        return None
    parts = [b'"seat":' + seat] if seat else []
    try:
        return _reader(kind)[0](b"{%b}" % b",".join([*parts, *([found[2]] if found[2] else [])]))
    except ValidationError:
        return None


def _decode_data(where: str, kind: Any, data: dict[str, Any], seat: int | None) -> Any:
    """Validate data as JSON text: pydantic reads enumerations strictly from JSON only, not from Python objects."""
    if "seat" in data:
        raise LogError(f"{where}.seat", "no such key (the seat is in the envelope)", data["seat"])
    whole = data if seat is None else {"seat": seat, **data}
    read, numbered = _reader(kind)
    try:
        event = read(to_json(whole))
    except ValidationError as error:
        raise _log_error(where, error) from None
    for name in numbered:
        for key in data.get(name) or ():
            if not NUMBER(key):
                raise LogError(f"{where}.{name}.{key}", "a number as a key, in digits alone", key)
    return event


def _log_error(where: str, error: ValidationError) -> LogError:
    first: ErrorDetails = error.errors(include_url=False)[0]
    path = [str(part) for part in first["loc"]]
    field = "seat" if path == ["seat"] else ".".join([*([where] if where else []), *path])
    found = json.dumps(first["input"], ensure_ascii=False, default=repr)
    match first["type"]:
        case "json_invalid":
            return _no_json(first["input"], first["msg"].removeprefix("Invalid JSON: "))
        case "missing":
            return LogError(field, "the field", "nothing")
        case "unexpected_keyword_argument":
            return LogError(field, "no such key", found)
        case "string_pattern_mismatch" | "string_type" if field == "at":
            return LogError(field, A_TIME, found)
        case "string_pattern_mismatch":
            return LogError(field, f"text like {first.get('ctx', {}).get('pattern')}", found)
        case _:
            return LogError(field or "line", _expected(first), found)


def _expected(error: ErrorDetails) -> str:
    """Return the value that pydantic expected, in the terms used by the log format."""
    context = error.get("ctx", {})
    match error["type"]:
        case "too_short":
            return f"at least {context['min_length']} of them"
        case "too_long":
            return f"at most {context['max_length']} of them"
        case _:
            text = error["msg"].removeprefix("Input should ").removeprefix("be ")
            return {"True": "true", "False": "false"}.get(text, text)


def _no_json(line: bytes, reason: str) -> LogError:
    """Return the error for a line that is not JSON. It names the invalid bytes or the place of the syntax error."""
    if not line.strip():
        return LogError("line", "one JSON object", "a blank line")
    if line.startswith(BYTE_ORDER_MARK):
        return LogError("line", NO_MARK, "one: save the file as UTF-8 without it")
    if b"\0" in line:
        return LogError("line", TEXT, f"a NUL byte at column {line.index(0) + 1}")
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return LogError("line", UTF_8, f"byte {line[error.start]:#x} at column {error.start + 1}")
    if reason.startswith("EOF") and not line.endswith(b"\n"):
        return LogError("line", "a line end", "the end of the file")
    row, _, number = reason.partition(" at line ")[2].partition(" column ")
    column = int(number) if row == "1" else len(line)
    start = max(column - AROUND_PLACE, 0)
    cut = line[start : column + AROUND_PLACE].decode(errors="replace").rstrip("\n")
    quoted = f"{'…' if start else ''}{_quote(cut)[: 3 * AROUND_PLACE]}"
    return LogError("line", "one JSON object", f"{quoted} at column {column}")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@cache
def _reader(kind: Any) -> tuple[Callable[[bytes], Any], tuple[str, ...]]:
    """Return a strict JSON parser and the mapping fields with number keys: pydantic would accept `" 01"` as 1."""
    hints = get_type_hints(kind)
    numbered = (name for name, hint in hints.items() if get_origin(hint) is dict and get_args(hint)[0] is int)
    return SchemaValidator(_strict(_adapter(kind).core_schema)).validate_json, tuple(numbered)


def _strict(schema: Any) -> Any:
    """Return a schema that checks literals by type first: pydantic would read 1.0 as 1, and both as `true`."""
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kinds = {type(value).__name__ for value in schema["expected"]} if schema.get("type") == "literal" else set()
    if len(kinds) == 1 and kinds <= {"bool", "int"}:
        return {"type": "chain", "steps": [{"type": kinds.pop(), "strict": True}, schema]}
    return {key: _strict(part) for key, part in schema.items()}


@cache
def _encoder(kind: Any) -> Callable[[Any], bytes]:
    """Return the encoder of an event's data: all fields except the seat; unset optional fields are omitted."""
    serialize = SchemaSerializer(_spelt(_adapter(kind).core_schema)).to_json
    names = fields(kind)
    seat = {"seat"} & {field.name for field in names}
    optional = [field.name for field in names if field.default is None]
    if not optional:
        return lambda event: serialize(event, by_alias=True, exclude=seat)

    def encode(event: Any) -> bytes:
        absent = {name for name in optional if getattr(event, name) is None}
        return serialize(event, by_alias=True, exclude=seat | absent)

    return encode


def _spelt(schema: Any) -> Any:
    """Return a schema that writes `StrEnum` members as plain strings, in a quarter of the time."""
    if isinstance(schema, list):
        return [_spelt(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "enum" and schema.get("sub_type") == "str":
        return {"type": "str"}
    return {key: _spelt(part) for key, part in schema.items()}


def written_header(header: Header) -> bytes:
    """Return the encoded data of the first line, without unset optional fields."""
    unsigned = {place: {"source_sha256"} for place, info in enumerate(header.seats) if info.source_sha256 is None}
    absent = {} if header.branch else {"branch": True}
    return _adapter(Header).serializer.to_json(header, exclude={"seats": unsigned, **absent})


@cache
def _names(game: Game[Any, Any, Any]) -> Mapping[type[Any], str]:
    return {kind: name for kinds in (game.event_types, game.action_types) for name, kind in kinds.items()}


@cache
def _written_names(game: Game[Any, Any, Any]) -> Mapping[type[Any], bytes]:
    return {kind: name.encode() for kind, name in _names(game).items()}


def canonical(data: Any) -> bytes:
    """Return JSON with sorted keys and no spaces, the form used for digests."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def state_digest(game: Game[Any, Any, Any], state: Any) -> str:
    """Return the SHA-256 of the canonical JSON of a position."""
    return hashlib.sha256(canonical(game.position(state))).hexdigest()


def as_logged(game: Game[Any, Any, Any], fact: Any) -> str:
    """Return an event or an action as text for a message: its type, its seat (from 1) and its data."""
    return _in_words(game, fact, _data(fact))


def differing(game: Game[Any, Any, Any], one: Any, other: Any) -> tuple[str, str]:
    """Return two events as text for a message. If their types and seats agree, only differing data are included."""
    mine, theirs = _data(one), _data(other)
    if type(one) is type(other) and getattr(one, "seat", None) == getattr(other, "seat", None):
        same = {key for key, value in mine.items() if key in theirs and canonical(theirs[key]) == canonical(value)}
        mine, theirs = ({key: each[key] for key in each if key not in same} for each in (mine, theirs))
    return _in_words(game, one, mine), _in_words(game, other, theirs)


def _data(fact: Any) -> dict[str, Any]:
    kind: Any = type(fact)
    return dict(json.loads(_encoder(kind)(fact)))


def _in_words(game: Game[Any, Any, Any], fact: Any, data: Mapping[str, Any]) -> str:
    """Return an event or action as text: `moved by seat 1 with to=16, road="ice"`. `data` are the values to include."""
    kind: Any = type(fact)
    seat = getattr(fact, "seat", None)
    who = "" if seat is None else f" by seat {seat + 1}"
    written = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    values = ", ".join(f"{key}={written(value)}" for key, value in data.items())
    return f"{_names(game)[kind]}{who}{f' with {values}' if values else ''}"


def payload(game: Game[Any, Any, Any], event: Any, action: Any = None) -> bytes:
    """Return the rest of an event's line after match, seq, ply and round, including the line end."""
    if action is not None:
        return b'%b,"action":%b}\n' % (_payload(game, event)[:-2], written_action(game, action))
    try:
        return _payload_again(game, event)
    except TypeError:  # events that contain a dict cannot be hashed
        return _payload(game, event)


def _payload(game: Game[Any, Any, Any], event: Any) -> bytes:
    kind: Any = type(event)
    seat = getattr(event, "seat", None)
    who = b"" if seat is None else b'"seat":%d,' % seat
    return b',"type":"%b",%b"data":%b}\n' % (_written_names(game)[kind], who, _encoder(kind)(event))


_payload_again = lru_cache(MOST_PAYLOADS)(_payload)
"""Cached encoder for events without an action, most of which recur within and across matches."""


def written_action(game: Game[Any, Any, Any], action: Any) -> bytes:
    """Return the JSON of an action for the key `action`, without the seat, which the line has under its own key."""
    kind: Any = type(action)
    data = _encoder(kind)(action)
    return b'{"type":"%b"%b%b' % (_written_names(game)[kind], b"," if len(data) > 2 else b"", data[1:])


def last_payload(game: Game[Any, Any, Any], state: Any, outcome: Outcome | None, lines_sha256: str) -> bytes:
    """Return the rest of the last line after match, seq, ply and round. Without an outcome, the match was abandoned."""
    ended = Ended(
        reason=Reason.ABANDONED if outcome is None else Reason.FINISHED,
        ranking=() if outcome is None else outcome.ranking,
        scores=() if outcome is None else tuple(dict(scores) for scores in outcome.scores),
        lines_sha256=lines_sha256,
        state_sha256=state_digest(game, state),
    )
    return b',"type":"%b","data":%b}\n' % (MATCH_ENDED.encode(), _encoder(Ended)(ended))


def head(match: str, seq: int, ply: int, round: int) -> bytes:
    """Return the beginning of a line: match, sequence number, ply and round."""
    return LINE % (BEFORE_SEQ % match.encode(), seq, ply, round, b"")
