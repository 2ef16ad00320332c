"""Consistency of readers: all find the same matches and errors in unusual files."""

import argparse
import gzip
import re
import struct
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import pytest
import zstandard

import himalaya_core as hm
from himalaya_core.cli.arguments import one_match
from himalaya_core.cli.command import CommandError
from himalaya_core.cli.main import main
from himalaya_core.tournament.verify_files import verdicts
from ingest.quarantine.preview import preview
from ingest.read.split import SmallFiles, chunks, chunks_from, joined
from ingest.read.tail import Tail
from ingest.validate.validation import ValidatedChunk, ValidatedChunks, check, validate_any
from tests.core.log.damage import at, resign, rewrite

Fault = tuple[int, str]
"""The line of an error, and the start of its message."""


@cache
def log(name: str, seed: str = "") -> tuple[bytes, ...]:
    played = hm.play("summit", ["random", "random"], seed=seed or name).log
    return tuple(played.splitlines(keepends=True))


A, B = log("odd-a"), log("odd-b")
ONE, TWO = b"".join(A), b"".join(B)
BOTH = ONE + TWO
squeezed = zstandard.ZstdCompressor().compress


def skippable(kind: int) -> bytes:
    return struct.pack("<II", 0x184D2A50 + kind, 3) + b"any"


def by_turns(*matches: tuple[bytes, ...]) -> bytes:
    return b"".join(chain.from_iterable(zip_longest(*matches, fillvalue=b"")))


def at_a_leap_second() -> bytes:
    lines = rewrite(A, at("pawn_moved", A), at="2016-12-31T23:59:60Z")
    return b"".join(resign(lines))


UNPACKED = "file: expected a log in UTF-8, plain, gzip or zstd, found "
FILES: dict[str, tuple[str, bytes, list[str], list[Fault]]] = {
    "one match": (".jsonl", ONE, ["a"], []),
    "two matches, one behind the other": (".jsonl", BOTH, ["a", "b"], []),
    "two matches line by line": (".jsonl", by_turns(A, B), ["a", "b"], []),
    "two matches line by line, packed": (".jsonl.zst", squeezed(by_turns(A, B)), ["a", "b"], []),
    "a match in two parts": (".jsonl", b"".join((*A[:9], *B, *A[9:])), ["a", "b"], []),
    "an unfinished match before a whole one": (".jsonl", b"".join((*A[:9], *B)), ["a", "b"], []),
    "a match that starts again": (".jsonl", b"".join((*A[:9], *A)), ["a", "a"], []),
    "line by line, one of them faulty": (
        ".jsonl",
        by_turns((*A[:5], b'{"match":"odd-a","seq":\n', *A[6:]), B),
        ["b"],
        [(11, "line: expected one JSON object, found ")],
    ),
    "line by line, one with a gap": (
        ".jsonl",
        by_turns((*A[:5], *A[6:]), B),
        ["b"],
        [(11, "seq: expected 5, found 6")],
    ),
    "several zstd frames": (".jsonl.zst", squeezed(ONE[:999]) + squeezed(ONE[999:] + TWO), ["a", "b"], []),
    "skippable frames, as pzstd writes them": (
        ".jsonl.zst",
        skippable(0) + squeezed(ONE) + skippable(5) + squeezed(TWO) + skippable(15),
        ["a", "b"],
        [],
    ),
    "an empty frame at the end": (".jsonl.zst", squeezed(ONE) + squeezed(b""), ["a"], []),
    "several gzip members": (".jsonl.gz", gzip.compress(ONE) + gzip.compress(TWO) + bytes(9), ["a", "b"], []),
    "packed under the name of a plain file": (".jsonl", gzip.compress(ONE), ["a"], []),
    "plain under the name of a packed file": (".jsonl.zst", ONE, ["a"], []),
    "a gzip that is cut off": (
        ".jsonl.gz",
        gzip.compress(BOTH)[:-9],
        ["a", "b"],
        [(len(A) + len(B), "file: expected a complete gzip file, found its end missing")],
    ),
    "a zstd that is cut off within a match": (
        ".jsonl.zst",
        squeezed(ONE + b"".join(B[:9])) + squeezed(b"".join(B[9:]))[:-9],
        ["a"],
        [(len(A) + 9, "file: expected a complete zstd file, found its end missing")],
    ),
    "packed twice": (".jsonl.gz", gzip.compress(gzip.compress(ONE)), [], [(1, "file: expected lines inside the comp")]),
    "a zstd window that is too large": (
        ".jsonl.zst",
        b"\x28\xb5\x2f\xfd\0\x90" + struct.pack("<I", 9 << 3 | 1)[:3] + ONE[:9],
        [],
        [(1, "file: expected a zstd window of at most 128 MiB, found a larger one: pack it again (zstd -d --long=31")],
    ),
    "lines that end in CRLF": (
        ".jsonl",
        ONE.replace(b"\n", b"\r\n"),
        [],
        [(1, r"line: expected a line end of \n alone, found \r\n")],
    ),
    "a byte order mark": (
        ".jsonl",
        b"\xef\xbb\xbf" + BOTH,
        ["b"],
        [(1, "line: expected text without a byte order mark, found one: save the file as UTF-8")],
    ),
    "UTF-16 with its mark": (".jsonl", ONE.decode().encode("utf-16"), [], [(1, f"{UNPACKED}UTF-16, as PowerShell")]),
    "UTF-16 without": (".jsonl", ONE.decode().encode("utf-16-be"), [], [(1, f"{UNPACKED}UTF-16, as PowerShell")]),
    "xz": (".jsonl", b"\xfd7zXZ\0" + ONE, [], [(1, f"{UNPACKED}xz data: unpack it first (xz -d)")]),
    "zip": (".jsonl", b"PK\x03\x04" + ONE, [], [(1, f"{UNPACKED}a zip archive: unpack it first (unzip)")]),
    "tar": (".jsonl", bytes(257) + b"ustar\0" + ONE, [], [(1, f"{UNPACKED}a tar archive: unpack it first (tar -xf)")]),
    "a NUL byte in a line": (
        ".jsonl",
        b"".join((*A[:4], A[4].replace(b'"', b'"\0', 1), *A[5:], *B)),
        ["b"],
        [(5, "line: expected text, found a NUL byte at column 3")],
    ),
    "a blank line between two matches": (
        ".jsonl",
        ONE + b"\n" + TWO,
        ["a", "b"],
        [(len(A) + 1, "line: expected one JSON object, found a blank line")],
    ),
    "a blank line within a match": (
        ".jsonl",
        b"".join((*A[:9], b"\n", *A[9:], *B)),
        ["b"],
        [(10, "line: expected one JSON object, found a blank line")],
    ),
    "no line end at the end": (".jsonl", BOTH[:-1], ["a", "b"], []),
    "a last line that is cut off": (
        ".jsonl",
        ONE + TWO[:-30],
        ["a"],
        [(len(A) + len(B), "line: expected a line end, found the end of the file")],
    ),
    "a match without its first line": (
        ".jsonl",
        b"".join((*A[1:], *B)),
        ["b"],
        [(1, "type: expected match_started in the first line, found deck_shuffled")],
    ),
    "a line behind the end": (
        ".jsonl",
        b"".join((*A, A[-2], *B)),
        ["b"],
        [(len(A) + 1, "type: expected nothing after match_ended, found ")],
    ),
    "a leap second": (".jsonl", at_a_leap_second(), ["a"], []),
}

Answer = tuple[list[str], list[Fault]]


def place(told: str) -> Fault:
    found = re.fullmatch(r".*?\.jsonl[.a-z]*:(\d+): (.*)", told)
    assert found, told
    return int(found[1]), found[2]


def verified(path: Path) -> Answer:
    found = list(verdicts([path], None, 1))
    faults = [place(told) for verdict in found for told in verdict.problems]
    clean = sum(verdict.matches for verdict in found if not verdict.problems)
    return ["?"] * clean, faults


def read_from_python(path: Path) -> Answer:
    names: list[str] = []
    try:
        names += (replay.entries[0].match for replay in hm.read_log(path))
    except (hm.ReplayError, hm.LogFileError) as error:
        return names, [place(str(error))]
    return names, []


def found_in(checked: Iterator[ValidatedChunk]) -> Answer:
    every = list(checked)
    faults = [(each.line, each.message) for some in every for each in some.rejections]
    return [match.match for some in every for match in some.matches], faults


def ingested(path: Path) -> Answer:
    """Read the file like `ingest` and `derive`."""
    read = validate_any(SmallFiles(((path, path),), path.stat().st_size))
    assert isinstance(read, ValidatedChunks)
    return found_in(checked for _, checked in read.chunks)


def received(path: Path) -> Answer:
    """Read the file like request bodies and large files."""
    return found_in(map(check, joined(chunks(path))))


def watched(path: Path) -> Answer:
    with Tail(path) as tail:
        return found_in(map(check, chunks_from(tail, path) if tail.is_plain else chunks(path)))


def previewed(path: Path) -> Answer:
    """Read the file like a log dropped on a page, and like `replay`."""
    found = preview(path)
    return [match.match for match in found.matches if match.is_valid], [
        (each.line, each.message) for each in found.problems
    ]


READERS: list[Callable[[Path], Answer]] = [verified, ingested, received, watched]


def written(folder: Path, which: str) -> tuple[Path, list[str], list[Fault]]:
    ending, data, names, faults = FILES[which]
    path = folder / f"odd{ending}"
    path.write_bytes(data)
    return path, names, faults


def assert_are(found: list[Fault], expected: list[Fault]) -> None:
    assert len(found) == len(expected), found
    for (line, message), (wanted, begins) in zip(sorted(found), expected, strict=True):
        assert (line, message[: len(begins)]) == (wanted, begins)


@pytest.mark.parametrize("which", FILES)
def test_all_readers_find_the_same_matches_and_faults(tmp_path: Path, which: str) -> None:
    path, names, faults = written(tmp_path, which)
    for reader in READERS:
        found, problems = reader(path)
        assert len(found) == len(names), reader
        if found[:1] != ["?"]:
            assert sorted(found) == [f"odd-{name}" for name in names], reader
        assert_are(problems, faults)
    found, problems = read_from_python(path)
    assert problems or sorted(found) == [f"odd-{name}" for name in names]
    assert_are(problems, faults[:1])


@pytest.mark.parametrize("which", ["two matches line by line", "skippable frames, as pzstd writes them"])
def test_a_page_reads_a_dropped_file_like_the_other_readers(tmp_path: Path, which: str) -> None:
    path, names, _ = written(tmp_path, which)
    assert previewed(path) == ([f"odd-{name}" for name in names], [])


@pytest.mark.parametrize("which", [which for which, (_, _, names, _) in FILES.items() if names == ["a", "b"]])
def test_a_single_match_command_refuses_a_file_of_several_matches(tmp_path: Path, which: str) -> None:
    path, _, faults = written(tmp_path, which)
    chosen = argparse.Namespace(log=path, match=None, board=None)
    with pytest.raises(CommandError, match="holds several matches; say which with --match"):
        one_match(chosen)
    if not faults:
        chosen.match = "odd-b"
        assert len(one_match(chosen).entries) == len(B)


@pytest.mark.parametrize(
    "command",
    [["show"], ["review"], ["branch", "--seq", "9"], ["record", "--from"], ["replay", "--out", "x.html"]],
    ids=" ".join,
)
def test_every_single_match_command_points_to_the_match_option(tmp_path: Path, command: list[str], capsys: Any) -> None:
    path, _, _ = written(tmp_path, "two matches line by line")
    name, *rest = command
    arguments = [name, *rest, str(path)] if rest == ["--from"] else [name, str(path), *rest]
    try:
        code = main(arguments)
    except SystemExit as stopped:
        code = int(str(stopped.code))
    assert (code, "--match" in capsys.readouterr().err) == (2, True)
