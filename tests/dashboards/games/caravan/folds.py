"""Helpers to read replayed matches."""

from collections.abc import Sequence

from himalaya_core.replay import Replay

__all__ = ["on_board", "won"]


def on_board(replays: Sequence[Replay], digest: str) -> list[Replay]:
    """Return the matches on a board."""
    return [replay for replay in replays if replay.board.sha256 == digest]


def won(replay: Replay) -> frozenset[int]:
    """Return the seats that won a finished match."""
    assert replay.ended is not None
    return frozenset(replay.ended.ranking[0])
