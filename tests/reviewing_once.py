"""Reviews of matches that several tests show, each made once per run, as a large match takes seconds."""

import copyreg
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from types import MappingProxyType
from typing import Any

import pytest

from dashboards.replay import reviews
from himalaya_core.replay import Replay
from himalaya_core.winprob.model import Model
from himalaya_core.winprob.review import Review, review
from tests.once import once_written

__all__ = ["reviewing_once"]


@contextmanager
def reviewing_once() -> Iterator[None]:
    """Make the replay in this process use the review that any process made first.

    Tests of reviews make their own, to check that reviews are reproducible.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reviews, "review", _review)
        yield


def _review(model: Model, replay: Replay) -> Review:
    def made() -> bytes:
        packed = BytesIO()
        pickler = pickle.Pickler(packed)
        pickler.dispatch_table = {**copyreg.dispatch_table, MappingProxyType: lambda table: (dict, (dict(table),))}
        pickler.dump(replace(review(model, replay), model=None))  # type: ignore[arg-type]
        return packed.getvalue()

    known = repr((model.sha256, replay.header, replay.entries, replay.ended))
    found: Any = pickle.loads(once_written(f"review of {sha256(known.encode()).hexdigest()}", made))
    return replace(found, model=model)
