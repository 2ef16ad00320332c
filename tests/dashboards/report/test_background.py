"""Reports over HTTP: requested, followed, cancelled and fetched; their number is limited."""

from collections.abc import Iterator
from typing import Any

import pytest

from dashboards.queries.filters import Filter
from dashboards.report.button import report_button, report_facts
from dashboards.report.words import FILTER_KEYS
from ingest.jobs import Busy, Jobs
from ingest.warehouse import Warehouse
from tests.dashboards.client import Answer, Client, everything
from tests.dashboards.described import conforms
from tests.dashboards.report.fewer import fewer_figures

REPORTS = "/api/reports"


@pytest.fixture(scope="module")
def asking(warehouse: Warehouse) -> Iterator[Client]:
    client = everything(warehouse, has_pages=False)
    with fewer_figures():
        yield client
        client.services.close()


def ask(client: Client, **said: Any) -> Answer:
    return client.post(REPORTS, json=said)


def read(answer: Answer) -> Any:
    return answer.json


def over(client: Client, answer: Answer) -> Any:
    jobs: Jobs = client.services.reports.jobs
    job = jobs.find(answer.json["id"]) if answer.json else None
    assert job is not None
    assert jobs.wait(job, 200)
    return client.get(answer.headers["Location"]).json


@pytest.mark.parametrize(
    ("kind", "start", "type_"),
    [("html", b"<!DOCTYPE html>", "text/html"), ("xlsx", b"PK", "application/vnd.openxmlformats")],
)
def test_a_report_is_requested_followed_and_fetched(asking: Client, kind: str, start: bytes, type_: str):
    answer = ask(asking, format=kind, filter="?tournament=three")
    assert answer.status_code == 202
    assert conforms(answer.json, "ReportJob")
    job = over(asking, answer)
    assert conforms(job, "ReportJob")
    assert (job["status"], job["filter"], job["problem"]) == ("done", "tournament=three", None)
    file = asking.get(job["links"]["file"])
    assert file.data.startswith(start)
    assert str(file.mimetype).startswith(type_)
    assert file.headers["Content-Type"].count("charset") == (kind == "html")
    assert read(ask(asking, format=kind, filter="tournament=three"))["id"] == job["id"]
    assert file.headers["Content-Disposition"] == f'attachment; filename="himalaya-three.{kind}"'
    assert job["size"] == len(file.data)


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ("tournament=thre", "the filter: no matches of tournament 'thre'; did you mean 'three'?"),
        ("players=9", "no finished match fits the filter (table of 9 players)"),
    ],
)
def test_a_filter_without_matches_fails_with_the_reason(asking: Client, where: str, problem: str):
    job = over(asking, ask(asking, format="html", filter=where))
    assert (job["status"], job["problem"]) == ("failed", problem)
    refused = asking.get(job["links"]["file"])
    assert refused.status_code == 409
    assert problem in read(refused)["message"]


def test_a_cancelled_report_has_no_file(asking: Client):
    answer = ask(asking, format="html", filter="tournament=four")
    cancelled = asking.delete(answer.headers["Location"])
    assert read(cancelled)["status"] == "cancelled"
    assert asking.get(read(cancelled)["links"]["file"]).status_code == 409


@pytest.mark.parametrize(
    ("said", "status", "message"),
    [
        ({"format": "docx"}, 422, "format: expected one of html, pdf, xlsx, found 'docx'"),
        ({"format": "html", "filter": "tournment=cup"}, 422, "filter: expected one of game"),
        ({"format": "html", "filter": "seat=x"}, 422, "filter: seat cannot be 'x'"),
        ({"format": "html", "filter": 3}, 422, "filter: send the query of an address"),
        ({"format": "html", "more": 1}, 400, "body: expected only filter, format, found 'more'"),
        ({}, 422, "format: expected one of"),
        ({"format": "html", "filter": "x" * 20_000}, 413, "body: expected at most 16384 bytes"),
    ],
)
def test_a_mistake_is_refused_with_the_reason(asking: Client, said: Any, status: int, message: str):
    answer = ask(asking, **said)
    assert answer.status_code == status
    assert read(answer)["message"].startswith(message)


def test_another_site_cannot_request_reports(asking: Client):
    strange = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    assert asking.post(REPORTS, json={"format": "html"}, headers=strange).status_code == 403
    assert asking.delete(f"{REPORTS}/{'x' * 16}", headers=strange).status_code == 403
    assert asking.post(REPORTS, data='{"format":"html"}', content_type="text/plain").status_code == 415


@pytest.mark.parametrize("path", ["", "/file"])
def test_an_unknown_report_is_not_found(asking: Client, path: str):
    assert asking.get(f"{REPORTS}/{'x' * 16}{path}").status_code == 404


def test_too_many_reports_are_refused_for_a_while(asking: Client, monkeypatch: pytest.MonkeyPatch):
    def busy(*_: object) -> None:
        raise Busy("8 reports are queued; try again later")

    monkeypatch.setattr(asking.services.reports, "ask", busy)
    answer = ask(asking, format="html")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")


def test_the_button_knows_the_keys_of_a_filter_and_what_its_page_means():
    place: Any = report_button(report_facts(Filter(tournaments=("cup",)).pairs()))
    facts = place.children[0].data
    assert facts == {"keys": list(FILTER_KEYS), "usual": "tournament=cup", "label": "Report"}
    every = Filter("g", ("t",), ("o=1",), (4,), ("p",), ("p 1",), (0,), ("won",), 1, 3, "b", ("clean",))
    assert {key for key, _ in every.pairs()} == set(FILTER_KEYS)
