"""A model made from matches: fitted, given a temperature, checked on a held-out tournament, and written."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from himalaya_core.files import write_log
from himalaya_core.game import Game
from himalaya_core.review.checking import Quality, ScoredNow, quality, reliability
from himalaya_core.review.fitting import fit, folds, parts, predicted, table_of, temperature_of
from himalaya_core.review.model import FORMAT, Model, option_settings
from himalaya_core.review.samples import Sampled, digest_of

__all__ = ["checked", "trained", "write_model"]

DIGITS: Final = 6
"""Significant digits of a weight: more say nothing, and could differ from one machine to another."""


def trained(game: Game[Any, Any, Any], found: Sequence[Sampled], tournament: str) -> Model:
    """Return a model fitted to matches outside a tournament and checked on that tournament.

    The temperature is found on matches that were left out, one quarter after another, of a fit to the rest; the weights
    are then fitted to all. The same matches in the same order give the same model on the same machine. `TrainingError`
    if they don't suffice.
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
    """Return the quality of a model on matches, and its reliability; chances by score use the training matches."""
    table = table_of(model.game, held)
    chances = predicted(table, np.array(model.first), np.array(model.last))
    return quality(table, chances, ScoredNow(training).of(held)), reliability(table, chances)


def write_model(model: Model, path: Path) -> None:
    """Write the file of a model; `LogFileError` if that cannot be done."""
    with write_log(path) as file:
        file.write(_text(model.document).encode())


def _text(document: Mapping[str, Any]) -> str:
    """Return a document as JSON, a line for each pair of weights and each bin."""
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
    """Return the number of matches with each number of players, board and option."""
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
