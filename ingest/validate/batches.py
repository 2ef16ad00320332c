"""Decodes the lines of a piece into columns; payloads that recur are decoded once.

Lines as we write them begin with a head (match, seq, ply, round), and the payload behind it often recurs. So heads are
split for all lines at once, and each distinct payload is decoded once. This holds only for lines that are, byte for
byte, as we would write them; any other line is decoded whole, with checks for what typed decoders accept too easily. A
line that is refused is decoded again by `himalaya_core.log.codec.decode_line`, whose verdict and message count.
"""

import json
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa
from pydantic import TypeAdapter

from himalaya_core.log.codec import LINE_END, MATCH_NAME, MAX_LINE_BYTES, ONCE, Entry, Envelope, LogError, decode_line
from ingest.tables.line_types import HEAD
from ingest.tables.schema import EventSchema

__all__ = ["Fault", "Lines", "decode_lines"]

NEWLINE: Final = ord("\n")
NUMBER: Final = "(?:0|[1-9][0-9]{0,9})"
EXACT_HEAD: Final = (
    rf'^\{{"match":"{MATCH_NAME.removeprefix("^").removesuffix("$")}"'
    rf',"seq":{NUMBER},"ply":{NUMBER},"round":{NUMBER}$'
)
BETWEEN: Final = ',"type":'
SOME_HEAD: Final = b'{"match":"x","seq":0,"ply":0,"round":0,'
ENVELOPE: Final = frozenset(Envelope.model_fields) - {"at"}
DEEP_BYTES: Final = 400
DEEP_BRACKETS: Final = 150
"""A line of more bytes and brackets than these may be nested deeper than the reader of record goes."""
MOST_PAYLOADS: Final = 1 << 16
REFUSALS: Final = (msgspec.MsgspecError, ValueError, RecursionError)

_known: dict[str, dict[str, Any]] = {}
"""Payloads decoded before, by game; emptied when there are too many."""
_written = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and in which line of the piece (from 0)."""

    index: int
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Decoded lines by column.

    `starts` has the offset in `data` of each line, and of the end of the last. `payload_of` has the index of each line
    in `payloads`; -1 stands for a bad line, of which the other columns say nothing. `kinds` has for each payload the
    index of its table in `EventSchema.tables`, `kind` the same for each line.
    """

    data: bytes
    starts: npt.NDArray[np.int64]
    match: list[str | None]
    seq: list[int]
    ply: list[int]
    round: list[int]
    payload_of: list[int]
    payloads: list[Any]
    kinds: list[int]
    kind: list[int]
    faults: dict[int, Fault]

    def text(self, start: int, stop: int) -> bytes:
        """Return some lines as they were."""
        return self.data[self.starts[start] : self.starts[stop]]


def decode_lines(data: bytes, schema: EventSchema) -> Lines:
    """Decode lines that all end with a line end."""
    text, starts = _split(data)
    heads = _heads(text)
    match, seq, ply, round_ = (heads[key].to_list() for key in HEAD)
    payloads, payload_of = _payloads(heads["payload"], schema)
    faults: dict[int, Fault] = {}
    if None in payload_of:
        reread = _Reader(schema)
        for index in [index for index, place in enumerate(payload_of) if place is None]:
            line = data[starts[index] : starts[index + 1] - 1]
            decoded = reread(line)
            if isinstance(decoded, _Refusal):
                match[index], seq[index], ply[index], round_[index], payload_of[index] = None, 0, 0, 0, -1
                faults[index] = Fault(index, decoded.reason, decoded.message)
            else:
                match[index], seq[index], ply[index], round_[index] = (getattr(decoded, key) for key in HEAD)
                payload_of[index] = len(payloads)
                payloads.append(decoded)
    kinds = [schema.kinds[type(decoded)] for decoded in payloads]
    kind = (
        [-1 if place < 0 else kinds[place] for place in payload_of] if faults else [*map(kinds.__getitem__, payload_of)]
    )
    return Lines(data, starts, match, seq, ply, round_, payload_of, payloads, kinds, kind, faults)


def _split(data: bytes) -> tuple[pl.Series, npt.NDArray[np.int64]]:
    """Return the lines, each with its line end, empty where they are no text, and where each starts.

    Nothing is copied: the lines of a piece that is text point into it.
    """
    starts = np.append(0, np.flatnonzero(np.frombuffer(data, np.uint8) == NEWLINE) + 1)
    if not _is_text(data):
        lines = data.split(b"\n")[:-1]
        return pl.Series("line", [_text_or_nothing(line) for line in lines], dtype=pl.String), starts
    whole = pa.LargeStringArray.from_buffers(len(starts) - 1, pa.py_buffer(starts), pa.py_buffer(data))
    return pl.Series("line", pl.from_arrow(whole)), starts


def _is_text(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def _text_or_nothing(line: bytes) -> str:
    try:
        return line.decode() + "\n"
    except UnicodeDecodeError:
        return ""


def _heads(text: pl.Series) -> pl.DataFrame:
    """Return the heads of lines that start exactly as ours do, and their payloads; nulls for all others."""
    cut = text.str.splitn(BETWEEN, 2).struct.unnest()
    head, payload = cut["field_0"], cut["field_1"]
    parts = head.str.split_exact(',"', 3).struct.unnest()
    numbers = {key: parts[f"field_{place}"].str.strip_prefix(f'{key}":') for place, key in enumerate(HEAD) if place}
    heads = pl.DataFrame(
        {
            "match": parts["field_0"].str.strip_prefix('{"match":"').str.strip_suffix('"'),
            **{key: text.cast(pl.Int32, strict=False) for key, text in numbers.items()},
            "payload": payload,
        }
    )
    is_exact = head.str.contains(EXACT_HEAD) & (text.str.len_bytes() <= MAX_LINE_BYTES)
    is_exact &= heads.select(pl.all_horizontal(pl.all().is_not_null())).to_series()
    return heads if is_exact.all() else heads.with_columns(pl.when(is_exact).then(pl.all()))


def _payloads(text: pl.Series, schema: EventSchema) -> tuple[list[Any], list[Any]]:
    """Decode each different payload once.

    Return the decoded ones, and for each line the index of its payload; `None` for a line that has none of ours, or
    one that is refused.
    """
    coded = text.to_arrow().dictionary_encode()
    different: list[str] = pl.Series(pl.from_arrow(coded.dictionary), dtype=pl.String).to_list()
    indices: list[int | None] = pl.Series(pl.from_arrow(coded.indices)).to_list()
    known = _known.setdefault(schema.game.name, {})
    if len(known) > MOST_PAYLOADS:
        known.clear()
    decoded = [known.get(raw) or _new_payload(raw, schema, known) for raw in different]
    if None not in decoded:
        return decoded, indices
    index_of = dict(enumerate(accumulate((payload is not None for payload in decoded), initial=0)))
    sound = [payload for payload in decoded if payload is not None]
    return sound, [None if index is None or decoded[index] is None else index_of[index] for index in indices]


def _new_payload(raw: str, schema: EventSchema, known: dict[str, Any]) -> Any:
    decoded = _decoded_payload(raw.encode(), schema)
    if decoded is not None and len(raw) < DEEP_BYTES:
        known[raw] = decoded
    return decoded


def _decoded_payload(raw: bytes, schema: EventSchema) -> Any:
    line = b'{"type":' + raw.removesuffix(b"\n")
    try:
        decoded = schema.payload.decode(line)
        if _written(decoded) == line and not _is_doubtful(line):
            return decoded
    except REFUSALS:
        pass
    decoded = _Reader(schema)(SOME_HEAD + line[1:])
    return None if isinstance(decoded, _Refusal) else decoded


def _is_doubtful(line: bytes) -> bool:
    """Return whether a line may be nested too deeply."""
    return len(line) > DEEP_BYTES and line.count(b"[") + line.count(b"{") > DEEP_BRACKETS


# --- Line by line


@dataclass(frozen=True, slots=True)
class _Refusal:
    reason: str
    message: str


class _Reader:
    """Decodes lines of any kind, whole, with all checks; what was refused before is refused at once."""

    def __init__(self, schema: EventSchema) -> None:
        self._schema = schema
        self._refused: dict[bytes, _Refusal] = {}

    def __call__(self, line: bytes) -> Any:
        """Return a line decoded, or why not."""
        refused = self._refused.get(line)
        if refused is None:
            decoded = self._decoded(line)
            if not isinstance(decoded, _Refusal):
                return decoded
            refused = decoded
            if len(line) < DEEP_BYTES:
                self._refused[line] = refused
        return refused

    def _decoded(self, line: bytes) -> Any:
        if b"\0" in line:
            return _Refusal("nul_byte", f"line: expected text, found a NUL byte at column {line.index(0) + 1}")
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            place = f"{line[error.start]:#x} at column {error.start + 1}"
            return _Refusal("not_utf8", f"line: expected UTF-8, found byte {place}")
        decoded = self._exact(line, text)
        if decoded is not None:
            return decoded
        try:
            entry = decode_line(line + b"\n", self._schema.game)
        except LogError as error:
            return _Refusal(_reason(error), str(error))
        return self._schema.line.decode(_rewritten(entry))

    def _exact(self, line: bytes, text: str) -> Any:
        """Return a line decoded if the reader of record would surely take it: without escapes, no key unknown or twice.

        A first line goes to that reader always, as there may be anything in it.
        """
        if b"\\" in line or len(line) >= MAX_LINE_BYTES or _is_doubtful(line) or line.endswith(b"\r"):
            return None
        try:
            keys = json.loads(text, object_pairs_hook=_once)
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
    if error.expected == LINE_END:
        return "line_end"
    return "not_json" if error.expected == "one JSON object" else "not_object"


def _rewritten(entry: Entry) -> bytes:
    """Return a line as the fast decoder expects it; an action and a time have been checked and reach no table."""
    kind: Any = type(entry.event)
    data = _adapter(kind).dump_python(entry.event, mode="json", by_alias=True, exclude={"seat"})
    envelope = {key: getattr(entry, key) for key in (*HEAD, "type", "seat")}
    return json.dumps({**envelope, "data": data}).encode()


@cache  # of a class; `Any`, because mypy takes a class for unhashable
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
