"""The fast decoder and the reference reader accept and refuse the same lines, whatever is changed in them."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.log.codec import LogError, decode_line
from ingest.tables.schema import schema_of
from ingest.validate.decode import decode_lines, events_of
from tests.ingest.helping import THREE, climbers_log, log, summit_log

CARAVAN = GAMES["caravan"]
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
SOAK = PROFILE == "soak"
FEW = 3 if PROFILE == "default" else 1
"""Step through odd values and places of a line: `make test` uses every third, `make test-all` all of them."""
SAMPLES = {json.loads(line)["type"]: line.rstrip(b"\n") for line in (*log(), *log("m.2", THREE), *log("m.3"))}
CLIMBS = {
    json.loads(line)["type"]: line.rstrip(b"\n")
    for size in (2, 3, 4, 5)
    for line in summit_log(f"s.{size}", ("random",) * size, "golden-27")
}
"""One line of summit for each event type."""
BLOCKS = {json.loads(line)["type"]: line.rstrip(b"\n") for line in climbers_log("k.5", ("random",) * 5, "luck-1")}
"""Lines of climbers, with nested records and actions."""
LINES = {"caravan": SAMPLES, "summit": CLIMBS, "climbers": BLOCKS}
KINDS = [("caravan", kind) for kind in SAMPLES] + [("summit", kind) for kind in GAMES["summit"].event_types]
KINDS += [("climbers", kind) for kind in ("climber_stepped", "block_moved", "disc_placed", "turn_ended")]
ODD = (
    None,
    True,
    False,
    -1,
    0,
    1,
    7,
    21,
    100,
    2**31,
    10**30,
    1.0,
    2.5,
    "",
    "1",
    "salt",
    "soil",
    "x\0",
    "a\n",
    [],
    [1],
    {},
)
ODD_JSON = (b"-0", b"01", b"1e0", b"1E999", b"NaN", b'"\\ud800"', b'"\\u0000"', b'"\xc3\xa9"', b"[" * 250 + b"]" * 250)
TEXTUAL = (
    b"\0",
    b"\xff",
    b"\xc0\x80",
    b"\xef\xbb\xbf",
    b" ",
    b"\t",
    b"\r",
    b'"',
    b"{",
    b"}",
    b"[",
    b",",
    b":",
    b"\\",
    b"1",
    b"\x01",
)
EXTRA = (
    b'"seq":3',
    b'"match":"other"',
    b'"seat":0',
    b'"seat":null',
    b'"type":"moved"',
    b'"data":{}',
    b'"x":[{}]',
    b'"action":{"type":"roll_order","die":1,"order":"o1"}',
)
TIMES = (
    b'"2026-01-01T00:00:00Z"',
    b'"2026-01-01 00:00:00+02:00"',
    b'"2026-01-01T00:00:00"',
    b'"2026-01-01T00:00Z"',
    b'"2026-02-30T00:00:00Z"',
    b'"2026"',
    b"5",
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def replaced(line: bytes, path: tuple[Any, ...], to: Any) -> bytes:
    """Return the line with one value replaced."""
    whole = inner = json.loads(line)
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return json.dumps(whole, separators=(",", ":")).encode()


def bent(line: bytes, path: tuple[Any, ...]) -> Iterator[bytes]:
    """Yield variants of a line: one value removed, renamed, moved to the end or duplicated, or an unknown one added."""
    for change in ("remove", "rename", "unknown", "last"):
        whole = inner = json.loads(line)
        for key in path[:-1]:
            inner = inner[key]
        if isinstance(inner, dict):
            value = inner[path[-1]] if change == "unknown" else inner.pop(path[-1])
            if change in ("rename", "unknown"):
                inner[f"{path[-1]}_"] = value
            elif change == "last":
                inner[path[-1]] = value
        else:
            inner.append(inner[0])
        yield json.dumps(whole, separators=(",", ":")).encode()


def bent_in_values(line: bytes) -> Iterator[bytes]:
    for turn, path in enumerate(places(json.loads(line))):
        yield from bent(line, path)
        for odd in ODD[turn % FEW :: FEW]:
            yield replaced(line, path, odd)
        marked = replaced(line, path, "@here@")
        for raw in ODD_JSON[turn % FEW :: FEW]:
            yield marked.replace(b'"@here@"', raw)


def bent_in_text(line: bytes) -> Iterator[bytes]:
    """Yield variants of a line: truncated, or with a letter inserted or replaced; the soak tries all letters."""
    for turn, place in enumerate(range(0, len(line) + 1, 3 * FEW)):
        yield line[:place]
        for odd in TEXTUAL if SOAK else TEXTUAL[turn % 3 :: 3]:
            yield line[:place] + odd + line[place:]
            yield line[:place] + odd + line[place + 1 :]


def bent_in_keys(line: bytes) -> Iterator[bytes]:
    """Yield variants of a line: duplicate or unknown keys, times, oddly written regions, a duplicate envelope."""
    for extra in EXTRA:
        yield line[:-1] + b"," + extra + b"}"
        yield b"{" + extra + b"," + line[1:]
    for time in TIMES:
        yield line[:-1] + b',"at":' + time + b"}"
    for number in (b"01", b"+1", b" 1", b"1.0", b"9", b"0"):
        yield line.replace(b'"regions":{"', b'"regions":{"' + number + b'":1,"')
    yield line.partition(b',"type"')[0] + b"}," + line


def official(line: bytes, game: Game[Any, Any, Any]) -> Any:
    try:
        return decode_line(line + b"\n", game)
    except LogError:
        return None


def is_text(line: bytes) -> bool:
    try:
        return bool(line.decode())
    except UnicodeDecodeError:
        return False


def check_both(lines: Iterable[bytes], game: Game[Any, Any, Any] = CARAVAN) -> None:
    """Check that both decoders agree on each line."""
    for group in split_by(is_text, {line for line in lines if b"\n" not in line}):
        schema = schema_of(game)
        fast = decode_lines(b"".join(line + b"\n" for line in group), schema)
        sound = [index for index in range(len(group)) if index not in fast.faults]
        seats = {
            sound[number]: seat
            for table in events_of(fast, [range(index, index + 1) for index in sound], schema).values()
            if "seat" in table.column_names
            for number, seat in zip(table["match"].to_pylist(), table["seat"].to_pylist(), strict=True)
        }
        for index, line in enumerate(group):
            record = official(line, game)
            assert (index in fast.faults) == (record is None), (line, fast.faults.get(index), record)
            if record is not None:
                assert seats.get(index) == record.seat, line
                head = [
                    fast.match(index),
                    fast.prefixes.seq[index],
                    fast.prefixes.ply[index],
                    fast.prefixes.round[index],
                ]
                assert head == [record.match, record.seq, record.ply, record.round]


def split_by(test: Callable[[bytes], bool], lines: Iterable[bytes]) -> list[list[bytes]]:
    lines = sorted(lines)
    return [[line for line in lines if test(line)], [line for line in lines if not test(line)]]


@pytest.mark.parametrize("bend", [bent_in_values, bent_in_text, bent_in_keys])
@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_both_accept_and_refuse_the_same_lines(game: str, kind: str, bend: Any) -> None:
    check_both(bend(LINES[game][kind]), GAMES[game])
