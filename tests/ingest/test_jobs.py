"""Background jobs: requested, shared, followed and cancelled; their number is limited."""

import threading
from collections.abc import Iterator
from functools import partial

import pytest

from ingest.jobs import Busy, Job, JobError, Jobs, Progress, Status

WAIT = 60


class Maker:
    """A job that returns its key once it is released."""

    def __init__(self) -> None:
        self.started = threading.Semaphore(0)
        self.steps = threading.Semaphore(0)
        self.made: list[str] = []

    def __call__(self, key: str, progress: Progress) -> bytes:
        self.made.append(key)
        self.started.release()
        self.steps.acquire(timeout=WAIT)
        progress(1, 2, "second half")
        if key == "broken":
            raise JobError("no finished match fits the filter")
        if key == "bug":
            raise ZeroDivisionError
        return key.encode()


def ask(jobs: Jobs, maker: Maker, key: str, owner: str = "", *, shares: bool = False) -> Job:
    return jobs.ask(key, partial(maker, key), owner, shares=shares)


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
def jobs(maker: Maker) -> Iterator[Jobs]:
    made = Jobs("report", waiting=2, kept=2, size=1_000, hint="; choose fewer matches")
    yield made
    maker.steps.release(100)
    made.close()


def test_one_report_is_made_after_the_other(jobs: Jobs, maker: Maker):
    first, second = ask(jobs, maker, "html"), ask(jobs, maker, "pdf")
    assert maker.started.acquire(timeout=WAIT)
    assert (first.status, second.status) == (Status.RUNNING, Status.WAITING)
    maker.steps.release(2)
    assert jobs.wait(first, WAIT)
    assert jobs.wait(second, WAIT)
    assert (first.content, second.content) == (b"html", b"pdf")
    assert (first.done, first.total, first.step) == (1, 2, "second half")


def test_concurrent_requests_share_one_report_of_the_same_data(jobs: Jobs, maker: Maker):
    first = ask(jobs, maker, "html", shares=True)
    assert maker.started.acquire(timeout=WAIT)
    assert ask(jobs, maker, "html", shares=True) is first
    others = [ask(jobs, maker, "html of 2", shares=True), ask(jobs, maker, "pdf", shares=True)]
    assert first not in others
    jobs.cancel(first.id)
    maker.steps.release(3)
    assert all(jobs.wait(job, WAIT) for job in (first, *others))
    assert (first.status, len(maker.made)) == (Status.DONE, 3)
    assert ask(jobs, maker, "pdf", shares=True) is others[1]


def test_an_abandoned_report_is_made_again(jobs: Jobs, maker: Maker):
    first = ask(jobs, maker, "html", shares=True)
    jobs.cancel(first.id)
    assert first.status is Status.CANCELLED
    assert ask(jobs, maker, "html", shares=True) is not first


def test_giving_up_a_shared_report_does_not_affect_the_others(jobs: Jobs, maker: Maker):
    first = ask(jobs, maker, "html", "mary", shares=True)
    assert ask(jobs, maker, "html", "john", shares=True) is first
    jobs.cancel(first.id, "mary")
    jobs.cancel(first.id, "mary")
    maker.steps.release()
    assert jobs.wait(first, WAIT)
    assert first.status is Status.DONE
    jobs.cancel(first.id, None)
    assert (first.status, first.content) == (Status.CANCELLED, None)
    assert set(first.owners) == {"mary", "john"}, "they may still ask what became of it"


def test_the_queue_of_reports_is_limited(jobs: Jobs, maker: Maker):
    ask(jobs, maker, "html")
    assert maker.started.acquire(timeout=WAIT)
    ask(jobs, maker, "html")
    ask(jobs, maker, "html")
    with pytest.raises(Busy, match="2 reports are queued"):
        ask(jobs, maker, "html")


def test_a_waiting_report_is_cancelled_immediately_and_never_made(jobs: Jobs, maker: Maker):
    first, second = ask(jobs, maker, "html"), ask(jobs, maker, "second")
    assert jobs.cancel(second.id) is second
    maker.steps.release(2)
    assert jobs.wait(first, WAIT)
    assert second.status is Status.CANCELLED
    assert maker.made == ["html"]


def test_a_report_under_way_ends_at_its_next_step(jobs: Jobs, maker: Maker):
    first, second = ask(jobs, maker, "html"), ask(jobs, maker, "pdf")
    assert maker.started.acquire(timeout=WAIT)
    jobs.cancel(first.id)
    maker.steps.release(2)
    assert jobs.wait(second, WAIT)
    assert (first.status, first.content, first.done) == (Status.CANCELLED, None, 0)
    assert second.content == b"pdf"


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("broken", "no finished match fits the filter"),
        ("bug", "The server could not make the report; see the server's log."),
    ],
)
def test_a_report_that_fails_says_why_and_the_next_is_made(jobs: Jobs, maker: Maker, key: str, problem: str):
    maker.steps.release(2)
    failed = ask(jobs, maker, key)
    assert jobs.wait(failed, WAIT)
    assert (failed.status, failed.problem, failed.content) == (Status.FAILED, problem, None)
    after = ask(jobs, maker, "xlsx")
    assert jobs.wait(after, WAIT)
    assert after.content == b"xlsx"


def test_a_report_without_a_waiting_client_is_abandoned(maker: Maker) -> None:
    jobs = Jobs("report", unseen=0.0)
    left = ask(jobs, maker, "html")
    maker.steps.release()
    assert jobs.wait(left, WAIT)
    assert (left.status, left.content) == (Status.CANCELLED, None)
    jobs.close()


def test_a_report_that_takes_too_long_fails_and_says_so(maker: Maker) -> None:
    jobs = Jobs("report", longest=0.0, hint="; choose fewer matches")
    job = ask(jobs, maker, "html")
    maker.steps.release()
    assert jobs.wait(job, WAIT)
    assert job.status is Status.FAILED
    assert job.problem == "it took longer than 0 seconds; choose fewer matches"
    jobs.close()


def test_the_latest_job_of_a_key_is_found_and_holds_no_work_once_it_is_over(jobs: Jobs, maker: Maker) -> None:
    assert jobs.latest("html") is None
    maker.steps.release(2)
    first, second = ask(jobs, maker, "html"), ask(jobs, maker, "html")
    assert jobs.wait(first, WAIT)
    assert jobs.wait(second, WAIT)
    assert jobs.latest("html") is second
    jobs.close()
    assert second.work is None


def test_only_the_latest_are_kept(jobs: Jobs, maker: Maker):
    maker.steps.release(3)
    made = []
    for _ in range(3):
        made.append(ask(jobs, maker, "html"))
        assert jobs.wait(made[-1], WAIT)
    jobs.close()
    assert [jobs.find(job.id) is job for job in made] == [False, True, True]


def test_a_closed_queue_accepts_nothing_more(jobs: Jobs, maker: Maker):
    waiting = [ask(jobs, maker, "html") for _ in range(2)]
    maker.steps.release(2)
    jobs.close()
    assert {job.status for job in waiting} <= {Status.CANCELLED, Status.DONE}
    with pytest.raises(Busy):
        ask(jobs, maker, "html")
