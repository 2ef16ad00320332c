"""Version 1 of the search player of climbers, as the benchmark for later versions."""

from himalaya_core.players.climbers.playouts import Quick

__all__ = ["FormerSearch"]


class FormerSearch(Quick):
    """The fast player of search's playouts, under its former name."""

    name = "search"
    version = "1"
