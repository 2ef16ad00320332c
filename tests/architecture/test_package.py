"""The installed package contains all files of its source folders."""

import zipfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[2]
ROOMS = ("himalaya_core", "ingest", "dashboards")


def test_the_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    here = {path.relative_to(ROOT).as_posix() for room in ROOMS for path in (ROOT / room).rglob("*") if path.is_file()}
    assert not {name for name in here if "__pycache__" not in name} - packed


def test_the_wheel_has_the_documentation_though_git_ignores_it() -> None:
    assert WheelBuilder(str(ROOT)).config.path_is_artifact("dashboards/documentation/index.html")
