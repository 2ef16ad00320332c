"""`himalaya report`: written, checked against the database or only the logs, and different after a change."""

import base64
import gzip
import io
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import zstandard

from dashboards.cli.report import FILTER
from dashboards.report.check import differences, notes
from dashboards.report.model import read_report
from dashboards.report.render import REPORT_OPERATIONS
from dashboards.report.words import FILTER_KEYS
from himalaya_core.cli.main import main
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from tests.dashboards.conftest import copied
from tests.dashboards.report.fewer import fewer_figures
from tests.ingest.helping import summit_log, write

PAIR = ("racer", "porter")


@pytest.fixture(scope="module", autouse=True)
def _fewer_figures() -> Iterator[None]:
    """Limit the figures; test_report.py checks complete reports."""
    with fewer_figures("ratings", "placement"):
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def database(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory, "caravan", logs)


@pytest.fixture(scope="module")
def found(database: Path) -> dict[str, Any]:
    """Return the current data for comparison with the report."""
    with open_warehouse(database) as warehouse:
        data = REPORT_OPERATIONS["report_data"](warehouse, {"filter": [("tournament", "three")]}, lambda _: None)
    return dict(json.loads(json.dumps(data)))


@pytest.fixture(scope="module")
def written(database: Path, folder: Path) -> Path:
    path = folder / "three.html"
    assert main(["report", "--tournament", "three", "--out", str(path), "--db", str(database)]) == 0
    return path


def lines_of(log: Path) -> list[bytes]:
    data = log.read_bytes()
    if log.suffix == ".zst":
        data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)).read()
    return data.splitlines(keepends=True)


def test_a_report_holds_against_its_database(written: Path, database: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["report", "--check", str(written), "--db", str(database)]) == 0
    assert capsys.readouterr().out.startswith("the report agrees with the data: 3 matches, ")


CAPTION = re.compile(r"(<article class=\"card\" id=\"figure-placement\">.*?<figcaption>)(.*?)</figcaption>", re.DOTALL)
DOT = re.compile(r"(id=\"figure-ratings\">.*?<circle[^>]*?) cx=\"[\d.]+\"", re.DOTALL)
CELL = re.compile(r"(id=\"figure-win-share\">.*?<tbody><tr><th[^>]*>)(\w+)<", re.DOTALL)


@pytest.mark.parametrize(
    ("there", "instead", "differs"),
    [
        ("<h1>three</h1>", "<h1>The best</h1>", r"header, title: expected “three”, found “The best”"),
        (
            CAPTION,
            r"\1random wins.</figcaption>",
            r"placement, sentence: expected “At .*”, found “random wins.”",
        ),
        (DOT, r'\1 cx="7"', r"ratings, drawing: expected “<circle .*cx=\"[\d.]+\".*”, found “<circle .*cx=\"7\".*”"),
        (CELL, r"\1nobody<", r"win-share, table: expected “\w+”, found “nobody”"),
        (
            "</template>",
            "</template ><p>trader wins</p><!-- </template> -->",
            r"the page, sentence: expected nothing, found “trader wins”",
        ),
        (
            "</body>",
            '<template id="himalaya-report"></template></body>',
            r"outside its words and drawings: expected “</body>”, found “<template id=.*></template></body>”",
        ),
        (".card {", ".card { display: none;", r"outside its words and drawings: expected “.card .*”, found “.*none.*”"),
    ],
)
def test_a_page_that_departs_from_its_data_is_reported_with_the_place(
    written: Path, found: dict[str, Any], there: str | re.Pattern[str], instead: str, differs: str
):
    text = written.read_text("utf-8")
    assert differences(said_by(text), found) == []
    one = there if isinstance(there, re.Pattern) else re.compile(re.escape(there))
    (line,) = differences(said_by(one.sub(instead, text, count=1)), found)
    assert re.fullmatch(differs, line, re.DOTALL), line


def test_places_beyond_the_first_are_counted(written: Path, found: dict[str, Any]):
    text = written.read_text("utf-8")
    lines = differences(said_by(text.replace("trader", "peddler")), found)
    assert [line.split(":")[0] for line in lines[:2]] == ["win-share, sentence", "win-share, drawing"]
    assert re.fullmatch(r"\d+ other places", lines[5])
    assert len(lines) == 6


def test_a_difference_is_the_answer_of_the_command(
    written: Path, database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    doctored = tmp_path / "doctored.html"
    doctored.write_text(written.read_text("utf-8").replace("<h1>three</h1>", "<h1>The best</h1>"), "utf-8")
    assert main(["report", "--check", str(doctored), "--db", str(database)]) == 1
    assert capsys.readouterr().out == "differs: header, title: expected “three”, found “The best”\n"


@pytest.mark.slow("test_check_players.py holds a report against logs alone")
def test_the_logs_are_enough_to_check_it(written: Path, logs: Path, capsys: pytest.CaptureFixture[str]):
    (log,) = logs.glob("three-*.jsonl*")
    assert main(["report", "--check", str(written), "--logs", str(log), str(logs / "other.jsonl")]) == 0
    assert capsys.readouterr().out.startswith("the report agrees with the data: 3 matches, ")


@pytest.mark.slow("another report")
def test_a_log_that_is_missing_is_named(written: Path, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (log,) = logs.glob("three-*.jsonl*")
    lines = lines_of(log)
    last = b'"match":"three.000002"'
    (tmp_path / "fewer.jsonl").write_bytes(b"".join(line for line in lines if last not in line))
    assert main(["report", "--check", str(written), "--logs", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "differs: logs missing now: three.000002" in out
    assert "differs: win-share" in out
    assert "differs: the digest of the logs: " in out


def renamed(lines: list[bytes], *, sealed: bool) -> Iterator[bytes]:
    """Rename the trader in a log; if `sealed`, with a matching digest."""
    body = b""
    for line in lines:
        changed = line.replace(b'"player":"trader"', b'"player":"peddler"')
        if b'"type":"match_ended"' in line and sealed:
            changed = re.sub(rb"[0-9a-f]{64}", sha256(body).hexdigest().encode(), changed, count=1)
        body = b"" if b'"type":"match_ended"' in line else body + changed
        yield changed


@pytest.mark.parametrize("sealed", [True, pytest.param(False, marks=pytest.mark.slow("ingest refuses such a log"))])
def test_a_log_that_was_changed_is_named(
    written: Path, logs: Path, tmp_path: Path, sealed: bool, capsys: pytest.CaptureFixture[str]
):
    (log,) = logs.glob("three-*.jsonl*")
    (tmp_path / "changed.jsonl").write_bytes(b"".join(renamed(lines_of(log), sealed=sealed)))
    assert main(["report", "--check", str(written), "--logs", str(tmp_path)]) == 1
    said = capsys.readouterr()
    if sealed:
        assert "differs: logs changed since: three.000000, three.000001, three.000002" in said.out
        assert "differs: seats of peddler 1" in said.out
    else:  # ingest would notice the wrong digest
        assert "some logs are not valid, and do not count" in said.err
        assert "differs: no finished match fits the filter (tournament three); the report has 3" in said.out


@pytest.mark.slow("another report")
def test_a_log_loaded_since_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    fresh, page = tmp_path / "fresh.duckdb", tmp_path / "all.html"
    ingest([write(tmp_path / "first.jsonl", summit_log("first", PAIR))], fresh)
    assert main(["report", "--out", str(page), "--db", str(fresh)]) == 0
    ingest([write(tmp_path / "other.jsonl", summit_log("other", PAIR))], fresh)
    assert main(["report", "--check", str(page), "--db", str(fresh)]) == 1
    assert "differs: logs not in the report: other" in capsys.readouterr().out


@pytest.mark.soak("hundreds of matches")
def test_every_figure_can_be_printed(database: Path, tmp_path: Path):
    path = tmp_path / "r.pdf"
    assert main(["report", "--filter", "tournament=three", "--out", str(path), "--db", str(database)]) == 0
    assert path.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "r.docx"], "'r.docx' does not end in .html, .pdf, .xlsx"),
        (["--tournament", "nobody", "--out", "r.html"], "the filter: no matches of tournament 'nobody'; there are "),
        (["--tournament", "thre", "--out", "r.html"], "no matches of tournament 'thre'; did you mean 'three'?"),
        (["--version", "greedy 99", "--out", "r.html"], "no matches of version 'greedy 99'; did you mean 'greedy "),
        (["--players", "9", "--out", "r.html"], "no finished match fits the filter (table of 9 players)"),
        (["--seat", "0", "--out", "r.html"], "the filter: seat cannot be '0'"),
        (["--filter", "tournment=three", "--out", "r.html"], "the filter: expected one of game"),
        (["--check", "nowhere.html"], "cannot read nowhere.html: no such file or folder"),
        (["--check", "pyproject.toml"], "expected a report that `himalaya report` wrote as HTML, found none"),
        (["--out", "/no/such/folder/r.html", "--tournament", "three"], "cannot be written"),
        (["--logs", "logs", "--out", "r.html"], "--logs needs --check"),
        (["--db", "no.duckdb", "--out", "r.html"], "no.duckdb: no such database"),
        ([], "one of the arguments --out --check is required"),
    ],
)
def test_impossible_requests_get_one_line_errors(
    database: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    try:
        code = main(["report", "--db", str(database), *arguments])
    except SystemExit as stopped:
        code = int(str(stopped.code))
    err = capsys.readouterr().err
    assert code == 2
    assert message in err
    assert len([line for line in err.splitlines() if line.startswith("himalaya")]) == 1


def test_a_filter_cannot_be_combined_with_a_check(written: Path, database: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["report", "--check", str(written), "--tournament", "four", "--db", str(database)]) == 2
    assert "--check uses the filter of the report" in capsys.readouterr().err


def test_the_command_knows_every_key_of_a_filter():
    assert tuple(FILTER) == FILTER_KEYS


def said_by(text: str) -> dict[str, Any]:
    return read_report(text) | {"page": text}


def test_each_difference_is_reported(written: Path):
    said, found = (said_by(written.read_text("utf-8")) for _ in range(2))
    assert differences(said, said) == notes(said, said) == []
    found["software"] = "9.9"
    (note,) = notes(said, found)
    assert note.endswith(f"{said['software']}, this is 9.9: only its data is checked, not its words and drawings")
    found["page"] = "drawn otherwise"
    assert differences(said, found) == []
    found["figures"]["win-share"]["rows"][0][3] += 0.25
    found["figures"]["ratings"]["rows"].pop()
    found["figures"]["new"] = found["figures"].pop("placement")
    found["telling"] = [["three.000000", "another moment"]]
    lines = differences(said, found)
    assert lines[0].startswith("win-share, row 1 (")
    assert "win_share: " in lines[0]
    assert lines[1:] == [
        "ratings: 3 rows in the report, 2 in the data",
        "placement: this version of himalaya has no such figure",
        "new: not in the report",
        "the notable matches or their moments",
    ]


def test_the_last_digits_of_a_fit_are_no_difference(written: Path):
    said, found = (said_by(written.read_text("utf-8")) for _ in range(2))
    for row in found["figures"]["ratings"]["rows"]:
        row[3] *= 1 + 1e-8
    assert differences(said, found) == []


def test_the_data_is_gzipped_without_a_time(written: Path):
    (packed,) = re.findall(r'<template id="himalaya-report">(.*?)</template>', written.read_text("utf-8"))
    raw = base64.b64decode(packed)
    assert raw[4:8] == bytes(4)
    assert gzip.decompress(raw).startswith(b'{"format":1,')
