"""All file access of this package: reading and writing logs, and loading boards."""

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import zstandard

from himalaya_core.boards import boards_of
from himalaya_core.document import from_json
from himalaya_core.errors import BoardError, LogFileError
from himalaya_core.game import Game
from himalaya_core.log.codec import MAX_LINE_BYTES
from himalaya_core.log.text import BLOCK, Text, first_inexact

__all__ = [
    "ARCHIVES",
    "LOG_SUFFIXES",
    "PARTIAL",
    "LogFileError",
    "load_board",
    "log_files",
    "read_document",
    "read_lines",
    "read_unfinished",
    "write_log",
]

LOG_SUFFIXES: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst")
ARCHIVES: Final = (".xz", ".bz2", ".lz4", ".zip", ".7z", ".tar", ".tar.gz", ".tar.zst", ".tgz")
"""Suffixes of compressed files and archives that may contain logs but are not supported."""
PARTIAL: Final = ".partial"
"""Suffix of a file that is still being written. The file is renamed when it is complete."""

PACKED: Final = zstandard.ZstdCompressionParameters(
    window_log=22, hash_log=20, chain_log=20, search_log=6, min_match=6, strategy=zstandard.STRATEGY_GREEDY
)
"""Zstandard parameters for logs. Compression takes at most two thirds of the time of level 9.

Compared with level 9, logs of caravan have 0.98 to 1.02 times the size, of summit 1.03 times, of climbers 1.08 times.
Most log lines repeat long parts of earlier lines. The compressor therefore skips short repetitions and takes the first
good one.
"""
MOST_BOARD_BYTES: Final = 1 << 19


def load_board(game: Game[Any, Any, Any], path: Path | None) -> Any:
    """Return the board in a file, the shipped board with that id, or by default the game's default board.

    Raises `BoardError` with the reason if the file is not a valid board.
    """
    if path is None:
        return boards_of(game)[game.default_board]
    if str(path) in boards_of(game):
        return boards_of(game)[str(path)]
    try:
        if path.stat().st_size > MOST_BOARD_BYTES:
            raise BoardError(f"expected at most {MOST_BOARD_BYTES} bytes, so that a line of a log can carry the board")
        data = path.read_bytes()
        document = from_json(data)
        inexact = first_inexact(data.decode())
        if inexact is not None:
            raise BoardError(f"{inexact.field}: expected {inexact.expected}, found {inexact.found}")
        return game.parse_board(document)
    except OSError as error:
        raise BoardError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BoardError(f"{path}: {error}") from None


def read_document(path: Path, most: int) -> Any:
    """Return the JSON in a file of at most `most` bytes. `ValueError` gives the reason without naming the file."""
    try:
        if path.stat().st_size > most:
            raise ValueError(f"expected at most {most} bytes")
        return from_json(path.read_bytes())
    except OSError as error:
        raise ValueError(error.strerror) from None


def log_files(paths: list[Path]) -> list[Path]:
    """Return the log files among the paths, sorted by name. Folders are searched recursively.

    Raises `LogFileError` for a path that does not exist or a folder without a log.
    """
    found: list[Path] = []
    for path in paths:
        try:
            if not path.is_dir():
                path.stat()
                found.append(path)
                continue
            files = sorted(_walk(path))
        except OSError as error:
            raise LogFileError(f"{path}: {error.strerror}") from None
        inside = [file for file in files if file.name.endswith(LOG_SUFFIXES)]
        if not inside:
            packed = next((f"; unpack {file.name} first" for file in files if file.name.endswith(ARCHIVES)), "")
            raise LogFileError(f"{path}: no log in this folder (looked for {', '.join(LOG_SUFFIXES)}){packed}")
        found.extend(inside)
    return found


def _walk(folder: Path) -> Iterator[Path]:
    def stop(error: OSError) -> None:
        raise error

    for root, _, names in os.walk(folder, onerror=stop):
        yield from (Path(root, name) for name in names)


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a log with their line ends, decompressed if needed. A line that is too long is truncated.

    Raises `LogFileError` with the file name, and the line number if the data end in the middle of the file.
    """
    number, rest = 0, b""
    try:
        with path.open("rb", buffering=0) as file:
            text = Text(lambda: file.read(BLOCK) or b"")
            for block in text.blocks():
                lines = BytesIO(rest + block).readlines()
                rest = b"" if lines[-1].endswith(b"\n") else lines.pop()[: MAX_LINE_BYTES + 1]
                yield from lines
                number += len(lines)
    except OSError as error:
        raise LogFileError(f"{path}: {error.strerror or error}") from None
    if rest:
        yield rest
        number += 1
    if text.broken:
        raise LogFileError(f"{path}:{max(number, 1)}: file: {text.broken.message}")


def read_unfinished(path: Path) -> bytes:
    """Return the readable part of a log that was only partly written."""
    try:
        with path.open("rb", buffering=0) as file:
            return b"".join(Text(lambda: file.read(BLOCK) or b"").blocks())
    except OSError as error:
        raise LogFileError(f"{path}: {error.strerror}") from None


@contextmanager
def write_log(path: Path) -> Iterator[BinaryIO]:
    """Open a log for writing, so that the file is either complete or recognisable as unfinished.

    The bytes go to `PATH.partial`, which is renamed once all data are on disk. If writing fails, for instance because
    the disk is full, the partial file stays and `LogFileError` names it.
    """
    partial = path.with_name(path.name + PARTIAL)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            if path.name.endswith(".gz"):
                with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as stream:
                    yield cast(BinaryIO, stream)
            elif path.name.endswith(".zst"):
                with zstandard.ZstdCompressor(compression_params=PACKED).stream_writer(file, closefd=False) as writer:
                    yield cast(BinaryIO, writer)
            else:
                yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        if isinstance(error, LogFileError):
            raise
        raise LogFileError(f"{path}: {_why(path, error)}{_kept(partial)}") from None


def _why(path: Path, error: OSError) -> str:
    if isinstance(error, FileExistsError | NotADirectoryError):
        return f"{path.parent} is not a folder"
    return error.strerror or str(error)


def _kept(partial: Path) -> str:
    try:
        return f"; what was written stays in {partial.name}" if partial.exists() else ""
    except OSError:
        return ""
