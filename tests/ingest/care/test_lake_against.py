"""Two lakes compared: which matches are in both, which of those have another log, and from where each came."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from ingest.care.lake.against import Differing, Overlap, Source, compared
from ingest.errors import WarehouseError
from tests.core.cli.commands import Command
from tests.ingest.care.lakes import brought, take
from tests.ingest.helping import begun, summit_log, write

pytestmark = pytest.mark.slow("two lakes of the same matches")
PAIR = ("random", "greedy")
CLIMB = summit_log("s.1", PAIR)[:30]
AGAIN = summit_log("s.1", PAIR, luck="other dice")[:25]
TOWER = begun("k.1")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lakes: spring of three matches, autumn with one of these, one that goes on there, and one of its own; others."""
    folder = tmp_path_factory.mktemp("made")
    of = {
        "spring": [begun("a.1"), CLIMB, TOWER],
        "autumn": [begun("b.1"), TOWER, AGAIN, begun("a.1")[:40]],
        "winter": [begun("w.1")],
        "none": [],
    }
    for name, logs in of.items():
        take(folder / f"{name}.duckdb", write(folder / f"{name}.jsonl", *logs), None if name == "spring" else "cup")
        brought(folder / f"{name}.duckdb", folder / name)
    return folder


@pytest.fixture
def lakes(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def differing(made: Path, other: str) -> list[Differing]:
    """Return what should be said of `spring` and another lake."""
    spring, autumn = str(made / "spring.jsonl"), str(made / "autumn.jsonl")
    before = len(begun("b.1")) + len(TOWER) + 1
    return [
        Differing("a.1", other, Source(spring, 1, 60), Source(autumn, before + len(AGAIN), 40)),
        Differing("s.1", other, Source(spring, 61, len(CLIMB)), Source(autumn, before, len(AGAIN))),
    ]


def test_what_is_in_both_is_counted_and_what_differs_is_named_with_both_places(lakes: Path) -> None:
    others = [lakes / "autumn", lakes / "winter", lakes / "none", lakes / "spring"]
    with compared(lakes / "spring", others) as found:
        assert found.matches == 3
        assert found.overlaps == [
            Overlap(str(lakes / "autumn"), 4, 1, 2),
            Overlap(str(lakes / "winter"), 1, 0, 0),
            Overlap(str(lakes / "none"), 0, 0, 0),
            Overlap(str(lakes / "spring"), 3, 3, 0),
        ]
        assert list(found.differing) == differing(lakes, str(lakes / "autumn"))


def test_from_the_other_side_it_is_the_same(lakes: Path) -> None:
    with compared(lakes / "autumn", [lakes / "spring"]) as found:
        turned = [Differing(match, "", there, here) for match, _, here, there in found.differing]
    assert turned == differing(lakes, "")


def test_the_command_says_so_in_sentences(himalaya: Command, lakes: Path) -> None:
    done = himalaya("lake", "spring", "--against", "autumn", "winter")
    first, second = differing(lakes, "autumn")
    assert done.code == 3
    climb, again = (f"{len(lines)} lines" for lines in (CLIMB, AGAIN))
    here, there = (f"{lakes}/{name}.jsonl" for name in ("spring", "autumn"))
    assert done.out.replace(": sums of both", "\nsums of both").splitlines() == [
        "3 of the 3 matches of spring are in autumn too, 1 with the same log and 2 with another",
        "sums of both would count them twice",
        "no match of spring is in winter: their sums may be added up",
        f"a.1 differs: in spring from {here}:1 (60 lines), in autumn from {there}:{first.there.line} (40 lines)",
        f"s.1 differs: in spring from {here}:61 ({climb}), in autumn from {there}:{second.there.line} ({again})",
    ]
    assert himalaya("lake", "spring", "--against", "winter", "none", "spring").code == 0


def test_the_command_says_so_as_json(himalaya: Command, lakes: Path) -> None:
    done = himalaya("lake", "spring", "--against", "autumn", "winter", "--json")
    said = json.loads(done.out)
    assert (done.code, said["lake"], said["matches"]) == (3, "spring", 3)
    assert said["others"][0] == {"lake": "autumn", "matches": 4, "same": 1, "differing": 2}
    assert [each["match"] for each in said["differing"]] == ["a.1", "s.1"]
    here = {"file": str(lakes / "spring.jsonl"), "line": 1, "events": 60}
    assert (said["differing"][0]["here"], said["differing"][0]["other"]) == (here, "autumn")
    done = himalaya("lake", "spring", "--against", "winter", "--json")
    assert (done.code, json.loads(done.out)["differing"]) == (0, [])


def test_lakes_are_only_read(himalaya: Command, lakes: Path) -> None:
    before = sorted((path, path.lstat().st_mtime_ns) for path in lakes.rglob("*"))
    himalaya("lake", "spring", "--against", "autumn")
    assert sorted((path, path.lstat().st_mtime_ns) for path in lakes.rglob("*")) == before


@pytest.mark.parametrize(
    "options", [["--against", "autumn", "--compact"], ["--against", "autumn", "--format", "iceberg"], ["--json"]]
)
def test_what_goes_together_is_said(himalaya: Command, options: list[str]) -> None:
    done = himalaya("lake", "spring", *options)
    assert done.code == 2
    assert "--against" in done.err


def without_a_column(lake: Path) -> None:
    file = next((lake / "dim_matches").iterdir())
    pl.read_parquet(file).drop("pairing").write_parquet(file)


def of_another_format(lake: Path) -> None:
    (lake / "_now" / "_manifest.json").write_text('{"format": 9, "partitions": []}')


def cut(lake: Path) -> None:
    file = next((lake / "raw_matches").iterdir())
    file.write_bytes(file.read_bytes()[:100])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without_a_column, "broken: its table dim_matches has other columns than in a lake of this version"),
        (of_another_format, r"broken/_manifest.json: a lake of a newer himalaya \(format 9\)"),
        (cut, r"broken/raw_matches/.*parquet: is damaged"),
        (shutil.rmtree, "broken: no such folder"),
    ],
)
def test_a_lake_that_cannot_be_compared_is_named(
    lakes: Path, tmp_path: Path, change: Callable[[Path], None], reason: str
) -> None:
    broken = shutil.copytree(lakes / "winter", tmp_path / "broken", symlinks=True)
    change(broken)
    for one, other in ((broken, lakes / "spring"), (lakes / "spring", broken)):
        with pytest.raises(WarehouseError, match=reason), compared(one, [other]):
            pass


def test_a_lake_that_changes_while_it_is_read_is_named(lakes: Path, tmp_path: Path) -> None:
    moving = shutil.copytree(lakes / "autumn", tmp_path / "moving", symlinks=True)

    def read_it_to_the_end() -> None:
        with compared(lakes / "spring", [moving]) as found:
            shutil.rmtree(moving)
            next(found.differing)

    with pytest.raises(WarehouseError, match=r"moving/.* has ended, do the same again$"):
        read_it_to_the_end()
