"""Figures based on win probabilities: coverage, calibration, when matches are decided, key moments."""

from collections.abc import Iterator
from math import isfinite
from typing import Final

import polars as pl

from dashboards.charts.builders import histogram, in_points, intervals, percent_label
from dashboards.charts.chart import Chart, Dots
from dashboards.charts.theme import Palette
from dashboards.games.analytics import terms_of
from dashboards.games.figure import BY_OUTCOME, BY_ROUND, OF_MATCHES, Figure, interval
from dashboards.games.shared.course import decisive_rounds
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.reviews import (
    CHANCE,
    DECIDED,
    Reviewing,
    largest_moments,
    moment_sums,
    reviewing_under,
    sampled_chances,
)
from dashboards.queries.where import game_under
from dashboards.stats import words
from dashboards.stats.calibration import reliability
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import quartiles, shares
from dashboards.stats.words import FEW, confidence, percent, plain, points, signed, significant, whole
from himalaya_core.games import GAMES
from himalaya_core.winprob.model import ModelError, shipped

__all__ = [
    "CALIBRATION",
    "DECIDED_BY_CHANCES",
    "ESTIMATED",
    "LARGEST_SWINGS",
    "MOMENT_CAUSES",
    "NOT_VALUED",
    "calibration",
    "calibration_finding",
    "causes_finding",
    "decided_by_chances",
    "decided_finding",
    "has_model",
    "largest_swings",
    "moment_causes",
    "swings_finding",
    "valued_in_words",
    "waiting_in_words",
]


ESTIMATED: Final = "Estimated from matches of the players the model was trained on; not what perfect play would give."
NAMED: Final = "Each tournament's manifest named this model before its first match."
CHOSEN_LATER: Final = "The model was chosen after these matches were played (or the logs came without their manifest)."


def has_model(game: str) -> bool:
    """Return whether a game ships with a readable win probability model."""
    try:
        return game in GAMES and shipped(GAMES[game]) is not None
    except ModelError:
        return False


def valued_in_words(found: Reviewing, digits: int | None = None) -> list[str]:
    """Return sentences: how many matches have win probabilities, why the rest do not, and the models with their errors.

    If `digits` is given, the model's digest is shortened to that many digits.
    """
    said = [_valued(found)]
    if found.valued:
        said += [ESTIMATED, *_models(found, digits), NAMED if found.named == found.valued else CHOSEN_LATER]
    return said


def waiting_in_words(found: Reviewing) -> str:
    """Return a sentence on the matches without win probabilities because their review is still to come; or nothing."""
    if not found.waiting:
        return ""
    return f"The chances of {found.waiting:,} of {whole(found.matches, 'match', 'matches')} are still being calculated."


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


NOT_VALUED: Final = "No finished match that fits these filters has chances of winning."
NAMES: Final = {"decided_share": "favourite_share", "decided_by": "favourite_by"}
ENDS: Final = ("", "_low", "_high")


def decided_by_chances(reader: Reader, where: Filter) -> pl.DataFrame:
    """Count by round when the winner became favourite for good, in matches with one winner.

    Columns: `round, kind, matches, groups, favourite_share, favourite_by`, the last two with bounds.

    The row of a round counts the matches in which the winner's chance stayed at one half or above from that round on.
    `kind` is the game's word for a round.
    """
    found = decisive_rounds(reader, where, DECIDED)
    found = found.rename({f"{name}{end}": f"{called}{end}" for name, called in NAMES.items() for end in ENDS})
    kind = pl.lit(terms_of(game_under(reader, where)).round).alias("kind")
    return found.select(pl.col("round") - 1, kind, pl.exclude("round"))


def decided_finding(frame: pl.DataFrame) -> str:
    """Return sentences on the round in which the median match is decided, and on that in which most are."""
    if frame.is_empty():
        return NOT_VALUED
    word = frame["kind"][0]
    spread = quartiles(frame.with_columns(of=pl.lit("all")), ["of"], "round", "matches", "at").row(0, named=True)
    median, low, high = (f"{spread[f'at_{end}']:.0f}" for end in ("median", "lower", "upper"))
    total = whole(int(frame["matches"].sum()), "match", "matches")
    most = lead_sentence(
        frame.with_columns(pl.format(f"{word} {{}}", "round").alias("called")),
        "favourite_share",
        "called",
        "This begins in {} most often: in {} of them",
        "In {1} of them this begins in {0}",
        percent,
    )
    meaning = f"the winner's chance was never again below one half from {word} {median} on"
    return f"In the median of {total} with chances and one winner, {meaning} (middle half: {low} to {high}). {most}"


def draw_decided(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw the number of matches decided in each round."""
    return histogram(frame, "round", "matches", "favourite_share", colours, heading=frame["kind"][0])


DECIDED_BY_CHANCES: Final = Figure(
    "decided-by-chances",
    "When the winner became favourite for good",
    "chances",
    decided_by_chances,
    {
        "round": "Round",
        "kind": "Unit",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("favourite_share", "Begins then"),
        **interval("favourite_by", "Begun by then"),
    },
    decided_finding,
    OF_MATCHES,
    draw=draw_decided,
)


COLUMNS: Final = {
    "bin": "Bin",
    "chance": "Mean chance",
    "positions": "Positions",
    "groups": "Seeds",
    **interval("won_share", "Share won"),
    **interval("calibration_difference", "Difference"),
    "calibration_difference_p": "p (uncorrected)",
    "calibration_difference_holm": "p (corrected)",
    **interval("calibration_error", "Error of all bins"),
    "checked_error": "Where it was checked",
}


def calibration(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return the win probabilities under a filter in ten bins (see `stats.reliability`).

    The column `checked_error` is the model's calibration error on its held-out tournament (the largest of several
    models).

    At most a thousand seeds are sampled. Chances of exactly 0 and 1 are left out, because most of them come from the
    rules, which know a result that nothing can change any more.
    """
    parts = [pl.col(name) / CHANCE for name in ("chance", "won")]
    estimated = sampled_chances(reader, where).filter(pl.col("chance").is_between(0, CHANCE, closed="none"))
    frame = reliability(estimated.with_columns(parts))
    errors = [error for _, error in reviewing_under(reader, where).models]
    return frame.with_columns(pl.lit(max(errors, default=None), pl.Float64).alias("checked_error")).select(*COLUMNS)


def calibration_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on how far the chances are off in these matches, and whether that is significant."""
    if frame.is_empty():
        return NOT_VALUED
    row = frame.row(0, named=True)
    ends = [row[f"calibration_error_{end}"] for end in ("low", "high")]
    said = f"Chances are off by {plain(100 * row['calibration_error'])} points on average in these matches"
    known = isfinite(ends[1])
    said += f" ({confidence(plain(100 * ends[0]), plain(100 * ends[1])) if known else FEW}). In the model's own check"
    said += f" they were off by {plain(100 * row['checked_error'])}."
    apart = [each for each in frame.iter_rows(named=True) if significant(each, "calibration_difference")]
    if not apart:
        return f"{said} In none of {frame.height} bins do chances differ significantly from shares won (corrected)."
    far = max(apart, key=lambda each: abs(each["calibration_difference"]))
    return (
        f"{said} The model does not hold here: in {whole(len(apart), 'bin')} of {frame.height} chances differ"
        f" significantly from shares won (corrected), most where they are {far['chance']:.0%} on average: by"
        f" {signed(100 * far['calibration_difference'])} points."
    )


def draw_calibration(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw the share of wins in each bin with its interval, and a tick at the bin's mean chance."""
    named = frame.with_columns(
        pl.format("{} ({}%)", "bin", (100 * pl.col("chance")).round(0).cast(pl.Int64)).alias("row")
    )
    marks = [(colours.accent, "circle")] * frame.height
    return intervals(
        named,
        "won_share",
        colours,
        rows="row",
        shown=percent_label,
        ticks=".0%",
        reference="chance",
        called="mean chance",
        marks=marks,
    )


CALIBRATION: Final = Figure(
    "calibration",
    "Calibration of the chances",
    "chances",
    calibration,
    COLUMNS,
    calibration_finding,
    BY_OUTCOME,
    draw=draw_calibration,
)


MOST: Final = 12
NO_MOMENT: Final = f"{NOT_VALUED[:-1]}, or none has a key moment."


def largest_swings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, ply, round, player, label, cause, swing, text` of the largest key moments, the largest first."""
    return largest_moments(reader, where, MOST)


def swings_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the largest swing."""
    if frame.is_empty():
        return NO_MOMENT
    first = frame.row(0, named=True)
    label = f" ({first['label']})" if first["label"] not in {None, first["player"]} else ""
    said = f"{points(first['swing'])} for {first['player']}{label}, in {first['match']}"
    return f"The largest swing found is {said}: {first['text']}."


def draw_swings(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw each of the largest swings: the change in chances of the player it affected most."""
    named = frame.with_columns(pl.format("Ply {}, {}", "ply", "match").alias("row"))
    told_ = in_points(named.with_columns(pl.col("swing").alias(f"swing{end}") for end in ("_low", "_high")), "swing")
    marks = [(colours.accent, "circle")] * frame.height
    shown = words.signed
    return intervals(told_, "swing", colours, rows="row", shown=shown, ticks="+d", marks=marks)


def moment_causes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `cause, moments, groups, moment_share` and its bounds, over all key moments, most frequent cause first.

    The cause is worded for the player with the largest change in chances.
    """
    found = moment_sums(reader, where)
    rows = shares(found, ["cause"], "moment_share", "of").drop("of")
    rows = rows.with_columns(found["total"].cast(pl.Int64).alias("moments"))
    ends = [f"moment_share{end}" for end in ("", "_low", "_high")]
    return rows.select("cause", "moments", "groups", *ends).sort("moments", "cause", descending=[True, False])


def causes_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the most frequent cause of key moments."""
    if frame.is_empty():
        return NO_MOMENT
    total = whole(int(frame["moments"].sum()), "key moment")
    return lead_sentence(
        frame,
        "moment_share",
        "cause",
        f"The most frequent cause is {{}}: {{}} of {total}",
        f"The cause is {{0}} in {{1}} of {total}",
        percent,
    )


def draw_causes(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw the share of key moments due to each cause."""
    marks = [(colours.accent, "circle")] * frame.height
    return intervals(frame, "moment_share", colours, rows="cause", shown=percent, ticks=".0%", marks=marks)


LARGEST_SWINGS: Final = Figure(
    "largest-swings",
    "Largest swings",
    "chances",
    largest_swings,
    {
        "match": "Match",
        "ply": "Ply",
        "round": "Round",
        "player": "Player",
        "label": "In the text",
        "cause": "Cause",
        "swing": "Change",
        "text": "What happened",
    },
    swings_finding,
    BY_ROUND,
    draw=draw_swings,
)
MOMENT_CAUSES: Final = Figure(
    "moment-causes",
    "What key moments come from",
    "chances",
    moment_causes,
    {
        "cause": "Cause",
        "moments": "Key moments",
        "groups": "Seeds",
        **interval("moment_share", "Share"),
    },
    causes_finding,
    BY_ROUND,
    draw=draw_causes,
)
