"""A lake in a bucket: other tools read it as its README says, its logs can be derived, refusals are one sentence."""

import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
import requests
from fsspec.implementations.arrow import ArrowFSWrapper
from pyarrow import fs

from ingest.errors import WarehouseError
from ingest.maintenance.derive.run import derive
from ingest.maintenance.lake.bucket import LakeBucket, connected
from ingest.operations import run_operation
from tests.copies import copied
from tests.forked import run
from tests.ingest.helping import begun, rows, write
from tests.ingest.maintenance.buckets import keys_in, refusing, served
from tests.ingest.maintenance.deriving import Here
from tests.ingest.maintenance.lakes import brought, take

COMMAND = (sys.executable, "-c", "import sys; from himalaya_core.cli.main import main; sys.exit(main(sys.argv[1:]))")
SEATS = "SELECT tournament, player, won FROM dim_seats JOIN dim_matches USING (match_id)"


class InBucket(ArrowFSWrapper):
    """Lets DuckDB read a bucket without its S3 extension."""

    @property
    def protocol(self) -> str:
        return "s3"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served("made") as address:
        yield address


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    take(folder / "w.duckdb", write(folder / "a.jsonl", begun("a.1"), begun("a.2")), "2026")
    take(folder / "w.duckdb", write(folder / "b.jsonl", begun("b.1")))
    return folder / "w.duckdb"


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return copied(made, tmp_path)


@pytest.fixture
def lake(server: str, request: pytest.FixtureRequest) -> str:
    """The address to which a test may write a lake."""
    assert server
    return f"s3://made/{request.node.name.partition('[')[0]}/lake"


def objects(server: str, lake: str) -> set[str]:
    """Return the keys of a lake's objects, except folder markers."""
    prefix = lake.removeprefix("s3://made/") + "/"
    return {key.removeprefix(prefix) for key in keys_in(server, "made") if key.startswith(prefix) and key[-1] != "/"}


def lines(lake: str) -> list[str]:
    with connected().open_input_stream(f"{lake.removeprefix('s3://')}/README.md") as readme:
        text = readme.read().decode()
    return [each for each in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if each.count("\n") <= 3]


@pytest.mark.slow("a bucket")
def test_three_tools_read_it_by_the_lines_of_its_readme(database: Path, server: str, lake: str) -> None:
    done = brought(database, lake)
    assert done["matches"] == 3
    found: dict[str, Any] = {}
    for tool in ("pl.read_parquet", "pd.read_parquet", "duckdb.read_parquet"):
        if tool.startswith("duckdb"):
            endpoint = server.removeprefix("http://")
            duckdb.register_filesystem(InBucket(fs.S3FileSystem(endpoint_override=endpoint, scheme="http")))
        given: dict[str, Any] = {}
        exec(next(line for line in lines(lake) if tool in line), given)
        found[tool] = given["seats"]
    columns = ["tournament", "player", "won"]
    tables = [
        found["pl.read_parquet"].select(columns).rows(),
        pl.from_pandas(found["pd.read_parquet"][columns]).rows(),
        found["duckdb.read_parquet"].select(*columns).fetchall(),
    ]
    expected = sorted(rows(database, SEATS), key=repr)
    assert [sorted(each, key=repr) for each in tables] == [expected] * 3


@pytest.mark.slow("a bucket")
def test_a_bucket_holds_what_the_warehouse_holds_after_each_run(database: Path, server: str, lake: str) -> None:
    brought(database, lake)
    before = objects(server, lake)
    assert not [key for key in before if key.startswith("_writing")]
    done = brought(database, lake)
    assert (done["files"], objects(server, lake)) == (0, before)
    run_operation(database, "forget", {"matches": ["a.1", "a.2"]})
    brought(database, lake)
    assert pl.read_parquet(f"{lake}/dim_matches/")["match"].to_list() == ["b.1"]
    assert len([key for key in objects(server, lake) if key.startswith("raw_matches/")]) == 1


@pytest.mark.slow("a bucket")
def test_a_second_run_writes_only_new_data(database: Path, tmp_path: Path, server: str, lake: str) -> None:
    brought(database, lake)
    before = objects(server, lake)
    take(database, write(tmp_path / "c.jsonl", begun("c.1")))
    brought(database, lake)
    assert {key for key in before & objects(server, lake) if key.endswith(".parquet")} == set()
    assert sorted(pl.read_parquet(f"{lake}/dim_matches/")["match"]) == ["a.1", "a.2", "b.1", "c.1"]
    assert not [key for key in objects(server, lake) if key.startswith("_writing")]


@pytest.mark.slow("a bucket")
def test_logs_in_a_bucket_are_derived(server: str, lake: str, tmp_path: Path) -> None:
    address = lake.removesuffix("/lake")
    for name, text in {"a.jsonl": b"".join(begun("a.1")), "deep/b.jsonl": b"no log\n", "notes.txt": b"no log"}.items():
        url = f"{server}/{address.removeprefix('s3://')}/{name}"
        requests.put(url, data=text, timeout=10).raise_for_status()
    done = derive([address, f"{address}/a.jsonl"], tmp_path / "lake", Here())
    assert (done.matches, done.summary.put_aside, done.summary.files) == (1, 1, 2)
    raw = pl.read_parquet(tmp_path / "lake" / "raw_matches")
    assert raw["file"].to_list() == [f"{address.removeprefix('s3://')}/a.jsonl"]
    with pytest.raises(WarehouseError, match=f"{address}/nowhere: no logs there"):
        derive([f"{address}/nowhere"], tmp_path / "other", Here())


@pytest.mark.slow("a bucket")
def test_an_incomplete_run_stays_invisible(
    database: Path, server: str, lake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = LakeBucket.put
    calls: list[str] = []

    def ends(self: LakeBucket, table: str, file: str, made: Path) -> None:
        calls.append(table)
        if len(calls) == 10:
            raise KeyboardInterrupt
        put(self, table, file, made)

    monkeypatch.setattr(LakeBucket, "put", ends)
    with pytest.raises(KeyboardInterrupt):
        brought(database, lake)
    left = objects(server, lake)
    assert (len(left), all(key.startswith("_writing/") for key in left)) == (9, True)
    brought(database, lake)
    assert not [key for key in objects(server, lake) if key.startswith("_writing")]
    assert sorted(pl.read_parquet(f"{lake}/dim_matches/")["match"]) == ["a.1", "a.2", "b.1"]


@pytest.mark.slow("a bucket")
def test_a_run_that_stops_while_placing_objects_is_finished_by_the_next(
    database: Path, tmp_path: Path, server: str, lake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought(database, lake)
    take(database, write(tmp_path / "c.jsonl", begun("c.1")))
    with monkeypatch.context() as patched:
        replace = LakeBucket._replace

        def ends(self: LakeBucket, table: str, wanted: frozenset[str], before: frozenset[str]) -> None:
            if table == "dim_matches":
                raise KeyboardInterrupt
            replace(self, table, wanted, before)

        patched.setattr(LakeBucket, "_replace", ends)
        with pytest.raises(KeyboardInterrupt):
            brought(database, lake)
    brought(database, lake)
    assert sorted(pl.read_parquet(f"{lake}/dim_matches/")["match"]) == ["a.1", "a.2", "b.1", "c.1"]
    assert not [key for key in objects(server, lake) if key.startswith("_writing")]


@pytest.mark.slow("a bucket")
def test_a_missing_or_refusing_bucket_is_reported_in_one_line(database: Path, server: str, lake: str) -> None:
    def said(address: str) -> str:
        done = run([*COMMAND, "lake", address, "--db", str(database)], text=True)
        assert (done.returncode != 0, done.stderr.count("\n")) == (True, 1)
        return done.stderr

    assert "s3://nowhere/lake: no such bucket" in said("s3://nowhere/lake")
    assert "names no bucket" in said("s3://")
    with refusing(server):
        assert "the bucket refuses" in said(lake)
    assert objects(server, lake) == set()


@pytest.mark.slow("a bucket")
def test_an_unreachable_server_is_reported(database: Path, lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{nobody.getsockname()[1]}")
        with pytest.raises(WarehouseError, match="the server cannot be reached; see AWS_ENDPOINT_URL"):
            brought(database, lake)


@pytest.mark.slow("a bucket")
def test_a_prefix_with_something_else_in_it_is_left_alone(database: Path, server: str, lake: str) -> None:
    requests.put(f"{server}/{lake.removeprefix('s3://')}/thesis.txt", data="precious", timeout=10).raise_for_status()
    with pytest.raises(WarehouseError, match="has objects, but is not a lake; name another prefix"):
        brought(database, lake)
    assert objects(server, lake) == {"thesis.txt"}
