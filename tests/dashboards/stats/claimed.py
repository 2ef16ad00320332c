"""Recognizes sentences that claim a difference between players; for equal players each is false."""

import re
from typing import Final

from tests.dashboards.games.findings import SUPERLATIVE

__all__ = ["OF_SEATS", "claims_a_difference"]

OF_SEATS: Final = "seat-effect"
"""The only figure of strength that makes claims about seats, which may really be unequal."""
CLAIMS: Final = {
    "win-share": re.compile("(?<!not )significantly more than"),
    "ratings": re.compile("Rated (highest|lowest)"),
    "head-to-head": re.compile("pairs? of players differs? significantly"),
    "placement": re.compile("comes last most often"),
    OF_SEATS: re.compile("a significant effect. The strongest"),
    "paired": re.compile("wins more of its matches than"),
}
"""The words of a claim, by figure; those of a game's own figures are superlatives."""


def claims_a_difference(figure: str, sentence: str) -> bool:
    """Return whether a figure's sentence says that players (or seats) differ."""
    return bool(CLAIMS.get(figure, SUPERLATIVE).search(sentence))
