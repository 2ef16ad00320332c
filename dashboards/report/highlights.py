"""Notable matches, drawn at the moment when they turned."""

from functools import partial
from typing import Final

import polars as pl

from dashboards.boards.engine import DrawingError
from dashboards.boards.picture import AnyScene, draw_board, place_and_event
from dashboards.charts.theme import Scheme
from dashboards.replay.scenes import fold, scene_of
from dashboards.report.errors import ReportError
from dashboards.report.model import Telling
from dashboards.warehouse.logs import match_summary, packed_log
from dashboards.warehouse.reader import Reader
from himalaya_core.replay import ReplayError

__all__ = ["telling_matches"]

SIZE: Final = (840, 470)
LEADS: Final = "Lead changes"
"""The row of marks in a scene for changes of the likely winner."""


def telling_matches(reader: Reader, found: pl.DataFrame) -> tuple[Telling, ...]:
    """Return the first match of each reason among those found (`what, match, why`), each match once.

    A match that cannot be replayed is left out.
    """
    reasons: dict[str, list[str]] = {}
    for match, why in found.unique("what", keep="first", maintain_order=True).select("match", "why").iter_rows():
        reasons.setdefault(match, []).append(str(why))
    telling = []
    for match, whys in reasons.items():
        log, facts = packed_log(reader, match), match_summary(reader, match)
        if log is None or facts is None:
            continue
        try:
            scene = scene_of(fold(log.text()), None)
        except ReplayError:
            continue  # only if a filter selects matches that were never checked against the rules
        frame = _turn(scene)
        moment = ": ".join(part for part in place_and_event(scene, frame) if part)
        sentence = f"{moment} – {_ending(scene, frame)}"
        telling.append(Telling(match, "; ".join(whys), facts.line_up, sentence, partial(_drawn, scene, frame)))
    return tuple(telling)


def _turn(scene: AnyScene) -> int:
    """Return the frame of the last change of the likely winner before the end; the last frame if there is none."""
    marks = next((lane["marks"] for lane in scene["lanes"] if lane["name"] == LEADS), [])
    return max((at for at, _ in marks), default=len(scene["frames"]) - 1)


def _ending(scene: AnyScene, frame: int) -> str:
    ending = scene["endings"][scene["frames"][frame]["e"]]
    return f"{ending['head']}: {ending['text']}"


def _drawn(scene: AnyScene, frame: int, scheme: Scheme) -> str:
    width, height = SIZE
    try:
        return draw_board(scene, frame, theme=scheme, width=width, height=height, caption=False)
    except DrawingError as error:
        raise ReportError(f"The board of {scene['match']} cannot be drawn: {error}") from None
