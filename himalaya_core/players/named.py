"""Creates players by name: built-in players with settings, external classes, and programs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from himalaya_core.errors import HimalayaError
from himalaya_core.game import Game
from himalaya_core.names import did_you_mean
from himalaya_core.players import NamedPlayer, players_of
from himalaya_core.players.external import Outside, OutsideError, OutsidePlayer, outside_player, source_sha256
from himalaya_core.players.program import NO_LIMITS, Limits, Program, ProgramPlayer

__all__ = [
    "NOBODY",
    "Source",
    "UnknownPlayer",
    "class_of",
    "in_full",
    "line_up",
    "make_player",
    "refuse_taken",
    "settings_of",
    "source_of",
]

Source: TypeAlias = Outside | Program
"""Where an external player comes from: a class, or a program."""
NOBODY: Final[Mapping[str, Source]] = MappingProxyType({})
"""Empty default for callers that have no external players."""
KINDS: Final[Mapping[type, str]] = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
ALIASED: Final = "=NAME at the end is for players from files; leave it out"
TRUTH: Final = {"true": True, "false": False}


class UnknownPlayer(HimalayaError, ValueError):
    """An invalid player name; the message gives the reason or lists the known players."""


def line_up(
    game: Game[Any, Any, Any], texts: Sequence[str], beside: Path | None = None, limits: Limits = NO_LIMITS
) -> tuple[tuple[str, ...], Mapping[str, Source]]:
    """Return the canonical names of players, and the sources of external ones by name.

    A match then depends only on its players, not on the location of a file or the order of settings. Files are searched
    for in the folder `beside` first. `limits` apply to programs. Raises `UnknownPlayer` for an invalid name, or if two
    different players have the same name.
    """
    names: list[str] = []
    outside: dict[str, Source] = {}
    for text in texts:
        found = None if _built_in(game, text) else _source(text, beside, limits)
        if found is None:
            names.append(_in_order(game, text))
            continue
        name = _make_outside(game, found, "").name
        if not outside.setdefault(name, found).is_same(found):
            others = f"{outside[name].text} and {found.text}"
            raise UnknownPlayer(f"two players are called {name!r}: {others}; add =NAME to one")
        names.append(name)
    return tuple(names), outside


def _source(text: str, beside: Path | None, limits: Limits) -> Source | None:
    try:
        return Program.read(text, beside, limits) or Outside.read(text, beside)
    except OutsideError as error:
        raise UnknownPlayer(f"player {text!r}: {error}") from None


def make_player(game: Game[Any, Any, Any], name: str, seed: str, outside: Mapping[str, Source] = NOBODY) -> NamedPlayer:
    """Return a player for one match, e.g. `rollout`, `rollout:playouts=80:horizon=2`, or an external one.

    Its random draws depend only on `seed`. Raises `UnknownPlayer`, with a list of the known players.
    """
    if name in outside:
        return _make_outside(game, outside[name], seed)
    known, *settings = name.split(":")
    if ".py" in name:
        raise UnknownPlayer(f"player {name!r}: expected FILE.py:CLASS, then :key=value for each setting, then =NAME")
    there = players_of(game)
    if known.partition("=")[0] in there and "=" in known:
        raise UnknownPlayer(f"player {name!r}: {ALIASED}")
    if known not in there:
        raise UnknownPlayer(
            f"player {known!r} is unknown; {game.name} has {', '.join(there)}{did_you_mean(known, there)}"
        )
    maker = there[known]
    defaults = maker(seed, {}).params
    try:
        return maker(seed, dict(_setting(defaults, text) for text in settings))
    except ValueError as error:
        is_aliased = any(text.count("=") > 1 for text in settings)
        raise UnknownPlayer(f"player {known!r}: {ALIASED if is_aliased else error}") from None


def in_full(name: str, settings: Mapping[str, Any]) -> str:
    """Return the canonical name of a player with settings, e.g. `rollout:playouts=80:horizon=2`."""
    return ":".join([name, *(f"{key}={_typed(value)}" for key, value in settings.items())])


def settings_of(defaults: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that differ from their defaults, in the order of the defaults."""
    return {key: params[key] for key in defaults if params[key] != defaults[key]}


def class_of(player: NamedPlayer) -> Any:
    """Return the class that makes a player's choices; typed `Any`, because mypy thinks classes are unhashable."""
    return player.kind if isinstance(player, OutsidePlayer) else type(player)


def source_of(player: NamedPlayer) -> str | None:
    """Return the source digest of a player; `None` if it has no source file, as in a notebook."""
    return player.program.sha256 if isinstance(player, ProgramPlayer) else source_sha256(class_of(player))


def refuse_taken(game: Game[Any, Any, Any], name: str, advice: str) -> None:
    """Raise `UnknownPlayer`, with advice, if the game already has a registered player with this name."""
    if name in players_of(game):
        raise UnknownPlayer(f"{game.name} already has a player {name!r}; {advice}")


def _in_order(game: Game[Any, Any, Any], text: str) -> str:
    if ":" not in text:
        return text
    player = make_player(game, text, "")
    return in_full(player.name, settings_of(players_of(game)[player.name]("", {}).params, player.params))


def _typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _built_in(game: Game[Any, Any, Any], text: str) -> bool:
    return text.partition(":")[0] in players_of(game)


def _make_outside(game: Game[Any, Any, Any], place: Source, seed: str) -> NamedPlayer:
    try:
        player = place.player(game, seed) if isinstance(place, Program) else _of_class(place, seed)
        refuse_taken(game, player.name, "add =NAME to give this one another name")
    except ValueError as error:
        raise UnknownPlayer(f"player {place.text!r}: {error}") from None
    return player


def _of_class(place: Outside, seed: str) -> OutsidePlayer:
    kind = place.load()
    player = outside_player(place.make(kind, seed, {}), place.alias)
    if place.settings:
        settings = dict(_setting(player.params, text) for text in place.settings)
        player = outside_player(place.make(kind, seed, settings), place.alias)
    return player


def _setting(defaults: Mapping[str, Any], text: str) -> tuple[str, Any]:
    """Parse one `key=value`; the value is converted to the type of the parameter's default."""
    key, _, value = text.partition("=")
    if key not in defaults:
        there = f"there are {', '.join(defaults)}" if defaults else "there are none"
        raise ValueError(f"setting {key!r} is unknown; {there}{did_you_mean(key, defaults)}")
    kind = type(defaults[key])
    if kind not in KINDS:
        raise ValueError(f"setting {key}: its default is neither a number, text, true nor false, so it cannot be set")
    if kind is bool:
        if value not in TRUTH:
            raise ValueError(f"setting {key}: expected {KINDS[kind]}, found {value!r}")
        return key, TRUTH[value]
    try:
        return key, kind(value)
    except ValueError:
        raise ValueError(f"setting {key}: expected {KINDS[kind]}, found {value!r}") from None
