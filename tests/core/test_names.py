"""A name that is refused comes with the nearest ones there are."""

import pytest

from himalaya_core.names import did_you_mean

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
