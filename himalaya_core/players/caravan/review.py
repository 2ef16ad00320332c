"""How a match of caravan is reviewed: whose plan, trade, token or throw changed the chances, and better plans."""

from typing import Final

from himalaya_core.players.caravan.hindsight import hindsight
from himalaya_core.players.caravan.judged import judged
from himalaya_core.players.caravan.told import told
from himalaya_core.review.swings import GameReview

__all__ = ["CARAVAN"]

CARAVAN: Final = GameReview(swings=hindsight, judgements=judged, words=told, has_split=True)
