"""Figures on tokens in matches that use them: how often Yeti, snowstorm and market are placed, and their effects."""

from typing import Final

import polars as pl

from dashboards.charts.builders import Panel, interval_panels, number, percent_label
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.caravan.terms import SEATS
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.queries.actions import action_sums, seat_sums
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import column_sums
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import means, shares
from dashboards.stats.results import in_order, with_all_kinds
from dashboards.stats.words import GROUPED, KORN_GRAUBARD, Metric, hundredths, source_of

__all__ = ["TOKENS_PLACED"]

IN_PLAY: Final = "coalesce(json_extract_string(m.options, '$.tokens'), 'false') = 'true'"
TOKENS: Final = {"yeti": "f.yeti_placed", "snowstorm": "f.snowstorm_placed", "market": "f.market_placed"}
EFFECTS: Final = {
    "stopped": ("yeti", "f.stopped_by_yeti"),
    "slowed": ("snowstorm", "f.slowed_by_storm"),
    "gained": ("market", "f.market_gains"),
    "given": ("market", "f.market_given"),
}
"""Effects of each token: actions of other seats stopped or slowed, and goods gained at a market by owner and others."""
CALLED: Final = {
    "stopped": "Yeti: actions stopped",
    "slowed": "Snowstorm: actions slowed",
    "gained": "Market: goods gained",
    "given": "Market: goods given",
}
TOLD: Final = {
    "stopped": (
        "A Yeti placed by {} stops the most actions of others: {} on average",
        "A Yeti placed by {} stops {} actions of others on average",
    ),
    "slowed": (
        "A snowstorm placed by {} slows the most actions of others: {} on average",
        "A snowstorm placed by {} slows {} actions of others on average",
    ),
    "gained": (
        "{} gains the most from a market that it places: {} goods on average",
        "{} gains {} goods on average from a market that it places",
    ),
}
"""For each effect, the sentence template for a significant leader, and the template for any other leader."""


def tokens(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, token, effect, played, groups, placed_share`, its bounds, `token_effect`, its bounds.

    Only matches with tokens count. `placed_share` is how often a seat places the token; `token_effect` is the mean
    effect of a placed token.
    """
    placed = seat_sums(reader, SEATS, where, TOKENS, only=IN_PLAY).rename({"kind": "token"})
    use = shares(with_all_kinds(placed, "token", TOKENS), ["player", "token"], "placed_share", "played")
    use = use.with_columns(pl.col("played").cast(pl.Int64))
    effects = means(_effect_sums(reader, where), ["player", "effect"], "token_effect").drop("groups", "token_effect_p")
    every = pl.DataFrame({"token": [token for token, _ in EFFECTS.values()], "effect": list(EFFECTS)})
    rows = use.join(every, on="token", how="inner").join(effects, on=["player", "effect"], how="left")
    ends = [f"{name}{end}" for name in ("placed_share", "token_effect") for end in ("", "_low", "_high")]
    return in_order(rows, "effect", EFFECTS).select("player", "token", "effect", "played", "groups", *ends)


def _effect_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return sums of effects by `player, effect`; a trial is a placed token."""
    done = {effect: column for effect, (_, column) in EFFECTS.items()}
    placed = {f"placed {effect}": TOKENS[token] for effect, (token, _) in EFFECTS.items()}
    base, values = action_sums(reader, SEATS, where, done | placed, IN_PLAY)
    return column_sums(reader, base, ["player"], "effect", {effect: f"placed {effect}" for effect in EFFECTS}, values)


def token_finding(frame: pl.DataFrame) -> str:
    """Return a sentence for each kind of effect on the player with the most effective tokens."""
    if frame.is_empty():
        return "No match with tokens fits these filters."
    placed = (pl.col("placed_share") * pl.col("played")).round().cast(pl.Int64)
    # the number of seeds with a token is at most the number of tokens
    frame = frame.with_columns(pl.min_horizontal("groups", placed).alias("groups"))
    said = [
        lead_sentence(rows, "token_effect", "player", most, plain, hundredths)
        for effect, (most, plain) in TOLD.items()
        if (rows := frame.filter(effect=effect))["token_effect"].sum()
    ]
    text = " ".join(said) or "No token had an effect under these filters."
    placing = frame.filter(placed > 0)["player"].unique().to_list()
    alone = len(placing) == 1 and frame["player"].n_unique() > 1
    return f"Only {placing[0]} places tokens. {text}" if alone else text


def draw_tokens(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw how often each token was placed, and the mean effect of a placed token."""
    placed = [
        Panel(
            f"{str(token).capitalize()} placed",
            frame.filter(pl.col("token") == token).unique("player", maintain_order=True),
            "placed_share",
            percent_label,
            ".0%",
        )
        for token in frame["token"].unique(maintain_order=True)
    ]
    effects = [
        Panel(CALLED.get(effect, str(effect)), frame.filter(pl.col("effect") == effect), "token_effect", number)
        for effect in frame["effect"].unique(maintain_order=True)
    ]
    most = max(len(placed), len(effects))
    return interval_panels([*placed, *[None] * (most - len(placed)), *effects], colours, in_a_line=most)


TOKENS_PLACED: Final = Figure(
    name="tokens",
    title="Tokens and what they did",
    section="why",
    count=tokens,
    columns={
        "player": "Player",
        "token": "Token",
        "effect": "Effect",
        **OF_PLAYER,
        **interval("placed_share", "Placed"),
        **interval("token_effect", "Per token placed"),
    },
    finding=token_finding,
    is_wide=True,
    draw=draw_tokens,
    metrics=(
        Metric(
            "placed_share",
            "In what share of the matches with tokens a seat places the token.",
            "seats that placed it / played, in matches with tokens",
            source_of(tokens, f"interval: {KORN_GRAUBARD}"),
            "player, token",
            "share, 0 to 1",
        ),
        Metric(
            "token_effect",
            "Effect of one token once placed: actions of others that the Yeti stops or the snowstorm slows, goods that"
            " the owner of the market gains there or gives to others.",
            "number / tokens placed",
            source_of(tokens, f"interval: {GROUPED}"),
            "player, effect",
            "actions or goods per token",
        ),
    ),
)
