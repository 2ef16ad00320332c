"""Limit of bytes per sender and minute."""

from http import HTTPStatus

from dashboards.web.access import Refused
from dashboards.web.limiter import MANY, Quota


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def refused_for(quota: Quota, sender: str) -> int:
    """Return the number of seconds for which a sender is refused; 0 if it is not refused."""
    try:
        quota.require(sender)
    except Refused as error:
        return int(error.headers["Retry-After"]) if error.status == HTTPStatus.TOO_MANY_REQUESTS else -1
    return 0


def test_the_bytes_of_a_minute_come_together_or_one_by_one() -> None:
    clock = Clock()
    quota = Quota(600, clock)
    quota.count("a", 599)
    assert refused_for(quota, "a") == 0
    quota.count("a", 101)
    assert (refused_for(quota, "a"), refused_for(quota, "b")) == (10, 0)
    clock.now += 9.5
    assert refused_for(quota, "a") == 1
    clock.now += 1
    assert refused_for(quota, "a") == 0
    for _ in range(1000):
        quota.count("c", 10)
        clock.now += 1
        assert refused_for(quota, "c") == 0


def test_old_senders_are_forgotten() -> None:
    clock = Clock()
    quota = Quota(600, clock)
    for number in range(MANY):
        quota.count(f"address {number}", 60)
    quota.count("a", 6000)
    clock.now += 7
    quota.count("b", 1)
    assert len(quota._paid) == 2
    assert refused_for(quota, "a") > 0
