"""Caravan: how matches ended for each player, with which influences, and who was eliminated by how little."""

from typing import Final

import polars as pl

from dashboards.games.caravan.outcomes_sql import (
    elimination_margins,
    elimination_sums,
    ending_sums,
    final_histogram,
    final_sums,
    round_histogram,
    tie_break_sums,
)
from dashboards.stats.intervals import means, shares
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING, mean, rivals, share, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = [
    "ENDINGS",
    "INFLUENCES",
    "elimination_finding",
    "eliminations",
    "ending_finding",
    "endings",
    "final_finding",
    "final_influence",
    "influence_by_round",
    "round_finding",
    "tie_break_finding",
    "tie_breaks",
]

INFLUENCES: Final = ("religious", "political", "economic")
ENDINGS: Final = ("won", "religious", "political", "outlasted")
"""Won; out for least religious or political influence; stayed in and lost."""
HALF: Final = 6


def endings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, ending, seats, played, groups, ending_share` and its bounds, all four endings of each player.

    The player who wins most comes first.
    """
    found = _filled(ending_sums(reader, where), "ending", ENDINGS)
    counted = shares(found, ["player", "ending"], "ending_share", "played").with_columns(
        pl.col("played").cast(pl.Int64), found["total"].cast(pl.Int64).alias("seats")
    )
    best = pl.col("ending_share").filter(pl.col("ending") == "won").first().over("player")
    order = pl.col("ending").replace_strict({name: place for place, name in enumerate(ENDINGS)}, return_dtype=pl.Int64)
    return counted.sort(best, "player", order, descending=[True, False, False]).select(
        "player", "ending", "seats", "played", "groups", "ending_share", "ending_share_low", "ending_share_high"
    )


def ending_finding(frame: pl.DataFrame) -> str:
    """Say whom each elimination meets most."""
    if frame.is_empty():
        return NOTHING
    lost = frame.filter(pl.col("ending") != "won")["seats"].sum()
    out = {kind: frame.filter(pl.col("ending") == kind) for kind in ("religious", "political")}
    if not any(rows["seats"].sum() for rows in out.values()):
        return f"Nobody was eliminated: all {whole(lost, 'losing seat')} stayed in to the end."
    said = []
    for kind, rows in out.items():
        if rows["seats"].sum():
            rows = rows.sort("ending_share", "player", descending=[True, False])  # noqa: PLW2901
            most, others = rows.row(0, named=True), rivals(rows, "ending_share", "player")
            said.append(f"{kind} elimination meets {most['player']} most, {share(most, 'ending_share')}{others}")
    counts = " and ".join(f"{rows['seats'].sum():,} for least {kind} influence" for kind, rows in out.items())
    text = "; ".join(said)
    return f"Of {whole(lost, 'losing seat')} {counts} went out. {text[:1].upper()}{text[1:]}."


def final_influence(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, influence, seats, groups, points`, its bounds and quartiles: what seats ended with."""
    by = ["player", "influence"]
    found = final_sums(reader, where)
    counted = means(found, by, "points").drop("points_p").with_columns(found["trials"].cast(pl.Int64).alias("seats"))
    spread = quartiles(final_histogram(reader, where), by, "value", "seats", "points")
    return counted.join(spread, on=by, how="left", maintain_order="left").select(
        *by,
        "seats",
        "groups",
        "points",
        "points_low",
        "points_high",
        "points_lower",
        "points_median",
        "points_upper",
    )


def final_finding(frame: pl.DataFrame) -> str:
    """Say who ends with the most of each influence."""
    if frame.is_empty():
        return NOTHING
    parts = []
    for influence in INFLUENCES:
        of_it = frame.filter(pl.col("influence") == influence).sort("points", "player", descending=[True, False])
        best, others = of_it.row(0, named=True), rivals(of_it, "points", "player")
        parts.append(f"{influence} {best['player']} with {mean(best, 'points')}{others}")
    return f"Most points on average at the end: {'; '.join(parts)}."


def influence_by_round(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, player, round, seats, points` and its quartiles at the end of each round of the filter."""
    by = ["influence", "player", "round"]
    counted = round_histogram(reader, where)
    total = pl.col("seats").sum()
    average = counted.group_by(by).agg(
        total.alias("seats"), ((pl.col("value") * pl.col("seats")).sum() / total).alias("points")
    )
    return average.join(quartiles(counted, by, "value", "seats", "points"), on=by).sort(by)


def round_finding(frame: pl.DataFrame) -> str:
    """Say who has most yaks half-way and at the end, with the middle half of its seats."""
    yaks = frame.filter(pl.col("influence") == "economic")
    if yaks.is_empty():
        return NOTHING
    first, last = yaks.select(pl.col("round").min(), last=pl.col("round").max()).row(0)
    middle = max(first, min(HALF, last))
    halves, ends = (
        yaks.filter(pl.col("round") == number).sort("points_median", "points", "player", descending=[True, True, False])
        for number in (middle, last)
    )
    half, end = halves.row(0, named=True), ends.row(0, named=True)
    said = (
        f"In economic influence {half['player']} has the highest median after round {half['round']}: {_middle(half)}"
        f"{_next(halves)}"
    )
    if half["player"] == end["player"]:
        return f"{said}, and still after round {last}: {_middle(end)}{_next(ends)}."
    return f"{said}; {end['player']} after round {last}: {_middle(end)}{_next(ends)}."


def eliminations(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, player, eliminations, played, groups, out_share`, its bounds, `margin_…`, `tied`.

    One row per influence and player who was eliminated by it. Margins are quartiles over its eliminations, `tied` how
    many of them a tie-break decided.
    """
    by = ["influence", "player"]
    found = elimination_sums(reader, where)
    rows = shares(found, by, "out_share", "played").with_columns(
        pl.col("played").cast(pl.Int64), found["total"].cast(pl.Int64).alias("eliminations")
    )
    details = elimination_margins(reader, where)
    tied = (
        details.filter(pl.col("tie_break") != "none needed")
        .group_by(by)
        .agg(pl.col("eliminations").sum().alias("tied"))
    )
    return (
        rows.join(quartiles(details, by, "margin", "eliminations", "margin"), on=by, how="left")
        .join(tied, on=by, how="left")
        .with_columns(pl.col("tied").fill_null(0))
        .sort("influence", "out_share", "player", descending=[True, True, False])
        .select(
            *by,
            "eliminations",
            "played",
            "groups",
            "out_share",
            "out_share_low",
            "out_share_high",
            "margin_lower",
            "margin_median",
            "margin_upper",
            "tied",
        )
    )


def elimination_finding(frame: pl.DataFrame) -> str:
    """Say whom each influence removes most often, and by what margin."""
    if frame.is_empty():
        return "Nobody was eliminated under these filters; with three players nobody can be."
    said = []
    for influence in INFLUENCES[:2]:
        of_it = frame.filter(pl.col("influence") == influence)
        if of_it.height:
            most = of_it.row(0, named=True)
            margin = f"by a median margin of {most['margin_median']:g}"
            said.append(
                f"Least {influence} influence removes {most['player']} most: {share(most, 'out_share')} of its seats"
                f"{rivals(of_it, 'out_share', 'player')},"
                f" {margin} (middle half {most['margin_lower']:g} to {most['margin_upper']:g})."
            )
    return " ".join(said)


def tie_breaks(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, tie_break, eliminations, groups, tie_share` and its bounds: of each influence."""
    found = tie_break_sums(reader, where)
    return (
        shares(found, ["influence", "tie_break"], "tie_share", "of")
        .with_columns(found["total"].cast(pl.Int64).alias("eliminations"))
        .sort("influence", "eliminations", "tie_break", descending=[True, True, False])
        .select("influence", "tie_break", "eliminations", "groups", "tie_share", "tie_share_low", "tie_share_high")
    )


def tie_break_finding(frame: pl.DataFrame) -> str:
    """Say how often each influence needed a tie-break."""
    if frame.is_empty():
        return "Nobody was eliminated under these filters."
    said = []
    for influence in INFLUENCES[:2]:
        of_it = frame.filter(pl.col("influence") == influence)
        none = of_it.filter(pl.col("tie_break") == "none needed")
        if of_it.is_empty():
            continue
        total = int(of_it["eliminations"].sum())
        if none.is_empty():
            said.append(f"every one of {whole(total, f'{influence} elimination')} needed a tie-break")
        else:
            row = none.row(0, named=True)
            said.append(f"of {whole(total, f'{influence} elimination')} {share(row, 'tie_share')} needed no tie-break")
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}."


def _filled(found: pl.DataFrame, key: str, names: tuple[str, ...]) -> pl.DataFrame:
    """Return sums with a row for each name, also for what never happened to a player."""
    every = found.group_by("player").agg(pl.col("trials", "groups").first())
    every = every.join(pl.DataFrame({key: list(names)}), how="cross")
    return every.join(found.select("player", key, "total", "residual"), on=["player", key], how="left").with_columns(
        pl.col("total", "residual").fill_null(0.0)
    )


def _next(rows: pl.DataFrame) -> str:
    """Return who comes after the first row; medians are of these matches, and claim nothing of others."""
    if rows.height < 2:
        return ""
    first, after = (rows.row(place, named=True) for place in (0, 1))
    word = "like" if after["points_median"] == first["points_median"] else "before"
    return f" {word} {after['player']} with {_middle(after)}"


def _middle(row: dict[str, float]) -> str:
    return f"{row['points_median']:g} (middle half {row['points_lower']:g} to {row['points_upper']:g})"
