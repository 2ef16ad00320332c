"""Rows of marks on the timeline that the scenes of all games have."""

from collections.abc import Sequence

from dashboards.boards.scene import NOBODY, Lane

__all__ = ["lead_changes"]


def lead_changes(winners: Sequence[Sequence[int]]) -> Lane:
    """Return the marks where it changes who would win, given those who would by frame."""
    changes = [at for at in range(1, len(winners)) if winners[at] != winners[at - 1]]
    marks = [(at, winners[at][0] if len(winners[at]) == 1 else NOBODY) for at in changes]
    return Lane(name="Lead changes", icon="crown", marks=marks)
