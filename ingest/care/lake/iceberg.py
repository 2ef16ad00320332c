"""Registers the files of a lake as tables of Iceberg, without copying them: `--format iceberg`.

    iceberg/TABLE.metadata.json   the table, as readers of Iceberg open it: part of the state that a run turns to
    _iceberg/TABLE-DIGEST/        its lists of files, named by a digest of the files that they list

The lists name files by where they are once the state is shown; until then these are found in the next state. Needs
`pyiceberg`, the extra `[iceberg]`.
"""

import shutil
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyarrow import parquet
from pyiceberg.catalog.memory import InMemoryCatalog
from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO

from ingest.care.lake.parts import LISTS
from ingest.fsync import sync
from ingest.private import as_usual

__all__ = ["Registry"]

FORMAT_VERSION: Final = "2"
"""Of Iceberg: the one that all of its readers know."""


class BeforeItIsShown(PyArrowFileIO):
    """Finds a file of the lake in the next state, by the place that it will have."""

    def new_input(self, location: str) -> PyArrowFile:
        """Return the file that is to be at a place."""
        shown, state = self.properties["lake.shown"], self.properties["lake.next"]
        below = location.removeprefix(f"{shown}/")
        if below == location or below.startswith(f"{LISTS}/"):
            return super().new_input(location)
        return super().new_input(f"{state}/{below}")


class Registry:
    """Makes the tables of Iceberg for the next state of a lake."""

    def __init__(self, lake: Path, state: Path) -> None:
        self._lake = lake.absolute()
        self._state = state.absolute()
        self._catalog = InMemoryCatalog(
            "lake",
            **{
                "warehouse": f"file://{self._lake}/{LISTS}",
                "py-io-impl": f"{__name__}.{BeforeItIsShown.__name__}",
                "lake.shown": f"file://{self._lake}",
                "lake.next": f"file://{self._state}",
            },
        )
        self._catalog.create_namespace("lake")

    def add(self, table: str, files: frozenset[str], lists: Path, target: Path) -> None:
        """Write the metadata of a table with these files into `target`, and what it names into the folder `lists`."""
        shutil.rmtree(lists, ignore_errors=True)  # of a run that was killed
        lists, in_order = lists.absolute(), sorted(files)
        made = self._catalog.create_table(
            f"lake.{table}",
            schema=_with_nulls(parquet.read_schema(self._state / table / in_order[0])),
            location=f"file://{lists}",
            properties={"format-version": FORMAT_VERSION},
        )
        made.add_files([f"file://{self._lake}/{table}/{file}" for file in in_order], check_duplicate_files=False)
        for path in (lists.parent, lists, *lists.rglob("*")):
            sync(as_usual(path))
        shutil.copyfile(made.metadata_location.removeprefix("file://"), target)
        sync(as_usual(target))


def _with_nulls(schema: pa.Schema) -> pa.Schema:
    """Return a schema of which any file may lack values: DuckDB says of each file whether it does."""
    return pa.schema([_nullable(field) for field in schema])


def _nullable(field: pa.Field) -> pa.Field:
    kind = field.type
    return pa.field(field.name, pa.list_(_nullable(kind.value_field)) if pa.types.is_list(kind) else kind)
