"""Line prefixes: the numpy code finds the same as a regular expression in each line."""

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.validate.line_prefix import MOST_NAME, find_prefixes

NUMBER = rb"(0|[1-9][0-9]{0,6})"
HEAD = re.compile(
    rb'\{"match":"([A-Za-z0-9._-]{1,64})","seq":'
    + NUMBER
    + rb',"ply":'
    + NUMBER
    + rb',"round":'
    + NUMBER
    + rb',"type":'
)
NAMES = (b"a", b"a.1", b"bench.000017", b"x" * 64, b"x" * 65, b"", b"a b", b"\xc3\xa9", b'a\\"b', b'q"', b"a:b")
LARGE = (b"9999999", b"10000000", b"2147483648", b"99999999999")
NUMBERS = (b"0", b"7", b"10", *LARGE, b"01", b"-1", b"1.0", b"", b" 1", b"1e3")
PARTS = (b'{"match":"', b'","seq":', b',"ply":', b',"round":', b',"type":', b'"moved","data":{}}', b"")


def line(name: bytes, *numbers: bytes) -> bytes:
    seq, ply, round_ = numbers
    return b"".join((PARTS[0], name, PARTS[1], seq, PARTS[2], ply, PARTS[3], round_, PARTS[4], PARTS[5]))


def check(lines: list[bytes]) -> None:
    """Check the prefixes found in lines, and which lines are marked as being of the previous line's match."""
    data = b"".join(each + b"\n" for each in lines)
    found = find_prefixes(data)
    expected = [HEAD.match(each) for each in lines]
    numbers = [match and [int(number) for number in match.groups()[1:]] for match in expected]
    sound = [number is not None for number in numbers]
    assert found.exact.tolist() == sound
    assert found.starts.tolist() == [0, *(start + 1 for start, letter in enumerate(data) if letter == ord("\n"))]
    for index, (text, head) in enumerate(zip(lines, expected, strict=True)):
        if not sound[index]:
            continue
        assert head
        assert [found.seq[index], found.ply[index], found.round[index]] == numbers[index]
        assert data[found.names[index] : found.name_ends[index]] == head[1]
        assert data[found.payloads[index] : found.starts[index + 1]] == text[head.end() :] + b"\n"
    named = [head[1] if head and is_sound else None for head, is_sound in zip(expected, sound, strict=True)]
    for index, (before, name) in enumerate(pairwise(named), 1):
        if before is not None and name is not None:
            assert bool(found.changes[index]) == (before != name)
        elif name is not None:
            assert found.changes[index]


names = st.sampled_from(NAMES) | st.binary(min_size=1, max_size=70)
numbers = st.sampled_from(NUMBERS) | st.integers(0, 2**33).map(lambda number: b"%d" % number)
lines_like_ours = st.builds(line, names, numbers, numbers, numbers)
lines_in_parts = st.lists(st.sampled_from(PARTS) | names | numbers, max_size=9).map(b"".join)


@given(st.lists((lines_like_ours | lines_in_parts).filter(lambda each: b"\n" not in each), max_size=12))
def test_prefixes_are_the_same_as_line_by_line(lines: list[bytes]) -> None:
    check(lines)


def test_prefixes_of_truncated_and_damaged_lines_are_the_same() -> None:
    whole = line(b"bench.000017", b"12", b"3", b"9999999")
    check([whole[:place] for place in range(len(whole) + 1)])
    check([whole[:place] + odd + whole[place + 1 :] for place in range(len(whole)) for odd in (b"", b'"', b"0", b"\0")])


def test_names_of_many_lengths_one_after_the_other() -> None:
    rand = random.Random(1)
    ours = [b"x" * rand.randint(1, MOST_NAME) for _ in range(1000)]
    check([line(name, b"%d" % seq, b"0", b"0") for seq, name in enumerate(ours)])


def test_too_many_broken_names_leave_the_other_lines_to_be_read_whole() -> None:
    broken = [b'{"match":"%d' % number for number in range(MOST_NAME + 1)]
    found = find_prefixes(b"".join(each + b"\n" for each in [*broken, line(b"a", b"0", b"0", b"0")]))
    assert not found.exact.any()


def test_line_ends_are_found_wherever_a_block_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.validate.line_prefix.BLOCK", 16)
    check([b"", b"x" * 14, b"x" * 15, b"", b"x" * 16, b"x" * 17, line(b"a", b"0", b"0", b"0")])


def test_an_empty_text_has_no_prefixes() -> None:
    check([])
    check([b""])
