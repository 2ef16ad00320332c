"""Names that differ invisibly, e.g. by a trailing space, are one player in tables, filters and figures."""

import json
from pathlib import Path

import pytest

from dashboards.catalog.compare import sides_of
from dashboards.catalog.figures import all_figures
from dashboards.queries.addresses import Sort
from dashboards.queries.filters import Filter
from dashboards.queries.matches import MatchFilter, matches_page
from dashboards.queries.reader import Reader
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import ingest
from tests.core.log.damage import resign
from tests.ingest.helping import summit_log, write

ZOE, APART = "Zo\u00eb", "Zoe\u0308"
"""The same name, in NFC and NFD."""
SAID = [f"{APART!a} and {ZOE!r} count as one player", "'greedy' and 'greedy ' count as one player"]


def played(match: str, *names: str) -> list[bytes]:
    lines = summit_log(match, ("random", "greedy"))
    header = json.loads(lines[0])
    for seat, name in enumerate(names):
        header["data"]["seats"][seat]["player"] = name
    return resign([json.dumps(header).encode() + b"\n", *lines[1:]])


@pytest.mark.slow("every figure")
def test_two_spellings_are_one_player_everywhere(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    first = write(tmp_path / "a.jsonl", played("s.1", ZOE, "greedy "))
    assert ingest([first], database, processes=0).spellings == ()
    summary = ingest([write(tmp_path / "b.jsonl", played("s.2", APART, "greedy"))], database, processes=0)
    assert summary.text().splitlines()[-2:] == SAID
    assert ingest([write(tmp_path / "c.jsonl", summit_log("s.3", ("random", "racer")))], database).spellings == ()
    assert run_operation(database, "doctor", {})["remarks"][-2:] == SAID
    assert run_operation(database, "check", {})["findings"] == []
    with open_warehouse(database) as opened:
        reader, asked = Reader(opened), {"player": APART, "with": [f" {APART}", "greedy  "], "find": APART}
        shares = all_figures()["win-share"].frame(reader, Filter.read(asked))
        assert shares.select("player", "played").rows() == [(ZOE, 2)]
        listed, count = matches_page(reader, MatchFilter.read(asked), Sort("match"), 0, 10)
        assert (count, listed["line_up"].unique().to_list()) == (2, [f"{ZOE}, greedy"])
        assert set(listed["winner"]) <= {ZOE, "greedy"}
        versions = Filter(versions=(f"{APART} 1",))
        assert all_figures()["win-share"].frame(reader, versions)["played"].to_list() == [2]
        assert sides_of(reader, {"side": [APART, "greedy "]}).names == (ZOE, "greedy")
        ((log,),) = reader.rows("select count(*) from stg_match_started where contains(seats, 'greedy \"')", {})
        assert log == 1
