"""The search of climbers as it was in version 1, kept as the one to beat."""

from himalaya_core.players.climbers.playing_out import Quick

__all__ = ["FormerSearch"]


class FormerSearch(Quick):
    """The player by which search now plays its choices out, under the name that it had."""

    name = "search"
    version = "1"
