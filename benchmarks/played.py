"""Logs for the benchmarks of ingest, played once and cached: plain, packed, one file per match, or multiplied."""

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from himalaya_core.files import read_lines
from himalaya_core.tournament.runner import Plan, run_tournament
from measure import CACHE

PLAYERS = {
    "caravan": ("trader", "pilgrim", "greedy", "random"),
    "summit": ("random", "greedy", "random", "random"),
    "climbers": ("greedy", "random", "random"),
}
SEED = re.compile(rb'("luck":"[^"]*)"')
LAST_LINES = re.compile(rb'"lines_sha256":"[0-9a-f]{64}"')


def packed_logs(matches: int, game: str = "caravan") -> Path:
    """Return the folder of a tournament's packed logs: fifty matches per file, about 500 events per match."""
    folder = _folder(matches, game)
    run_tournament(Plan(name="bench", game=game, players=PLAYERS[game], matches=matches), folder, jobs=2)
    return folder


def _folder(matches: int, game: str, kind: str = "") -> Path:
    return CACHE / (f"logs-{matches}{kind}" if game == "caravan" else f"logs-{game}-{matches}{kind}")


def plain_logs(matches: int, game: str = "caravan") -> Path:
    """Return the folder of the same logs, not packed."""

    def unpack(folder: Path) -> None:
        for log in packed_logs(matches, game).glob("*.jsonl.zst"):
            (folder / log.stem).write_bytes(b"".join(read_lines(log)))

    return _made(_folder(matches, game, "-plain"), unpack)


def single_logs(matches: int, game: str = "caravan") -> Path:
    """Return the folder of the same logs, a file for each match."""

    def part(folder: Path) -> None:
        for log in plain_logs(matches, game).iterdir():
            for name, text in by_match(log.read_bytes()):
                (folder / f"{name}.jsonl").write_bytes(text)

    return _made(_folder(matches, game, "-single"), part)


def multiplied_logs(matches: int, times: int) -> Path:
    """Return the folder of logs with each match repeated under different names and seeds."""

    def multiply(folder: Path) -> None:
        for log in sorted(plain_logs(matches).iterdir()):
            every = list(by_match(log.read_bytes()))
            for copy in range(times):
                text = b"".join(renamed(name, text, f".{copy}") for name, text in every)
                (folder / f"{copy:03}-{log.name}").write_bytes(text)

    return _made(CACHE / f"logs-{matches}-times-{times}-seeds", multiply)


def by_match(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the lines of each completed match."""
    start = 0
    while start < len(text):
        stop = text.index(b"\n", text.index(b'"type":"match_ended"', start)) + 1
        yield text[start:stop].split(b'"', 4)[3].decode(), text[start:stop]
        start = stop


def renamed(name: str, text: bytes, end: str) -> bytes:
    """Return the log of a match with a suffix added to its name and seed, and a new digest."""
    text = text.replace(b'{"match":"%s",' % name.encode(), b'{"match":"%s%s",' % (name.encode(), end.encode()))
    first, others = text.split(b"\n", 1)
    text = SEED.sub(b'\\1%s"' % end.encode(), first) + b"\n" + others
    last = text.rindex(b"\n", 0, -1) + 1
    digest = hashlib.sha256(memoryview(text)[:last]).hexdigest().encode()
    return text[:last] + LAST_LINES.sub(b'"lines_sha256":"%s"' % digest, text[last:])


def count_lines(folder: Path) -> int:
    """Return the number of events in a folder of plain logs."""
    return sum(log.read_bytes().count(b"\n") for log in folder.iterdir())


def _made(folder: Path, make: Callable[[Path], None]) -> Path:
    """Create a folder unless it exists; it is given its name only when complete."""
    if not folder.exists():
        unfinished = folder.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        make(unfinished)
        unfinished.rename(folder)
    return folder
