"""Decodes payloads many at a time, and lines in any other format one by one, with all checks.

A line refused here is decoded again by `himalaya_core.log.codec.decode_line`, which decides and supplies the message.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import msgspec
from pydantic import TypeAdapter

from himalaya_core.log.codec import (
    LINE_END,
    MAX_LINE_BYTES,
    NO_MARK,
    ONCE,
    TEXT,
    UTF_8,
    Entry,
    Envelope,
    LogError,
    decode_line,
)
from ingest.tables.line_types import HEAD
from ingest.tables.schema import EventSchema

__all__ = ["FEW_BYTES", "LineReader", "Refusal", "decoded_payloads"]

SOME_HEAD: Final = b'{"match":"x","seq":0,"ply":0,"round":0,'
TYPE: Final = b'{"type":'
ENVELOPE: Final = frozenset(Envelope.model_fields) - {"at"}
FEW_BYTES: Final = 400
MANY_BRACKETS: Final = 150
"""A line with more than this many bytes and brackets may be nested more deeply than the reference reader accepts."""
REASONS: Final = {
    LINE_END: "line_end",
    TEXT: "nul_byte",
    UTF_8: "not_utf8",
    NO_MARK: "not_json",
    "one JSON object": "not_json",
}
"""Reason for refusing a line, by the form that was expected."""
PARSER: Final = re.compile(r" at column (\d+) \([^)]*.*$", re.DOTALL)
"""Pattern for the end of a message about invalid JSON: the place, and the reason in the JSON parser's words."""
REFUSALS: Final = (msgspec.MsgspecError, ValueError, RecursionError)

_written_lines = msgspec.json.Encoder().encode_lines


@dataclass(frozen=True, slots=True)
class Refusal:
    """Reason for refusing a line."""

    reason: str
    message: str


def decoded_payloads(raw: Sequence[bytes], schema: EventSchema) -> list[Any]:
    """Return the payloads of lines, decoded; `None` for a payload that is invalid after every prefix.

    `raw` has the text after `"type":`, including the line end. A payload is valid without further checks if writing the
    decoded value gives the same bytes.
    """
    lines = TYPE.join((b"", *raw))
    try:
        decoded = schema.payload.decode_lines(lines)
        written = _written_lines(decoded)
        if len(decoded) != len(raw):  # a line with several documents, or part of one
            raise ValueError
    except REFUSALS:
        if len(raw) > 1:
            half = len(raw) // 2
            return decoded_payloads(raw[:half], schema) + decoded_payloads(raw[half:], schema)
        decoded, written = [None], b""
    if written == lines and not any(_is_doubtful(text) for text in raw if len(text) > FEW_BYTES):
        return decoded
    reread = LineReader(schema)
    for place, (text, again) in enumerate(zip(raw, written.split(b"\n"), strict=False)):
        line = TYPE + text[:-1]
        if again != line or _is_doubtful(text):
            read = reread(SOME_HEAD + line[1:])
            decoded[place] = None if isinstance(read, Refusal) else read
    return decoded


def _is_doubtful(line: bytes) -> bool:
    """Return whether a line may be nested too deeply."""
    return len(line) > FEW_BYTES and line.count(b"[") + line.count(b"{") > MANY_BRACKETS


class LineReader:
    """Decodes whole lines of any kind with all checks, and remembers refused lines."""

    def __init__(self, schema: EventSchema) -> None:
        self._schema = schema
        self._refused: dict[bytes, Refusal] = {}

    def __call__(self, line: bytes) -> Any:
        """Return the decoded line or its `Refusal`; `line` is without its line end."""
        refused = self._refused.get(line)
        if refused is None:
            decoded = self._decoded(line)
            if not isinstance(decoded, Refusal):
                return decoded
            refused = decoded
            if len(line) < FEW_BYTES:
                self._refused[line] = refused
        return refused

    def _decoded(self, line: bytes) -> Any:
        decoded = self._exact(line)
        if decoded is not None:
            return decoded
        try:
            entry = decode_line(line + b"\n", self._schema.game)
        except LogError as error:
            return Refusal(_reason(error), _message(error))
        return self._schema.line.decode(_rewritten(entry))

    def _exact(self, line: bytes) -> Any:
        """Return the decoded line if the reference reader would certainly accept it, else `None`.

        Such a line has no escapes and no unknown or repeated keys. A first line always goes to the reference reader,
        because it may contain anything.
        """
        if b"\\" in line or len(line) >= MAX_LINE_BYTES or _is_doubtful(line) or line.endswith(b"\r"):
            return None
        try:
            keys = json.loads(line.decode(), object_pairs_hook=_once)
            decoded = self._schema.line.decode(line)
        except REFUSALS:
            return None
        is_first = self._schema.kinds[type(decoded)] == self._schema.started
        return decoded if ENVELOPE.issuperset(keys) and not is_first else None


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("a key twice")
    return found


def _reason(error: LogError) -> str:
    if error.expected == ONCE:
        return "duplicate_key"
    if error.field == "type":
        return "unknown_type"
    if error.field != "line":
        return "bad_field"
    if error.expected.startswith("at most"):
        return "line_too_long"
    return REASONS.get(error.expected, "not_object")


def _message(error: LogError) -> str:
    """Return the message of a refusal, without the wording of the JSON parser."""
    message = str(error)
    return PARSER.sub(r" at column \1", message) if REASONS.get(error.expected) == "not_json" else message


def _rewritten(entry: Entry) -> bytes:
    """Return a line in the form that the fast decoder expects. Action and time, already checked, are left out."""
    kind: Any = type(entry.event)
    data = _adapter(kind).dump_python(entry.event, mode="json", by_alias=True, exclude={"seat"})
    envelope = {key: getattr(entry, key) for key in (*HEAD, "type", "seat")}
    return json.dumps({**envelope, "data": data}).encode()


@cache  # cached by class; typed `Any` because mypy considers classes unhashable
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
