"""A warehouse with matches of several tournaments, and lakes of it, for the tests of the lake."""

from pathlib import Path
from typing import Any

from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import Request, take_in
from tests.ingest.helping import THREE, log, write

ODD = "50%25 of a/b = ü"


def take(database: Path, path: Path, tournament: str | None = None) -> None:
    with open_warehouse(database) as warehouse:
        take_in(warehouse, Request((path,), tournament=tournament, jobs=0), lambda _: None)


def warehouse_in(folder: Path) -> Path:
    """Return a warehouse with six matches: of a year, of an odd name, of spring, and two of no tournament."""
    path = folder / "w.duckdb"
    take(path, write(folder / "a.jsonl", log("a.1"), log("a.2", THREE)), "spring")
    take(path, write(folder / "b.jsonl", log("b.1")), ODD)
    take(path, write(folder / "c.jsonl", log("c.1"), log("c.2")[:90]))
    take(path, write(folder / "d.jsonl", log("d.1")), "2026")
    return path


def brought(database: Path, folder: Path | str, **arguments: Any) -> dict[str, Any]:
    return run_operation(database, "lake", {"folder": str(folder), **arguments})
