"""Validation rejects the match with an invalid line and gives the reason; all other matches are accepted."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.read.split import chunk_of
from ingest.validate.validation import ValidatedChunk, check
from tests.core.log.damage import Lines, at, resign, rewrite
from tests.ingest.helping import THREE, log

BEFORE, DAMAGED, AFTER = log("a"), log("b"), log("c", THREE)


def gate(data: bytes) -> ValidatedChunk:
    return check(chunk_of(Path("x.jsonl"), data))


def replaced(place: int, to: bytes) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[:place], to, *lines[place + 1 :]]


def changed(kind: str, **changes: Any) -> Callable[[Lines], Lines]:
    return lambda lines: rewrite(lines, at(kind, lines), **changes)


def signed(kind: str, **changes: Any) -> Callable[[Lines], Lines]:
    return lambda lines: resign(rewrite(lines, at(kind, lines), **changes))


def ranking(*groups: list[int]) -> Callable[[Lines], Lines]:
    return lambda lines: rewrite(lines, -1 % len(lines), data__ranking=list(groups))


def in_step(lines: Lines, place: int) -> bytes:
    """Return a line, renumbered to follow the last line."""
    last = json.loads(lines[-1])
    return rewrite(lines, place, seq=last["seq"] + 1, ply=last["ply"], round=last["round"])[place]


DAMAGES: dict[str, tuple[Callable[[Lines], Lines], int | None, str]] = {
    "not JSON": (replaced(9, b"{not json}\n"), 9, "not_json"),
    "a blank line": (replaced(9, b"\n"), 9, "not_json"),
    "two objects in a line": (lambda ls: [*ls[:9], ls[9][:-1] + ls[10], *ls[11:]], 9, "not_json"),
    "one object in two lines": (lambda ls: [*ls[:9], ls[9].replace(b",", b",\n", 1), *ls[10:]], 9, "not_json"),
    "not an object": (replaced(9, b"[1,2]\n"), 9, "not_object"),
    "invalid UTF-8": (lambda ls: [*ls[:9], ls[9].replace(b"{", b'{"x":"\xff",', 1), *ls[10:]], 9, "not_utf8"),
    "a NUL byte": (lambda ls: [*ls[:9], ls[9].replace(b"{", b"{\0", 1), *ls[10:]], 9, "nul_byte"),
    "a line over 1 MiB": (
        lambda ls: [*ls[:9], ls[9][:-2] + b',"x":"' + b"y" * (1 << 20) + b'"}\n', *ls[10:]],
        9,
        "line_too_long",
    ),
    "a deep line": (
        lambda ls: [*ls[:9], ls[9][:-2] + b',"x":' + b"[" * 300 + b"]" * 300 + b"}\n", *ls[10:]],
        9,
        "not_json",
    ),
    "a missing field": (changed("moved", data__step=None), None, "bad_field"),
    "a mistyped field": (changed("moved", data__step="2"), None, "bad_field"),
    "an unknown field": (changed("moved", data__speed=2), None, "bad_field"),
    "a village off the board": (changed("moved", data__to=21), None, "bad_field"),
    "no seat": (changed("moved", seat=None), None, "bad_field"),
    "a seat too many": (changed("round_started", seat=0), None, "bad_field"),
    "an empty seat": (signed("rested", seat=4), None, "bad_field"),
    "nobody's turn": (signed("round_started", data__first=5), None, "bad_field"),
    "figures for three of four": (signed("influence_scored", data__economic=[1, 2, 3]), None, "bad_field"),
    "an unknown type": (changed("moved", type="flown"), None, "unknown_type"),
    "a bad action": (changed("plan_committed", action__plan=[]), None, "bad_field"),
    "a gap": (lambda ls: resign([*ls[:9], *ls[10:]]), 9, "seq_gap"),
    "a repetition": (lambda ls: resign([*ls[:9], ls[8], *ls[9:]]), 9, "seq_repeated"),
    "no start": (lambda ls: ls[1:], 0, "no_start"),
    "a line after the end": (lambda ls: [*ls, rewrite(ls, 9, seq=len(ls))[9]], len(DAMAGED), "after_end"),
    "a line in step after the end": (lambda ls: [*ls, in_step(ls, 9)], len(DAMAGED), "after_end"),
    "a ply back": (lambda ls: resign(rewrite(ls, 30, ply=1)), 30, "ply_back"),
    "a round back": (lambda ls: resign(rewrite(ls, at("moved", ls, -1), round=1)), None, "round_back"),
    "a wrong digest": (changed("match_ended", data__lines_sha256="0" * 64), len(DAMAGED) - 1, "wrong_digest"),
    "an altered line": (changed("rested", data__step=3), at("rested", DAMAGED), "departs"),
    "a seat not ranked": (ranking([0], [1, 2]), len(DAMAGED) - 1, "bad_field"),
    "a seat ranked twice": (ranking([0], [1, 2], [3, 3]), len(DAMAGED) - 1, "bad_field"),
    "an end without a ranking": (
        changed("match_ended", data__ranking=[], data__scores=[]),
        len(DAMAGED) - 1,
        "bad_field",
    ),
    "too few scores": (changed("match_ended", data__scores=[{}, {}]), len(DAMAGED) - 1, "bad_field"),
    "an unknown game": (changed("match_started", data__game="chess"), 0, "bad_field"),
    "an unknown option": (changed("match_started", data__options={"players": 4, "fast": True}), 0, "bad_field"),
    "three options, four seats": (changed("match_started", data__options={"players": 3}), 0, "bad_field"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_bad_line_rejects_its_match_and_no_other(damage: str) -> None:
    spoil, at_line, reason = DAMAGES[damage]
    lines = spoil(list(DAMAGED))
    data = b"".join([*BEFORE, *lines, *AFTER])
    checked = gate(data)
    differing = (index for index, pair in enumerate(zip(lines, DAMAGED, strict=False)) if pair[0] != pair[1])
    first_bad = next(differing) if at_line is None else at_line
    (rejection,) = checked.rejections
    assert [match.match for match in checked.matches] == ["a", "c"]
    assert (rejection.line, rejection.match, rejection.reason) == (len(BEFORE) + first_bad + 1, "b", reason)
    assert rejection.text == b"".join(lines)
    assert sum(map(len, checked.events.values())) == len(BEFORE) + len(AFTER)


def test_the_message_names_the_field_what_was_expected_and_what_was_found() -> None:
    lines = rewrite(DAMAGED, at("moved", DAMAGED), data__step=9)
    (rejection,) = gate(b"".join(lines)).rejections
    assert rejection.message == "data.step: expected less than or equal to 6, found 9"


def test_a_truncated_last_line_is_known_by_its_missing_line_end() -> None:
    (rejection,) = gate(b"".join(DAMAGED)[:-30]).rejections
    assert (rejection.line, rejection.reason) == (len(DAMAGED), "truncated_line")
    assert b"".join(DAMAGED)[:-30] == rejection.text


def test_a_last_line_that_only_lacks_its_line_end_is_whole() -> None:
    (whole,), (bare,) = gate(b"".join(DAMAGED)).matches, gate(b"".join(DAMAGED)[:-1]).matches
    assert whole == bare


def test_lines_before_any_match_are_rejected_alone() -> None:
    checked = gate(b"# a log\n# of ours\n" + b"".join(BEFORE))
    assert [(rejection.line, rejection.match, rejection.text) for rejection in checked.rejections] == [
        (1, None, b"# a log\n# of ours\n")
    ]
    assert [match.first_line for match in checked.matches] == [3]


def test_a_bad_first_line_rejects_the_match_it_should_have_started() -> None:
    (rejection,) = gate(b"{...\n" + b"".join(BEFORE[1:])).rejections
    assert (rejection.line, rejection.match, rejection.reason) == (1, "a", "not_json")


def test_a_bad_line_after_an_unfinished_match_counts_as_part_of_it() -> None:
    lines = [*DAMAGED[:50], b"{...\n"]
    checked = gate(b"".join([*lines, *AFTER]))
    assert [(rejection.line, rejection.match, rejection.text) for rejection in checked.rejections] == [
        (51, "b", b"".join(lines))
    ]
    assert [match.match for match in checked.matches] == ["c"]


def test_the_same_match_twice_in_a_row_are_two() -> None:
    first, second = gate(b"".join(BEFORE) * 2).matches
    assert (first.bytes_sha256, first.first_line) == (second.bytes_sha256, 1)


def test_a_valid_match_is_described_by_its_bytes() -> None:
    (match,) = gate(b"".join(AFTER)).matches
    last = json.loads(AFTER[-1])
    assert match.bytes_sha256 == hashlib.sha256(b"".join(AFTER)).hexdigest()
    assert (match.events, match.plies, match.rounds) == (len(AFTER), last["ply"], last["round"])


def test_unknown_keys_around_an_event_are_ignored() -> None:
    lines = resign([line[:-2] + b',"at":"2026-01-01T00:00:00Z","by":"camera 2"}\n' for line in AFTER])
    assert [match.match for match in gate(b"".join(lines)).matches] == ["c"]
