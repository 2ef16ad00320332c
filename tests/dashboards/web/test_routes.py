"""Tables over plain HTTP, and the headers of every response."""

import csv
import io

import polars as pl
from starlette.testclient import TestClient

from dashboards.queries.encoded import neutral, neutral_frame
from dashboards.queries.matches import MATCH_COLUMNS
from dashboards.web.matches import csv_of
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client, everything


def rows(client: Client, address: str) -> list[dict[str, str]]:
    answer = client.get(address)
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="himalaya-')
    return list(csv.DictReader(io.StringIO(answer.text)))


def test_the_filtered_list_as_csv(client: Client) -> None:
    found = rows(client, "/csv/matches.csv?tournament=four&sort=-events")
    assert list(found[0]) == list(MATCH_COLUMNS)
    assert {row["tournament"] for row in found} == {"four"}
    assert [int(row["events"]) for row in found] == sorted((int(row["events"]) for row in found), reverse=True)


def test_a_csv_is_whole_before_it_is_sent() -> None:
    lines = iter(["a,b\n", "1,2\n"])
    answer = csv_of("t", lines)
    assert next(lines, None) is None
    assert TestClient(answer).get("/").text == "a,b\n1,2\n"


def test_traffic_as_csv(client: Client) -> None:
    villages = rows(client, "/csv/villages.csv?player=trader&from=1")
    assert len(villages) == 20
    assert len(rows(client, "/csv/roads.csv?seat=1")) == 27
    assert rows(client, "/csv/roads.csv?tournament=nothing") == []


def test_no_cell_is_a_formula(client: Client) -> None:
    whole = client.get("/csv/head-to-head.csv?tournament=four").text
    assert "=" not in whole
    frame = pl.DataFrame({"=name": ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "a=1", None], "number": [-1.5] * 8})
    safe = neutral_frame(frame)
    assert safe.columns == ["'=name", "number"]
    assert safe["'=name"].to_list() == ["'=1+1", "'+1", "'-1", "'@x", "'\t=1", "'\r=1", "a=1", None]
    assert safe["number"].to_list() == [-1.5] * 8
    assert [neutral(value) for value in ("-2", -2, "", None, True)] == ["'-2", -2, "", None, True]


def test_rows_for_the_grid(client: Client) -> None:
    page = client.get("/api/matches?start=2&stop=5&sort=match").json
    assert page is not None
    assert page["total"] == 13
    assert [row["match"] for row in page["rows"]] == ["four.000001", "four.000002", "four.000003"]


def test_rows_come_without_being_counted(client: Client) -> None:
    page = client.get("/api/matches").json
    assert page is not None
    assert len(page["rows"]) == page["total"] == 13
    assert len(client.get("/api/matches?start=12").json["rows"]) == 1  # type: ignore[index]


def test_an_unknown_parameter_is_refused_with_the_nearest(client: Client) -> None:
    answer = client.get("/api/matches?playr=trader")
    assert answer.status_code == 400
    found = "/api/matches has no parameter 'playr'; did you mean 'player' or 'players'?"
    assert answer.json == {"message": found, "limit": None, "found": None}


def test_an_unknown_table_is_not_found(client: Client) -> None:
    assert client.get("/csv/secrets.csv").status_code == 404


def test_an_unreadable_database_is_reported_in_one_line(empty: Warehouse) -> None:
    client = everything(empty)
    empty.close()
    answer = client.get("/api/matches?start=0&stop=9")
    assert (answer.status_code, answer.json["message"].count("\n")) == (503, 0)
    assert empty.database.name in answer.text
    assert str(empty.database.parent) not in answer.text


def test_every_answer_forbids_content_from_other_sites(client: Client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in rules["script-src"]
    assert "http" not in policy
    assert "*" not in policy


def test_the_page_names_no_other_host(client: Client) -> None:
    head, _, body = client.get("/").text.partition("<body>")
    scripts = [part.split('"')[0] for part in (head + body).split(' src="')[1:]]
    assert scripts
    assert all(script.startswith("/") for script in scripts)
    assert '<html lang="en" ' in head


def test_the_icon_that_browsers_request_by_default_exists(client: Client) -> None:
    answer = client.get(client.get("/favicon.ico").headers["Location"])
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
