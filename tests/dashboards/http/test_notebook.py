"""The example of docs/researcher.md: what a notebook reads from a server."""

import logging
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from dash import Dash
from werkzeug.serving import make_server

DOCUMENT = Path(__file__).parents[3] / "docs" / "researcher.md"
SERVER = "http://127.0.0.1:8050"


@pytest.fixture
def address(app: Dash) -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, app.server, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow("runs the example")
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # a notebook leaves answers to be closed by Python
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_every_line_of_the_example(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    section = DOCUMENT.read_text(encoding="utf-8").partition("## In a notebook")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert SERVER in code
    names: dict[str, Any] = {}
    exec(compile(code.replace(SERVER, address), str(DOCUMENT), "exec"), names)
    assert names["tables"].height == names["shares"].height == 5
    assert (names["seats"].columns, names["seats"].schema["won"]) == (["match_id", "player", "won"], pl.Boolean)
    assert names["trades"].height > 0
    assert names["arrow"].num_rows == 13
    assert capsys.readouterr().out.endswith(".\n")


@pytest.mark.slow("runs the example")
def test_a_reader_of_parquet_asks_for_parts(address: str) -> None:
    lazy = pl.scan_parquet(f"{address}/api/tables/dim_seats.parquet")
    assert lazy.select("player").collect().height == lazy.collect().height > 0
