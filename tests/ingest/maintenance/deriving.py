"""Helpers for tests of `derive`: many kinds of logs, workers in this process, and comparison of lakes."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import zstandard

from himalaya_core.cli.main import main
from tests.ingest.helping import climbers_log, short, summit_log, write

PAIR = ("random", "random")


class Here:
    """A worker pool that does all work sequentially in this process, and counts the tasks."""

    def __init__(self, count: int = 1) -> None:
        self.count = count
        self.given: list[Any] = []

    def answers(self, function: Callable[[Any], Any], given: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        for place, each in reversed(list(enumerate(given))):
            self.given.append(each)
            yield place, function(each)


def write_logs(folder: Path) -> Path:
    """Write logs of three games: some continue, repeat or contradict others, and some files are invalid."""
    other = short("a.1", luck="other")
    write(folder / "a.jsonl", short("a.1"), short("a.2")[:60])
    write(folder / "b-rest.jsonl", short("a.2")[60:])
    again = b"".join((*climbers_log("c.1", PAIR), *short("a.1")))
    (folder / "c-again.jsonl.zst").write_bytes(zstandard.compress(again))
    write(folder / "d.jsonl", short("d.1"), short("d.2")[:70])
    write(folder / "e-other.jsonl", short("e.1"), other)
    write(folder / "f.jsonl", summit_log("f.1", PAIR), climbers_log("f.2"))
    write(folder / "g-escaped.jsonl", [line.replace(b'"d.1"', b'"d\\u002e1"') for line in short("d.1")], short("g.1"))
    (folder / "h.jsonl").write_bytes(b"no log\n" + b"".join(short("h.1"))[:-500])
    (folder / "i.jsonl").write_bytes(b"")
    write(folder / "j-copy.jsonl", short("j.1", luck="g.1"))
    cup = ["--players", "random,random", "--matches", "2", "--jobs", "1", "--out", str(folder / "cup")]
    assert main(["tournament", "climbers", "--name", "cup", *cup]) == 0
    return folder


def differing(lake: Path, other: Path) -> dict[str, tuple[int, int]]:
    """Return by table the number of rows in only one of two lakes; matches are identified by name.

    The quarantine is left out, as only one of the lakes has it.
    """
    found: dict[str, tuple[int, int]] = {}
    for table in sorted((_tables(lake) | _tables(other)) - {"quarantine"}):
        one, two = (_rows(each, table) for each in (lake, other))
        if one != two:
            found[table] = (one - two).total(), (two - one).total()
    return found


def _tables(lake: Path) -> set[str]:
    """Return the tables of a lake by their current names."""
    return {path.name for path in (lake / "_now").glob("*/") if path.name[0] != "_"}


def _rows(lake: Path, table: str) -> Counter[Any]:
    frame = pl.read_parquet(lake / table)
    if "match_id" in frame.columns:
        named = pl.read_parquet(lake / "dim_matches").select("match_id", of_match="match")
        frame = frame.join(named, on="match_id").drop("match_id")
    return Counter(map(repr, frame.rows()))
