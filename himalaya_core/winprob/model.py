"""The win-probability model: its file, the matches for which it is valid, and the chances it computes.

Each feature of a seat has two weights, one for the beginning of a match and one for its end. The weight at a given
progress lies between the two. The chances are the softmax of the seats' weighted sums. This module is plain Python:
only fitting a model (`fit`) needs numpy.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp, isfinite
from operator import mul
from pathlib import Path
from typing import Any, Final, TypeVar

from himalaya_core.document import as_json, digest, field_of
from himalaya_core.engine import settle, step
from himalaya_core.errors import BoardError, HimalayaError
from himalaya_core.files import read_document
from himalaya_core.game import CHANCE, Features, Game
from himalaya_core.log.codec import Header
from himalaya_core.seed import Seed

__all__ = [
    "FORMAT",
    "LEAST_CHECKED",
    "Model",
    "ModelError",
    "chances",
    "fixed_shares",
    "load_model",
    "not_valued",
    "option_settings",
    "shipped",
]

FORMAT: Final = 1
LEAST_CHECKED: Final = 20
"""Minimum number of held-out matches with a number of players, board or option before the model is valid for it."""
FILE: Final = "model.json"
MOST_BYTES: Final = 1 << 20
S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")


class ModelError(HimalayaError, ValueError):
    """A file that is no model of the game; the message names the place in the file and the expected value."""


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted model. `document` is the content of its file; `sha256` is the digest of its canonical JSON.

    `first` and `last` are the weights at the beginning and at the end of a match, in the order of the game's features,
    with the temperature applied. `players`, `boards` (by digest) and `options` (on or off) count the held-out matches
    with each setting.
    """

    game: Game[Any, Any, Any]
    rules_version: str
    first: tuple[float, ...]
    last: tuple[float, ...]
    players: Mapping[str, int]
    boards: Mapping[str, int]
    options: Mapping[str, Mapping[str, int]]
    document: Mapping[str, Any]
    sha256: str

    @classmethod
    def of(cls, document: Mapping[str, Any], game: Game[Any, Any, Any]) -> "Model":
        """Return the model in a JSON document. Raises `ModelError` if the document is invalid."""
        try:
            return _parsed(document, game)
        except BoardError as error:
            raise ModelError(str(error)) from None

    @property
    def name(self) -> str:
        """The name of the game and the first digits of the model's digest."""
        return f"{self.game.name}-{self.sha256[:12]}"

    @property
    def calibration_error(self) -> float:
        """Mean difference between predicted chances and observed shares of wins, on the held-out matches."""
        return float(self.document["quality"]["calibration_error"])

    @property
    def largest_error(self) -> float:
        """Largest difference between the mean chance of a bin and its share of wins, on the held-out matches."""
        bins = self.document["reliability"]
        return max([abs(each["chance"] - each["won"]) for each in bins], default=self.calibration_error)


def chances(model: Model, state: Any) -> tuple[float, ...]:
    """Return each seat's chance of winning from a position, or its share of the win if that is fixed; the sum is one.

    This does not check whether the model is valid for the match; see `not_valued`.
    """
    features = model.game.features
    assert features is not None, "a model is of a game with features"
    rows = features.rows(state)
    fixed = fixed_shares(model.game, state)
    if fixed is not None:
        return fixed
    late = features.progress(state)
    weights = [first + (last - first) * late for first, last in zip(model.first, model.last, strict=True)]
    sums = [sum(map(mul, weights, row)) for row in rows]
    most = max(sums)
    parts = [exp(each - most) for each in sums]
    whole = sum(parts)
    return tuple([part / whole for part in parts])


MOST_VISITED: Final = 200
"""Maximum number of positions visited to find out whether a result is fixed."""
ANY: Final = Seed("any")
"""Seed of the draws that cannot change an outcome."""


def fixed_shares(game: Game[S, A, E], state: S) -> tuple[float, ...] | None:
    """Return each seat's share of the win if, by the rules, all ways to continue end with the same shares.

    Returns `None` if the result is open, depends on a secret, or has more continuations than are visited.
    """
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome.shares
    closing = None if game.features is None else game.features.is_closing
    if (closing is not None and not closing(state)) or game.view(state, CHANCE) != state:
        return None
    found: tuple[float, ...] | None = None
    branches = [iter((state,))]
    for _ in range(MOST_VISITED):
        at: S | None = None
        while branches and at is None:
            at = next(branches[-1], None)
            if at is None:
                branches.pop()
        if at is None:
            return found
        outcome = game.outcome(at)
        if outcome is None:
            following = _following(game, at, is_closing=closing is not None)
            if following is None:
                return None
            branches.append(following)
        elif found not in (None, outcome.shares):
            return None
        else:
            found = outcome.shares
    return None


def _following(game: Game[S, A, E], state: S, *, is_closing: bool) -> Iterator[S] | None:
    """Return the next positions, one for each legal action; `None` if several seats or a draw that counts are next."""
    actors = game.actors(state)
    if not actors:
        return iter([after for _, after in settle(game, state)][-1:])
    actor, *others = actors
    if others or (actor == CHANCE and not is_closing):
        return None
    actions = [game.sample_chance(state, ANY)] if actor == CHANCE else game.legal_actions(state, actor)
    return (step(game, state, action)[-1][1] for action in actions)


def not_valued(model: Model, header: Header) -> str | None:
    """Return the settings of a match for which the model was not checked, as a reason; `None` if the model is valid."""
    if header.game != model.game.name:
        return f"the model is of {model.game.name}, the match of {header.game}"
    if header.rules_version != model.rules_version:
        return f"rules version {header.rules_version} was not checked, only {model.rules_version}"
    players = len(header.seats)
    if model.players.get(str(players), 0) < LEAST_CHECKED:
        return f"{players} players were not checked"
    if model.boards.get(header.board.sha256, 0) < LEAST_CHECKED:
        return f"the board {header.board.id} ({header.board.sha256[:12]}…) was not checked"
    for name, setting in option_settings(model.game, header.options).items():
        # if the option is newer than the model, it was off in all matches the model was checked on
        if model.options.get(name, {"off": LEAST_CHECKED}).get(setting, 0) < LEAST_CHECKED:
            return f"option {name} {setting} was not checked"
    return None


def option_settings(game: Game[Any, Any, Any], given: Mapping[str, Any]) -> dict[str, str]:
    """Return each option of a game as `on` or `off`. An option that takes a number is `on` if it has a value."""
    settings = {
        option.name: "on" if (option.name in given if option.number else given.get(option.name)) else "off"
        for option in game.options
    }
    unknown = {name: "on" for name in given if name not in settings and name != "players"}
    return settings | unknown


def load_model(path: Path, game: Game[Any, Any, Any]) -> Model:
    """Return the model in a file. Raises `ModelError` if the file is invalid."""
    try:
        return Model.of(read_document(path, MOST_BYTES), game)
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None


@cache
def shipped(game: Game[Any, Any, Any]) -> Model | None:
    """Return the model that ships with a game; `None` if there is none."""
    if game.features is None or game.features.package is None:
        return None
    file = resources.files(game.features.package) / FILE
    return Model.of(json.loads(file.read_text(encoding="utf-8")), game) if file.is_file() else None


def _parsed(document: Mapping[str, Any], game: Game[Any, Any, Any]) -> Model:
    if field_of(document, "model", "format", int) != FORMAT:
        raise ModelError(f"model.format: expected {FORMAT}, found {document['format']}")
    if field_of(document, "model", "game", str) != game.name:
        raise ModelError(f"model.game: expected {game.name}, found {document['game']}")
    if game.features is None:
        raise ModelError(f"model.game: {game.name} has no features")
    temperature = _number(document, "model", "temperature")
    if temperature <= 0:
        raise ModelError(f"model.temperature: expected more than 0, found {temperature}")
    weights = _weights(field_of(document, "model", "features", Mapping), game.features)
    checked = field_of(document, "model", "checked", Mapping)
    quality = field_of(document, "model", "quality", Mapping)
    _number(quality, "model.quality", "calibration_error")
    field_of(document, "model", "reliability", list)
    boards = field_of(checked, "model.checked", "boards", Mapping)
    options = field_of(checked, "model.checked", "options", Mapping)
    return Model(
        game=game,
        rules_version=field_of(document, "model", "rules_version", str),
        first=tuple(first / temperature for first, _ in weights),
        last=tuple(last / temperature for _, last in weights),
        players=_counts(field_of(checked, "model.checked", "players", Mapping), "model.checked.players"),
        boards=_counts(boards, "model.checked.boards"),
        options={name: _counts(options[name], f"model.checked.options.{name}") for name in options},
        document=document,
        sha256=digest(document),
    )


def _weights(found: Mapping[str, Any], features: Features[Any]) -> list[Sequence[float]]:
    if list(found) != list(features.names):
        wrong = sorted(set(found) ^ set(features.names)) or ["in another order"]
        raise ModelError(f"model.features: expected those of this version, in their order; different: {wrong[0]}")
    for name, pair in found.items():
        if not isinstance(pair, list) or len(pair) != 2 or not all(map(_is_number, pair)):
            raise ModelError(f"model.features.{name}: expected two numbers, found {as_json(pair)}")
    return list(found.values())


def _counts(found: Any, where: str) -> Mapping[str, int]:
    if not isinstance(found, Mapping):
        raise ModelError(f"{where}: expected an object, found {as_json(found)}")
    return {key: field_of(found, where, key, int) for key in found}


def _number(found: Mapping[str, Any], where: str, key: str) -> float:
    value: float = field_of(found, where, key, object)
    if not _is_number(value):
        raise ModelError(f"{where}.{key}: expected a number, found {as_json(value)}")
    return value


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)
