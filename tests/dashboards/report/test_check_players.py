"""A report's reproducibility checks of players are compared with new checks, from the database or only the logs."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest

from dashboards.cli import report as cli_report
from dashboards.queries.filters import Filter
from dashboards.queries.provenance import player_verdicts_under
from dashboards.queries.reader import Reader
from dashboards.report.check import differences
from dashboards.report.model import DATA_ID, claims_of, packed, read_report
from himalaya_core.cli.main import main
from ingest.errors import WarehouseError
from ingest.load import reproducibility
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import ingest
from tests.copies import copied
from tests.core.tournament.test_asking import first, reseated
from tests.dashboards.report.fewer import fewer_figures
from tests.ingest.helping import summit_log, write

PAIR: Final = ("greedy", "random")
SWAPPED: Final = reseated([*summit_log("swapped", PAIR)], 1, 0)
STRANGE: Final = first([*summit_log("strange", PAIR)], player="careful")
SAID: Final = "in 3 of 6 seats the player repeated its choices; in 2 it chose differently; in 1 it could not be checked"
UNASKED: Final = "what players chose was not re-checked (himalaya check --players does that)"
HOLDS: Final = "the report agrees with the data: 3 matches, "
Out = pytest.CaptureFixture[str]


@pytest.fixture(scope="module", autouse=True)
def _fewer_figures() -> Iterator[None]:
    in_place = reproducibility._ask
    with fewer_figures(), pytest.MonkeyPatch.context() as patch:
        # Three matches are checked here; tests/ingest checks many with several processes.
        patch.setattr(reproducibility, "_ask", lambda warehouse, ids, _, report: in_place(warehouse, ids, 0, report))
        yield


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("logs") / "a.jsonl", summit_log("same", PAIR), SWAPPED, STRANGE)


@pytest.fixture(scope="module")
def unasked(logs: Path) -> Path:
    database = logs.with_name("unasked.duckdb")
    ingest([logs], database, processes=0)
    return database


@pytest.fixture(scope="module")
def asked(unasked: Path) -> Path:
    database = copied(unasked, unasked.with_name("asked.duckdb"))
    run_operation(database, "ask", {})
    return database


@pytest.fixture(scope="module")
def written(asked: Path) -> Path:
    return report_of(asked)


def report_of(database: Path, *filters: str) -> Path:
    path = database.with_suffix(".html")
    assert main(["report", "--out", str(path), "--db", str(database), *filters]) == 0
    return path


def forged(database: Path, folder: Path, match: str, *verdicts: str) -> Path:
    """Return the report of a warehouse in which the verdicts on a match's players were forged."""
    copy = copied(database, folder / "forged.duckdb")
    with duckdb.connect(str(copy)) as connection:
        values = {"match": match, "verdicts": ",".join(verdicts)}
        connection.execute("UPDATE raw_matches SET player_verdicts = $verdicts WHERE match = $match", values)
        connection.execute(
            """UPDATE dim_seats SET player_verdict = string_split(r.player_verdicts, ',')[dim_seats.seat + 1]
            FROM raw_matches r WHERE r.match_id = dim_seats.match_id"""
        )
    return report_of(copy)


def test_an_honest_report_holds_from_its_logs_alone(written: Path, logs: Path, capsys: Out) -> None:
    assert SAID in written.read_text("utf-8")
    assert read_report(written.read_text("utf-8"))["players"] == {"same": "rr", "strange": "nr", "swapped": "dd"}
    assert main(["report", "--check", str(written), "--logs", str(logs)]) == 0
    assert capsys.readouterr().out.startswith(HOLDS)


@pytest.mark.slow("another report")
def test_a_report_made_before_the_check_of_players_still_holds_after_it(
    unasked: Path, asked: Path, capsys: Out
) -> None:
    path = report_of(unasked)
    assert "what players chose was not re-checked (himalaya check --players does that)" in path.read_text("utf-8")
    capsys.readouterr()
    assert main(["report", "--check", str(path), "--db", str(asked)]) == 0
    assert capsys.readouterr().out.startswith(HOLDS)


@pytest.mark.slow("asks players again")
def test_only_players_that_the_report_says_were_checked_are_checked(
    unasked: Path, logs: Path, tmp_path: Path, capsys: Out
) -> None:
    some = copied(unasked, tmp_path / "some.duckdb")
    run_operation(some, "ask", {"matches": ["same"]})
    path = report_of(some)
    assert "in 2 of 6 seats the player repeated its choices; in 4 it has not been checked yet" in path.read_text(
        "utf-8"
    )
    assert main(["report", "--check", str(path), "--logs", str(logs)]) == 0
    other = copied(unasked, tmp_path / "other.duckdb")
    assert main(["report", "--check", str(path), "--db", str(other)]) == 0
    assert capsys.readouterr().out.count(HOLDS) == 2
    with duckdb.connect(str(other)) as connection:
        found = connection.execute("SELECT match FROM raw_matches WHERE player_verdicts IS NOT NULL").fetchall()
    assert found == [("same",)]


@pytest.mark.slow("asks players again")
def test_a_claim_that_the_players_contradict_differs(asked: Path, logs: Path, tmp_path: Path, capsys: Out) -> None:
    path = forged(asked, tmp_path, "swapped", "repeats", "repeats")
    assert "in 5 of 6 seats the player repeated its choices" in path.read_text("utf-8")
    capsys.readouterr()
    assert main(["report", "--check", str(path), "--logs", str(logs)]) == 1
    said = "the player repeated its choices in the report, it chose differently in the data"
    assert capsys.readouterr().out.splitlines() == [f"differs: swapped, seat {seat}: {said}" for seat in (1, 2)]


@pytest.mark.slow("another report")
def test_a_claim_about_a_missing_player_is_noted(asked: Path, logs: Path, tmp_path: Path, capsys: Out) -> None:
    path = forged(asked, tmp_path, "strange", "repeats", "repeats")
    capsys.readouterr()
    assert main(["report", "--check", str(path), "--logs", str(logs)]) == 0
    note, holds = capsys.readouterr().out.splitlines()
    said = "in 1 seat the player is not available here: the report's statements on it were not checked"
    assert (note, holds.startswith(HOLDS)) == (f"note: {said}", True)


def without_claims(page: str) -> str:
    data = read_report(page) | {"players": {}}
    return re.sub(f'(<template id="{DATA_ID}">)[^<]*', lambda found: found[1] + packed(data), page)


SAME_AGAIN: Final = "in all 6 seats the player repeated its choices"


@pytest.mark.slow("another report")
@pytest.mark.parametrize(
    ("tampered", "differs"),
    [
        (
            lambda page: page.replace(SAID, SAME_AGAIN),
            f"differs: standings, text: expected “{SAID}”, found “{SAME_AGAIN}”\n",
        ),
        (
            without_claims,
            f"differs: standings, text: expected “{UNASKED}”, found “{SAID}”\n",
        ),
    ],
    ids=["the sentence", "the data"],
)
def test_wording_that_departs_from_the_claims_is_a_difference(
    tampered: Callable[[str], str], differs: str, written: Path, asked: Path, tmp_path: Path, capsys: Out
) -> None:
    page = written.read_text("utf-8")
    path = tmp_path / "tampered.html"
    path.write_text(tampered(page), "utf-8")
    assert path.read_text("utf-8") != page
    assert main(["report", "--check", str(path), "--db", str(asked)]) == 1
    assert capsys.readouterr().out == differs


def test_a_check_without_players_says_so(
    written: Path, asked: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    operate = cli_report.operate

    def refused(options: Any, name: str, *arguments: Any) -> dict[str, Any]:
        if name == "ask":
            raise WarehouseError("asked.duckdb: cannot be written to")
        return operate(options, name, *arguments)

    monkeypatch.setattr(cli_report, "operate", refused)
    assert main(["report", "--check", str(written), "--db", str(asked)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(HOLDS)
    assert "note: the players' choices were not checked: asked.duckdb: cannot be written to" in said.err


def test_claims_are_about_the_seats_under_the_filter(asked: Path) -> None:
    with open_warehouse(asked) as warehouse:
        found = claims_of(player_verdicts_under(Reader(warehouse), Filter(players=("random",))))
    assert found == {"same": ".r", "strange": ".r", "swapped": "d"}


def test_contradicted_seats_beyond_the_first_are_counted(written: Path) -> None:
    said = read_report(written.read_text("utf-8")) | {"players": {"same": "r" * 8}, "page": ""}
    lines = differences(said, said | {"players": {"same": "d" * 8}})
    assert (len(lines), lines[-1]) == (6, "what players chose, in 3 other seats")
