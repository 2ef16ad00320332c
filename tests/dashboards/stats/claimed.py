"""Recognizes sentences that claim a difference between players; for equal players each such sentence is false."""

import re
from typing import Final

from tests.dashboards.games.findings import SUPERLATIVE

__all__ = ["OF_SEATS", "claims_a_difference"]

OF_SEATS: Final = "seat-effect"
"""The only figure of strength with claims about seats, which may really be unequal."""
CLAIMS: Final = {
    "win-share": re.compile("(?<!not )significantly more than"),
    "ratings": re.compile("Rated (highest|lowest)"),
    "head-to-head": re.compile("pairs? of players differs? significantly"),
    "placement": re.compile("comes last most often"),
    OF_SEATS: re.compile("a significant effect. The strongest"),
    "paired": re.compile("wins more of its matches than"),
}
"""Words of a claim, by figure; a game's own figures use superlatives."""


def claims_a_difference(figure: str, sentence: str) -> bool:
    """Return whether a figure's sentence claims a difference between players (or seats)."""
    return bool(CLAIMS.get(figure, SUPERLATIVE).search(sentence))
