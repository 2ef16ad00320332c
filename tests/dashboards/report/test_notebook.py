"""The notebook in docs/ runs and reproduces a figure of the catalog."""

import json
from pathlib import Path
from typing import Any

import pytest
from polars.testing import assert_frame_equal

from dashboards.catalog.figures import all_figures
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from ingest.opening import open_warehouse
from tests.dashboards.conftest import copied

NOTEBOOK = Path(__file__).parents[3] / "docs" / "win-share.ipynb"


@pytest.mark.parametrize("tournament", ["four", "three"])
def test_the_notebook_counts_what_the_catalog_counts(
    logs: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, tournament: str
):
    database = copied(tmp_path_factory, "caravan", logs)
    monkeypatch.setenv("HIMALAYA_DB", str(database))
    monkeypatch.setenv("HIMALAYA_TOURNAMENT", tournament)
    document = json.loads(NOTEBOOK.read_text("utf-8"))
    names: dict[str, Any] = {}
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
    with open_warehouse(database) as warehouse:
        truth = all_figures()["win-share"].frame(Reader(warehouse), Filter(tournaments=(tournament,)))
    columns = ["player", "played", "groups", "win_share", "win_share_low", "win_share_high"]
    assert_frame_equal(names["win_share"].select(columns), truth.select(columns), check_dtypes=False, abs_tol=1e-12)
