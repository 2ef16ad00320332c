"""Tables and figures for programs: consistent rows, filtered as on pages, in standard file formats."""

import io
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient

from dashboards.catalog.figures import figures_under
from dashboards.queries import export
from dashboards.queries.encoded import write_csv
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.web import data
from dashboards.web.data import AT_ONCE, MOST_KEPT, MadeFiles
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.tables.dictionary import published_tables
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client, everything

PRIVATE = ("app_store", "receipts", "quarantine", "ingest_runs", "raw_matches", "watched_files", "fct_seats")
READERS: dict[str, Callable[[bytes], pl.DataFrame]] = {
    "parquet": pl.read_parquet,
    "arrow": pl.read_ipc,
    "csv": pl.read_csv,
}


def read(client: Client, address: str) -> pl.DataFrame:
    answer = client.get(f"/api/tables/{address}")
    assert answer.status_code == 200, answer.text
    return READERS[address.partition("?")[0].rpartition(".")[2]](answer.data)


def refused(client: Client, address: str) -> tuple[int, str]:
    answer = client.get(address)
    assert answer.json is not None
    return answer.status_code, answer.json["message"]


def test_every_published_table_is_listed_and_explained(client: Client, reader: Reader) -> None:
    listed = client.get("/api/tables").json["tables"]
    assert [table["name"] for table in listed] == [table.name for table in published_tables()]
    assert not set(PRIVATE) & {table["name"] for table in listed}
    seats = next(table for table in listed if table["name"] == "dim_seats")
    assert (seats["grain"], seats["filters"], seats["rounds"]) == (["match_id", "seat"], True, False)
    assert {"name": "seat", "type": "INTEGER", "meaning": "seat at the table, from 0"} in seats["columns"]
    assert all(table["about"].endswith(".") and table["columns"] for table in listed)
    there = {name for (name,) in reader.rows("select table_name from duckdb_tables()", {})}
    assert set(PRIVATE) - {"fct_seats"} <= there  # these tables exist, but are private


@pytest.mark.slow("every table")
@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("table", ["dim_matches", "fct_caravan_trades", "dim_cohorts", "events"])
def test_a_table_has_all_its_rows_in_every_format(client: Client, reader: Reader, table: str, kind: str) -> None:
    ((rows,),) = reader.rows(f"select count(*) from {table}", {})
    found = read(client, f"{table}.{kind}")
    assert found.height == rows > 0
    names = [name for name, *_ in reader.rows(f"describe {table}", {})]
    assert found.columns == names


@pytest.mark.slow("every table")
def test_each_published_table_can_be_downloaded(client: Client, reader: Reader) -> None:
    counts = {name: reader.rows(f"select count(*) from {name}", {})[0][0] for name in names()}
    assert {name: read(client, f"{name}.parquet").height for name in names()} == counts


def names() -> list[str]:
    return [table.name for table in published_tables() if not table.name.startswith("stg_")]


def test_columns_say_what_they_mean_in_the_file(client: Client) -> None:
    parquet = pq.read_schema(io.BytesIO(client.get("/api/tables/dim_seats.parquet").data))
    arrow = pa.ipc.open_file(client.get("/api/tables/dim_seats.arrow").data).schema
    for schema in (parquet, arrow):
        assert schema.field("seat").metadata[b"meaning"] == b"seat at the table, from 0"


def test_a_filter_leaves_the_rows_of_the_matches_in_the_list(client: Client) -> None:
    query = "tournament=four&player=trader&result=won"
    listed = client.get(f"/api/matches?{query}").json
    found = read(client, f"dim_matches.parquet?{query}&columns=match,tournament")
    assert found.columns == ["match", "tournament"]
    assert sorted(found["match"]) == sorted(row["match"] for row in listed["rows"])
    assert 0 < found.height < read(client, "dim_matches.csv?columns=match").height
    assert read(client, "dim_seats.csv?option=yeti=true").is_empty()


def test_rounds_of_a_filter_leave_rows_of_these_rounds(client: Client) -> None:
    found = read(client, "fct_caravan_standings.arrow?from=3&to=4")
    assert set(found["round"]) == {3, 4}
    assert read(client, "dim_matches.csv?from=3&to=4").height == 13


def test_an_empty_answer_has_its_columns(client: Client) -> None:
    for kind in READERS:
        found = read(client, f"dim_matches.{kind}?tournament=four&players=2&columns=match,players")
        assert (found.columns, found.height) == (["match", "players"], 0)
    assert read(client, "dim_matches.parquet?tournament=four&players=2").schema["events"] == pl.Int32


REFUSED = {
    "/api/tables/tokens.csv": (404, "there is no table 'tokens'"),
    "/api/tables/dim_seat.csv": (404, "there is no table 'dim_seat'; did you mean 'dim_seats' or"),
    "/api/tables/dim_seats.csv?playr=x": (400, "no parameter 'playr'; did you mean 'player' or 'players'?"),
    "/api/tables/dim_seats.csv?player=tradr": (400, "no matches of player 'tradr'; did you mean 'trader'?"),
    "/api/tables/dim_seats.csv?seat=one": (400, "seat cannot be 'one'"),
    "/api/tables/dim_seats.csv?columns=seet": (400, "dim_seats has no column 'seet'; did you mean 'seat'?"),
    "/api/tables/dim_seats.csv?columns=1;drop": (400, "dim_seats has no column '1;drop'"),
    "/api/tables/dim_cohorts.csv?player=trader": (400, "dim_cohorts has no rows of single matches"),
    "/api/figures/win-shares": (404, "caravan has no figure 'win-shares'; did you mean 'win-share'?"),
    "/api/figures/win-share?turnament=four": (400, "no parameter 'turnament'; did you mean 'tournament'?"),
    "/api/figures?from=x": (400, "from cannot be 'x'"),
}


@pytest.mark.parametrize("address", REFUSED)
def test_a_meaningless_parameter_is_refused_naming_the_nearest(client: Client, address: str) -> None:
    status, message = refused(client, address)
    expected, says = REFUSED[address]
    assert status == expected
    assert says in message


# Cached, partial and limited tables


def test_a_cached_table_is_not_sent_again_until_new_data_is_loaded(tmp_path: Path, logs: Path) -> None:
    ingest([logs / "other.jsonl"], tmp_path / "w.duckdb", processes=0)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        client, address = everything(warehouse), "/api/tables/dim_seats.parquet"
        tag = client.get(address).headers["ETag"]
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
        assert client.get(f"{address}?columns=seat", headers={"If-None-Match": tag}).status_code == 200
        warehouse.close()
    ingest([logs / "cut-off.jsonl"], tmp_path / "w.duckdb", processes=0)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        again = everything(warehouse).get(address, headers={"If-None-Match": tag})
        assert (again.status_code, again.headers["ETag"] == tag) == (200, False)


def test_a_byte_range_can_be_requested(client: Client) -> None:
    whole = client.get("/api/tables/dim_seats.parquet")
    assert int(whole.headers["Content-Length"]) == len(whole.data)
    for said, part in (("bytes=4-9", slice(4, 10)), ("bytes=-8", slice(-8, None))):
        answer = client.get("/api/tables/dim_seats.parquet", headers={"Range": said})
        assert (answer.status_code, answer.data) == (206, whole.data[part])
    head = client.head("/api/tables/dim_seats.parquet")
    assert (int(head.headers["Content-Length"]), head.headers["Accept-Ranges"]) == (len(whole.data), "bytes")


@pytest.fixture
def making(client: Client, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Client, list[str], threading.Event]]:
    """A server that creates tables when signalled; with the list of created tables, and the signal."""
    made, go_on = list[str](), threading.Event()

    def write(columns: Any, batches: Any, file: IO[bytes]) -> None:
        made.append(columns[0].name)
        go_on.wait(60)
        write_csv(columns, batches, file)

    monkeypatch.setitem(data.WRITERS, "csv", write)
    yield everything(client.services.warehouse, has_pages=False), made, go_on
    go_on.set()


NAMES = ("player", "seat", "won", "place", "label")


def column(name: str) -> str:
    return f"/api/tables/dim_seats.csv?columns={name}"


def test_concurrent_exports_are_limited(making: tuple[Client, list[str], threading.Event]) -> None:
    client, made, go_on = making
    threads = [threading.Thread(target=client.another().get, args=[column(name)]) for name in NAMES[:AT_ONCE]]
    for thread in threads:
        thread.start()
    while len(made) < AT_ONCE:
        threads[0].join(0.001)
    refusal = client.get(column("won"))
    assert (refusal.status_code, refusal.json["message"]) == (
        503,
        "2 other files are being made; try again in a moment",
    )
    go_on.set()
    for thread in threads:
        thread.join()
    assert client.get(column("won")).text.startswith("won")


def test_the_last_ones_are_kept(making: tuple[Client, list[str], threading.Event]) -> None:
    client, made, go_on = making
    go_on.set()
    names = NAMES[: MOST_KEPT + 1]
    for name in (*names, names[-1], names[0]):
        assert client.get(column(name)).text.startswith(name)
    assert made == [*names, names[0]]


def test_a_file_that_makes_room_for_others_is_still_sent_and_none_has_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(data, "knows", lambda _: False)
    files = MadeFiles()
    first, *_ = [files.answer(name, "text/csv", name, lambda file: file.write(b"a,b")) for name in NAMES]
    assert TestClient(first).get("/").content == b"a,b"
    assert list(tmp_path.iterdir()) == []


def write(warehouse: Warehouse, rows: int, cause: str) -> None:
    with warehouse.writing() as connection:
        connection.execute("delete from fct_causes")
        connection.execute(
            "insert into fct_causes select range, 0, 0, $cause, 0.0 from range($rows)",
            {"rows": rows, "cause": cause},
        )


def test_no_cell_of_csv_is_a_formula(empty: Warehouse) -> None:
    write(empty, 1, "=cmd()")
    client = everything(empty)
    assert client.get("/api/tables/fct_causes.csv?columns=cause").text == "cause\n'=cmd()\n"
    assert read(client, "fct_causes.parquet?columns=cause")["cause"].to_list() == ["=cmd()"]


def test_reading_a_table_stops_when_its_client_leaves(empty: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "LOOK", 0.001)
    write(empty, 1_000_000, "cause")
    left = threading.Event()
    left.set()
    monkeypatch.setattr(data, "gone", lambda: left)
    answer = everything(empty, has_pages=False).get("/api/tables/fct_causes.csv")
    assert (answer.status_code, answer.json["message"]) == (503, "the query: the client has left")


def test_a_file_is_one_snapshot_and_its_readers_block_no_one(empty: Warehouse) -> None:
    write(empty, 100_000, "before")
    answer = everything(empty).get("/api/tables/fct_causes.csv?columns=cause")
    write(empty, 100_000, "after")
    with empty.put_away():  # waits for all readers of the database
        pass
    assert set(answer.text.splitlines()[1:]) == {"before"}


# Data of figures


def test_the_figures_of_a_game_come_with_the_meaning_of_their_columns(client: Client, reader: Reader) -> None:
    found = client.get("/api/figures?tournament=four").json
    assert found["game"] == "caravan"
    assert [each["name"] for each in found["figures"]] == list(figures_under(reader, Filter()))
    assert all(column["meaning"] for each in found["figures"] for column in each["columns"])


def test_a_figure_has_its_rows_its_finding_and_its_caption(client: Client) -> None:
    found = client.get("/api/figures/win-share?tournament=four&from=2").json
    assert {row["player"] for row in found["rows"]} == {"trader", "pilgrim", "envoy", "greedy"}
    assert set(found["rows"][0]) == {column["name"] for column in found["columns"]}
    assert found["finding"].endswith(".")
    assert found["caption"].startswith("Counts all")
    rows = pl.read_csv(client.get("/api/figures/win-share.csv?tournament=four&from=2").data)
    assert rows["player"].to_list() == [row["player"] for row in found["rows"]]


@pytest.mark.parametrize("some", [6, pytest.param(1, marks=pytest.mark.slow("every figure"))])
def test_every_figure_is_json_that_any_reader_knows(client: Client, some: int) -> None:
    for each in client.get("/api/figures").json["figures"][::some]:
        text = client.get(f"/api/figures/{each['name']}").text
        assert not {"NaN", "Infinity"} & set(text.replace(",", " ").split()), each["name"]
