"""The event log, format 1: lines to entries and back, without touching a file.

`decode_line` reads one line strictly and raises `LogError`, which names the field, the expected value and the
one found. `encoder.py` writes the lines of a whole match. The format is a public contract:
`docs/reference/event-log.md`.
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
"""Expectation in the message if a line ends differently."""
TEXT, UTF_8, NO_MARK = "text", "UTF-8", "text without a byte order mark"
"""Expectations in messages about the bytes of a line."""
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
A_TIME: Final = "a time like 2026-01-31T18:05:00Z"
BEFORE_SEQ: Final = b'{"match":"%b","seq":'
"""Beginning of a line, for the name of the match."""
AFTER_SEQ: Final = b',"ply":%d,"round":'
"""Continuation after the number of the line, for the ply; the round follows."""
LINE: Final = b'%b%d,"ply":%d,"round":%d%b'
"""A line: its beginning, number, ply, round and payload."""
MOST_PAYLOADS: Final = 1 << 15
"""Maximum cached payloads of events without an action; caravan has a few thousand."""
UNCHOSEN: Final = (Header, Ended)
"""Events that no action leads to."""
OUR_ACTION: Final = re.compile(rb'\{"type":"(\w+)",?(.*)\}', re.DOTALL).fullmatch
NUMBER: Final = re.compile(r"0|-?[1-9][0-9]*").fullmatch
LONGEST_QUOTE: Final = 80
AROUND_PLACE: Final = 12
"""Number of bytes shown before and after the place where a line stops being JSON."""
PERHAPS_NO_NUMBER: Final = re.compile(rb"NaN|Infinity|\d\.?[eE]\+?\d{3}|\d{200}")
"""Matches every line with a number beyond the doubles, and few others: a cheap test before the exact one."""


class LogError(ValueError):
    """A line that is not in the format: the field, what was expected there, and what was found."""

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
    """Return the entry on a line; `game` is that of the match's header (not needed to read `match_started`)."""
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
    """Refuse a time on a day that does not exist, or in the year 0."""
    try:
        _adapter(AwareDatetime).validator.validate_python(text.replace(":60", ":59"))  # a leap second
    except ValidationError:
        raise LogError("at", A_TIME, json.dumps(text)) from None


def _check_keys(line: bytes, envelope: Envelope, extra: Mapping[str, Any]) -> None:
    """Refuse a key that occurs twice in an object.

    Every member has a colon, so a line with no more colons than decoded keys has no key twice; colons in a time are not
    counted.
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
    """Refuse numbers that are not JSON or are beyond the doubles, in fields that no type checks."""
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
    """Return the action of a line's `action` and `seat`; `LogError` if the game has no such action."""
    rest = dict(data)
    name = rest.pop("type", None)
    kind = game.action_types.get(name) if isinstance(name, str) else None
    if kind is None:
        raise LogError("action.type", "a known type of action", name)
    return _decode_data("action", kind, rest, seat)


def decode_written_action(game: Game[Any, Any, Any], written: bytes, seat: bytes) -> Any:
    """Return an action from its JSON as we write it, `None` if that begins differently; `seat` is a digit, or empty.

    Faster than `decode_action`, and less strict: callers that rely on it write the action again and compare.
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
    """Validate data as JSON, not as Python objects: only then are names of enumerations read strictly."""
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
    """Return the expected value, in the words of a log."""
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
    """Return the error for a line that is not JSON: the kind of its bytes, or where the parser stopped, and why."""
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


@cache  # of a class; `Any`, because mypy takes a class for unhashable
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@cache
def _reader(kind: Any) -> tuple[Callable[[bytes], Any], tuple[str, ...]]:
    """Return the function that reads JSON strictly, and which fields map numbers: pydantic takes `" 01"` for a 1."""
    hints = get_type_hints(kind)
    numbered = (name for name, hint in hints.items() if get_origin(hint) is dict and get_args(hint)[0] is int)
    return SchemaValidator(_strict(_adapter(kind).core_schema)).validate_json, tuple(numbered)


def _strict(schema: Any) -> Any:
    """Return a schema that reads literals by their type first: pydantic takes 1.0 for a 1, and both for `true`."""
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
    """Return the function that writes an event's data: all fields but the seat, optional ones only if set."""
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
    """Return a schema that writes the members of a `StrEnum` as the text they are, in a quarter of the time."""
    if isinstance(schema, list):
        return [_spelt(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "enum" and schema.get("sub_type") == "str":
        return {"type": "str"}
    return {key: _spelt(part) for key, part in schema.items()}


def written_header(header: Header) -> bytes:
    """Return the data of the first line; optional fields only if set."""
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
    """Return JSON with sorted keys and no spaces, the form that digests are taken of."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def state_digest(game: Game[Any, Any, Any], state: Any) -> str:
    """Return the SHA-256 of a position's canonical JSON."""
    return hashlib.sha256(canonical(game.position(state))).hexdigest()


def as_logged(game: Game[Any, Any, Any], fact: Any) -> str:
    """Return an event or an action for a message: its type, its seat (from 1), and its data as a log has them."""
    return _in_words(game, fact, _data(fact))


def differing(game: Game[Any, Any, Any], one: Any, other: Any) -> tuple[str, str]:
    """Return two events as a log has them, for a message; of one type and seat only the data in which they differ."""
    mine, theirs = _data(one), _data(other)
    if type(one) is type(other) and getattr(one, "seat", None) == getattr(other, "seat", None):
        same = {key for key, value in mine.items() if key in theirs and canonical(theirs[key]) == canonical(value)}
        mine, theirs = ({key: each[key] for key in each if key not in same} for each in (mine, theirs))
    return _in_words(game, one, mine), _in_words(game, other, theirs)


def _data(fact: Any) -> dict[str, Any]:
    kind: Any = type(fact)
    return dict(json.loads(_encoder(kind)(fact)))


def _in_words(game: Game[Any, Any, Any], fact: Any, data: Mapping[str, Any]) -> str:
    """Return the type and the seat of a fact with some of its data: `moved by seat 1 with to=16, road="ice"`."""
    kind: Any = type(fact)
    seat = getattr(fact, "seat", None)
    who = "" if seat is None else f" by seat {seat + 1}"
    written = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    values = ", ".join(f"{key}={written(value)}" for key, value in data.items())
    return f"{_names(game)[kind]}{who}{f' with {values}' if values else ''}"


def payload(game: Game[Any, Any, Any], event: Any, action: Any = None) -> bytes:
    """Return the rest of an event's line after match, seq, ply and round, its line end included."""
    if action is not None:
        return b'%b,"action":%b}\n' % (_payload(game, event)[:-2], written_action(game, action))
    try:
        return _payload_again(game, event)
    except TypeError:  # it has a map in it, so it has no hash
        return _payload(game, event)


def _payload(game: Game[Any, Any, Any], event: Any) -> bytes:
    kind: Any = type(event)
    seat = getattr(event, "seat", None)
    who = b"" if seat is None else b'"seat":%d,' % seat
    return b',"type":"%b",%b"data":%b}\n' % (_written_names(game)[kind], who, _encoder(kind)(event))


_payload_again = lru_cache(MOST_PAYLOADS)(_payload)
"""The same for events without an action: most of those recur, in one match and in the next."""


def written_action(game: Game[Any, Any, Any], action: Any) -> bytes:
    """Return an action as the `action` of a line; its seat is elsewhere on the line."""
    kind: Any = type(action)
    data = _encoder(kind)(action)
    return b'{"type":"%b"%b%b' % (_written_names(game)[kind], b"," if len(data) > 2 else b"", data[1:])


def last_payload(game: Game[Any, Any, Any], state: Any, outcome: Outcome | None, lines_sha256: str) -> bytes:
    """Return the rest of the last line after match, seq, ply and round; without an outcome it was abandoned."""
    ended = Ended(
        reason=Reason.ABANDONED if outcome is None else Reason.FINISHED,
        ranking=() if outcome is None else outcome.ranking,
        scores=() if outcome is None else tuple(dict(scores) for scores in outcome.scores),
        lines_sha256=lines_sha256,
        state_sha256=state_digest(game, state),
    )
    return b',"type":"%b","data":%b}\n' % (MATCH_ENDED.encode(), _encoder(Ended)(ended))


def head(match: str, seq: int, ply: int, round: int) -> bytes:
    """Return the beginning of a line: its match, and its place there."""
    return LINE % (BEFORE_SEQ % match.encode(), seq, ply, round, b"")
