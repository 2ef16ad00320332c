"""Logs in a bucket are derived like logs in a folder; refusals by a bucket are reported in one line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ingest.errors import WarehouseError
from ingest.maintenance.derive.run import derive
from ingest.maintenance.lake.bucket import connected
from tests.ingest.helping import log
from tests.ingest.maintenance.buckets import refusing, served
from tests.ingest.maintenance.deriving import Here, differing

LOGS = "s3://logs/cup"


pytestmark = [pytest.mark.usefixtures("server"), pytest.mark.slow("a bucket")]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served("logs") as address:
        for name, text in OBJECTS.items():
            put(f"cup/{name}", text)
        yield address


def put(key: str, text: bytes) -> None:
    with connected().open_output_stream(f"logs/{key}") as target:
        target.write(text)


OBJECTS = {
    "a.jsonl": b"".join((*log("a.1"), *log("a.2")[:90])),
    "b/rest.jsonl": b"".join(log("a.2")[90:]) + b"no log\n",
    "c.jsonl.partial": b"".join(log("c.1")[:10]),
    "notes.txt": b"no log\n",
}


def test_a_lake_derived_in_a_bucket_equals_one_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name, text in OBJECTS.items():
        (tmp_path / name).write_bytes(text)
    done = derive([LOGS], tmp_path / "lake", Here())
    assert (done.matches, done.summary.put_aside, done.summary.files) == (2, 1, 2)
    derive([tmp_path], tmp_path / "other", Here())
    for lake, root in ((tmp_path / "lake", "logs/cup"), (tmp_path / "other", str(tmp_path))):
        raw = pl.read_parquet(lake / "raw_matches")
        assert set(raw["file"]) == {f"{root}/a.jsonl"}
        assert set(pl.read_parquet(lake / "quarantine")["file"]) == {f"{root}/b/rest.jsonl"}
    found = differing(tmp_path / "lake", tmp_path / "other")
    assert found == {"dim_matches": (2, 2), "raw_matches": (2, 2)}  # only names of files differ
    assert not derive([LOGS], tmp_path / "lake", Here()).is_new


def test_one_object_is_derived_by_its_address_and_no_object_twice(tmp_path: Path) -> None:
    assert derive([f"{LOGS}/a.jsonl", LOGS], tmp_path / "lake", Here()).summary.files == 2
    assert derive([f"{LOGS}/a.jsonl"], tmp_path / "one", Here()).summary.files == 1


def test_an_object_that_changes_meanwhile_stops_the_run(tmp_path: Path) -> None:
    class Slow(Here):
        def answers(self, function: Any, given: Any) -> Any:
            if hasattr(given[0], "share"):
                put("other/d.jsonl", b"".join(log("d.1")))
            yield from super().answers(function, given)

    put("other/d.jsonl", b"no log\n")
    with pytest.raises(WarehouseError, match=r"^s3://logs/other/d\.jsonl: it changed while the logs were derived"):
        derive(["s3://logs/other/d.jsonl"], tmp_path / "lake", Slow())


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("s3://", "s3://: names no bucket; write s3://BUCKET/PREFIX"),
        ("s3://nowhere/logs", "s3://nowhere/logs: no such bucket"),
        ("s3://logs/cap", r"s3://logs/cap: no logs there; their names end in \.jsonl or "),
    ],
)
def test_missing_objects_are_named(address: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match=reason):
        derive([address], tmp_path / "lake", Here())
    assert not (tmp_path / "lake").exists()


def test_a_bucket_that_refuses_is_named_by_driver_and_worker(server: str, tmp_path: Path) -> None:
    class Refused(Here):
        """A pool whose workers cannot read the logs that the coordinator could list."""

        def answers(self, function: Any, given: Any) -> Any:
            with refusing(server):
                yield from super().answers(function, given)

    with refusing(server), pytest.raises(WarehouseError, match=f"^{LOGS}: the bucket refuses"):
        derive([LOGS], tmp_path / "lake", Here())
    with pytest.raises(WarehouseError, match=rf"^{LOGS}/\S+: the bucket"):
        derive([LOGS], tmp_path / "lake", Refused())
    assert not (tmp_path / "lake" / "dim_matches").exists()
