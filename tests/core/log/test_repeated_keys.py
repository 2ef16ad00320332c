"""A key that appears twice in an object is refused anywhere, without affecting other lines."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from himalaya_core.games import GAMES
from himalaya_core.log.codec import MATCH_STARTED, ONCE, LogError, decode_line
from himalaya_core.log.text import members
from tests.conformance.playing import CARAVANS, recorded

CARAVAN = GAMES["caravan"]
LINES = {json.loads(line)["type"]: line for variant in CARAVANS[-4:] for line in recorded(variant, "lines")[1]}
"""One line of each event type."""
MOVED = LINES["moved"]

KEYS = st.text(st.sampled_from('ab:{}[]",\\é\n'), max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
)


def objects(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every non-empty object within a value."""
    if isinstance(value, dict) and value:
        yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from objects(inner, (*path, key))


def written(value: Any, at: tuple[Any, ...] | None, again: str, more: Any) -> str:
    """Return a value as JSON text, in which the object at path `at` has an additional member named `again`."""
    if isinstance(value, dict):
        parts = {key: written(inner, _below(at, key), again, more) for key, inner in value.items()}
        pairs = [f"{json.dumps(key)}:{part}" for key, part in parts.items()]
        return "{" + ",".join([*pairs, f"{json.dumps(again)}: {json.dumps(more)}"] if at == () else pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(inner, _below(at, place), again, more) for place, inner in enumerate(value)) + "]"
    return json.dumps(value)


def _below(at: tuple[Any, ...] | None, key: Any) -> tuple[Any, ...] | None:
    return at[1:] if at and at[0] == key and type(at[0]) is type(key) else None


def refusal(line: bytes) -> LogError:
    with pytest.raises(LogError) as refused:
        decode_line(line, CARAVAN)
    return refused.value


@given(JSON)
def test_any_extra_json_next_to_an_event_is_kept(value: Any) -> None:
    line = json.dumps({**json.loads(MOVED), "recorder": value}, ensure_ascii=False)
    entry = decode_line(line.encode(), CARAVAN)
    assert entry.extra == {"recorder": value}
    assert entry.event == decode_line(MOVED, CARAVAN).event


@given(JSON, st.data())
def test_a_repeated_key_is_refused_at_any_depth(value: Any, data: st.DataObject) -> None:
    whole = {**json.loads(MOVED), "recorder": value}
    at = data.draw(st.sampled_from([path for path in objects(whole) if path[:1] != ("data",)]))
    inner: Any = whole
    for key in at:
        inner = inner[key]
    again = data.draw(st.sampled_from(list(inner)))
    more = inner[again] if at == () else data.draw(JSON)
    error = refusal(written(whole, at, again, more).encode())
    assert (error.expected, error.found) == (ONCE, "it twice")
    path = ".".join(map(str, (*at, again)))
    assert error.field == (path if path.isprintable() else json.dumps(path)[1:-1])


@pytest.mark.parametrize("kind", LINES)
def test_a_repeated_key_is_refused_in_every_line(kind: str) -> None:
    whole = json.loads(LINES[kind])
    for at in objects(whole):
        inner = whole
        for key in at:
            inner = inner[key]
        for key, value in inner.items():
            error = refusal(written(whole, at, key, value).encode())
            assert str(error) == f"{'.'.join(map(str, (*at, key)))}: expected each key once, found it twice"


CASES = {
    "three times": (b'{"a":1,"a":2,"a":2}', "x.a: expected each key once, found it 3 times"),
    "once spelt otherwise": (rb'{"a":1,"\u0061":2}', "x.a: expected each key once, found it twice"),
    "in a value that is overwritten": (b'{"b":{"a":1,"a":2},"b":0}', "x.b: expected each key once, found it twice"),
    "in a list": (b'[{},[{"a":1,"a":1}]]', "x.1.0.a: expected each key once, found it twice"),
    "with no name": (b'{"":1,"":2}', "x.: expected each key once, found it twice"),
    "at the deepest place": (b"[" * 180 + b'{"a":1,"a":1}' + b"]" * 180, "x.0.0.0.0"),
    "a long one": (b'{"' + b"k" * 5000 + b'":1,"' + b"k" * 5000 + b'":1}', "x.kkkkk"),
    "two texts with colons": (b'{"a":":::::","b":":::","a":0}', "x.a: expected each key once, found it twice"),
}


@pytest.mark.parametrize(("value", "message"), CASES.values(), ids=CASES)
def test_a_repeated_key_is_named(value: bytes, message: str) -> None:
    error = refusal(MOVED.replace(b'"data"', b'"x":' + value + b',"data"'))
    assert error.expected == ONCE
    assert str(error).startswith(message)
    assert len(str(error)) < 200


def test_a_repeated_key_in_the_board_is_refused() -> None:
    board = b'{"id":"b","villages":[{"number":1,"level":2,"level":3}]}'
    error = refusal(LINES[MATCH_STARTED].replace(b'"data"', b'"board":' + board + b',"data"'))
    assert str(error) == "board.villages.0.level: expected each key once, found it twice"


@pytest.mark.parametrize("time", [b"2026-01-31T18:05:00+05:45", rb"2026-01-31T18\u003a05\u003a00Z"])
def test_a_time_does_not_hide_a_repeated_key(time: bytes) -> None:
    line = MOVED.replace(b'"data"', b'"at":"' + time + b'","data"')
    assert decode_line(line, CARAVAN).event == decode_line(MOVED, CARAVAN).event
    for again in (b'"seq":1,', b'"seq":1,"ply":1,', b'"x":{"a":1,"a":1},'):
        assert refusal(line.replace(b'"data"', again + b'"data"')).expected == ONCE


def test_members_are_counted_at_any_depth() -> None:
    assert members({"a": [{"b": 1, "c": [{}]}, 2], "d": {"e": {"f": 0}}}) == 6
