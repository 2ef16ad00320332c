"""Review of caravan matches: causes of changes in win probability, and better plans."""

from typing import Final

from himalaya_core.players.caravan.hindsight import hindsight
from himalaya_core.players.caravan.judged import judged
from himalaya_core.players.caravan.subject import subject_of
from himalaya_core.review.swings import GameReview

__all__ = ["CARAVAN"]

CARAVAN: Final = GameReview(swings=hindsight, judgements=judged, words=subject_of, has_split=True)
