"""A folder that is no lake, or that this version can't update, is refused and left unchanged."""

from pathlib import Path

import pytest

from ingest.errors import WarehouseError
from tests.ingest.helping import begun, write
from tests.ingest.maintenance.lakes import brought, take


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    take(folder / "w.duckdb", write(folder / "a.jsonl", begun("a.1")))
    return folder / "w.duckdb"


def test_a_folder_with_something_else_in_it_is_left_alone(database: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("precious")
    with pytest.raises(WarehouseError, match="has files, but is not a lake"):
        brought(database, tmp_path / "home")
    with pytest.raises(WarehouseError, match="not a folder; name another path"):
        brought(database, tmp_path / "home" / "thesis.txt")
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["thesis.txt"]


def test_a_folder_that_may_not_be_written_to(database: Path) -> None:
    with pytest.raises(WarehouseError, match=r"^/proc/lake: ") as error:
        brought(database, Path("/proc/lake"))
    assert "\n" not in str(error.value)


def test_a_lake_of_another_format_is_refused_with_advice(database: Path, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    manifest = tmp_path / "old" / "_manifest.json"
    manifest.write_text('{"format": 2, "partitions": []}')
    with pytest.raises(
        WarehouseError, match=r"of an earlier himalaya .* remove it and write it again, or name another folder"
    ):
        brought(database, tmp_path / "old")
    manifest.write_text('{"format": 9, "partitions": []}')
    with pytest.raises(WarehouseError, match=r"of a newer himalaya \(format 9\)"):
        brought(database, tmp_path / "old")
    assert list((tmp_path / "old").iterdir()) == [manifest]
