"""The example of docs/how-to/query-the-data.md: reading data from a server."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ingest.warehouse import Warehouse
from tests.dashboards.client import everything
from tests.dashboards.server.web import serving

DOCUMENT = Path(__file__).parents[3] / "docs" / "how-to" / "query-the-data.md"
SERVER = "http://127.0.0.1:8050"


@pytest.fixture
def address(warehouse: Warehouse) -> Iterator[str]:
    with serving(everything(warehouse, has_pages=False).web) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.mark.slow("runs the example")
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # a notebook leaves closing responses to Python
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_every_line_of_the_example(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    section = DOCUMENT.read_text(encoding="utf-8").partition("## Read from a server")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert SERVER in code
    names: dict[str, Any] = {}
    exec(compile(code.replace(SERVER, address), str(DOCUMENT), "exec"), names)
    assert names["shares"].height == 5
    assert (names["seats"].columns, names["seats"].schema["won"]) == (["match_id", "player", "won"], pl.Boolean)
    assert names["trades"].height > 0
    assert capsys.readouterr().out.endswith(".\n")


@pytest.mark.slow("runs the example")
def test_a_parquet_reader_requests_byte_ranges(address: str) -> None:
    lazy = pl.scan_parquet(f"{address}/api/tables/dim_seats.parquet")
    assert lazy.select("player").collect().height == lazy.collect().height > 0
