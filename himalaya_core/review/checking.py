"""Check chances on held-out matches, compared with estimates that need no model."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from himalaya_core.review.fitting import TINY, Numbers, Table, log_losses
from himalaya_core.review.samples import Position, Sampled

__all__ = ["Quality", "ScoredNow", "faults", "quality", "reliability"]

BINS: Final = 10
RESAMPLES: Final = 1_000
PRIOR: Final = 10.0
"""Weight of the previous round, in matches, so that rounds reached by few matches are not overconfident."""
MOST_ERROR: Final = 0.02
LEAST_GAIN: Final = 0.10


@dataclass(frozen=True)
class Quality:
    """Quality of chances, each match counting 1: of a seat (Brier) and of the winner (log-loss, in nats).

    The intervals hold for 95 % of samples of so many matches; `gain` is the log-loss below "if scored now".
    """

    matches: int
    brier: float
    brier_scored_now: float
    brier_constant: float
    log_loss: float
    log_loss_scored_now: float
    log_loss_constant: float
    gain: float
    gain_from: float
    gain_to: float
    calibration_error: float
    calibration_error_to: float


def faults(found: Quality | Mapping[str, Any]) -> list[str]:
    """Return reasons not to rely on chances; none if they are calibrated and better than the score."""
    figures = asdict(found) if isinstance(found, Quality) else found
    wrong = []
    if figures["calibration_error"] > MOST_ERROR:
        wrong.append(f"calibration error {figures['calibration_error']:.3f}, expected at most {MOST_ERROR:.2f}")
    if figures["gain"] < LEAST_GAIN:
        wrong.append(f"log-loss {figures['gain']:.3f} below 'if scored now', expected at least {LEAST_GAIN:.2f}")
    return wrong


class ScoredNow:
    """Chance of each place if a position were scored now, by number of players and round, from training matches.

    A round is smoothed towards the one before it, the first one towards equal chances. Seats that share a place share
    its chances; rounds that no training match reached have those of the last one.
    """

    def __init__(self, training: Sequence[Sampled]) -> None:
        counted: dict[int, dict[int, list[Numbers]]] = {}
        for match in training:
            won, rounds = np.array(match.won), dict[int, list[Numbers]]()
            for place in match.positions:
                rounds.setdefault(place.round, []).append(_by_place(place, won))
            for each, found in rounds.items():
                counted.setdefault(len(won), {}).setdefault(each, []).append(np.mean(found, axis=0))
        self._chances = {seats: _smoothed(rounds, seats) for seats, rounds in counted.items()}

    def of(self, found: Sequence[Sampled]) -> Numbers:
        """Return the chances of each seat of each position, as the rows of a `Table`."""
        return np.concatenate([self._of(place, len(match.won)) for match in found for place in match.positions])

    def _of(self, place: Position, seats: int) -> Numbers:
        rounds = self._chances.get(seats, {})
        known = [each for each in rounds if each <= place.round]
        by_place = rounds[max(known)] if known else np.full(seats, 1 / seats)
        chances, at = np.zeros(seats), 0
        for group in place.groups:
            chances[list(group)] = by_place[at : at + len(group)].mean()
            at += len(group)
        return np.maximum(chances, TINY)


def _by_place(place: Position, won: Numbers) -> Numbers:
    return np.concatenate([np.full(len(group), won[list(group)].mean()) for group in place.groups])


def _smoothed(rounds: Mapping[int, Sequence[Numbers]], seats: int) -> dict[int, Numbers]:
    """Return the chances of each place by round, given the win share of each place in each match that reached it."""
    chances, before = dict[int, Numbers](), np.full(seats, 1 / seats)
    for each in sorted(rounds):
        won = rounds[each]
        chances[each] = before = (np.sum(won, axis=0) + PRIOR * before) / (len(won) + PRIOR)
    return chances


def _brier(table: Table, chances: Numbers) -> float:
    return float(np.average((chances - table.won) ** 2, weights=table.weight))


def quality(table: Table, chances: Numbers, scored_now: Numbers) -> Quality:
    """Return the quality of chances, compared with two that need no model; intervals by resampling matches."""
    seats = np.diff(np.append(table.start, len(table.won)))
    constant: Numbers = (1 / seats)[table.position]
    losses = [np.bincount(table.match, log_losses(table, each)) for each in (chances, scored_now, constant)]
    count = len(losses[0])
    draws = np.random.default_rng(1).multinomial(count, np.full(count, 1 / count), RESAMPLES) / count
    gains = draws @ (losses[1] - losses[0])
    errors = _calibration_errors(table, chances, draws)
    return Quality(
        matches=count,
        brier=_brier(table, chances),
        brier_scored_now=_brier(table, scored_now),
        brier_constant=_brier(table, constant),
        log_loss=float(losses[0].mean()),
        log_loss_scored_now=float(losses[1].mean()),
        log_loss_constant=float(losses[2].mean()),
        gain=float((losses[1] - losses[0]).mean()),
        gain_from=float(np.quantile(gains, 0.025)),
        gain_to=float(np.quantile(gains, 0.975)),
        calibration_error=float(_calibration_errors(table, chances, np.full((1, count), 1.0))[0]),
        calibration_error_to=float(np.quantile(errors, 0.975)),
    )


def _bins(chances: Numbers) -> Any:
    """Return the bin of each row: ten of equal count, by the chances."""
    order = np.empty(len(chances), dtype=np.int64)
    order[np.argsort(chances, kind="stable")] = np.arange(len(chances))
    return order * BINS // len(chances)


def _calibration_errors(table: Table, chances: Numbers, draws: Numbers) -> Numbers:
    """Return, for each weighting of matches, the mean distance of chances and shares of wins over the bins."""
    bins, count = _bins(chances), table.match[-1] + 1
    apart = np.bincount(table.match * BINS + bins, chances - table.won, count * BINS).reshape(count, BINS)
    rows = np.bincount(table.match, minlength=count).astype(float)
    errors: Numbers = np.abs(draws @ apart).sum(axis=1) / (draws @ rows)
    return errors


def reliability(table: Table, chances: Numbers) -> list[dict[str, float]]:
    """Return ten bins of equal count: the mean chance, and the share of seats that won."""
    bins = _bins(chances)
    rows = []
    for each in range(BINS):
        among = bins == each
        row = {"chance": round(float(chances[among].mean()), 4), "won": round(float(table.won[among].mean()), 4)}
        rows.append({"seats": int(among.sum()), **row})
    return rows
