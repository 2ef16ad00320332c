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
from himalaya_core.winprob.key_moments import FAVOURITE

__all__ = [
    "AMOUNT",
    "CHANCE",
    "DECIDED",
    "SEEDS",
    "KeptConfirmation",
    "KeptPlayouts",
    "KeyMoment",
    "Reviewing",
    "Values",
    "cause_sums",
    "confirmation_of",
    "is_turning",
    "largest_moments",
    "moment_sums",
    "moments_of",
    "playouts_of",
    "reviewing_under",
    "sampled_chances",
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


@dataclass(frozen=True, slots=True)
class KeyMoment:
    """A key moment: its sentence, the entry at which to look at it, and whether it turned the match.

    The entry is the last one before a decision, or the roll of the dice.
    """

    text: str
    at: int
    turned: bool


def moments_of(reader: Reader, matches: Sequence[str]) -> dict[str, list[KeyMoment]]:
    """Map each reviewed match to its key moments, the largest change first."""
    rows = reader.rows(
        """with told as (
                select f.*, m.match, m.winner_seats from fct_moments f join dim_matches m using (match_id)
                where list_contains($matches, m.match)),
            around as (
                select t.match_id, t.number, v.seat, arg_max(v.chance, v.seq) as after,
                    arg_max(v.chance, v.seq) filter (v.seq <= t.since) as before
                from told t join fct_values v on v.match_id = t.match_id and v.seq <= t.seq group by all),
            chances as (
                select match_id, number, list(before order by seat) as before, list(after order by seat) as after
                from around group by all)
            select match, text, case when by_seat is null then seq else since end as at,
                seat, swing, winner_seats, before, after
            from told join chances using (match_id, number) order by match, abs(swing) desc, number""",
        {"matches": list(matches)},
    )
    found: dict[str, list[KeyMoment]] = {}
    for match, text, at, *moment in rows:
        found.setdefault(match, []).append(KeyMoment(text, at, is_turning(*moment)))
    return found


def is_turning(
    seat: int, swing: float, winners: Sequence[int], before: Sequence[float | None], after: Sequence[float]
) -> bool:
    """Return whether a moment turned a match: by its swing, the seat became or ceased to be the favourite.

    The swing also turned the match if the seat is the winner and its chance crossed one half.
    """
    known = [chance for chance in before if chance is not None]
    if len(known) < len(after):
        return False
    favourites = [chances.index(max(chances)) for chances in (known, list(after))]
    changed = favourites[0] != favourites[1] and seat == favourites[swing > 0]
    crossed = (known[seat] < FAVOURITE) != (after[seat] < FAVOURITE) and (after[seat] > known[seat]) == (swing > 0)
    return changed or (crossed and list(winners) == [seat])


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
