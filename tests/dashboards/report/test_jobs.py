"""Reports in the background: asked for over HTTP, followed, cancelled, fetched; never more than there is room for."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from dashboards.report import jobs as module
from dashboards.report.button import report_button, report_facts
from dashboards.report.errors import Progress, ReportError
from dashboards.report.jobs import Busy, Jobs, Status
from dashboards.report.render import Format
from dashboards.report.words import FILTER_KEYS
from dashboards.warehouse.filters import Filter
from ingest.warehouse import Warehouse
from tests.dashboards.client import Answer, Client, everything
from tests.dashboards.described import conforms
from tests.dashboards.report.fewer import fewer_figures

REPORTS = "/api/reports"
WAIT = 60


class Maker:
    """Makes reports of the name of their format, each when it is let."""

    def __init__(self) -> None:
        self.started = threading.Semaphore(0)
        self.steps = threading.Semaphore(0)
        self.reader: list[Filter] = []

    def __call__(self, where: Filter, kind: Format, progress: Progress) -> bytes:
        self.reader.append(where)
        self.started.release()
        self.steps.acquire(timeout=WAIT)
        progress(1, 2, "second half")
        if where.game == "broken":
            raise ReportError("no finished match fits the filter")
        if where.game == "bug":
            raise ZeroDivisionError
        return kind.encode()


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
def jobs(maker: Maker) -> Iterator[Jobs]:
    made = Jobs(maker, waiting=2, kept=2, size=1_000)
    yield made
    maker.steps.release(100)
    made.close()


def test_one_report_is_made_after_the_other(jobs: Jobs, maker: Maker):
    first, second = jobs.ask(Filter(), Format.HTML), jobs.ask(Filter(), Format.PDF)
    assert maker.started.acquire(timeout=WAIT)
    assert (first.status, second.status) == (Status.RUNNING, Status.WAITING)
    maker.steps.release(2)
    assert jobs.wait(first, WAIT)
    assert jobs.wait(second, WAIT)
    assert (first.content, second.content) == (b"html", b"pdf")
    assert (first.done, first.total, first.step) == (1, 2, "second half")


def test_the_same_report_of_the_same_data_is_made_once_for_all_who_want_it(jobs: Jobs, maker: Maker):
    first = jobs.ask(Filter(), Format.HTML, "1")
    assert maker.started.acquire(timeout=WAIT)
    assert jobs.ask(Filter(), Format.HTML, "1") is first
    others = [jobs.ask(Filter(), Format.HTML, "2"), jobs.ask(Filter(), Format.PDF, "1")]
    assert first not in others
    jobs.cancel(first.id)
    maker.steps.release(3)
    assert all(jobs.wait(job, WAIT) for job in (first, *others))
    assert (first.status, len(maker.reader)) == (Status.DONE, 3)
    assert jobs.ask(Filter(), Format.PDF, "1") is others[1]


def test_a_report_that_was_given_up_is_made_anew(jobs: Jobs):
    first = jobs.ask(Filter(), Format.HTML, "1")
    jobs.cancel(first.id)
    assert first.status is Status.CANCELLED
    assert jobs.ask(Filter(), Format.HTML, "1") is not first


def test_who_shares_a_report_gives_up_only_their_own_share(jobs: Jobs, maker: Maker):
    first = jobs.ask(Filter(), Format.HTML, "1", "mary")
    assert jobs.ask(Filter(), Format.HTML, "1", "john") is first
    jobs.cancel(first.id, "mary")
    jobs.cancel(first.id, "mary")
    maker.steps.release()
    assert jobs.wait(first, WAIT)
    assert first.status is Status.DONE
    jobs.cancel(first.id, None)
    assert (first.status, first.content) == (Status.CANCELLED, None)
    assert set(first.owners) == {"mary", "john"}, "they may still ask what became of it"


def test_no_more_wait_than_there_is_room_for(jobs: Jobs, maker: Maker):
    jobs.ask(Filter(), Format.HTML)
    assert maker.started.acquire(timeout=WAIT)
    jobs.ask(Filter(), Format.HTML)
    jobs.ask(Filter(), Format.HTML)
    with pytest.raises(Busy, match="2 reports are queued"):
        jobs.ask(Filter(), Format.HTML)


def test_a_report_that_waits_is_cancelled_at_once_and_never_made(jobs: Jobs, maker: Maker):
    first, second = jobs.ask(Filter(), Format.HTML), jobs.ask(Filter(game="second"), Format.HTML)
    assert jobs.cancel(second.id) is second
    maker.steps.release(2)
    assert jobs.wait(first, WAIT)
    assert second.status is Status.CANCELLED
    assert [where.game for where in maker.reader] == [""]


def test_a_report_under_way_ends_at_its_next_step(jobs: Jobs, maker: Maker):
    first, second = jobs.ask(Filter(), Format.HTML), jobs.ask(Filter(), Format.PDF)
    assert maker.started.acquire(timeout=WAIT)
    jobs.cancel(first.id)
    maker.steps.release(2)
    assert jobs.wait(second, WAIT)
    assert (first.status, first.content, first.done) == (Status.CANCELLED, None, 0)
    assert second.content == b"pdf"


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        ("broken", "no finished match fits the filter"),
        ("bug", "The server could not make the report; its log says why."),
    ],
)
def test_a_report_that_fails_says_why_and_the_next_is_made(jobs: Jobs, maker: Maker, game: str, problem: str):
    maker.steps.release(2)
    failed = jobs.ask(Filter(game=game), Format.HTML)
    assert jobs.wait(failed, WAIT)
    assert (failed.status, failed.problem, failed.content) == (Status.FAILED, problem, None)
    after = jobs.ask(Filter(), Format.XLSX)
    assert jobs.wait(after, WAIT)
    assert after.content == b"xlsx"


def test_a_report_that_nobody_asks_after_any_more_is_given_up(
    jobs: Jobs, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, wanted = jobs.ask(Filter(), Format.HTML), jobs.ask(Filter(), Format.PDF)
    assert maker.started.acquire(timeout=WAIT)
    monkeypatch.setattr(module, "UNSEEN", 0.0)
    maker.steps.release()
    assert jobs.wait(left, WAIT)
    assert (left.status, left.content) == (Status.CANCELLED, None)
    monkeypatch.setattr(module, "UNSEEN", WAIT)
    assert jobs.find(wanted.id) is wanted
    maker.steps.release()
    assert jobs.wait(wanted, WAIT)
    assert wanted.status is Status.DONE


def test_a_report_that_takes_too_long_fails_and_says_so(
    jobs: Jobs, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST", 0.0)
    job = jobs.ask(Filter(), Format.HTML)
    maker.steps.release()
    assert jobs.wait(job, WAIT)
    assert job.status is Status.FAILED
    assert job.problem == "it takes longer than 0 seconds; choose fewer matches"


def test_only_the_latest_are_kept(jobs: Jobs, maker: Maker):
    maker.steps.release(3)
    made = []
    for _ in range(3):
        made.append(jobs.ask(Filter(), Format.HTML))
        assert jobs.wait(made[-1], WAIT)
    jobs.close()
    assert [jobs.find(job.id) is job for job in made] == [False, True, True]


def test_what_is_closed_takes_nothing_more(jobs: Jobs, maker: Maker):
    waiting = [jobs.ask(Filter(), Format.HTML) for _ in range(2)]
    maker.steps.release(2)
    jobs.close()
    assert {job.status for job in waiting} <= {Status.CANCELLED, Status.DONE}
    with pytest.raises(Busy):
        jobs.ask(Filter(), Format.HTML)


# Over HTTP


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
    jobs: Jobs = client.services.reports
    job = jobs.find(answer.json["id"]) if answer.json else None
    assert job is not None
    assert jobs.wait(job, 200)
    return client.get(answer.headers["Location"]).json


@pytest.mark.parametrize(
    ("kind", "start", "type_"),
    [("html", b"<!DOCTYPE html>", "text/html"), ("xlsx", b"PK", "application/vnd.openxmlformats")],
)
def test_a_report_is_asked_for_followed_and_fetched(asking: Client, kind: str, start: bytes, type_: str):
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
        ({"format": "html", "filter": 3}, 422, "filter: expected the query of an address"),
        ({"format": "html", "more": 1}, 400, "body: expected only filter, format, found 'more'"),
        ({}, 422, "format: expected one of"),
        ({"format": "html", "filter": "x" * 20_000}, 413, "body: expected at most 16384 bytes"),
    ],
)
def test_a_mistake_is_refused_with_the_reason(asking: Client, said: Any, status: int, message: str):
    answer = ask(asking, **said)
    assert answer.status_code == status
    assert read(answer)["message"].startswith(message)


def test_no_page_of_another_site_asks_for_reports(asking: Client):
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
