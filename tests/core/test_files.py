"""Files of the core are found, read completely, and written atomically."""

import gzip
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from himalaya_core.files import LogFileError, log_files, read_lines, write_log

LINES = [b'{"seq":%d}\n' % number for number in range(5_000)]
TEXT = b"".join(LINES)
NOBODY = 65_534
SUFFIXES = [".jsonl", ".jsonl.gz", ".jsonl.zst"]


def written(path: Path) -> Path:
    with write_log(path) as file:
        for line in LINES:
            file.write(line)
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_written_lines_are_read_back(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path / "deep" / f"log{suffix}")
    assert list(read_lines(path)) == LINES
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_lines_give_the_same_file(tmp_path: Path, suffix: str) -> None:
    one, two = written(tmp_path / f"one{suffix}"), written(tmp_path / f"two{suffix}")
    assert one.read_bytes() == two.read_bytes()


def test_all_frames_of_a_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.zst"
    compress = zstandard.ZstdCompressor().compress
    path.write_bytes(compress(TEXT[:100]) + compress(TEXT[100:]) + compress(b""))
    assert list(read_lines(path)) == LINES


@pytest.mark.parametrize("share", [0.01, 0.5, 0.999])
@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.zst"])
def test_a_truncated_compressed_file_is_reported(tmp_path: Path, suffix: str, share: float) -> None:
    path = written(tmp_path / f"log{suffix}")
    whole = path.read_bytes()
    path.write_bytes(whole[: max(1, int(len(whole) * share))])
    with pytest.raises(
        LogFileError, match=r"log\.jsonl\.\w+:\d+: file: expected a complete \w+ file, found its end missing$"
    ):
        list(read_lines(path))


def test_a_damaged_gzip_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(bytes(byte ^ (place == 200) for place, byte in enumerate(gzip.compress(TEXT, mtime=0))))
    with pytest.raises(LogFileError, match=r"log\.jsonl\.gz:\d+: file: expected gzip data to the end of the file"):
        list(read_lines(path))


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    for suffix in (".jsonl", ".jsonl.zst"):
        path = tmp_path / f"log{suffix}"
        path.write_bytes(b"")
        assert list(read_lines(path)) == []


def test_logs_are_found_at_any_depth_in_order_without_partial_ones(tmp_path: Path) -> None:
    names = ["b/two.jsonl.gz", "b/c/three.jsonl.zst", "a.jsonl", "a.jsonl.partial", "notes.txt", "a.tournament.json"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [path.relative_to(tmp_path).as_posix() for path in log_files([tmp_path])]
    assert found == ["a.jsonl", "b/c/three.jsonl.zst", "b/two.jsonl.gz"]


def test_a_folder_without_a_log_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.partial").touch()
    with pytest.raises(
        LogFileError, match=r": no log in this folder \(looked for \.jsonl, \.jsonl\.gz, \.jsonl\.zst\)$"
    ):
        log_files([tmp_path])


def test_an_archive_in_a_folder_is_reported_with_the_next_step(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.xz").touch()
    with pytest.raises(LogFileError, match=r"no log in this folder \(.*\); unpack a\.jsonl\.xz first$"):
        log_files([tmp_path])


def test_a_missing_path_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LogFileError, match=r"nowhere: No such file or directory$"):
        log_files([tmp_path / "nowhere"])


@pytest.fixture
def locked() -> Iterator[Path]:
    """A folder without permissions; if tests run as the superuser, they act as another user meanwhile."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0)
    superuser = os.geteuid() == 0
    if superuser:
        os.seteuid(NOBODY)
    yield folder
    if superuser:
        os.seteuid(0)
    folder.rmdir()


def test_an_unreadable_folder_is_reported(locked: Path) -> None:
    with pytest.raises(LogFileError) as refused:
        log_files([locked])
    assert str(refused.value) == f"{locked}: Permission denied"


def test_a_read_only_folder_is_reported(locked: Path) -> None:
    with pytest.raises(LogFileError) as refused, write_log(locked / "log.jsonl"):
        pass
    assert str(refused.value) == f"{locked / 'log.jsonl'}: Permission denied"


def write_until_full(path: Path) -> None:
    with write_log(path) as file:
        file.write(LINES[0])
        raise OSError(28, "No space left on device")


def test_a_failed_log_does_not_replace_the_existing_file(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl")
    with pytest.raises(
        LogFileError, match=r": No space left on device; what was written stays in log\.jsonl\.partial$"
    ):
        write_until_full(path)
    assert path.read_bytes() == TEXT
    assert path.with_name("log.jsonl.partial").read_bytes() == LINES[0]


def test_a_folder_below_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LogFileError, match=r"file is not a folder$"), write_log(tmp_path / "file" / "log.jsonl"):
        pass
