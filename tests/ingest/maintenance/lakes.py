"""A warehouse with matches of several tournaments, and its lakes."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import Request, take_in
from tests.ingest.helping import begun, short, write
from tests.once import once

ODD = "50%25 of a/b = ü"


def take(database: Path, path: Path, tournament: str | None = None) -> None:
    with open_warehouse(database) as warehouse:
        take_in(warehouse, Request((path,), tournament=tournament, jobs=0), lambda _: None)


def warehouse_and_lake(factory: pytest.TempPathFactory) -> Path:
    """Return a new folder with a copy of `w.duckdb` and its lake.

    The warehouse has six matches of climbers, in tournaments named by a year, by unusual characters, and `spring`; two
    have no tournament. Only two matches are finished.
    """
    return shutil.copytree(once(factory, "warehouse-and-lake", _make), factory.mktemp("made") / "it", symlinks=True)


def _make(folder: Path) -> None:
    path = folder / "w.duckdb"
    take(path, write(folder / "a.jsonl", short("a.1"), begun("a.2")), "spring")
    take(path, write(folder / "b.jsonl", short("b.1")), ODD)
    take(path, write(folder / "c.jsonl", begun("c.1"), begun("c.2")))
    take(path, write(folder / "d.jsonl", begun("d.1")), "2026")
    brought(path, folder / "lake")


def brought(database: Path, folder: Path | str, **arguments: Any) -> dict[str, Any]:
    return run_operation(database, "lake", {"folder": str(folder), **arguments})
