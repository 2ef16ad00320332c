"""Who wins, and by what: the tables of the outcomes page, and in words what each shows."""

from collections.abc import Callable
from typing import Final

import polars as pl

from dashboards.filters import OutcomeFilter
from dashboards.queries import Queries
from dashboards.stats.intervals import wilson

__all__ = [
    "ENDINGS",
    "FINDINGS",
    "INFLUENCES",
    "TABLES",
    "wins",
]

INFLUENCES: Final = ("religious", "political", "economic")
ENDINGS: Final = {
    "won": "won",
    "religious": "out: religious",
    "political": "out: political",
    "outlasted": "stayed in, lost",
}
HALF: Final = 6


def wins(queries: Queries, where: OutcomeFilter) -> pl.DataFrame:
    """Return `player, played, won, share, low, high, expected` (shares; low and high by Wilson), best first."""
    frame = queries.endings(where)
    bounds = [wilson(won, played) for won, played in frame.select("won", "played").iter_rows()]
    return frame.select(
        "player",
        "played",
        "won",
        (pl.col("won") / pl.col("played")).alias("share"),
        pl.Series("low", [low for low, _ in bounds], dtype=pl.Float64),
        pl.Series("high", [high for _, high in bounds], dtype=pl.Float64),
        (pl.col("expected").cast(pl.Float64) / pl.col("played")).alias("expected"),
    )


def endings(queries: Queries, where: OutcomeFilter) -> pl.DataFrame:
    """Return `player, played, won, religious, political, outlasted`: numbers of matches, best player first."""
    return queries.endings(where).drop("expected")


def win_finding(frame: pl.DataFrame) -> str:
    """Say who wins most."""
    best = frame.row(0, named=True)
    return (
        f"{best['player']} wins most: {best['won']:,} of {best['played']:,} matches"
        f" ({best['share']:.1%}; 95% interval {best['low']:.1%} to {best['high']:.1%})."
        f" If all seats were equal it would be {best['expected']:.1%}."
    )


def ending_finding(frame: pl.DataFrame) -> str:
    """Say how seats lose, and who goes out by what most often."""
    out = {kind: int(frame[kind].sum()) for kind in ("religious", "political", "outlasted")}
    lost = sum(out.values())
    if not out["religious"] and not out["political"]:
        return f"Nobody was eliminated: all {lost:,} losing seats stayed in to the end."
    parts = [f"Of {lost:,} losing seats {out['religious']:,} went out for least religious influence"]
    parts.append(f"{out['political']:,} for least political influence and {out['outlasted']:,} lost while still in")
    most = {kind: _most(frame, kind) for kind in ("religious", "political")}
    sentence = "; ".join(
        f"{kind} elimination meets {player} most ({count / played:.0%} of its matches)"
        for kind, (player, count, played) in most.items()
        if count
    )
    return f"{', '.join(parts)}. {sentence[:1].upper()}{sentence[1:]}."


def final_finding(frame: pl.DataFrame) -> str:
    """Say who ends with the most of each influence."""
    parts = []
    for influence in INFLUENCES:
        of_it = frame.filter(pl.col("influence") == influence)
        best = of_it.sort("median", "mean", descending=True).row(0, named=True)
        parts.append(f"{influence}: {best['player']} ({best['median']:g})")
    return f"Highest median at the end: {', '.join(parts)}."


def round_finding(frame: pl.DataFrame) -> str:
    """Say who leads in yaks half-way and at the end."""
    yaks = frame.filter(pl.col("influence") == "economic")
    last = int(yaks.select(pl.col("round").max()).item())
    half, end = (
        yaks.filter(pl.col("round") == number).sort("median", "mean", descending=True).row(0, named=True)
        for number in (min(HALF, last), last)
    )
    place = f"after round {half['round']} ({half['median']:g})"
    first = f"In economic influence {half['player']} has the highest median {place}"
    if half["player"] == end["player"]:
        return f"{first}, and still after round {last} ({end['median']:g})."
    return f"{first}, {end['player']} after round {last} ({end['median']:g})."


def elimination_finding(frame: pl.DataFrame) -> str:
    """Say how often an elimination needed a tie-break."""
    total = int(frame["eliminations"].sum())
    if not total:
        return "No eliminations: with three players whoever leads two of the three influences wins."
    tied = frame.filter(pl.col("tie_break") != "none needed")
    if tied.is_empty():
        return f"None of {total:,} eliminations needed a tie-break."
    often = tied.sort("eliminations", descending=True, maintain_order=True).row(0, named=True)
    ties = int(tied["eliminations"].sum())
    by = f"{often['influence']}, by {often['tie_break'].replace('_', ' ')} ({often['eliminations']:,})"
    return f"{ties:,} of {total:,} eliminations ({ties / total:.1%}) needed a tie-break; most often {by}."


TABLES: Final[dict[str, Callable[[Queries, OutcomeFilter], pl.DataFrame]]] = {
    "wins": wins,
    "endings": endings,
    "final-influence": Queries.final_influence,
    "eliminations": Queries.eliminations,
    "influence-by-round": Queries.influence_by_round,
}
FINDINGS: Final[dict[str, Callable[[pl.DataFrame], str]]] = {
    "wins": win_finding,
    "endings": ending_finding,
    "final-influence": final_finding,
    "eliminations": elimination_finding,
    "influence-by-round": round_finding,
}


def _most(frame: pl.DataFrame, kind: str) -> tuple[str, int, int]:
    row = frame.sort(pl.col(kind) / pl.col("played"), descending=True, maintain_order=True).row(0, named=True)
    return row["player"], row[kind], row["played"]
