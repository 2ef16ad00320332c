"""Version 1 of the search of climbers, kept as the benchmark to beat."""

from himalaya_core.players.climbers.playouts import Quick

__all__ = ["FormerSearch"]


class FormerSearch(Quick):
    """The quick player used in search's playouts, under its former name."""

    name = "search"
    version = "1"
