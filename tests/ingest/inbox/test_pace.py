"""If an inbox is full, senders get a time after which to retry, based on the speed of loading."""

import pytest

from ingest.errors import NotAccepted, Reason
from ingest.inbox.drain import Depth, Pace, require_room
from ingest.inbox.inbox import Limits

LIMITS = Limits(waiting_bodies=1_000, waiting_bytes=1_000_000, waiting_seconds=100)
EMPTY = Depth(0, 0, 0.0)


def pace(bodies: int = 100, size: int = 100_000, seconds: float = 10.0) -> Pace:
    made = Pace()
    made.add(bodies, size, seconds)
    return made


@pytest.mark.parametrize("depth", [EMPTY, Depth(999, 999_999, 99.9)])
def test_there_is_room_below_every_limit(depth: Depth) -> None:
    require_room(depth, LIMITS, Pace())


@pytest.mark.parametrize(
    ("depth", "limit", "found", "seconds"),
    [
        (Depth(1_000, 0, 0), 1_000, 1_000, 25),  # wait until 750 are left, at ten a second
        (Depth(1, 1_000_000, 0), 1_000_000, 1_000_000, 25),
        (Depth(900, 0, 100.0), 100, 100, 15),  # 900 take 90 s; retry when 75 s are left
        (Depth(1, 1, 100.0), 100, 100, 1),
        (Depth(100_000, 0, 0), 1_000, 100_000, 300),
    ],
    ids=["bodies", "bytes", "age", "at least a second", "at most five minutes"],
)
def test_a_full_queue_is_reported_with_a_waiting_time(depth: Depth, limit: int, found: int, seconds: int) -> None:
    with pytest.raises(NotAccepted, match=f"; try again in {seconds} s$") as refused:
        require_room(depth, LIMITS, pace())
    assert refused.value.reason is Reason.BUSY
    assert (refused.value.limit, refused.value.found, refused.value.retry_after) == (limit, found, seconds)


def test_the_speed_is_estimated_from_the_last_groups() -> None:
    made = pace(seconds=1000.0)
    for _ in range(8):
        made.add(100, 1, 2.0)
    assert made.bodies_per_second == 50.0
    assert Pace().bodies_per_second is None
    with pytest.raises(NotAccepted, match="try again in 10 s"):
        require_room(Depth(1_000, 0, 0), LIMITS, Pace())
