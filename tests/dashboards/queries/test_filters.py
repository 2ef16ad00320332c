"""Filters are read from an address and written back to it."""

from urllib.parse import parse_qs

import pytest

from dashboards.queries.addresses import Sort, address
from dashboards.queries.filters import NO_TOURNAMENT, BookmarkFilter, Filter
from dashboards.queries.matches import MatchFilter

FILTERS = [
    MatchFilter(Filter("caravan", ("a", "b")), "cup.0", ("trader", "envoy"), ("finished",), ("storm", "turning point")),
    BookmarkFilter("late storm", "turning point"),
    BookmarkFilter(),
    MatchFilter(),
    Filter(),
    Filter("caravan", ("a & b", NO_TOURNAMENT), ("tokens=true", "name=a=b"), (3, 4), ("trader", "envoy")),
    Filter(versions=("envoy 1:horizon=2",), seats=(0, 3), results=("won", "political"), first=2, last=9, board="seven"),
    Sort("margin", descending=True),
    Sort("events"),
    Sort(),
]


@pytest.mark.parametrize("where", FILTERS, ids=repr)
def test_an_address_brings_a_filter_back(
    where: Filter | MatchFilter | BookmarkFilter | Sort,
) -> None:
    query = parse_qs(address(where.pairs()).removeprefix("?"))
    assert type(where).read(query) == where


def test_an_unknown_status_is_left_out() -> None:
    assert MatchFilter.read({"status": ["finished", "lost"]}).statuses == ("finished",)


def test_an_empty_filter_is_an_empty_address() -> None:
    assert address(MatchFilter().pairs(), Sort().pairs()) == ""


def test_two_filters_fit_side_by_side_in_one_address() -> None:
    one, other = Filter(players=("trader",), first=3), Filter(players=("envoy",), seats=(1,))
    query = parse_qs(address(one.pairs(), other.pairs("b.")).removeprefix("?"))
    assert query == {"player": ["trader"], "from": ["3"], "b.player": ["envoy"], "b.seat": ["2"]}
    assert (Filter.read(query), Filter.read(query, "b.")) == (one, other)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"from": "9", "to": "2"}, Filter(first=2, last=9)),
        ({"from": "9" * 5_000, "to": "9" * 5_000}, Filter()),
        ({"from": "-1", "to": "999"}, Filter()),
        ({"seat": ["0", "1", "one", "²", "-1", "99999"]}, Filter(seats=(0,))),
        ({"players": ["4", "0", "4"]}, Filter(sizes=(4,))),
        (
            {"option": ["tokens", "=true", "tokens=true", "\\=1", "*=1", 'a"=1', "a.b=1"]},
            Filter(options=("tokens=true",)),
        ),
        ({"player": ["trader", "", "trader", "envoy"]}, Filter(players=("trader", "envoy"))),
        ({"game": [" caravan ", "summit"], "unknown": "?"}, Filter(game="caravan")),
    ],
)
def test_meaningless_filters_are_dropped(query: dict[str, str | list[str]], expected: Filter) -> None:
    assert Filter.read(query) == expected
