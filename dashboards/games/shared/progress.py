"""The course of matches: when they are decided, how often winners came back. Of any game.

Each is counted from a table that has a row per match (`dashboards/warehouse/actions.py` asks for it).
"""

from functools import partial

import polars as pl

from dashboards.charts import dots
from dashboards.charts.bars import histogram
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, BY_ROUND, Figure, interval, of_wins
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import shares
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import NOTHING, bounds, percent, whole
from dashboards.warehouse.actions import comeback_sums, decided_sums, decisive_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["comeback_shares", "comebacks", "decisive_round", "decisive_rounds"]


def decisive_round(name: str, table: str, word: str) -> Figure:
    """Return the figure of when matches are decided, from a table of matches; `word` is the game's word for a round."""
    return Figure(
        name=name,
        title="When matches are decided",
        section="when",
        count=lambda reader, where: decisive_rounds(reader, where, table),
        columns={
            "round": word.capitalize(),
            "matches": "Matches",
            "groups": "Seeds",
            **interval("decided_share", "Decided then"),
            **interval("decided_by", "Decided by then"),
        },
        finding=partial(_decisive_finding, word=word),
        ignores=BY_ROUND,
        draw=partial(_draw_decisive_rounds, word=word),
    )


def decisive_rounds(reader: Reader, where: Filter, table: str) -> pl.DataFrame:
    """Return `round, matches, groups, decided_share`, its bounds, `decided_by`, its bounds: when the winner led from.

    Only rounds from the filter's first to its last have a row, and 0 one without a round for matches never decided;
    `decided_by` adds all rounds up to this one. Both are shares of all matches.
    """
    found = decisive_sums(reader, table, where)
    rows = shares(found, ["round"], "decided_share", "of").drop("of")
    rows = rows.with_columns(pl.col("round").cast(pl.Int64), found["total"].cast(pl.Int64).alias("matches"))
    never = pl.col("round") == 0
    by_then = shares(decided_sums(reader, table, where), ["round"], "decided_by", "of").drop("of", "groups")
    rows = rows.join(by_then.with_columns(pl.col("round").cast(pl.Int64)), on="round", how="left").sort(never, "round")
    inside = (pl.col("round") >= where.first) & (pl.col("round") <= where.last)
    rows = rows.filter(inside).with_columns(pl.when(~never).then("round").alias("round"))
    ends = [f"{name}{end}" for name in ("decided_share", "decided_by") for end in ("", "_low", "_high")]
    return rows.select("round", "matches", "groups", *ends)


def _decisive_finding(frame: pl.DataFrame, word: str) -> str:
    """Say when half of the matches are decided, if that is in a round that is shown, and in which round how many are.

    `word` is what the game calls a round.
    """
    known = frame.filter(pl.col("round").is_not_null())
    if known.is_empty():
        return NOTHING
    most = known.sort("matches", descending=True).row(0, named=True)
    total = whole(round(most["matches"] / most["decided_share"]), "match", "matches")
    said = lead_sentence(
        known.with_columns(pl.format(f"{word} {{}}", "round").alias("called")),
        "decided_share",
        "called",
        f"More matches are decided in {{}} than in any other: {{}} of {total}",
        f"{{1}} of {total} are decided in {{0}}",
        percent,
    )
    meaning = f"Decided: from the end of that {word} on, scoring after any {word} gives the same winner."
    return f"{_half(known, word)}{said} {meaning}"


def _half(known: pl.DataFrame, word: str) -> str:
    """Return by when half of the matches are decided; nothing if that is before the first round shown, or after all.

    The interval of that round goes from the first by which half may be decided to the first by which half surely are.
    """
    before = known["decided_by"][0] - known["decided_share"][0]
    half = known.filter(pl.col("decided_by") >= 0.5)
    if half.is_empty() or before >= 0.5:
        return ""
    may, surely = (known.filter(pl.col(f"decided_by_{end}") >= 0.5)["round"] for end in ("high", "low"))
    ends = f"{word} {may[0]} to {f'{word} {surely[0]}' if len(surely) else 'the end'}"
    return f"Half of the matches are decided by the end of {word} {half['round'][0]} (95% CI {ends}). "


def _draw_decisive_rounds(frame: pl.DataFrame, colours: Palette, word: str) -> Chart:
    """Draw how many matches were decided in each round; those never decided have no place on the axis."""
    known = frame.filter(pl.col("round").is_not_null())
    return histogram(known, "round", "matches", "decided_share", colours, heading=word)


# --- Comebacks


def comebacks(name: str, table: str, value: str, definition: str, meant: str, heading: str = "Comebacks") -> Figure:
    """Return the figure of comebacks, from a table of matches.

    `value` is the column of shares, `definition` the sentence of its metric; `meant` says in a clause what makes a win
    a comeback.
    """
    source = source_of(comeback_shares, f"interval: {KORN_GRAUBARD}")
    formula = "wins of matches with a comeback / wins"
    return Figure(
        name=name,
        title="Comebacks",
        section="when",
        count=lambda reader, where: comeback_shares(reader, where, table, value),
        columns={
            "player": "Player",
            "wins": "Wins",
            "comebacks": heading,
            "groups": "Seeds",
            **interval(value, "Share of wins"),
        },
        finding=partial(_comeback_finding, name=value, meant=meant),
        ignores=BY_OUTCOME,
        narrows=of_wins,
        draw=lambda frame, colours: dots.intervals(frame, value, colours, shown=dots.percent, ticks=".0%"),
        metrics=(Metric(value, definition, formula, source, "player", "share, 0 to 1"),),
    )


def comeback_shares(reader: Reader, where: Filter, table: str, name: str) -> pl.DataFrame:
    """Return `player, wins, comebacks, groups, {name}` and its bounds, the highest first.

    Of the seats that won, those in matches that the table says were comebacks.
    """
    found = comeback_sums(reader, table, where)
    rows = shares(found, ["player"], name, "wins").with_columns(
        pl.col("wins").cast(pl.Int64), found["total"].cast(pl.Int64).alias("comebacks")
    )
    ends = [f"{name}{end}" for end in ("", "_low", "_high")]
    return rows.select("player", "wins", "comebacks", "groups", *ends).sort(name, "player", descending=[True, False])


def _comeback_finding(frame: pl.DataFrame, name: str, meant: str) -> str:
    """Say how many of each player's wins were comebacks; `meant` defines a comeback in a clause."""
    if frame.is_empty():
        return NOTHING
    meaning = f"A comeback: {meant}."
    if not frame["comebacks"].sum():
        first = frame.sort("wins", "player", descending=[True, False]).row(0, named=True)
        return (
            f"Of {whole(frame['wins'].sum(), 'win')}, none was a comeback: for {first['player']},"
            f" {percent(first[name])} of {whole(first['wins'], 'win')}{bounds(first, name, percent)}. {meaning}"
        )
    frame = frame.with_columns(pl.Series("won", [whole(wins, "win") for wins in frame["wins"]]))
    plain = "Of {0}'s {won}, {1} were comebacks"
    most, least = (f"{{0}} comes back {end} often: in {{1}} of its {{won}}" for end in ("most", "least"))
    said = lead_sentence(frame, name, "player", most, plain, percent)
    if frame.height > 1:
        said += f" {lead_sentence(frame, name, 'player', least, plain, percent, least=True)}"
    return f"{said} {meaning}"
