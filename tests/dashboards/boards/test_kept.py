"""Cached counts belong to one object and are dropped with it."""

from dashboards.boards.scene import Kept


def test_a_value_is_computed_once_for_an_object_and_a_key() -> None:
    kept, counted = Kept[int](), list[str]()

    def count(name: str) -> int:
        counted.append(name)
        return len(counted)

    one, other = [1], [1]
    found = [
        kept.of(thing, about, lambda thing=thing, about=about: count(f"{id(thing)} {about}"))
        for thing, about in ((one, "a"), (one, "a"), (other, "a"), (one, "b"), (one, "a"))
    ]
    assert found == [1, 1, 2, 3, 1]
    assert len(set(counted)) == 3


def test_the_least_recently_used_value_is_evicted_first() -> None:
    kept, things = Kept[str](2), [object(), object(), object()]
    for thing in (things[0], things[1], things[0], things[2]):
        kept.of(thing, None, lambda: "first")
    assert [kept.of(thing, None, lambda: "again") for thing in (things[2], things[0])] == ["first", "first"]
    assert kept.of(things[1], None, lambda: "again") == "again"
