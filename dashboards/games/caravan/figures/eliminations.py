"""Figures on eliminations: how close they were, and what decided them."""

from typing import Final

import polars as pl

from dashboards.charts.builders import by_part, counted, interval_panels, middle_half, number
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.caravan.terms import ELIMINATED_OVER, ELIMINATIONS, INFLUENCES, WITH_ELIMINATION, of_influence
from dashboards.games.figure import BY_OUTCOME, Figure, interval
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import unit_sums
from dashboards.queries.where import SEATS, SEED_GROUP, player_of, seats_where
from dashboards.stats.intervals import quartiles, shares
from dashboards.stats.words import KORN_GRAUBARD, TYPE_7, Metric, bounds, percent, source_of, whole

__all__ = ["ELIMINATED", "TIE_BREAKS"]


def eliminations(reader: Reader, where: Filter) -> pl.DataFrame:
    """Count the eliminations of each player by each influence, with their margins and tie-breaks.

    Columns: `influence, player, eliminations, played, groups, out_share` with bounds, `margin_…`, `tied`. A player that
    an influence never eliminated has no row for it. `margin_…` are the quartiles of the margin over the eliminations.
    `tied` counts the eliminations decided by a tie-break.
    """
    by = ["influence", "player"]
    found = _sums(reader, where)
    rows = shares(found, by, "out_share", "played").with_columns(
        pl.col("played").cast(pl.Int64), found["total"].cast(pl.Int64).alias("eliminations")
    )
    margins = _margins(reader, where)
    tied = margins.filter(pl.col("is_tied")).group_by(by).agg(pl.col("eliminations").sum().alias("tied"))
    ends = [f"out_share{end}" for end in ("", "_low", "_high")] + [
        f"margin_{end}" for end in ("lower", "median", "upper")
    ]
    return (
        rows.join(quartiles(margins, by, "margin", "eliminations", "margin"), on=by, how="left")
        .join(tied, on=by, how="left")
        .with_columns(pl.col("tied").fill_null(0))
        .sort("influence", "out_share", "player", descending=[True, True, False])
        .select(*by, "eliminations", "played", "groups", *ends, "tied")
    )


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return sums by `influence, player`: how many of the player's seats the influence eliminated."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    amounts = f"""select e.influence, {player} as player, {SEED_GROUP} as unit, count(*) as x from {ELIMINATIONS}
        where {condition} group by all"""
    trials = f"""select {player} as player, {SEED_GROUP} as unit, count(*) as n from {SEATS}
        where {condition} and {WITH_ELIMINATION} group by all"""
    return unit_sums(reader, amounts, trials, ["influence", "player"], ["player"], values | names)


def _margins(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, player, margin, is_tied, eliminations`: the number of eliminations with each margin."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    return reader.frame(
        f"""select e.influence, {player} as player, e.margin, e.tie_break is not null as is_tied,
                count(*) as eliminations
            from {ELIMINATIONS} where {condition} group by all""",
        values | names,
    )


def elimination_finding(frame: pl.DataFrame) -> str:
    """For each influence, describe the player it eliminates most often: how many times, and by what margin.

    The figure `endings` compares the players.
    """
    if frame.is_empty():
        return "No player was eliminated under these filters; with three players none can be."
    by_share = frame.sort("out_share", descending=True, maintain_order=True)
    first = {row["influence"]: row for row in by_share.reverse().iter_rows(named=True)}
    return " ".join(
        f"{row['player']} was eliminated on {over} {whole(row['eliminations'], 'time')}, {row['tied']:,} of them on a"
        f" tie-break; the median margin was {row['margin_median']:g} (middle half {row['margin_lower']:g} to"
        f" {row['margin_upper']:g})."
        for influence, over in ELIMINATED_OVER.items()
        if (row := first.get(influence))
    )


def draw_eliminations(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw, for each influence, the margins by which players were eliminated."""
    parts = by_part(frame, "influence", "margin", number)
    return interval_panels([middle_half(part, "margin") for part in parts], colours)


ELIMINATED: Final = Figure(
    name="eliminations",
    title="How narrowly players were eliminated",
    section="why",
    count=eliminations,
    columns={
        "influence": "Least influence",
        "player": "Player",
        "eliminations": "Eliminations",
        "played": "Of matches",
        "groups": "Seeds",
        **interval("out_share", "Share"),
        "margin_lower": "Margin: lower quartile",
        "margin_median": "Median",
        "margin_upper": "Upper quartile",
        "tied": "By a tie-break",
    },
    finding=elimination_finding,
    ignores=BY_OUTCOME,
    is_wide=True,
    narrows=of_influence,
    draw=draw_eliminations,
    metrics=(
        Metric(
            "eliminations",
            "How many seats were eliminated in the final scoring.",
            "number of seats",
            source_of(eliminations),
            "influence, player or influence, tie_break",
            "seats",
        ),
        Metric(
            "out_share",
            "How often the player is eliminated for having the least of the influence, in its matches with four or more"
            " players; with three, nobody can be.",
            "eliminations by it / seats at tables of four or more",
            source_of(eliminations, f"interval: {KORN_GRAUBARD}"),
            "influence, player",
            "share, 0 to 1",
        ),
        Metric(
            "margin",
            "How far an eliminated seat was behind the next seat still in; 0 is a tie.",
            "least of the seats that were still in − its own, over its eliminations",
            source_of(eliminations, TYPE_7),
            "influence, player",
            "points",
        ),
        Metric(
            "tied",
            "How many of the eliminations were decided by a tie-break.",
            "number of eliminations with a tie-break",
            source_of(eliminations),
            "influence, player",
            "seats",
        ),
    ),
)


NONE: Final = "none needed"


def tie_breaks(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, tie_break, eliminations, groups, tie_share` and its bounds; shares are per influence."""
    found = _tie_break_sums(reader, where)
    return (
        shares(found, ["influence", "tie_break"], "tie_share", "of")
        .with_columns(found["total"].cast(pl.Int64).alias("eliminations"))
        .sort("influence", "eliminations", "tie_break", descending=[True, True, False])
        .select("influence", "tie_break", "eliminations", "groups", "tie_share", "tie_share_low", "tie_share_high")
    )


def _tie_break_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return sums by `influence, tie_break`: how many eliminations by that influence the tie-break decided."""
    condition, values = seats_where(where)
    amounts = f"""select e.influence, coalesce(e.tie_break, '{NONE}') as tie_break, {SEED_GROUP} as unit, count(*) as x
        from {ELIMINATIONS} where {condition} group by all"""
    trials = (
        f"select e.influence, {SEED_GROUP} as unit, count(*) as n from {ELIMINATIONS} where {condition} group by all"
    )
    return unit_sums(reader, amounts, trials, ["influence", "tie_break"], ["influence"], values)


def tie_break_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on how often each influence needed a tie-break."""
    if frame.is_empty():
        return "No player was eliminated under these filters."
    said = []
    for influence in INFLUENCES[:2]:
        of_it = frame.filter(pl.col("influence") == influence)
        if of_it.is_empty():
            continue
        count = whole(of_it["eliminations"].sum(), f"{influence} elimination")
        none = of_it.filter(pl.col("tie_break") == NONE)
        if none.is_empty():
            said.append(f"Every one of {count} needed a tie-break.")
        else:
            row = none.row(0, named=True)
            said.append(
                f"Of {count}, {percent(row['tie_share'])} needed no tie-break{bounds(row, 'tie_share', percent)}."
            )
    return " ".join(said)


def draw_tie_breaks(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw a bar for each influence and tie-break with the number of eliminations."""
    rows = list(frame.iter_rows(named=True))
    called = {NONE: "no tie-break"}
    labels = [f"{row['influence']}: {called.get(row['tie_break'], row['tie_break'].replace('_', ' '))}" for row in rows]
    return counted(
        labels,
        frame["eliminations"].to_list(),
        [colours.influences[INFLUENCES.index(row["influence"])] for row in rows],
        hover=[
            f"{name}: {row['eliminations']:,} eliminations, {row['tie_share']:.1%}{bounds(row, 'tie_share', percent)}"
            for name, row in zip(labels, rows, strict=True)
        ],
        behind=rows,
    )


TIE_BREAKS: Final = Figure(
    name="tie-breaks",
    title="What decided eliminations",
    section="why",
    count=tie_breaks,
    columns={
        "influence": "Least influence",
        "tie_break": "Tie broken by",
        "eliminations": "Eliminations",
        "groups": "Seeds",
        **interval("tie_share", "Share"),
    },
    finding=tie_break_finding,
    ignores=BY_OUTCOME,
    narrows=of_influence,
    draw=draw_tie_breaks,
    metrics=(
        Metric(
            "tie_share",
            "How often eliminations on the influence were decided this way.",
            "eliminations decided this way / eliminations on the influence",
            source_of(tie_breaks, f"interval: {KORN_GRAUBARD}"),
            "influence, tie_break",
            "share, 0 to 1",
        ),
    ),
)
