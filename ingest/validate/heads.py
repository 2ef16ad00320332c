"""The heads of log lines (match, seq, ply, round), found in many lines at once.

numpy goes along the heads of all lines of a piece at once, and compares what stands around names and numbers as numbers
of eight bytes. A head counts only if it is, byte for byte, as we would write it.
"""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from himalaya_core.log.codec import MATCH_NAME, MAX_LINE_BYTES

__all__ = ["Flags", "Heads", "Numbers", "Places", "find_heads"]

Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]

NEWLINE, COLON, QUOTE = b'\n:"'
ZERO: Final = np.uint8(ord("0"))
MOST_NAME: Final = 64
MOST_DIGITS: Final = 10
LARGEST: Final = 2**31 - 1
WORD: Final = 8
PADDING: Final = bytes(8 * WORD)
"""So that words can be read behind the last line, as far as a head goes."""
BEFORE_NAME: Final = len('{"match":"')
NAME: Final = re.compile(MATCH_NAME.strip("^$").encode())


def _word(text: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(text, "little"))


MATCH, NAMED = map(_word, (b'{"match"', b'match":"'))
SEQ, PLY, ROUND, TYPE = map(_word, (b'","seq":', b',"ply":', b',"round"', b',"type":'))
FIRST_BYTES: Final = np.array([_word(b"\xff" * count) for count in range(WORD + 1)])
"""By number, the mask that leaves so many bytes of a word."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of the lines of a piece, by column.

    `starts` has the offset of each line, and of the end of the last; `names` and `name_ends` where the name of its
    match begins and ends, `payloads` where what follows `"type":` begins. Where `exact` is false, a line has no head as
    we write it, and the other columns say nothing until it is read whole. `changes` is false where the match is that
    of the line before.
    """

    starts: Places
    exact: Flags
    names: Places
    name_ends: Places
    payloads: Places
    seq: Numbers
    ply: Numbers
    round: Numbers
    changes: Flags


def find_heads(data: bytes) -> Heads:
    """Find the heads of lines that all end with a line end."""
    padded = data + PADDING
    letters = np.frombuffer(padded, np.uint8)
    words = np.ndarray(len(padded) - WORD + 1, "<u8", padded, strides=(1,))
    ends = np.flatnonzero(letters == NEWLINE) + 1
    starts = np.append(0, ends)
    first = starts[:-1]
    names = first + BEFORE_NAME
    exact = (words[first] == MATCH) & (words[first + 2] == NAMED) & (ends - first <= MAX_LINE_BYTES)
    name_ends = _name_ends(data, words, names, exact)
    seq, place = _numbers(letters, name_ends + WORD, exact)
    exact &= words[place] & FIRST_BYTES[7] == PLY
    ply, place = _numbers(letters, place + 7, exact)
    exact &= (words[place] == ROUND) & (letters[place + WORD] == COLON)
    round_, place = _numbers(letters, place + 9, exact)
    exact &= words[place] == TYPE
    changes = _changes(data, words, names, name_ends, exact)
    return Heads(starts, exact, names, name_ends, place + WORD, seq, ply, round_, changes)


def _name_ends(data: bytes, words: Words, names: Places, exact: Flags) -> Places:
    """Return where names end; lines without such an end are not `exact` after it.

    How long the name of one line is, is tried with all others that are left: most often one try is all.
    """
    found = names.copy()
    left = np.flatnonzero(exact)
    for _ in range(MOST_NAME):
        if not len(left):
            break
        size = data.find(QUOTE, names[left[0]], names[left[0]] + MOST_NAME + 1) - names[left[0]]
        ends = names[left] + max(size, 0)
        fits = words[ends] == SEQ
        found[left[fits]] = ends[fits]
        exact[left[0]] = fits[0]
        left = left[1:][~fits[1:]]
    exact[left] = False
    return found


def _numbers(letters: npt.NDArray[np.uint8], start: Places, exact: Flags) -> tuple[Numbers, Places]:
    """Return the whole numbers written in these places, and where they end; others are not `exact` after it."""
    value, size = np.zeros(len(start), np.int64), np.zeros(len(start), np.int64)
    goes_on = exact.copy()
    for place in range(MOST_DIGITS + 1):
        digit = letters[np.minimum(start + place, len(letters) - 1)] - ZERO
        goes_on &= digit <= 9
        if not goes_on.any():
            break
        value = np.where(goes_on, 10 * value + digit, value)
        size += goes_on
    is_plain = (size == 1) | (letters[start] != ZERO)
    exact &= (size >= 1) & (size <= MOST_DIGITS) & is_plain & (value <= LARGEST)
    return value.astype(np.int32), start + size


def _changes(data: bytes, words: Words, start: Places, stop: Places, exact: Flags) -> Flags:
    """Return where a name may be another than in the line before; lines whose name is none are not `exact` after it."""
    sizes = stop - start
    same = np.append(False, exact[1:] & exact[:-1] & (sizes[1:] == sizes[:-1]))
    for place in range(0, int(sizes.max(where=same, initial=0)), WORD):
        left = FIRST_BYTES[np.clip(sizes - place, 0, WORD)]
        word = words[np.minimum(start + place, len(words) - 1)] & left
        same[1:] &= word[1:] == word[:-1]
    changes = ~same
    firsts = np.flatnonzero(changes & exact).tolist()
    bad = [line for line in firsts if not NAME.fullmatch(data, start[line], stop[line])]
    if bad:
        match = np.cumsum(changes)
        exact &= ~np.isin(match, match[bad])
    return changes
