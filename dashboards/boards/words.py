"""Words that the scenes of several games need."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from dashboards.boards.scene import Moment

__all__ = ["Verbs", "counted", "joined", "kinds_among", "verbs"]


class Verbs(NamedTuple):
    """Verbs of endings: one wins, several share the win, one or several went out."""

    win: str
    share: str
    went: str


IT_IS: Final = Verbs("won", "shared", "went")
IT_WOULD_BE: Final = Verbs("would win", "would share", "would be")


def verbs(*, over: bool) -> Verbs:
    """Return the verbs of the ending, or of the ending if the match stopped now."""
    return IT_IS if over else IT_WOULD_BE


def counted(count: int, one: str, many: str) -> str:
    """Return "1 delivery" or "2 deliveries"; "" for none."""
    return f"{count} {one if count == 1 else many}" if count else ""


def joined(words: Sequence[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def kinds_among(moments: Sequence[Moment], names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of the kinds that occur among moments, in the order of `names`."""
    occur = {moment["kind"] for moment in moments}
    return {kind: name for kind, name in names.items() if kind in occur}
