"""The lines of a piece, decoded and held by column; what a line says besides its place in the match is kept once.

Lines written by us start with match, seq, ply and round, and the rest of a line comes again and again: such a line is
split before its `type`, the heads are decoded all at once and each different tail only once. A line of any other
order is decoded whole. A line that is refused is read again by `himalaya_core.log.decode_line`, the reader of record:
its verdict and its message hold.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec.structs import astuple
from pydantic import TypeAdapter

from himalaya_core.log import MATCH_NAME, MAX_LINE_BYTES, Entry, LogError, decode_line
from ingest.decoder import HEAD
from ingest.shapes import Shapes

__all__ = ["Fault", "Lines", "decode_lines"]

BETWEEN: Final = b',"type":'
DEEP_BYTES: Final = 400
DEEP_BRACKETS: Final = 150
"""A line of more bytes and brackets than these may be nested deeper than the reader of record goes."""
MOST_TAILS: Final = 1 << 16
NAME: Final = re.compile(MATCH_NAME.removesuffix("$")).fullmatch
REFUSALS: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

_known: dict[str, dict[bytes, Any]] = {}
"""Tails decoded before, by game; emptied when there are too many."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and in which line of the piece (from 0)."""

    index: int
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Decoded lines by column.

    `tails` points into `tail`, -1 for a bad line, of which the other columns say nothing; `kinds` says of each tail
    which of the shapes' tables it belongs to.
    """

    text: list[bytes]
    match: Sequence[str | None]
    seq: Sequence[int]
    ply: Sequence[int]
    round: Sequence[int]
    tails: Sequence[int]
    tail: list[Any]
    kinds: list[int]
    faults: dict[int, Fault]

    def kind(self, index: int) -> int:
        """Return which table a line belongs to, -1 for a bad line."""
        tail = self.tails[index]
        return -1 if tail < 0 else self.kinds[tail]


def decode_lines(data: bytes, shape: Shapes) -> Lines:
    """Decode lines that all end with a line end."""
    text = data.split(b"\n")
    text.pop()
    if text and _is_utf8(data):
        try:
            for line in [line for line in text if len(line) > DEEP_BYTES]:
                if _is_doubtful(line):
                    decode_line(line, shape.game)
            return _decode_split(text, shape)
        except (*REFUSALS, LogError):
            pass
    return _decode_each(text, shape)


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def _is_doubtful(line: bytes) -> bool:
    """Say whether a line may be too long or too deep."""
    return len(line) >= MAX_LINE_BYTES or line.count(b"[") + line.count(b"{") > DEEP_BRACKETS


def _decode_split(text: list[bytes], shape: Shapes) -> Lines:
    heads, between, tails = zip(*[line.partition(BETWEEN) for line in text], strict=True)
    if between.count(BETWEEN) < len(text):
        raise msgspec.DecodeError("a line without a type after its head")
    head = shape.heads.decode(b"[" + b"},".join(heads) + b"}]")
    if len(head) != len(text):
        raise msgspec.DecodeError("a head that is not one object")
    cache = _known.setdefault(shape.game.name, {})
    if len(cache) > MOST_TAILS:
        cache.clear()
    places = {tail: place for place, tail in enumerate(dict.fromkeys(tails))}
    decode = shape.tail.decode
    tail: list[Any] = []
    for raw in places:
        known = cache.get(raw)
        if known is None:
            known = decode(b'{"type":' + raw)
            if len(raw) < DEEP_BYTES:
                cache[raw] = known
        tail.append(known)
    match, seq, ply, round_ = zip(*map(astuple, head), strict=True)
    if not all(map(NAME, set(match))):
        raise msgspec.ValidationError("a match with a name that no match has")
    kinds = [shape.kinds[type(each)] for each in tail]
    return Lines(text, match, seq, ply, round_, list(map(places.__getitem__, tails)), tail, kinds, {})


def _decode_each(text: list[bytes], shape: Shapes) -> Lines:
    heads: list[tuple[Any, ...]] = []
    tails: list[int] = []
    tail: list[Any] = []
    faults: dict[int, Fault] = {}
    for index, line in enumerate(text):
        try:
            decoded = _decode_line(line, shape)
        except _Refused as refused:
            faults[index] = Fault(index, refused.reason, str(refused))
            heads.append((None, 0, 0, 0))
            tails.append(-1)
        else:
            heads.append(tuple(getattr(decoded, key) for key in HEAD))
            tails.append(len(tail))
            tail.append(decoded)
    match, seq, ply, round_ = zip(*heads, strict=True) if heads else ((), (), (), ())
    kinds = [shape.kinds[type(each)] for each in tail]
    return Lines(text, match, seq, ply, round_, tails, tail, kinds, faults)


class _Refused(ValueError):
    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def _decode_line(line: bytes, shape: Shapes) -> Any:
    """Decode one line with all checks; `_Refused` says why not."""
    if b"\0" in line:
        raise _Refused("nul_byte", f"line: expected text, found a NUL byte at {line.index(0)}")
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise _Refused(
            "not_utf8", f"line: expected UTF-8, found byte {line[error.start]:#x} at {error.start}"
        ) from None
    try:
        if not _is_doubtful(line):
            return shape.line.decode(line)
    except REFUSALS:
        pass
    try:
        entry = decode_line(line + b"\n", shape.game)
    except LogError as error:
        raise _Refused(_reason(error), str(error)) from None
    return shape.line.decode(_rewritten(entry))


def _reason(error: LogError) -> str:
    if error.field == "type":
        return "unknown_type"
    if error.field != "line":
        return "bad_field"
    if error.expected.startswith("at most"):
        return "line_too_long"
    return "not_json" if error.expected == "one JSON object" else "not_object"


def _rewritten(entry: Entry) -> bytes:
    """Return a line as the fast decoder expects it; an action and a time have been checked and reach no table."""
    kind: TypeAdapter[Any] = TypeAdapter(type(entry.event))
    data = kind.dump_python(entry.event, mode="json", by_alias=True, exclude={"seat"})
    envelope = {key: getattr(entry, key) for key in (*HEAD, "type", "seat")}
    return msgspec.json.encode({**envelope, "data": data})
