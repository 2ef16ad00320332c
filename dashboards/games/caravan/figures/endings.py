"""How each player's matches ended: won, eliminated by an influence, or stayed in and lost."""

from typing import Final

import polars as pl

from dashboards.games.caravan.figures.shared import ELIMINATED_OVER
from dashboards.games.figure import Defined
from dashboards.games.shared.endings import Endings
from dashboards.stats.claims import lead_sentence
from dashboards.stats.words import NOTHING, percent, whole

__all__ = ["ENDINGS"]


def _finding(frame: pl.DataFrame) -> str:
    """Say how many seats each influence eliminates, and which player's most often."""
    if frame.is_empty():
        return NOTHING
    lost = frame.filter(pl.col("ending") != "won")["seats"].sum()
    out = {kind: frame.filter(pl.col("ending") == kind) for kind in ELIMINATED_OVER}
    if not any(rows["seats"].sum() for rows in out.values()):
        return f"No player was eliminated: all {whole(lost, 'loser')} stayed in to the end."
    said = [
        lead_sentence(
            rows,
            "ending_share",
            "player",
            f"{{0}} is eliminated on {ELIMINATED_OVER[kind]} most often: in {{1}} of its {{its_matches}}",
            f"{{0}} is eliminated on {ELIMINATED_OVER[kind]} in {{1}} of its {{its_matches}}",
            percent,
        )
        for kind, rows in out.items()
        if rows["seats"].sum()
    ]
    religion, politics = (int(rows["seats"].sum()) for rows in out.values())
    return (
        f"Of {whole(lost, 'loser')}, {religion:,} {'was' if religion == 1 else 'were'} eliminated on religion and"
        f" {politics:,} on politics. {' '.join(said)}"
    )


ENDINGS: Final = Endings(
    name="endings",
    title="How each player's matches ended",
    section="why",
    table="",
    ending="case when s.won then 'won' else coalesce(s.ending, 'outlasted') end",
    endings={
        "won": "won",
        "religious": "out: religious",
        "political": "out: political",
        "outlasted": "stayed in, lost",
    },
    share=Defined(
        "ending_share",
        "Share",
        "How often a player's match ends this way: won (alone or shared), out for least religious or political"
        " influence, or stayed in and lost.",
        "seats that ended this way / played",
    ),
    finding=_finding,
    hues=lambda colours: colours.endings,
    heading="Ending",
    narrows=lambda row: {"result": row["ending"]},
)
