"""The data of a map: villages at points, the roads between them, and the regions they enclose."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

__all__ = ["Land", "Road", "Village"]


class Village(Protocol):
    """A numbered place on the map."""

    @property
    def number(self) -> int:
        """From 1."""
        ...

    @property
    def x(self) -> float:
        """To the right."""
        ...

    @property
    def y(self) -> float:
        """Downwards."""
        ...

    @property
    def regions(self) -> Collection[int]:
        """The regions that have it on their borders."""
        ...


class Road(Protocol):
    """A road between two villages."""

    @property
    def type(self) -> str:
        """A word, such as `ice`."""
        ...

    @property
    def between(self) -> tuple[int, int]:
        """The numbers of its villages."""
        ...


class Land(Protocol):
    """A board in the form that maps need."""

    @property
    def villages(self) -> Sequence[Village]:
        """In the order of their numbers."""
        ...

    @property
    def roads(self) -> Collection[Road]:
        """All roads."""
        ...

    @property
    def region_labels(self) -> Mapping[int, tuple[float, float]]:
        """The position of each region's name."""
        ...
