"""Standard output that lacks letters, is full, or is closed: each command prints one sentence, and no traceback."""

import io
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from himalaya_core.cli.main import COMMANDS, main
from himalaya_core.record_file import file_of
from himalaya_core.replay import Replay
from ingest.follow.request import Failure, Followed
from ingest.follow.watch import described
from tests.core.cli.commands import Command

GOLDEN = Path("tests/golden/summit-2.jsonl").absolute()
PEOPLE = ("Zoë", "李明")
NAMES = [command.name for commands in COMMANDS.values() for command in commands]
PRINTING = (
    "show match.jsonl",
    "verify match.jsonl",
    "record --from match.jsonl",
    "record --sheet summit",
    "schema",
    "perft summit --depth 1",
    "play summit --players greedy,greedy --out played.jsonl",
    "check",
    "doctor",
    "export",
    "export dim_seats",
    "quarantine list",
    "token list",
    "audit",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder with a match of two people, on paper and as a log, and a database with it."""
    folder = tmp_path_factory.mktemp("output")
    paper = file_of(Replay.read(GOLDEN.read_bytes().splitlines(keepends=True)))
    (folder / "match.txt").write_text(re.sub("players .*", f"players {', '.join(PEOPLE)}", paper), "utf-8")
    assert main(["record", str(folder / "match.txt"), "--out", str(folder / "match.jsonl")]) == 0
    assert main(["ingest", str(folder / "match.jsonl"), "--db", str(folder / "himalaya.duckdb")]) == 0
    return folder


@pytest.fixture
def himalaya(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(folder)
    return Command(capsys)


def in_ascii(himalaya: Command, line: str) -> bytes:
    """Return a command's output on an ASCII-only standard output."""
    written = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(written, encoding="ascii")) as output:
        assert himalaya(*line.split()).code == 0
        output.detach()
    return written.getvalue()


@pytest.mark.slow("every command")
@pytest.mark.parametrize("line", [*(f"{name} --help" for name in NAMES), *PRINTING])
def test_letters_missing_from_the_terminal_encoding_are_escaped(line: str, himalaya: Command) -> None:
    assert in_ascii(himalaya, line)


@pytest.mark.slow("every command")
@pytest.mark.parametrize("line", [*(f"{name} --help" for name in NAMES), *PRINTING])
def test_a_full_disk_gives_one_sentence_and_exit_code_2(line: str, himalaya: Command) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full, redirect_stdout(full):
        answer = himalaya(*line.split())
    assert (answer.code, answer.err) == (2, "himalaya: cannot write: No space left on device\n")


def test_a_name_is_escaped_on_a_terminal_and_unchanged_in_a_file(himalaya: Command) -> None:
    assert b"Zo\\xeb (" in in_ascii(himalaya, "show match.jsonl")
    assert "players Zoë, 李明" in in_ascii(himalaya, "record --from match.jsonl").decode()


def test_times_are_shown_with_their_zone(himalaya: Command) -> None:
    himalaya("token", "create", "me")
    assert himalaya("token", "list").out.count("(UTC)") == 3
    assert "(UTC)" in himalaya("audit").out
    (line,) = described(Followed(failed=(Failure(Path("a.jsonl"), "gone"),)))
    assert re.fullmatch(r"\d\d:\d\d:\d\d \S+  cannot read a\.jsonl: gone", line)


@pytest.mark.parametrize(
    ("closed", "code", "err"),
    [
        (">&-", 2, "himalaya: cannot write: Bad file descriptor\n"),
        *(
            pytest.param(*case, marks=pytest.mark.slow("more processes"))
            for case in (("2>&-", 0, ""), (">&- 2>&- <&-", 2, ""))
        ),
    ],
)
def test_a_closed_stream_prints_no_traceback(closed: str, code: int, err: str, folder: Path) -> None:
    line = f"{sys.executable} -m himalaya_core.cli.main show {folder}/match.jsonl {closed}"
    answer = subprocess.run(line, shell=True, check=False, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (code, err)
