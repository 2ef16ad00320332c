"""The manifest of a lake lists the files of each tournament; unreadable files are reported."""

import json
from pathlib import Path

import pytest

from ingest.errors import WarehouseError
from ingest.maintenance.lake.tables import FULL, Manifest, Partition, parts_of

NONE, CUP = Partition("caravan", None), Partition("caravan", "cup")


def test_the_matches_of_a_tournament_in_one_file_are_limited() -> None:
    parts = parts_of({NONE: range(1, FULL + 3), CUP: [FULL + 9, FULL + 11]}, "abc")
    assert [(part.first, part.last, part.matches) for part in parts[NONE]] == [(1, FULL, FULL), (FULL + 1, FULL + 2, 2)]
    assert [(part.first, part.last, part.matches) for part in parts[CUP]] == [(FULL + 9, FULL + 11, 2)]
    names = [part.file for some in parts.values() for part in some]
    assert len(set(names)) == 3
    assert names[0] == "caravan-000000001-abc.parquet"


def test_a_manifest_is_read_as_it_was_written_and_names_the_files(tmp_path: Path) -> None:
    manifest = Manifest("abc", parts_of({CUP: [3, 4], NONE: [1, 2]}, "abc"))
    manifest.write(tmp_path / "it")
    text = (tmp_path / "it").read_text()
    assert Manifest.read(text, "it") == manifest
    of_none, of_cup = json.loads(text)["partitions"]
    assert (of_none["tournament"], of_cup["tournament"]) == (None, "cup")
    assert [part["file"] for part in of_cup["parts"]] == [part.file for part in manifest.parts[CUP]]
    assert of_cup["sums"] == manifest.sums(CUP) == "caravan-000000003-all-abc.parquet"


def test_the_manifest_of_100_000_matches_is_small() -> None:
    matches = {Partition("caravan", f"t{number}"): range(10_000) for number in range(10)}
    assert len(Manifest("abc", parts_of(matches, "abc")).text()) < 8_000


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 3}', '{"format": 3, "key": "", "partitions": [{}]}'])
def test_an_unreadable_manifest_is_reported(text: str) -> None:
    with pytest.raises(WarehouseError, match=r"^it: not readable; remove the lake"):
        Manifest.read(text, "it")
