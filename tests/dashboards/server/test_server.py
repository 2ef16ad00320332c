"""Serving: startup errors are one line, and several readers are served in parallel."""

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from plotly.offline import get_plotlyjs_version

from dashboards import server
from dashboards.app import add_callbacks_of_pages, create_app
from dashboards.queries.addresses import Sort
from dashboards.queries.matches import MatchFilter, matches_page
from dashboards.queries.reader import Reader
from dashboards.server import ServeError, opened, serve
from dashboards.web import callbacks
from ingest import opening
from ingest.errors import WarehouseError
from ingest.opening import open_for_reading
from ingest.warehouse import Warehouse, sentence
from tests.copies import copied
from tests.dashboards.client import everything


def test_no_answer_waits_for_the_client_to_confirm_the_last_piece() -> None:
    with server._listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_in_use(database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match=f"cannot listen on 127.0.0.1:{port} .* choose another with --port"):
            serve(database, "127.0.0.1", port)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "text.duckdb"
    path.write_text("not a database")
    with pytest.raises(ServeError, match="not a DuckDB file"):
        serve(path, "127.0.0.1", 0)


def test_a_database_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "else.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("create table shopping (item varchar)")
    with pytest.raises(ServeError, match="not a database of himalaya"):
        serve(path, "127.0.0.1", 0)


def test_a_database_of_a_newer_himalaya(empty: Warehouse) -> None:
    with empty.writing() as connection:
        connection.execute("update schema_version set version = version + 1")
    empty.close()
    with pytest.raises(ServeError, match=r"written by a newer himalaya .* upgrade himalaya"):
        serve(empty.database, "127.0.0.1", 0)


def test_several_threads_read_concurrently(reader: Reader) -> None:
    with ThreadPoolExecutor(6) as pool:
        totals = pool.map(lambda _: matches_page(reader, MatchFilter(), Sort(), 0, 5)[1], range(24))
    assert set(totals) == {13}


def test_late_imports_of_figures_are_preloaded() -> None:
    files = Path(server.__file__).parent.rglob("*.py")
    late = {name for file in files for name in re.findall(r"^ +from (\S+) import", file.read_text(), re.MULTILINE)}
    assert {name for name in late if name.startswith("scipy")} == set(server.AHEAD)


def test_an_app_can_be_made_twice(warehouse: Warehouse, empty: Warehouse) -> None:
    first, second = everything(warehouse), everything(empty)
    assert first.get("/api/matches").json["total"] == 13
    assert second.get("/api/matches").json["total"] == 0


def test_a_database_that_may_not_be_written_to_is_served_as_it_is(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = copied(database, tmp_path / "copy.duckdb")

    def refuse(_: Path, __: object) -> Warehouse:
        error = duckdb.IOException(f'IO Error: Cannot open file "{copy}": Read-only file system')
        raise WarehouseError(sentence(error, copy))

    monkeypatch.setattr(opening, "open_warehouse", refuse)
    with opened(copy) as warehouse:
        assert everything(warehouse).get("/api/matches").json["total"] == 13
        with pytest.raises(WarehouseError, match="cannot be written to"), warehouse.writing():
            pass


def test_a_database_of_another_version_that_may_not_be_written_to_is_not_served(empty: Warehouse) -> None:
    with empty.writing() as connection:
        connection.execute("UPDATE schema_version SET version = 1")
    empty.close()
    with pytest.raises(WarehouseError, match="written by an older himalaya"):
        open_for_reading(empty.database)


def test_the_plotly_that_pages_get_is_of_the_version_installed() -> None:
    """After upgrading `plotly` in the lock file, also update the bundled script."""
    assert get_plotlyjs_version() == callbacks.VERSION
    assert f"plotly.js (cartesian - minified) v{callbacks.VERSION}\n" in callbacks.PLOTLY.read_text("utf-8")[:100]


@pytest.mark.parametrize(
    ("asked", "hint", "file", "kept"),
    [
        ("plotly/package_data/plotly.min.js", callbacks.AT_ONCE, callbacks.PLOTLY, "no-cache"),
        ("dash/deps/polyfill@7.v4_4_1m1.12.1.min.js", b"", callbacks.GENERATORS, "max-age=31536000"),
    ],
)
def test_a_bundle_part_replaces_the_whole_and_is_cached_by_version(
    asked: str, hint: bytes, file: Path, kept: str, empty: Warehouse
) -> None:
    client, address = everything(empty), f"/_dash-component-suites/{asked}"
    answer = client.get(address)
    assert answer.status_code == 200
    assert kept in answer.headers["Cache-Control"]
    assert hash(answer.data) == hash(hint + file.read_bytes())  # pytest would take long to show a difference
    assert client.get(address, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_an_open_page_finds_its_callbacks_before_any_page_is_requested(empty: Warehouse) -> None:
    """After a restart, open pages send their callbacks immediately and concurrently."""
    app = create_app(empty)
    add_callbacks_of_pages(app)
    assert "callback" in app.callback_map[".._pages_content.children..._pages_store.data.."]
