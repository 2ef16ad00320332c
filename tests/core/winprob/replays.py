"""Matches for reviews: from the sample tournaments, or played for the tests."""

from functools import cache, partial
from pathlib import Path

from himalaya_core.api import play
from himalaya_core.files import read_lines
from himalaya_core.replay import Replay, matches
from himalaya_core.winprob.key_moments import Value
from himalaya_core.winprob.model import chances, shipped

__all__ = ["played", "sample", "value_of"]

SAMPLE = Path(__file__).parents[3] / "logs" / "sample"


def sample(name: str, number: int = 0, first: int | None = None) -> Replay:
    """Return a match of a sample tournament, or only its first lines."""
    found = list(matches(read_lines(SAMPLE / f"{name}-0001.jsonl.zst")))
    return Replay.read(found[number][1][:first])


@cache
def played(game: str, seats: int) -> Replay:
    """Return a match of this many greedy players."""
    return play(game, ["greedy"] * seats, seed=f"review-{seats}").replay


def value_of(replay: Replay) -> Value:
    """Return the win probabilities of a position by the shipped model."""
    model = shipped(replay.game)
    assert model is not None
    return partial(chances, model)
