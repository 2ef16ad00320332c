"""Invalid files: each leads to an entry or a sentence, needs bounded memory, and does not stop others.

The tests call `chunks` and `check` together, like a run.
"""

import gzip
import hashlib
import io
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest
import zstandard

from himalaya_core.log import text as log_text
from ingest.errors import ReadError, WarehouseError
from ingest.follow.follow import follow
from ingest.follow.request import Followed, FollowRequest
from ingest.follow.watch import watch
from ingest.load import load
from ingest.load.summary import Failure, FileRecord
from ingest.opening import open_warehouse
from ingest.operations import OPERATIONS, run_operation
from ingest.pipeline import Request, ingest, take_in
from ingest.read import source
from ingest.read import split as read
from ingest.read.split import Chunk, Rejection, chunks, joined
from ingest.validate import validation
from ingest.validate.validation import ValidatedChunk, check
from tests.ingest.helping import log, rows, write

A, B, C = log("a"), log("b"), log("c")
MIB = 1 << 20


def gate(path: Path) -> tuple[list[str], list[Rejection], Chunk]:
    """Return the matches of a file, its quarantined lines, and its last chunk."""
    found = list(chunks(path))
    checked = [check(chunk) for chunk in found]
    matches = [match.match for each in checked for match in each.matches]
    return matches, [rejection for each in checked for rejection in each.rejections], found[-1]


def reasons(rejections: list[Rejection]) -> list[tuple[str | None, str]]:
    return [(rejection.match, rejection.reason) for rejection in rejections]


# --- Endless lines


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set limits to a hundredth of the real ones, so that exceeding them is fast."""
    monkeypatch.setattr(source, "BLOCK", 10_000)
    monkeypatch.setattr(read, "CHUNK_BYTES", 40_000)
    monkeypatch.setattr(read, "MOST_BYTES", 160_000)
    monkeypatch.setattr(read, "MAX_LINE_BYTES", 10_000)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("size", [159_000, 160_000, 320_000, 1_000_003])
def test_a_line_of_any_size_is_quarantined_whole_and_the_rest_of_the_file_counts(tmp_path: Path, size: int) -> None:
    giant = b'{"match":"b","seq":7,' + b"x" * size + b"}\n"
    broken = [*B[:7], giant, *B[8:]]
    matches, rejections, _ = gate(write(tmp_path / "x.jsonl", A, broken, C))
    assert matches == ["a", "c"]
    assert b"".join(rejection.text for rejection in rejections) == b"".join(broken)
    assert {rejection.match for rejection in rejections} == {"b"}
    assert rejections[0].reason in ("line_too_long", "not_json")
    assert {rejection.reason for rejection in rejections[1:-1]} <= {"part_of_line"}
    assert rejections[0].line == len(A) + 8


@pytest.mark.usefixtures("small")
def test_lines_behind_a_line_in_parts_keep_their_numbers(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", [b"x" * 700_000 + b"\n"], A, [b"{\n"], B)
    (long, *_, bad) = gate(file)[1]
    assert (long.line, long.message) == (1, "line: expected at most 1048576 bytes, found more (part 1 of it)")
    assert (bad.line, bad.reason) == (len(A) + 2, "not_json")


@pytest.mark.usefixtures("small")
def test_a_line_that_never_ends_is_quarantined_to_its_last_byte(tmp_path: Path) -> None:
    matches, rejections, last = gate(write(tmp_path / "x.jsonl", A, [b"y" * 500_001]))
    assert matches == ["a"]
    assert b"".join(rejection.text for rejection in rejections) == b"y" * 500_001
    assert last.spans[0].end is not None


@pytest.mark.usefixtures("small")
def test_a_match_without_end_is_cut_off_at_a_line(tmp_path: Path) -> None:
    endless = [*B, *[line.replace(b'"match":"b"', b'"match":"b"  ') for line in B[1:-1]] * 5]
    matches, rejections, _ = gate(write(tmp_path / "x.jsonl", A, endless, C))
    assert matches == ["a", "c"]
    assert b"".join(rejection.text for rejection in rejections) == b"".join(endless)


@pytest.mark.parametrize("short", [b"\n", b"{}\n"])
def test_many_short_lines_are_rejected_without_being_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: bytes
) -> None:
    """Parsing a gigabyte of line ends would take minutes."""
    looked_at: list[int] = []
    decode = validation.decode_lines
    monkeypatch.setattr(
        validation, "decode_lines", lambda data, schema: looked_at.append(data.count(b"\n")) or decode(data, schema)
    )
    many = 5 * read.MOST_LINES
    matches, rejections, _ = gate(write(tmp_path / "x.jsonl", A, [short * many], B))
    assert matches == ["a", "b"]
    assert b"".join(rejection.text for rejection in rejections) == short * many
    assert sum(looked_at) < 2 * read.MOST_LINES
    assert rejections[0].line == len(A) + 1
    assert {rejection.reason for rejection in rejections[:4]} == {"lines_too_short"}


def test_the_open_match_before_many_short_lines_is_rejected_with_them(tmp_path: Path) -> None:
    matches, rejections, _ = gate(write(tmp_path / "x.jsonl", A, B[:9], [b"\n" * 2 * read.MOST_LINES], C))
    assert matches == ["a", "c"]
    assert rejections[0].text.startswith(b"".join(B[:9]))


@pytest.mark.slow("a bomb")
def test_a_decompression_bomb_is_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_text, "GROWS", 1 << 20)
    whole = zstandard.compress(b"".join(A))
    (tmp_path / "x.jsonl.zst").write_bytes(whole + zstandard.compress(b"\n" * (64 << 20)))
    with source.Source(tmp_path / "x.jsonl.zst", tmp_path / "x.jsonl.zst") as opened:
        text = sum(map(len, opened.blocks()))
        assert opened.broken is not None
        assert "at most 1,000 bytes of text for each byte of zstd data" in opened.broken.message
    assert text < 40 << 20
    matches, rejections, _ = gate(tmp_path / "x.jsonl.zst")
    assert matches == ["a"]
    assert rejections[-1].reason == "file_broken"


@pytest.mark.slow("another hostile name")
def test_a_file_of_blank_lines_is_split_into_chunks_of_bounded_length(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", A, [b"\n" * 300_000], B)
    found = list(chunks(file))
    assert max(part.lines for chunk in found for part in chunk.spans) <= 140_000
    matches, rejections, _ = gate(file)
    assert matches == ["a", "b"]
    assert sum(len(rejection.text) for rejection in rejections) == 300_000


MEASURED = """
import re, resource, sys
from pathlib import Path
from ingest.read.split import chunks
from ingest.validate.validation import check
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
text = sum(len(each.text) for chunk in chunks(Path(sys.argv[1])) for each in check(chunk).rejections)
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())  # of this program, not of its parent
print(text, int(peak[1]) // 1024)
"""


def zeros(size: int) -> Iterator[bytes]:
    """Yield blocks of zeros with the highest compression ratio that is still accepted."""
    return (os.urandom(2048).hex().encode().ljust(MIB, b"0") for _ in range(size // MIB))


def bomb(path: Path) -> Path:
    with path.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as out:
        for block in zeros(100 * MIB):
            out.write(block)
    return path


def gzip_bomb(path: Path) -> Path:
    with gzip.open(path, "wb") as out:
        for block in zeros(100 * MIB):
            out.write(block)
    return path


def plain(path: Path) -> Path:
    path.write_bytes(b"".join(zeros(100 * MIB)))
    return path


@pytest.mark.slow("a large file")
@pytest.mark.parametrize(
    "make",
    [
        plain,
        bomb,
        pytest.param(gzip_bomb, marks=pytest.mark.soak("a second kind of bomb")),
    ],
)
def test_a_hundred_megabytes_in_a_line_take_bounded_memory(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    command = [sys.executable, "-c", MEASURED, str(make(tmp_path / "x.jsonl"))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    size, peak = map(int, done.stdout.split())
    assert size == 100 * MIB
    assert peak < 400


@pytest.mark.slow("four megabytes")
def test_every_part_of_a_line_is_in_quarantine_even_if_two_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "MOST_BYTES", MIB)
    monkeypatch.setattr(read, "CHUNK_BYTES", MIB // 2)
    monkeypatch.setattr(load, "BATCH_BYTES", 2 * MIB)
    line = b"x" * (4 * MIB + 5) + b"\n"
    database = tmp_path / "w.duckdb"
    first = ingest([write(tmp_path / "x.jsonl", A, [line], B)], database)
    texts = [
        zstandard.decompress(text) for text in rows(database, "SELECT text FROM quarantine ORDER BY quarantine_id")
    ]
    assert (first.matches, first.put_aside, len(texts)) == (2, 5, 5)
    assert hashlib.sha256(b"".join(texts)).digest() == hashlib.sha256(line).digest()
    again = ingest([write(tmp_path / "x.jsonl", A, [line], B, C)], database)
    assert (again.matches, again.put_aside, again.known) == (1, 0, 5)


def test_many_rejected_matches_go_in_batch_by_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "CHUNK_BYTES", 10_000)
    monkeypatch.setattr(source, "BLOCK", 10_000)
    monkeypatch.setattr(load, "BATCH_BYTES", MIB)
    batches: list[int] = []
    insert = load.Loader._load

    def counted(self: load.Loader) -> None:
        batches.append(sum(len(checked.rejections) for _, checked in self._waiting))
        insert(self)

    monkeypatch.setattr(load.Loader, "_load", counted)
    for file in range(40):
        write(tmp_path / f"{file}.jsonl", [b'{"match":"m%d"}\n' % (file * 100 + number) for number in range(100)])
    ingest([tmp_path], tmp_path / "w.duckdb")
    assert (sum(batches), max(batches) < 2_000) == (4_000, True)


# --- Compressed files

PACKERS = {"gzip": gzip.compress, "zstd": zstandard.compress}


@pytest.mark.parametrize("name", PACKERS)
def test_matches_before_the_place_where_a_file_was_cut_count(tmp_path: Path, name: str) -> None:
    packed = PACKERS[name](b"".join([*A, *B, *C]))
    (tmp_path / "x").write_bytes(packed[: len(packed) // 2])
    matches, rejections, last = gate(tmp_path / "x")
    assert matches == ["a"][: len(matches)]
    assert rejections[-1].reason == "file_cut"
    assert rejections[-1].message == f"file: expected a complete {name} file, found its end missing"
    assert last.spans[0].end is not None, "the file was read: it need not be again as long as it stays the same"


@pytest.mark.parametrize("name", PACKERS)
def test_data_after_the_end_of_a_compressed_file_is_recorded(tmp_path: Path, name: str) -> None:
    (tmp_path / "x").write_bytes(PACKERS[name](b"".join([*A, *B])) + b"garbage")
    matches, (rejection,), _ = gate(tmp_path / "x")
    assert matches == ["a", "b"]
    assert (rejection.match, rejection.reason, rejection.text) == (None, "file_broken", b"")
    assert "nothing behind it was read" in rejection.message


@pytest.mark.parametrize("zeros", [1, 3 * log_text.SLICE, log_text.BLOCK])
@pytest.mark.parametrize("also", [b"", gzip.compress(b"".join(B))], ids=["one part", "two parts"])
def test_zeros_after_gzip_data_are_padding_as_for_gzip_itself(tmp_path: Path, zeros: int, also: bytes) -> None:
    (tmp_path / "x").write_bytes(gzip.compress(b"".join(A)) + also + bytes(zeros))
    assert gate(tmp_path / "x")[:2] == (["a", "b"] if also else ["a"], [])
    with (tmp_path / "x").open("ab") as file:
        file.write(b"garbage")
    assert reasons(gate(tmp_path / "x")[1]) == [(None, "file_broken")]


@pytest.mark.parametrize("name", PACKERS)
def test_a_file_packed_in_parts_is_read_to_its_last_part(tmp_path: Path, name: str) -> None:
    (tmp_path / "x").write_bytes(PACKERS[name](b"".join(A)) + PACKERS[name](b"".join(B)))
    assert gate(tmp_path / "x")[:2] == (["a", "b"], [])


@pytest.mark.parametrize("name", PACKERS)
def test_a_broken_part_of_a_packed_file_leaves_those_before_it(tmp_path: Path, name: str) -> None:
    broken = bytearray(PACKERS[name](b"".join(B)))
    broken[30:60] = bytes(255 - byte for byte in broken[30:60])
    (tmp_path / "x").write_bytes(PACKERS[name](b"".join(A)) + broken + PACKERS[name](b"".join(C)))
    matches, rejections, _ = gate(tmp_path / "x")
    assert matches == ["a"]
    assert rejections[-1].reason == "file_broken"


# --- Special files and links


def test_a_path_that_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket.jsonl"))
        found = {"pipe.jsonl": "a named pipe", "socket.jsonl": "a socket", "/dev/zero": "a device", ".": "a folder"}
        for name, kind in found.items():
            with pytest.raises(ReadError, match=f"it is {kind}, not a file"):
                next(chunks(tmp_path / name))


def test_an_unreadable_path_is_named_in_its_displayed_form(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name, reason in {"nowhere": "no such file or folder", "loop": "a link that leads back to itself"}.items():
        with pytest.raises(ReadError) as error:
            next(chunks(tmp_path / name, shown=Path("standard input")))
        assert str(error.value) == f"standard input: {reason}"


# --- Files changing during reading


def shrink(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.writelines(C)


def replace(path: Path) -> None:
    write(path.with_suffix(".new"), C).replace(path)


def rewrite(path: Path) -> None:
    path.write_bytes(b"".join([*A, *C]))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("change", [shrink, grow, replace, rewrite, os.unlink])
def test_a_file_that_changes_while_being_read_is_reported(tmp_path: Path, change: Callable[[Path], None]) -> None:
    file = write(tmp_path / "x.jsonl", A, B)
    reading = chunks(file)
    first = next(reading)
    change(file)
    found = [first, *reading]
    checked = [check(chunk) for chunk in found]
    ends = [part.end for chunk in found for part in chunk.spans]
    assert [end.changed for end in ends if end] == [True]
    whole = {match.match: match.size for each in checked for match in each.matches}
    assert whole.items() <= {each: len(b"".join(lines)) for each, lines in (("a", A), ("b", B), ("c", C))}.items()


@pytest.mark.usefixtures("small")
def test_the_last_match_of_a_changed_file_is_quarantined(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", A, B)
    reading = chunks(file)
    found = [next(reading)]
    os.truncate(file, len(b"".join([*A, *B[:200]])))
    matches = [match.match for chunk in chain(found, reading) for match in check(chunk).matches]
    assert "b" not in matches


def test_an_unchanged_file_is_identified_by_its_bytes_on_disk(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl.gz"
    file.write_bytes(gzip.compress(b"".join(A)))
    (end,) = (part.end for chunk in chunks(file) for part in chunk.spans)
    with file.open("rb") as opened:
        assert end == source.Ending(file.stat().st_size, hashlib.file_digest(opened, "sha256").hexdigest())


# --- Many small files


def together(*paths: Path) -> tuple[Chunk, ValidatedChunk]:
    chunk = read._together([chunk for path in paths for chunk in chunks(path)])
    return chunk, check(chunk)


def test_small_files_share_a_chunk_and_each_problem_names_its_own(tmp_path: Path) -> None:
    bad = [*B[:9], b"{\n", *B[10:]]
    contents = [A, bad, [], C, log("d")[5:], log("e")]
    files = [write(tmp_path / f"{place}.jsonl", lines) for place, lines in enumerate(contents)]
    chunk, checked = together(*files)
    alone = [check(chunk) for file in files for chunk in chunks(file)]
    assert [part.path for part in chunk.spans] == files
    assert [(match.match, match.span, match.first_line) for match in checked.matches] == [
        ("a", 0, 1),
        ("c", 3, 1),
        ("e", 5, 1),
    ]
    assert [(rejection.span, rejection.line, rejection.reason) for rejection in checked.rejections] == [
        (1, 10, "not_json"),
        (4, 1, "no_start"),
    ]
    assert [rejection.text for rejection in checked.rejections] == [
        rejection.text for each in alone for rejection in each.rejections
    ]
    assert {name: len(frame) for name, frame in checked.events.items()} == {
        name: sum(len(each.events[name]) for each in alone if name in each.events) for name in checked.events
    }


def test_a_match_is_never_joined_across_two_files(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1.jsonl", A[:200]), write(tmp_path / "2.jsonl", A[200:])
    _, checked = together(first, second)
    assert [(match.span, match.events) for match in checked.matches] == [(0, 200)]
    assert [(rejection.span, rejection.line, rejection.reason) for rejection in checked.rejections] == [
        (1, 1, "no_start")
    ]


def test_a_bad_line_rejects_no_match_of_the_next_file(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1.jsonl", A[:50], [b"{\n"]), write(tmp_path / "2.jsonl", [b"{\n"], B)
    _, checked = together(first, second)
    assert [match.match for match in checked.matches] == ["b"]
    assert [(rejection.span, rejection.line, rejection.match) for rejection in checked.rejections] == [
        (0, 51, "a"),
        (1, 1, None),
    ]


def test_a_damaged_file_has_its_own_chunk(tmp_path: Path) -> None:
    packed = io.BytesIO(zstandard.compress(b"".join(B))).read()
    (tmp_path / "2.jsonl").write_bytes(packed[:-30])
    files = [write(tmp_path / "1.jsonl", A), tmp_path / "2.jsonl", write(tmp_path / "3.jsonl", [*C[:-1], C[-1][:-1]])]
    files += [write(tmp_path / f"{place}.jsonl", log(match)) for place, match in ((4, "d"), (5, "e"))]
    found = list(joined(chain.from_iterable(map(chunks, files))))
    assert [[part.path.name for part in chunk.spans] for chunk in found] == [
        ["1.jsonl"],
        ["2.jsonl"],
        ["3.jsonl"],
        ["4.jsonl", "5.jsonl"],
    ]
    assert [[match.match for match in check(chunk).matches] for chunk in found] == [["a"], [], ["c"], ["d", "e"]]


@pytest.mark.slow("another hostile name")
def test_a_file_with_an_undecodable_name_is_loaded_and_shown_with_escapes(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"of \xff")
    folder.mkdir()
    write(folder / os.fsdecode(b"a\xfe.jsonl"), A, B[:-2])
    write(folder / os.fsdecode(b"c\xfe.jsonl.partial"), C)
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.matches, summary.put_aside, summary.failed) == (2, 0, ())
    assert [path.name for path in summary.unfinished] == [r"c\xfe.jsonl.partial"]
    there = rows(tmp_path / "w.duckdb", "SELECT DISTINCT file FROM raw_matches")
    assert there == [str(tmp_path / r"of \xff" / r"a\xfe.jsonl")]
    assert ingest([tmp_path], tmp_path / "w.duckdb").skipped == 2


def test_a_file_with_an_undecodable_name_is_not_followed_and_stops_no_other(tmp_path: Path) -> None:
    bad, good = write(tmp_path / os.fsdecode(b"a\xfe.jsonl"), A), write(tmp_path / "b.jsonl", B)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        followed = follow(warehouse, FollowRequest((bad, good), gone=(bad,)), lambda _: None)
    assert followed.matches == 1
    assert followed.failed == (Failure(tmp_path / r"a\xfe.jsonl", "its name is not UTF-8; rename it"),)


@pytest.mark.slow("starts a server")
def test_a_folder_with_an_undecodable_name_is_watched_without_harm_to_another(tmp_path: Path) -> None:
    bad, good = tmp_path / os.fsdecode(b"of \xff"), tmp_path / "good"
    bad.mkdir()
    good.mkdir()
    write(bad / "a.jsonl", A)
    stop, told = threading.Event(), list[Followed]()

    def tell(followed: Followed) -> None:
        told.append(followed)
        if len(told) == 1:
            write(good / "b.jsonl", B)
        else:
            stop.set()

    def handed(request: FollowRequest) -> Followed:
        return Followed.read(run_operation(tmp_path / "w.duckdb", "follow", request.as_json() | {"jobs": 0}))

    watch([bad, good], handed, tell, pytest.fail, stop)
    assert told[0].failed == (Failure(tmp_path / r"of \xff" / "a.jsonl", "its name is not UTF-8; rename it"),)
    assert told[1].matches == 1


@pytest.mark.slow("another hostile name")
def test_the_database_is_no_log_and_stays_locked(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    os.link(write(tmp_path / "a.jsonl", A), tmp_path / "b.jsonl")
    with open_warehouse(database) as warehouse:
        os.link(database, tmp_path / "c.jsonl")
        summary = take_in(warehouse, Request((tmp_path,)), lambda _: None)
        with pytest.raises(WarehouseError, match="it is the database itself"):
            OPERATIONS["allow_again"](warehouse, {"paths": [str(database)]}, lambda _: None)
        other = subprocess.run([sys.executable, "-c", OPEN, str(database)], capture_output=True, text=True, check=False)
    assert (summary.matches, [failure.file.name for failure in summary.failed]) == (1, ["c.jsonl"])
    assert "Could not set lock" in other.stderr


OPEN = "import duckdb, sys; duckdb.connect(sys.argv[1])"


def test_a_file_of_first_lines_only_fills_a_batch_sooner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "BATCH_EVENTS", 1_000)
    firsts = b"".join(A[0].replace(b'"match":"a"', b'"match":"a.%d"' % number) for number in range(50))
    record = FileRecord(tmp_path / "a.jsonl", 0, "")
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, warehouse.writing() as connection:
        load.Loader(connection).add([record], check(read.chunk_of(record.path, firsts)))
        assert connection.execute("SELECT count(*) FROM raw_matches").fetchall() == [(50,)]
