"""Coverage of the chances of winning, in words: how many matches are valued, by which model, and why others are not."""

from collections.abc import Iterator
from typing import Final

from dashboards.stats.words import plain, whole
from dashboards.warehouse.reviews import Reviewing
from himalaya_core.games import GAMES
from himalaya_core.review.model import ModelError, shipped

__all__ = ["ESTIMATED", "has_model", "valued_in_words"]

ESTIMATED: Final = "Estimated from matches of the players the model was trained on; not what perfect play would give."
NAMED: Final = "Each tournament's manifest named this model before its first match."
CHOSEN_LATER: Final = "The model was chosen after these matches were played (or the logs came without their manifest)."


def has_model(game: str) -> bool:
    """Return whether a model of the chances of winning ships with a game; an unreadable one does not count."""
    try:
        return game in GAMES and shipped(GAMES[game]) is not None
    except ModelError:
        return False


def valued_in_words(found: Reviewing, digits: int | None = None) -> list[str]:
    """Return sentences on the number of valued matches, the reasons for others, and the models with their errors.

    With `digits`, only that many digits of the model's digest are shown.
    """
    said = [_valued(found)]
    if found.valued:
        said += [ESTIMATED, *_models(found, digits), NAMED if found.named == found.valued else CHOSEN_LATER]
    return said


def _valued(found: Reviewing) -> str:
    if found.valued == found.matches:
        return f"Valued: all {whole(found.matches, 'match', 'matches')}." if found.matches > 1 else "Valued: the match."
    return f"Valued: {found.valued:,} of {whole(found.matches, 'match', 'matches')}; {', '.join(_reasons(found))}."


def _reasons(found: Reviewing) -> Iterator[str]:
    if found.waiting:
        yield f"{found.waiting:,} {'waits' if found.waiting == 1 else 'wait'} to be reviewed"
    for reason, matches in sorted(found.reasons.items(), key=lambda each: -each[1]):
        yield f"{matches:,} not ({reason})"


def _models(found: Reviewing, digits: int | None) -> Iterator[str]:
    for model, error in found.models:
        yield f"Model {model[:digits]}, off by {plain(100 * error)} points on average where it was checked."
