"""Reports with few figures, for tests of other parts; complete reports take two seconds each."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from dashboards.catalog.figures import figures_under
from dashboards.games.figure import Figure
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.report import build as building
from dashboards.report.page import FRONT

__all__ = ["fewer_figures"]


@contextmanager
def fewer_figures(*beside: str) -> Iterator[None]:
    """Limit reports created in this process to the figures of page one and the named ones."""

    def few(reader: Reader, where: Filter) -> Mapping[str, Figure]:
        return {name: each for name, each in figures_under(reader, where).items() if name in {*FRONT, *beside}}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "figures_under", few)
        yield
