"""Queries on reviews of matches: turning points, key moments, causes, and stored chances of winning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import unit_sums
from dashboards.queries.where import SEATS, SEED_GROUP, player_of, seats_where, with_such_a_seat
from himalaya_core.tournament.playouts import standard_error
from himalaya_core.winprob.fit import POSITIONS

__all__ = [
    "AMOUNT",
    "CHANCE",
    "DECIDED",
    "SEEDS",
    "KeptConfirmation",
    "KeptPlayouts",
    "Reviewing",
    "Values",
    "cause_sums",
    "confirmation_of",
    "largest_moments",
    "moment_sums",
    "playouts_of",
    "reviewing_under",
    "sampled_chances",
    "turning_texts",
    "values_of",
]


AMOUNT: Final = 1_000_000
CHANCE: Final = 10_000
"""Units per win: chances and shares of a win are integers in ten-thousandths."""
SEEDS: Final = 1_000
"""Maximum number of seeds sampled for chances, taken by hash, which is independent of the events."""
DECIDED: Final = """(select match_id, decided_round + 1 as decisive_round from dim_reviews
    where decided_round is not null)"""
"""SQL for matches with one winner and their decisive round plus 1, as other queries read 0 as “never decided”."""
MOMENTS: Final = "fct_moments f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"
EVENLY: Final = f"(nth * {POSITIONS - 1} + decisions - 2) // (decisions - 1) * (decisions - 1) // {POSITIONS - 1}"
"""SQL condition that a decision is one of those spread evenly over a match, as in `himalaya_core.winprob.fit`."""


@dataclass(frozen=True, slots=True)
class Reviewing:
    """Number of evaluated finished matches under a filter, their models, and why the rest are not evaluated.

    `models` are pairs: a model's SHA-256 and its calibration error. `named` is the number of evaluated matches from
    tournaments that named the model before their first match. `reasons` counts matches without an evaluation by reason.
    """

    matches: int
    valued: int
    named: int
    models: tuple[tuple[str, float], ...]
    reasons: Mapping[str, int]
    waiting: int


def reviewing_under(reader: Reader, where: Filter) -> Reviewing:
    """Return the number of evaluated matches under a filter, with models and reasons."""
    condition, values = with_such_a_seat(where)
    rows = reader.rows(
        f"""select model, calibration_error, not_valued, count(*), count(*) filter (named) from (
                select r.model, r.calibration_error, r.not_valued, raw.model = r.model as named
                from dim_matches m left join raw_matches raw using (match_id) left join dim_reviews r using (match_id)
                where {condition})
            group by all order by all""",
        values,
    )
    valued = [row for row in rows if row[0] is not None and row[2] is None]
    reasons: dict[str, int] = {}
    for model, _, reason, matches, _ in rows:
        if model is not None and reason is not None:
            reasons[reason] = reasons.get(reason, 0) + matches
    return Reviewing(
        sum(row[3] for row in rows),
        sum(row[3] for row in valued),
        sum(row[4] for row in valued),
        tuple((model, error) for model, error, *_ in valued),
        reasons,
        sum(row[3] for row in rows if row[0] is None),
    )


def largest_moments(reader: Reader, where: Filter, most: int) -> pl.DataFrame:
    """Return `match, ply, round, player, label, cause, swing, text` of the largest swings, largest first.

    A swing counts if the seat it affected most fits the filter, and the round is in the filter's range. `swing` is a
    fraction of 1. `label` is the seat's, by which `text` names it.
    """
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    return reader.frame(
        f"""select m.match, f.ply::bigint as ply, f.round::bigint as round, {player} as player, s.label,
                f.cause, f.swing, f.text
            from {MOMENTS} where {condition} and f.round between $first and $last
            order by abs(f.swing) desc, m.match, f.number limit $most""",
        values | names | {"first": where.first, "last": where.last, "most": most},
    )


def turning_texts(reader: Reader, matches: Sequence[str]) -> dict[str, list[str]]:
    """Map each reviewed match to the sentences on its key moments, the largest change first."""
    rows = reader.rows(
        """select m.match, list(f.text order by abs(f.swing) desc, f.number)
            from fct_moments f join dim_matches m using (match_id)
            where list_contains($matches, m.match) group by all""",
        {"matches": list(matches)},
    )
    return dict(rows)


def moment_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return the number of key moments by `cause`; a trial is a key moment as in `largest_moments`."""
    condition, values = seats_where(where)
    base = f"""select f.cause, {SEED_GROUP} as unit, count(*) as x from {MOMENTS}
        where {condition} and f.round between $first and $last group by all"""
    trials = "select unit, sum(x) as n from base group by all"
    values |= {"first": where.first, "last": where.last}
    return unit_sums(reader, "from base", trials, ["cause"], [], values, base)


def cause_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return sums by `player, cause` of the effect in millionths of a win; a trial is a seat of a match with causes.

    The amount is 0 for a seat if the cause changed nothing in its match.
    """
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    amounts = f"""select {player} as player, f.cause, {SEED_GROUP} as unit, sum(round(f.amount * {AMOUNT})::bigint) as x
        from fct_seat_causes f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)
        where {condition} group by all"""
    trials = f"""select {player} as player, {SEED_GROUP} as unit, count(*) as n
        from {SEATS} semi join fct_seat_causes using (match_id, seat) where {condition} group by all"""
    return unit_sums(reader, amounts, trials, ["player", "cause"], ["player"], values | names)


def sampled_chances(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `unit, match_id, seat, nth, chance, won`: chances of seats in at most 32 positions per match.

    `chance` and `won` (the seat's share of the win) are in ten-thousandths. Positions are spread evenly over the
    decisions before the end of a match. At most a thousand seeds are used.
    """
    condition, values = seats_where(where)
    return reader.frame(
        f"""with sat as (
                select m.match_id, m.match, s.seat, {SEED_GROUP} as unit
                from {SEATS} join dim_reviews r using (match_id)
                where {condition} and r.not_valued is null),
            bound as (
                select max(unit) as bound from (select distinct unit from sat order by unit limit {SEEDS})),
            sampled as materialized (select sat.* from sat, bound where unit <= bound),
            numbered as (
                select v.match_id, v.seat, v.seq, v.chance,
                    row_number() over in_order - 1 as nth,
                    count(*) over (partition by v.match_id, v.seat) - 1 as decisions,
                    last_value(v.chance) over (in_order rows between unbounded preceding and unbounded following) as won
                from fct_values v semi join sampled using (match_id)
                window in_order as (partition by v.match_id, v.seat order by v.seq))
            select unit, match_id, seat, nth, round(chance * {CHANCE})::bigint as chance,
                round(won * {CHANCE})::bigint as won
            from numbered join sampled using (match_id, seat)
            where nth < decisions and (decisions <= {POSITIONS} or {EVENLY} = nth)
            order by match, nth, seat""",
        values,
    )


@dataclass(frozen=True, slots=True)
class Values:
    """Evaluation of a match by a model: for each decision, the index of its last event, and the chances by seat.

    `model` is the SHA-256 of the model; `not_valued` is the reason if there are no chances.
    """

    game: str
    model: str
    not_valued: str | None
    chances: Sequence[tuple[int, Sequence[float]]]


@dataclass(frozen=True, slots=True)
class KeptPlayouts:
    """Result of playing out the last rounds `samples` times; `error` is the largest standard error of a share."""

    samples: int
    error: float
    chances: Sequence[tuple[int, Sequence[float]]]


@dataclass(frozen=True, slots=True)
class KeptConfirmation:
    """Result of playing out a better decision; `gain` includes the bounds of its 95 % interval."""

    is_confirmed: bool
    pairs: int
    gain: tuple[float, float, float] | None
    text: str


def values_of(reader: Reader, match: str) -> Values | None:
    """Return the stored evaluation of a match; `None` if the match is unknown or was not reviewed."""
    named = "select match_id from raw_matches where match = $match"  # indexed, so the other queries read only one block
    reviewed = """select game, model, not_valued from dim_reviews join dim_matches using (match_id)
                  where match_id = $match_id"""
    chances = """select seq, list(chance order by seat) from fct_values where match_id = $match_id
                 group by seq order by seq"""
    with reader.cursor() as cursor:
        for (match_id,) in cursor.execute(named, {"match": match}).fetchall():
            of_match = {"match_id": match_id}
            for game, model, not_valued in cursor.execute(reviewed, of_match).fetchall():
                return Values(game, model, not_valued, cursor.execute(chances, of_match).fetchall())
    return None


def playouts_of(reader: Reader, match: str) -> KeptPlayouts | None:
    """Return the stored playouts of a match; `None` if there are none."""
    rows = reader.rows(
        """select seq, any_value(samples), list(chance order by seat) from fct_playouts
           where match_id = (select match_id from raw_matches where match = $match) group by seq order by seq""",
        {"match": match},
    )
    if not rows:
        return None
    samples = rows[0][1]
    error = max(standard_error(chance, samples) for _, _, chances in rows for chance in chances)
    return KeptPlayouts(samples, error, [(seq, chances) for seq, _, chances in rows])


def confirmation_of(reader: Reader, match: str, digest: str) -> KeptConfirmation | None:
    """Return the stored playouts of a decision; `None` if there are none."""
    rows = reader.rows(
        """select is_confirmed, pairs, gain, low, high, text from fct_confirmations where digest = $digest
           and match_id = (select match_id from raw_matches where match = $match)""",
        {"match": match, "digest": digest},
    )
    for is_confirmed, pairs, gain, low, high, text in rows:
        return KeptConfirmation(is_confirmed, pairs, None if gain is None else (gain, low, high), text)
    return None
