"""Words that the scenes of several games need."""

from collections.abc import Sequence

__all__ = ["counted", "joined"]


def counted(count: int, one: str, many: str) -> str:
    """Return "1 delivery" or "2 deliveries"; "" for none."""
    return f"{count} {one if count == 1 else many}" if count else ""


def joined(words: Sequence[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
