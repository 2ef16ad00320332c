"""A lake in a folder: readers see all tables change from one state to the next in a single step.

    TABLE -> _now/TABLE            links that stay
    _now -> _states/7              the only link that changes
    _states/7/TABLE/….parquet      files of the current state
    _writing/                      the next state, being written

A reader that lists `TABLE` sees a complete state. A file that is not part of the next state disappears with the old
state; its name is never reused for another file.
"""

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ingest.errors import WarehouseError
from ingest.files import as_usual, sync
from ingest.maintenance.lake.tables import MANIFEST, Files, Manifest

__all__ = ["LakeFolder"]

NOW: Final = "_now"
STATES: Final = "_states"
WRITING: Final = "_writing"
README: Final = "README.md"


class LakeFolder:
    """The files of a lake in a folder. Use it within `held`. Raises `OSError` if the disk cannot be read or written."""

    holds: Final = "folder.md"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._now = folder / NOW
        self._next = folder / WRITING / "state"
        self.scratch = folder / WRITING / "files"
        """Folder for unfinished files; empty after `begin`."""
        self.aside = folder / WRITING / "aside"
        """Folder for temporary data of a run and its workers; removed once the next state is published."""
        self.name = folder.name
        self.where = f"Here `{self.name}` is the folder that this file is in"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Create the folder if it is missing, and lock it against other runs.

        Raises `WarehouseError` if the folder has files but is not a lake, or if another run has locked it.
        """
        if self.folder.exists() and not self.folder.is_dir():
            raise WarehouseError(f"{self.folder}: not a folder; name another path")
        _make(self.folder)
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            there = {path.name for path in self.folder.iterdir()}
            if there and not there & {MANIFEST, NOW, WRITING}:
                raise WarehouseError(f"{self.folder}: has files, but is not a lake; name an empty folder")
            yield
        except BlockingIOError:
            raise WarehouseError(
                f"{self.folder}: another run is writing this lake; wait until it has finished"
            ) from None
        finally:
            os.close(descriptor)

    def manifest(self) -> Manifest | None:
        """Return the manifest of the lake; `None` for a new lake. Raises `WarehouseError` if it cannot be read."""
        file = self.folder / MANIFEST
        return Manifest.read(file.read_text(encoding="utf-8"), file) if file.exists() else None

    def begin(self, tables: Iterable[str]) -> None:
        """Begin the next state, with these tables, and remove what a killed run left."""
        for folder in (self.scratch, self._next):
            shutil.rmtree(folder, ignore_errors=True)
            _make(folder)
        for table in tables:
            _make(self._next / table)

    def put(self, table: str, file: str, made: Path) -> None:
        """Move a complete file into the next state."""
        sync(made)
        as_usual(made).replace(self._next / table / file)

    def take(self, table: str, file: str, there: Path) -> None:
        """Add a complete file to the next state, and also leave it at its present place."""
        _give_second_name(as_usual(there), self._next / table / file)

    def shown(self, table: str, file: str) -> str | None:
        """Return the text of a file that readers see now; `None` if there is no such file."""
        seen = self._now / table / file
        return seen.read_text(encoding="utf-8") if seen.exists() else None

    def is_whole(self, expected: Files) -> bool:
        """Return whether readers see all the expected files."""
        return all(files <= _names(self.folder / table) for table, files in expected.items())

    def tidy(self) -> None:
        """Remove all states except the current one."""
        shutil.rmtree(self.folder / WRITING, ignore_errors=True)
        now = self._now.readlink().name if self._now.is_symlink() else None
        for state in (self.folder / STATES).glob("*/"):
            if state.name != now:
                shutil.rmtree(state)

    @property
    def tables(self) -> frozenset[str]:
        """Return the tables that readers see now."""
        return frozenset(path.name for path in self._now.glob("*/"))

    def publish(self, manifest: Manifest, expected: Files, also: Mapping[str, str]) -> None:
        """Replace the current state by the next one; `also` maps former names of tables to present ones."""
        manifest.write(self._next / MANIFEST)
        for folder in (*(self._next / table for table in expected), self._next):
            sync(folder)
        self._turn()
        links = {table: f"{NOW}/{table}" for table in expected}
        links |= {name: f"{NOW}/{table}" for name, table in also.items() if table in expected}
        self._link(links | {MANIFEST: f"{NOW}/{MANIFEST}"})
        self.tidy()

    def explain(self, text: str) -> None:
        """Write the README into the lake, unless it is already there."""
        readme = self.folder / README
        if not readme.exists() or readme.read_text(encoding="utf-8") != text:
            new = self.folder / f".{README}"
            new.write_text(text, encoding="utf-8")
            as_usual(new).replace(readme)

    def _turn(self) -> None:
        """Point `_now` to the next state, which makes it visible to readers."""
        states = self.folder / STATES
        _make(states)
        number = int(self._now.readlink().name) + 1 if self._now.is_symlink() else 1
        shutil.rmtree(states / str(number), ignore_errors=True)
        self._next.rename(states / str(number))
        sync(states)
        _link(self._now, f"{STATES}/{number}")
        sync(self.folder)

    def _link(self, links: Mapping[str, str]) -> None:
        """Create these links to tables in the lake, and remove all others."""
        for path in self.folder.iterdir():
            if path.is_symlink() and path.name != NOW and path.name not in links:
                path.unlink()
        for name, target in links.items():
            if not (self.folder / name).is_symlink():
                _link(self.folder / name, target)


def _make(folder: Path) -> None:
    """Create a folder that other users may read, and any missing parents."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        as_usual(made)


def _names(folder: Path) -> frozenset[str]:
    return frozenset(path.name for path in folder.iterdir()) if folder.is_dir() else frozenset()


def _give_second_name(file: Path, name: Path) -> None:
    """Give a file a second name, or copy it if the file system has no hard links."""
    try:
        os.link(file, name)
    except OSError:
        part = name.with_suffix(".copy")  # a killed run leaves no partial file under a final name
        shutil.copyfile(file, part)
        sync(part)
        as_usual(part).replace(name)


def _link(path: Path, target: str) -> None:
    """Create a link, or point it to a new target, in one step."""
    new = path.with_name(f".{path.name}")
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    new.replace(path)
