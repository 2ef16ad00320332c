"""What a lake is to have is planned so that little is written, and its manifest says it."""

import json
from pathlib import Path

import pytest

from ingest.care.lake import parts as lake_parts
from ingest.care.lake.parts import FULL, MOST_SMALL, Manifest, Part, Partition, Parts, planned
from ingest.errors import WarehouseError

KEY = Partition("caravan", None)


def numbered(*ids: int) -> list[tuple[int, str]]:
    return [(number, f"{number:04x}") for number in ids]


def plan(before: tuple[Part, ...], *ids: int, compact: bool = False) -> tuple[Part, ...]:
    return planned({KEY: before}, "00", {KEY: numbered(*ids)}, compact=compact).get(KEY, ())


def ranges(parts: tuple[Part, ...]) -> list[tuple[int, int, int]]:
    return [(part.first, part.last, part.matches) for part in parts]


def test_new_matches_are_new_parts_and_leave_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lake_parts, "FULL", 4)
    first = plan((), 1, 2, 5, 7, 8)
    assert ranges(first) == [(1, 7, 4), (8, 8, 1)]
    more = plan(first, 1, 2, 5, 7, 8, 9, 10)
    assert ranges(more) == [(1, 7, 4), (8, 8, 1), (9, 10, 2)]
    assert more[:2] == first
    less = plan(more, 1, 5, 10)
    assert ranges(less) == [(1, 5, 2), (9, 10, 1)]
    assert ranges(plan(less, 1, 5, 8, 10)) == [(1, 5, 2), (8, 10, 2)]
    assert plan(less) == ()


def test_many_small_parts_side_by_side_become_full_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lake_parts, "FULL", 100)
    parts = plan((), *range(60))
    for number in range(60, 60 + MOST_SMALL):
        before, parts = parts, plan(parts, *range(number + 1))
        assert parts[:-1] == before
    assert ranges(plan(parts, *range(60 + MOST_SMALL + 1))) == [(0, 59, 60), (60, 76, 17)]


def test_small_parts_are_put_together_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lake_parts, "FULL", 4)
    parts: tuple[Part, ...] = ()
    for number in range(1, 7):
        parts = plan(parts, *range(number))
    assert len(parts) == 6
    together = plan(parts, *range(6), compact=True)
    assert ranges(together) == [(0, 3, 4), (4, 5, 2)]
    assert plan(together, *range(6), compact=True) == together


def test_a_file_has_another_name_once_anything_of_it_is_otherwise() -> None:
    matches = numbered(1, 2)

    def names(tables: str, key: Partition, *found: tuple[int, str]) -> list[str]:
        return [key.file(part) for part in planned({}, tables, {key: found})[key]]

    same = names("00", KEY, *matches)
    others = [
        names("01", KEY, *matches),
        names("00", Partition("caravan", "None"), *matches),
        names("00", KEY, (1, "0001"), (2, "0003")),
        names("00", KEY, *matches[:1]),
    ]
    assert names("00", KEY, *matches) == same
    assert len({tuple(each) for each in [same, *others]}) == 5
    assert same[0].startswith("caravan-000000001-")


def test_the_manifest_of_100_000_matches_is_small() -> None:
    matches = {Partition("caravan", f"t{number}"): numbered(*range(10_000)) for number in range(10)}
    parts: Parts = planned({}, "00", matches)
    text = Manifest(parts).text()
    assert len(text) < 8_000
    assert Manifest.read(text, "it") == Manifest(parts)
    assert FULL == 5_000


def test_a_manifest_names_the_files_of_each_tournament(tmp_path: Path) -> None:
    parts = planned({}, "00", {KEY: numbered(1, 2)})
    Manifest(parts).write(tmp_path / "it")
    (found,) = json.loads((tmp_path / "it").read_text())["partitions"]
    assert (found["game"], found["tournament"]) == ("caravan", None)
    assert [part["file"] for part in found["parts"]] == [KEY.file(part) for part in parts[KEY]]
    assert found["sums"] == KEY.sums(parts[KEY])


def test_a_manifest_that_cannot_be_read_is_said() -> None:
    for text in ("{", "[]", '{"format": 2}', '{"format": 2, "partitions": [{}]}'):
        with pytest.raises(WarehouseError, match=r"^it: not readable; remove the lake"):
            Manifest.read(text, "it")
