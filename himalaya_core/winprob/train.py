"""Trains a win-probability model: fit, temperature, and a check on held-out matches."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from himalaya_core.files import write_log
from himalaya_core.game import Game
from himalaya_core.winprob.fit import (
    TINY,
    Numbers,
    Position,
    Sampled,
    Table,
    digest_of,
    fit,
    folds,
    log_losses,
    parts,
    predicted,
    table_of,
    temperature_of,
)
from himalaya_core.winprob.model import FORMAT, Model, option_settings

__all__ = ["Quality", "ScoredNow", "checked", "faults", "quality", "reliability", "trained", "write_model"]


BINS: Final = 10
RESAMPLES: Final = 1_000
PRIOR: Final = 10.0
"""Weight, in matches, of the previous round's estimate. It prevents overconfidence in rounds with few matches."""
MOST_ERROR: Final = 0.02
LEAST_GAIN: Final = 0.10


@dataclass(frozen=True)
class Quality:
    """Quality of predicted chances: Brier score over seats, and log-loss of the winner in nats. Matches weigh the same.

    Intervals have 95 % coverage. `gain` is the reduction in log-loss compared with the baseline `ScoredNow`.
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
    """Return reasons not to rely on the chances; empty if they are calibrated and better than the score alone."""
    figures = asdict(found) if isinstance(found, Quality) else found
    wrong = []
    if figures["calibration_error"] > MOST_ERROR:
        wrong.append(f"calibration error {figures['calibration_error']:.3f}, expected at most {MOST_ERROR:.2f}")
    if figures["gain"] < LEAST_GAIN:
        wrong.append(f"log-loss {figures['gain']:.3f} below 'if scored now', expected at least {LEAST_GAIN:.2f}")
    return wrong


class ScoredNow:
    """Baseline: the chance that each place gives if scored now, by number of players and round, from training matches.

    Each round is smoothed towards the round before it, the first one towards equal chances. Seats that share a place
    share its chances. Rounds that no training match reached use the last known round.
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
        """Return the baseline chance of each seat in each position, in the row order of a `Table`."""
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
    """Return smoothed chances of each place by round. `rounds` has each match's win shares by place."""
    chances, before = dict[int, Numbers](), np.full(seats, 1 / seats)
    for each in sorted(rounds):
        won = rounds[each]
        chances[each] = before = (np.sum(won, axis=0) + PRIOR * before) / (len(won) + PRIOR)
    return chances


def _brier(table: Table, chances: Numbers) -> float:
    return float(np.average((chances - table.won) ** 2, weights=table.weight))


def quality(table: Table, chances: Numbers, scored_now: Numbers) -> Quality:
    """Score predicted chances and two baselines without a model. Intervals come from resampled matches."""
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
    """Assign each row to one of ten bins with equal numbers of rows, ordered by chance."""
    order = np.empty(len(chances), dtype=np.int64)
    order[np.argsort(chances, kind="stable")] = np.arange(len(chances))
    return order * BINS // len(chances)


def _calibration_errors(table: Table, chances: Numbers, draws: Numbers) -> Numbers:
    """Return the mean difference between chances and win shares over all bins, for each weighting of the matches."""
    bins, count = _bins(chances), table.match[-1] + 1
    apart = np.bincount(table.match * BINS + bins, chances - table.won, count * BINS).reshape(count, BINS)
    rows = np.bincount(table.match, minlength=count).astype(float)
    errors: Numbers = np.abs(draws @ apart).sum(axis=1) / (draws @ rows)
    return errors


def reliability(table: Table, chances: Numbers) -> list[dict[str, float]]:
    """Return ten bins with equal numbers of rows, each with its mean chance and its share of wins."""
    bins = _bins(chances)
    rows = []
    for each in range(BINS):
        among = bins == each
        row = {"chance": round(float(chances[among].mean()), 4), "won": round(float(table.won[among].mean()), 4)}
        rows.append({"seats": int(among.sum()), **row})
    return rows


DIGITS: Final = 6
"""Significant digits of a weight, few enough to be the same on every machine."""


def trained(game: Game[Any, Any, Any], found: Sequence[Sampled], tournament: str) -> Model:
    """Return a model fitted to all matches outside `tournament`, and checked on the matches of `tournament`.

    The temperature comes from cross-validation: each quarter of the training matches is predicted by a fit to the rest.
    The weights are then fitted to all training matches. Equal matches in equal order give the same model on one
    machine. Raises `TrainingError` if there are too few matches.
    """
    assert game.features is not None, "only a game with features has samples"
    training, held = parts(found, tournament)
    left_out = [(table_of(game, quarter), *fit(table_of(game, others))) for others, quarter in folds(training)]
    temperature = _rounded(temperature_of(left_out))
    first, last = fit(table_of(game, training))
    pairs = zip(map(_rounded, first), map(_rounded, last), strict=True)
    features = dict(zip(game.features.names, map(list, pairs), strict=True))
    document = {
        "format": FORMAT,
        "game": game.name,
        "rules_version": game.rules_version,
        "temperature": temperature,
        "features": features,
        "checked": _held(game, held),
        "trained_on": _named(training),
        "checked_on": {"tournament": tournament, **_named(held)},
        "quality": {"calibration_error": 0.0},
        "reliability": [],
    }
    found_quality, rows = checked(Model.of(document, game), held, training)
    figures = {key: value if key == "matches" else round(value, 4) for key, value in asdict(found_quality).items()}
    return Model.of({**document, "quality": figures, "reliability": rows}, game)


def checked(
    model: Model, held: Sequence[Sampled], training: Sequence[Sampled]
) -> tuple[Quality, list[dict[str, float]]]:
    """Return a model's quality and reliability on held-out matches. The baseline is computed from training matches."""
    table = table_of(model.game, held)
    chances = predicted(table, np.array(model.first), np.array(model.last))
    return quality(table, chances, ScoredNow(training).of(held)), reliability(table, chances)


def write_model(model: Model, path: Path) -> None:
    """Write a model file. Raises `LogFileError` if that fails."""
    with write_log(path) as file:
        file.write(_text(model.document).encode())


def _text(document: Mapping[str, Any]) -> str:
    lines = [f"{json.dumps(key)}: {_value(value)}" for key, value in document.items()]
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{\n  " + ",\n  ".join(f"{json.dumps(key)}: {json.dumps(each)}" for key, each in value.items()) + "\n }"
    if isinstance(value, list):
        return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
    return json.dumps(value)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _named(found: Sequence[Sampled]) -> dict[str, Any]:
    return {"matches": len(found), "sha256": digest_of(found)}


def _held(game: Game[Any, Any, Any], held: Sequence[Sampled]) -> dict[str, Any]:
    players = Counter(len(match.won) for match in held)
    boards = Counter(match.header.board.sha256 for match in held)
    options: dict[str, Counter[str]] = {option.name: Counter() for option in game.options}
    for match in held:
        for name, setting in option_settings(game, match.header.options).items():
            options[name][setting] += 1
    return {
        "players": {str(count): players[count] for count in sorted(players)},
        "boards": dict(sorted(boards.items())),
        "options": {name: dict(sorted(counts.items())) for name, counts in options.items()},
    }
