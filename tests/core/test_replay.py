"""Reading a whole match finds damage that is invisible in single lines."""

from typing import Any

import pytest

from himalaya_core.boards import shipped_board, shipped_boards
from himalaya_core.replay import Replay, ReplayError, matches
from tests.conformance.playing import VARIANTS, recorded
from tests.core.log.damage import Damage, Lines, at, rewrite

LINES = list(recorded(VARIANTS[1], "replay")[1])
MOVED = at("moved", LINES)
SEATS = [{"seat": seat, "player": "random", "version": "1", "params": {}, "label": "x"} for seat in range(3)]


def repeated(lines: Lines) -> Lines:
    return [*lines[:30], lines[29], *lines[30:]]


CASES: dict[str, tuple[Damage, int, str]] = {
    "no line at all": (lambda _: [], 1, "line: expected one JSON object"),
    "no first line": (
        lambda lines: lines[1:],
        1,
        "type: expected match_started in the first line, found",
    ),
    "a truncated last line": (lambda lines: [*lines[:40], lines[40][:30]], 41, "line: expected a line end, found"),
    "a gap in seq": (lambda lines: lines[:20] + lines[21:], 21, "seq: expected 20, found 21"),
    "a repetition in seq": (repeated, 31, "seq: expected 30, found 29"),
    "lines of another match": (
        lambda lines: rewrite(lines, 25, match="other"),
        26,
        "match: expected replay, found other",
    ),
    "a match that starts twice": (
        lambda lines: [lines[0], *lines],
        2,
        "type: expected match_started on the first line and nowhere else",
    ),
    "a line after the end": (
        lambda lines: [*lines, rewrite(lines, len(lines) - 1, seq=len(lines))[-1]],
        len(LINES) + 1,
        "type: expected nothing after match_ended, found match_ended",
    ),
    "an unknown game": (
        lambda lines: rewrite(lines, 0, data__game="chess"),
        1,
        "the game 'chess' is unknown; there are caravan",
    ),
    "an unknown option": (
        lambda lines: rewrite(lines, 0, data__options__speed=2),
        1,
        "data.options: option 'speed' is unknown",
    ),
    "options out of range": (
        lambda lines: rewrite(lines, 0, data__options__first=4),
        1,
        "data.options: option first: expected a seat from 1 to 4, found 5",
    ),
    "fewer seats than players": (
        lambda lines: rewrite(lines, 0, data__seats=SEATS),
        1,
        "data.seats: expected one for each of 4 players, in order from 0, found [0, 1, 2]",
    ),
    "fewer seats than play if nobody says how many": (
        lambda lines: rewrite(rewrite(lines, 0, data__seats=SEATS), 0, data__options={}),
        1,
        "data.seats: expected one for each of 4 players, in order from 0, found [0, 1, 2]",
    ),
    "a ply before the first": (lambda lines: rewrite(lines, 0, ply=1), 1, "ply: expected 0, found 1"),
    "a round before the first": (lambda lines: rewrite(lines, 0, round=1), 1, "round: expected 0, found 1"),
    "a start that somebody chose": (
        lambda lines: rewrite(lines, 0, action={"type": "roll_order", "die": 1, "order": "o1"}),
        1,
        "action: expected none: match_started follows no decision, found",
    ),
    "an end that somebody chose": (
        lambda lines: rewrite(lines, len(lines) - 1, action={"type": "roll_order", "die": 1, "order": "o1"}),
        len(LINES),
        "action: expected none: match_ended follows no decision, found",
    ),
    "the digest of another board": (
        lambda lines: rewrite(lines, 0, data__board__id="elsewhere"),
        1,
        "data.board.id: expected tilsit-reconstructed, as in the board, found elsewhere",
    ),
    "a carried board that is a number": (
        lambda lines: rewrite(lines, 0, board=3),
        1,
        "board: expected an object, the whole board",
    ),
    "a carried board that is another": (
        lambda lines: rewrite(lines, 0, board=shipped_boards("caravan")["seven-valleys"].document),
        1,
        "board: expected the board that data.board.sha256 names, found another one",
    ),
    "seats out of order": (
        lambda lines: rewrite(lines, 0, data__seats=SEATS[::-1], data__options={"players": 3}),
        1,
        "data.seats: expected one for each of 3 players, in order from 0, found [2, 1, 0]",
    ),
    "an unknown board": (
        lambda lines: rewrite(lines, 0, data__board__sha256="0" * 64),
        1,
        "the match was played on a board tilsit-reconstructed that the log does not carry",
    ),
    "a carried board that is none": (lambda lines: rewrite(lines, 0, board={}), 1, "board: 'id' is missing"),
    "a seat that is not there": (
        lambda lines: rewrite(lines, MOVED, seat=5),
        MOVED + 1,
        f"seq {MOVED}: moved cannot happen here",
    ),
    "an event in the wrong place": (
        lambda lines: [*lines[:1], rewrite(lines, at("bartered", lines), seq=1)[at("bartered", lines)]],
        2,
        "seq 1: bartered cannot happen here",
    ),
}


@pytest.mark.parametrize(("damage", "line", "message"), CASES.values(), ids=CASES)
def test_a_damaged_match_is_reported(damage: Damage, line: int, message: str) -> None:
    with pytest.raises(ReplayError) as found:
        Replay.read(damage(LINES))
    assert found.value.line == line
    assert str(found.value).startswith(f"line {line}: {message}")


def test_a_board_can_be_given() -> None:
    board = shipped_board("caravan")
    assert Replay.read(LINES, board).board == board


def test_matches_in_a_file_are_separated() -> None:
    three = [recorded(VARIANTS[n], name)[1] for n, name in ((0, "one"), (1, "two"), (0, "three"))]
    found = list(matches(line for lines in three for line in lines))
    assert [tuple(lines) for _, lines in found] == three
    assert [numbers[0] for numbers, _ in found] == [1, 1 + len(three[0]), 1 + len(three[0]) + len(three[1])]


SPLIT: dict[str, Damage] = {
    "no first line": lambda lines: lines[1:],
    "a damaged first line": lambda lines: [b'{"match":"replay","seq":0,"ty\n', *lines[1:]],
    "spaces and another order of keys": lambda lines: [
        line.replace(b'":', b'" : ').replace(b'{"match"', b'{"recorder" : "table", "match"') for line in lines
    ],
}


@pytest.mark.parametrize("damage", SPLIT.values(), ids=SPLIT)
def test_a_new_name_starts_a_new_match(damage: Damage) -> None:
    before = recorded(VARIANTS[0], "before")[1]
    found = list(matches([*before, *damage(LINES)]))
    assert [(numbers[0], len(lines)) for numbers, lines in found] == [
        (1, len(before)),
        (len(before) + 1, len(damage(LINES))),
    ]


def test_a_second_start_with_the_same_name_is_another_match() -> None:
    assert [numbers[0] for numbers, _ in matches([*LINES[:9], *LINES])] == [1, 10]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_match_continues_from_every_decision_of_a_log(variant: Any) -> None:
    match, lines = recorded(variant, "replay")
    replay = Replay.read(lines)
    for seq in range(0, len(match.history) + 1, 7):
        following = match.history[seq] if seq < len(match.history) else None
        if following is not None and following.action is None:
            continue
        begun = replay.match_at(seq)
        assert (begun.state, begun.history) == (replay.states[seq], match.history[:seq])
        if following is not None:
            begun.play(following.action)
            assert begun.history == match.history[: len(begun.history)]
    assert replay.match_at(len(match.history)).is_over
    with pytest.raises(IndexError, match="there is no event"):
        replay.match_at(len(match.history) + 1)
