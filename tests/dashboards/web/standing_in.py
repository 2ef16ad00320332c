"""Replaces the warehouse by a few matches in memory, for tests of the replay routes."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

from dashboards.web import replay
from dashboards.web import replay as replayed
from ingest.opening import open_warehouse
from ingest.warehouse import IN_MEMORY
from tests.dashboards.client import Client, everything

__all__ = ["stand_in"]

ASKED = {"match_lines": replayed, "quarantined_lines": replayed, "has_match": replay, "is_live": replay}


def stand_in(monkeypatch: pytest.MonkeyPatch, shelf: Any) -> Client:
    """Make the routes call the methods of `shelf` instead of a warehouse, and return a client."""
    for name, module in ASKED.items():
        if hasattr(shelf, name):
            monkeypatch.setattr(module, name, partial(_asked, getattr(shelf, name)))
    monkeypatch.setattr(replayed, "sound_lines", lambda *_: None)
    return _served().another()


@cache
def _served() -> Client:
    return everything(open_warehouse(IN_MEMORY), has_pages=False)


def _asked(ask: Callable[..., Any], _reader: object, *values: Any) -> Any:
    return ask(*values)
