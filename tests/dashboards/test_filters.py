"""Filters are read from an address and written back to it."""

from urllib.parse import parse_qs

import pytest

from dashboards.filters import BookmarkFilter, MatchFilter, OutcomeFilter, Sort, TrafficFilter, address

FILTERS = [
    MatchFilter("cup.0", ("a", "b"), ("trader",), ("envoy",), ("finished", "abandoned"), ("storm", "turning point")),
    BookmarkFilter("late storm", "turning point"),
    BookmarkFilter(),
    MatchFilter(),
    TrafficFilter(("a",), ("greedy", "random"), (0, 3), 2, 9),
    TrafficFilter(board="seven-valleys"),
    TrafficFilter(),
    OutcomeFilter(("a & b",), (3, 4)),
    OutcomeFilter(),
    Sort("margin", descending=True),
    Sort("events"),
    Sort(),
]


@pytest.mark.parametrize("where", FILTERS, ids=repr)
def test_an_address_brings_a_filter_back(
    where: MatchFilter | BookmarkFilter | TrafficFilter | OutcomeFilter | Sort,
) -> None:
    query = parse_qs(address(where.pairs()).removeprefix("?"))
    assert type(where).read(query) == where


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"from": "9", "to": "2"}, TrafficFilter()),
        ({"from": "-1", "to": "99"}, TrafficFilter()),
        ({"from": "x", "seat": ["1", "one", "²"]}, TrafficFilter(seats=(1,))),
        ({"seat": "2", "unknown": "?"}, TrafficFilter(seats=(2,))),
    ],
)
def test_what_makes_no_sense_is_left_out(query: dict[str, str | list[str]], expected: TrafficFilter) -> None:
    assert TrafficFilter.read(query) == expected


def test_an_unknown_status_is_left_out() -> None:
    assert MatchFilter.read({"status": ["finished", "lost"]}).statuses == ("finished",)


def test_nothing_asked_is_an_empty_address() -> None:
    assert address(MatchFilter().pairs(), Sort().pairs()) == ""
