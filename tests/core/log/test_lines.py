"""Reading one line of a log: each error names the field, the expected value and the actual value."""

import json
from typing import Any

import pytest

from himalaya_core.games import GAMES
from himalaya_core.log.codec import MAX_LINE_BYTES, Header, LogError, decode_line
from tests.conformance.playing import VARIANTS, recorded

CARAVAN = GAMES["caravan"]
LINES = recorded(VARIANTS[1], "lines")[1]
FIRST = {json.loads(line)["type"]: line for line in reversed(LINES)}
"""The first line of each event type."""


def changed(kind: str, place: str, to: Any) -> bytes:
    """Return a line of an event type with one value changed, e.g. `data.step`."""
    line = json.loads(FIRST[kind])
    *path, last = place.split(".")
    inner = line
    for key in path:
        inner = inner[key]
    inner[last] = to
    return json.dumps(line).encode() + b"\n"


def without(kind: str, place: str) -> bytes:
    line = json.loads(FIRST[kind])
    *path, last = place.split(".")
    inner = line
    for key in path:
        inner = inner[key]
    del inner[last]
    return json.dumps(line).encode() + b"\n"


MOVED = FIRST["moved"]
CASES: list[tuple[bytes, str]] = [
    (b"", "line: expected one JSON object, found a blank line"),
    (b"\n", "line: expected one JSON object, found a blank line"),
    (MOVED[:-20], "line: expected a line end, found the end of the file"),
    (b"\x00" * 40 + b"\n", "line: expected text, found a NUL byte at column 1"),
    (MOVED.replace(b"moved", b"mo\x00ved"), "line: expected text, found a NUL byte at column 56"),
    (MOVED.replace(b"moved", b"mo\xffved"), "line: expected UTF-8, found byte 0xff at column 56"),
    (b"\xef\xbb\xbf" + MOVED, "line: expected text without a byte order mark, found one: save"),
    (MOVED + MOVED, 'line: expected one JSON object, found …:6,"to":3}} at column 234'),
    (MOVED.replace(b'"data"', b'"x":NaN,"data"'), "line: expected one JSON object"),
    (MOVED.replace(b'"data"', b'"x":-Infinity,"data"'), "line: expected one JSON object"),
    (MOVED.replace(b"\n", b"\r\n"), r"line: expected a line end of \n alone, found \r\n"),
    (b"\r\n", r"line: expected a line end of \n alone, found \r\n"),
    (b"   \n", "line: expected one JSON object, found a blank line"),
    (MOVED.replace(b'"data"', rb'"x":"\ud800","data"'), "line: expected one JSON object"),
    (MOVED.replace(b'"data"', rb'"x":["\udc00\ud800"],"data"'), "line: expected one JSON object"),
    (MOVED.replace(b'"data"', rb'"\ud800":0,"data"'), "line: expected one JSON object"),
    (MOVED.replace(b'"data"', b'"x":{"y":[0,1e999]},"data"'), "x.y.1: expected a number that a double holds, found 1e"),
    (MOVED.replace(b'"data"', b'"x":' + b"9" * 4000 + b'e9,"data"'), "x: expected a number that a double holds"),
    (MOVED.replace(b'"data"', b'"x":' + b"9" * 5000 + b',"data"'), "line: expected one JSON object, found …9999999"),
    (MOVED.replace(b'"step":', b'"step":' + b"9" * 4000), "data.step: expected less than or equal to 6, found 9"),
    (FIRST["eliminated"].replace(b'"value":', b'"value":1E999'), "data.value: expected a valid integer, found"),
    (FIRST["match_started"].replace(b'"params":{}', b'"params":{"x":-1e400}', 1), "data.seats."),
    (FIRST["match_started"].replace(b'"params":{}', b'"params":{"x":NaN}', 1), "line: expected one JSON object"),
    (MOVED.replace(b'"data"', b'"x":' + b'{"a":' * 300 + b"0" + b"}" * 300 + b',"data"'), "line: expected one JSON o"),
    (changed("moved", "type", "a\nb"), r"type: expected a known type of event, found a\nb"),
    (changed("moved", "data.a\nb", 0), r"data.a\nb: expected no such key, found 0"),
    (changed("moved", "data." + "x" * 9000, 0), "data.xxxxxxxxxxxx"),
    (b"[" * 200_000, "line: expected one JSON object, found …[[[[[[[[[[[[[[[[[[[[[[[[ at column 202"),
    (b"[1]\n", "line: expected an object, found [1]"),
    (b"null\n", "line: expected an object, found null"),
    (b'{"match":"' + b"x" * MAX_LINE_BYTES + b'"}\n', "line: expected at most 1048576 bytes, found more"),
    (b'{"seq":' + b"9" * 5000 + b"}\n", "line: expected one JSON object, found …9999999"),
    (without("moved", "match"), "match: expected the field, found nothing"),
    (changed("moved", "match", 7), "match: expected a valid string, found 7"),
    (changed("moved", "match", "a b"), 'match: expected text like ^[A-Za-z0-9._-]{1,64}$, found "a b"'),
    (changed("moved", "match", "x" * 65), "match: expected text like"),
    (changed("moved", "match", "x\n"), "match: expected text like"),
    (changed("moved", "match", ""), "match: expected text like"),
    (without("moved", "seq"), "seq: expected the field, found nothing"),
    (changed("moved", "seq", -1), "seq: expected greater than or equal to 0, found -1"),
    (changed("moved", "seq", "1"), 'seq: expected a valid integer, found "1"'),
    (changed("moved", "seq", 1.0), "seq: expected a valid integer, found 1.0"),
    (changed("moved", "seq", True), "seq: expected a valid integer, found true"),
    (changed("moved", "ply", None), "ply: expected a valid integer, found null"),
    (changed("moved", "round", 2**31), "round: expected less than or equal to 2147483647, found 2147483648"),
    (changed("moved", "type", "teleported"), "type: expected a known type of event, found teleported"),
    (changed("moved", "seat", 9), "seat: expected less than or equal to 5, found 9"),
    (without("moved", "seat"), "seat: expected the field, found nothing"),
    (changed("round_ended", "seat", 0), "seat: expected no such key, found 0"),
    (changed("moved", "at", "yesterday"), "at: expected a time like 2026-01-31T18:05:00Z, found"),
    (changed("moved", "at", "2026-01-01T00:00:00"), "at: expected a time like 2026-01-31T18:05:00Z, found"),
    (changed("moved", "at", "1767225600"), "at: expected a time like 2026-01-31T18:05:00Z, found"),
    (changed("moved", "at", 1767225600), "at: expected a time like 2026-01-31T18:05:00Z, found 1767225600"),
    (changed("moved", "at", "2026-02-30T00:00:00Z"), "at: expected a time like 2026-01-31T18:05:00Z, found"),
    (changed("moved", "at", "2025-02-29T00:00:00Z"), "at: expected a time like 2026-01-31T18:05:00Z, found"),
    (changed("moved", "at", "0000-01-01T00:00:00Z"), "at: expected a time like 2026-01-31T18:05:00Z, found"),
    (changed("moved", "data", []), "data: expected an object, found []"),
    (without("moved", "data.to"), "data.to: expected the field, found nothing"),
    (changed("moved", "data.to", 21), "data.to: expected less than or equal to 20, found 21"),
    (changed("moved", "data.to", "3"), 'data.to: expected a valid integer, found "3"'),
    (changed("moved", "data.road", "sand"), "data.road: expected 'soil', 'stone' or 'ice', found \"sand\""),
    (changed("moved", "data.step", 7), "data.step: expected less than or equal to 6, found 7"),
    (changed("moved", "data.storm", 1), "data.storm: expected a valid boolean, found 1"),
    (changed("moved", "data.storm", False), "data.storm: expected true, found false"),
    (changed("moved", "data.seat", 1), "data.seat: expected no such key (the seat is in the envelope), found 1"),
    (changed("moved", "data.colour", "red"), 'data.colour: expected no such key, found "red"'),
    (changed("moved", "data.from_", 4), "data.from_: expected no such key, found 4"),
    (changed("plan_committed", "data.plan", ["rest"] * 5), "data.plan.5: expected the field"),
    (changed("plan_committed", "data.plan", ["rest"] * 7), "data.plan"),
    (changed("plan_committed", "data.plan", ["swim"] * 6), "data.plan.0: expected 'soil', 'stone', 'ice', 'trade' or"),
    (changed("refill_rolled", "data.drawn", {"salt": 0}), "data.drawn.salt: expected greater than or equal to 1"),
    (changed("refill_rolled", "data.drawn", {"salt": 19}), "data.drawn.salt: expected less than or equal to 18"),
    (changed("refill_rolled", "data.drawn", {"silk": 1}), "data.drawn.silk.[key]: expected 'salt', 'barley'"),
    (changed("refill_rolled", "data.die", 0), "data.die: expected greater than or equal to 1, found 0"),
    (changed("delivered", "data.order.yaks", "3"), 'data.order.yaks: expected a valid integer, found "3"'),
    (changed("delivered", "data.rewards", ["yak"]), "data.rewards.0: expected 'barter', 'offering' or 'delegation'"),
    (changed("delegations_sent", "data.regions", {"9": 1}), "data.regions.9.[key]: expected less than or equal to 8"),
    (changed("delegations_sent", "data.regions", {"x": 1}), "data.regions.x.[key]: expected a valid integer"),
    (changed("delegations_sent", "data.regions", {" 1": 1}), "data.regions. 1: expected a number as a key"),
    (changed("delegations_sent", "data.regions", {"1": 2, "01": 1}), "data.regions.01: expected a number as a key"),
    (changed("inventory_counted", "data.counts", [61, 0, 0, 0]), "data.counts.0: expected less than or equal to 60"),
    (changed("inventory_marker_taken", "data.yaks", 4), "data.yaks: expected 3, found 4"),
    (changed("inventory_marker_taken", "data.yaks", 3.0), "data.yaks: expected a valid integer, found 3.0"),
    (changed("influence_scored", "data.regions", {"1": 7}), "data.regions.1: expected less than or equal to 5"),
    (changed("eliminated", "data.tie_break", "luck"), "data.tie_break: expected 'stupas', 'delegations', 'yaks' or"),
    (changed("plan_committed", "action", []), "action: expected an object, found []"),
    (changed("plan_committed", "action", {}), "action.type: expected a known type of action, found null"),
    (changed("plan_committed", "action.type", "fly"), "action.type: expected a known type of action, found fly"),
    (changed("plan_committed", "action.seat", 1), "action.seat: expected no such key (the seat is in the env"),
    (without("plan_committed", "action.plan"), "action.plan: expected the field, found nothing"),
    (changed("match_started", "data.format", 2), "data.format: expected 1, found 2"),
    (changed("match_started", "data.format", True), "data.format: expected a valid integer, found true"),
    (changed("match_started", "data.board.sha256", "zz"), "data.board.sha256: expected text like ^[0-9a-f]{64}$"),
    (changed("match_started", "data.seats", []), "data.seats: expected at least 1 of them, found []"),
    (changed("match_started", "data.pairing", "1"), 'data.pairing: expected a valid integer, found "1"'),
    (without("match_started", "data.luck"), "data.luck: expected the field, found nothing"),
    (changed("match_ended", "data.reason", "won"), "data.reason: expected 'finished' or 'abandoned', found \"won\""),
    (changed("match_ended", "data.ranking", [[9]]), "data.ranking.0.0: expected less than or equal to 5, found 9"),
    (changed("match_ended", "data.lines_sha256", "A" * 64), "data.lines_sha256: expected text like"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"), CASES, ids=[f"{n} {message[:50]}" for n, (_, message) in enumerate(CASES)]
)
def test_a_damaged_line_is_reported(line: bytes, message: str) -> None:
    with pytest.raises(LogError) as damage:
        decode_line(line, CARAVAN)
    assert str(damage.value).startswith(message)
    assert "\n" not in str(damage.value)
    assert len(str(damage.value)) < 300


def test_an_event_type_is_known_only_to_its_game() -> None:
    with pytest.raises(LogError, match=r"^type: expected match_started in the first line, found moved$"):
        decode_line(MOVED)
    assert isinstance(decode_line(FIRST["match_started"]).event, Header)


KEPT = {
    "an unknown key of the envelope": changed("moved", "recorder", {"name": "table 4"}),
    "the time": changed("moved", "at", "2026-01-01T00:00:00+05:45"),
    "the last day of a long February": changed("moved", "at", "2024-02-29t23:59:59.25z"),
    "another order of keys": json.dumps(dict(reversed(json.loads(MOVED).items()))).encode(),
    "no line end": MOVED.rstrip(),
    "NaN in a text": changed("moved", "recorder", "NaN Infinity"),
}


@pytest.mark.parametrize("line", KEPT.values(), ids=KEPT)
def test_unknown_keys_are_kept_and_ignored(line: bytes) -> None:
    entry = decode_line(line, CARAVAN)
    assert entry.event == decode_line(MOVED, CARAVAN).event
    assert set(entry.extra) <= {"recorder"}
