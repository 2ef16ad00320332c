"""Lines that are valid JSON but no valid log lines, or that readers could interpret differently."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.pipeline import ingest
from ingest.read.split import chunk_of
from ingest.validate.validation import check
from tests.core.log.damage import at, resign
from tests.ingest.helping import log, rows, write
from tests.ingest.validate.test_decoders import SAMPLES, check_both

A, B, C = log("a"), log("b"), log("c")
MOVED = at("moved", B)
DELIVERED = at("delivered", B)


def bent(place: int, before: bytes, after: bytes) -> list[bytes]:
    """Return the lines of a match with a text replaced in one line, and the digest recomputed."""
    assert before in B[place]
    return [*B[:place], B[place].replace(before, after, 1), *B[place + 1 :]]


MANY = b"7" * 5_000
LINES: dict[str, tuple[list[bytes], str, str]] = {
    "a key of the envelope twice": (
        bent(MOVED, b'"seq":', b'"seq":1,"seq":'),
        "duplicate_key",
        "seq: expected each key once, found it twice",
    ),
    "a key of the data twice": (
        bent(MOVED, b'"step":', b'"step":1,"step":'),
        "duplicate_key",
        "data.step: expected each key once, found it twice",
    ),
    "a key twice, spelt in two ways": (
        bent(MOVED, b'"step":', b'"st\\u0065p":1,"step":'),
        "duplicate_key",
        "data.step: expected each key once, found it twice",
    ),
    "a key of a map twice": (
        bent(DELIVERED, b'"demand":{', b'"demand":{"salt":1,"salt":1,'),
        "duplicate_key",
        "data.order.demand.salt: expected each key once",
    ),
    "a key of an action twice": (
        bent(DELIVERED, b'"action":{', b'"action":{"type":"deliver",'),
        "duplicate_key",
        "action.type: expected each key once, found it twice",
    ),
    "a key twice in what nobody knows": (
        bent(MOVED, b'"type":', b'"by":{"x":[{"y":1,"y":1}]},"type":'),
        "duplicate_key",
        "by.x.0.y: expected each key once, found it twice",
    ),
    "an unknown key twice": (
        bent(MOVED, b'"type":', b'"by":1,"by":2,"type":'),
        "duplicate_key",
        "by: expected each key once, found it twice",
    ),
    "the whole data twice": (
        bent(MOVED, b'"data":', b'"data":{},"data":'),
        "duplicate_key",
        "data: expected each key once, found it twice",
    ),
    "half a pair of surrogates": (bent(MOVED, b'"type":', b'"by":"\\ud800","type":'), "not_json", "line: expected"),
    "a byte order mark": (bent(0, b"{", b"\xef\xbb\xbf{"), "not_json", "line: expected text without"),
    "line ends of another system": (bent(MOVED, b"\n", b"\r\n"), "line_end", "line: expected a line end"),
    "a blank line": (bent(MOVED, B[MOVED], b" \n" + B[MOVED]), "not_json", "line: expected one JSON object"),
    "a whole number of thousands of digits": (
        bent(MOVED, b'"step":', b'"step":' + MANY + b',"stop":'),
        "not_json",
        "line: expected one JSON object, found …777777777777777777777777 at column ",
    ),
    "an unknown number of thousands of digits": (
        bent(MOVED, b'"type":', b'"by":' + MANY + b',"type":'),
        "not_json",
        "line: expected one JSON object, found …777777777777777777777777 at column ",
    ),
    "a number beyond all doubles": (
        bent(MOVED, b'"type":', b'"by":1e999,"type":'),
        "bad_field",
        "by: expected a number that a double holds, found 1e999",
    ),
    "a fraction for a whole number": (bent(MOVED, b'"step":', b'"step":1.0,"stop":'), "bad_field", "data."),
    "too many levels": (bent(MOVED, b'"type":', b'"by":' + b"[" * 9_999 + b"]" * 9_999 + b',"type":'), "not_json", ""),
    "a very long name": (bent(MOVED, b'"match":"b"', b'"match":"' + b"b" * 900_000 + b'"'), "bad_field", "match: "),
}


@pytest.mark.parametrize("name", LINES)
def test_the_match_of_a_hostile_line_is_rejected_with_line_reason_and_a_short_message(name: str) -> None:
    lines, reason, message = LINES[name]
    lines = resign(lines) if name == "line ends of another system" else lines
    checked = check(chunk_of(Path("x.jsonl"), b"".join([*A, *lines, *C])))
    first_bad = next(place for place, pair in enumerate(zip(lines, B, strict=False)) if pair[0] != pair[1])
    assert [match.match for match in checked.matches] == ["a", "c"]
    assert b"".join(rejection.text for rejection in checked.rejections) == b"".join(lines)
    rejection = next(rejection for rejection in checked.rejections if rejection.line == len(A) + first_bad + 1)
    assert rejection.reason == reason
    assert rejection.message.startswith(message)
    assert len(rejection.message) < 250


def test_extreme_values_about_a_player_in_a_first_line_reach_the_warehouse(tmp_path: Path) -> None:
    values = [b"-0", b"0.0", b"1e2", b"1e308", b'"\\u0000"', b'"\\ud83d\\ude00"', b'"\xc3\xa9"']
    names = [f"b{number}" for number in range(len(values))]
    for name, value in zip(names, values, strict=True):
        first, *rest = (line.replace(b'"match":"b"', f'"match":"{name}"'.encode()) for line in B[:9])
        first = first.replace(b'"params":{', b'"params":{"new":' + value + b",", 1)
        write(tmp_path / f"{name}.jsonl", [first.replace(b'"label":"', b'"label":"\\u0000', 1), *rest])
    ingest([tmp_path], tmp_path / "w.duckdb")
    assert rows(tmp_path / "w.duckdb", "SELECT match FROM dim_matches ORDER BY 1") == names


def test_a_score_beyond_all_columns_reaches_the_warehouse(tmp_path: Path) -> None:
    last = json.loads(B[-1])
    last["data"]["scores"][0]["luck"] = 10**30
    lines = [*B[:-1], json.dumps(last, separators=(",", ":")).encode() + b"\n"]
    summary = ingest([write(tmp_path / "x.jsonl", lines)], tmp_path / "w.duckdb", judge="later")
    assert (summary.matches, summary.quarantined) == (1, ())


# --- A line in other notations


class Members(list[tuple[str, Any]]):
    """The members of an object, in order."""


def spelt(draw: st.DrawFn, key: str) -> str:
    """Return a key as JSON with some letters escaped."""
    if not key or draw(st.integers(0, 9)):
        return json.dumps(key)
    place = draw(st.integers(0, len(key) - 1))
    return f'"{key[:place]}\\u{ord(key[place]):04x}{key[place + 1 :]}"'


def written(draw: st.DrawFn, value: Any) -> str:
    """Return a value as JSON in another notation: members reordered or duplicated, blanks added."""
    blank = draw(st.sampled_from(["", "", "", " ", "\t"]))
    if isinstance(value, Members):
        members = draw(st.permutations(value)) if draw(st.booleans()) else list(value)
        if members and draw(st.integers(0, 9)) == 0:
            members.insert(draw(st.integers(0, len(members))), draw(st.sampled_from(members)))
        return f"{{{blank}{','.join(f'{spelt(draw, key)}{blank}:{written(draw, inner)}' for key, inner in members)}}}"
    if isinstance(value, list):
        return f"[{','.join(written(draw, inner) for inner in value)}{blank}]"
    return blank + json.dumps(value)


@st.composite
def rewritten(draw: st.DrawFn) -> bytes:
    kind = draw(st.sampled_from(sorted(SAMPLES)))
    return written(draw, json.loads(SAMPLES[kind], object_pairs_hook=Members)).encode()


@settings(max_examples=max(30, settings().max_examples // 3))
@given(st.lists(rewritten(), min_size=1, max_size=20))
def test_both_decoders_agree_on_a_line_however_it_is_written(lines: list[bytes]) -> None:
    check_both(lines)
