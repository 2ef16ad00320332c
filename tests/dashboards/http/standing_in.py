"""A few matches in memory in the place of a warehouse, for tests of the routes of the replay alone."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from dashboards.http import replay

__all__ = ["stand_in"]

ASKED = ("match_lines", "has_match", "is_live", "quarantined_lines")


def stand_in(monkeypatch: pytest.MonkeyPatch, shelf: Any) -> None:
    """Have the routes ask the methods of `shelf` what they would ask of a warehouse."""
    for name in ASKED:
        if hasattr(shelf, name):
            monkeypatch.setattr(replay, name, partial(_asked, getattr(shelf, name)))
    monkeypatch.setattr(replay, "sound_lines", lambda *_: None)


def _asked(ask: Callable[..., Any], _reader: object, *values: Any) -> Any:
    return ask(*values)
