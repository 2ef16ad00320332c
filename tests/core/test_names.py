"""A name that is refused comes with the nearest ones there are."""

import pytest

from himalaya_core.names import did_you_mean, normalize_name

KNOWN = ("spring", "autumn", "winter-a", "winter-b", "Winter-c")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sprng", "; did you mean 'spring'?"),
        ("AUTUMN", "; did you mean 'autumn'?"),
        ("winter-C", "; did you mean 'Winter-c' or 'winter-b' or 'winter-a'?"),
        ("zzz", ""),
        ("", ""),
        ("x" * 1_000_000, ""),
    ],
)
def test_the_nearest_names_are_suggested(name: str, said: str) -> None:
    assert did_you_mean(name, KNOWN) == said


@pytest.mark.parametrize(
    ("written", "compared"),
    [("greedy ", "greedy"), ("Zoe\u0308", "Zo\u00eb"), (" Anna \t Maria ", "Anna Maria"), ("Anna", "Anna"), ("", "")],
)
def test_names_are_compared_without_differences_that_nobody_sees(written: str, compared: str) -> None:
    assert normalize_name(written) == compared
