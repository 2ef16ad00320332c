"""Written notation of actions: format an action as a short text, and parse such a text.

`1: stxxii` is a choice of seat 1. The seat may be omitted if only one seat is to choose. A game's `notation` defines
how its actions are written. An action without such a form is written as its name and its values, `key=value`. A parsed
action may still be illegal: the rules check it when it is carried out.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from himalaya_core.game import CHANCE, Field, Form, Game, log_name
from himalaya_core.log.codec import decode_action, written_action
from himalaya_core.seed import Seed

__all__ = ["NotationError", "expected", "hints", "offers", "read", "refusal_in_words", "write"]

SEAT: Final = re.compile(r"([1-6])\s*:\s*(.*)", re.DOTALL)
SEAT_OF_RULES: Final = re.compile(r"\bseat (\d+)\b")
MOST_LOOKED_AT: Final = 500
"""Maximum number of legal actions inspected to find the possible kinds of action."""


class NotationError(ValueError):
    """A text that is not an action in this position; the message gives the expected text and the one found."""


def write(game: Game[Any, Any, Any], state: Any, action: Any) -> str:
    """Return the written form of an action chosen in this position."""
    data = json.loads(written_action(game, action))
    name = data.pop("type")
    who = getattr(action, "seat", None)
    before = f"{who + 1}: " if who is not None and len(game.actors(state)) > 1 else ""
    form = game.notation.get(name)
    if form is None:
        words = [name, *(f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in data.items())]
    elif form.shown is not None and (shown := form.shown(state, data)) is not None:
        words = shown
    else:
        words = [form.word, *(text for part in form.parts if (text := _written(part, data)) is not None)]
    return before + " ".join(filter(None, words))


def read(game: Game[Any, Any, Any], state: Any, text: str, seat: int | None = None) -> Any:
    """Parse an action. Raises `NotationError` if no actor can choose such an action in this position.

    A text without a seat is an action of `seat`, or by default of the first actor that may choose.
    """
    actors = game.actors(state)
    if not actors:
        raise NotationError(f"expected nothing more, the match is over; found {text!r}")
    found = SEAT.fullmatch(text.strip())
    actor, said = (int(found[1]) - 1, found[2]) if found else (actors[0] if seat is None else seat, text.strip())
    if actor not in actors:
        raise NotationError(f"expected {_who(actors)}, found seat {actor + 1}")
    due = _due(game, state, actor)
    for name in (*due, *_named(game, actor, said, due)):
        data = _read(game, name, said.split())
        if data is None:
            data = _seen(game, name, said.lower().split(), state, actor)
        if data is None:
            continue
        try:
            return decode_action(game, {"type": name, **data}, None if actor == CHANCE else actor)
        except ValueError:  # not an action of this game, or not representable as JSON
            continue
    raise NotationError(f"expected {expected(game, state, seat)}; found {text.strip()!r}")


def expected(game: Game[Any, Any, Any], state: Any, seat: int | None = None) -> str:
    """Return a text that says who is to choose, and in which notation. If several seats are, `seat` selects one."""
    actors = game.actors(state)
    if not actors:
        return "nothing more: the match is over"
    if seat in actors:
        actors = (seat,)
    due = _due(game, state, actors[0])
    hints = [_hint(game, name) for name in (due[:1] if actors[0] == CHANCE else due)]
    return f"{_who(actors)}: {', or '.join(hints)}"


def offers(game: Game[Any, Any, Any], state: Any) -> list[tuple[str, str]]:
    """Return texts that may follow the first word of the chance result that is due, each with a remark."""
    if CHANCE not in game.actors(state):
        return []
    form = game.notation.get(_due(game, state, CHANCE)[0])
    return [] if form is None or form.offers is None else form.offers(state)


def hints(game: Game[Any, Any, Any]) -> list[tuple[str, str]]:
    """Return the notation and meaning of each kind of action in a game."""
    forms = game.notation
    return [(_pattern(game, name), forms[name].hint if name in forms else "") for name in game.action_types]


def refusal_in_words(reason: str, names: Sequence[str] = ()) -> str:
    """Return the reason for an illegal action, with seat numbers replaced by the given names."""

    def seat(found: re.Match[str]) -> str:
        number = int(found[1])
        return names[number - 1] if 1 <= number <= len(names) else found[0]

    return SEAT_OF_RULES.sub(seat, reason)


def _who(actors: tuple[int, ...]) -> str:
    if actors[0] == CHANCE:
        return "what fell"
    seats = sorted(actor + 1 for actor in actors)
    return (
        f"seat {seats[0]}" if len(seats) == 1 else f"seat {', '.join(map(str, seats))} (begin with the seat, as in 1:)"
    )


def _due(game: Game[Any, Any, Any], state: Any, actor: int) -> list[str]:
    if actor == CHANCE:
        first = log_name(type(game.sample_chance(state, Seed("any"))))
        chances = (name for name, kind in game.action_types.items() if not hasattr(kind, "seat"))
        return list(dict.fromkeys((first, *chances)))
    legal = game.legal_actions(state, actor)
    step = 1 + len(legal) // MOST_LOOKED_AT
    # in a long list, the first and last actions can be of different kinds
    places = (*range(0, len(legal), step), *([len(legal) - 1] if len(legal) else []))
    return list(dict.fromkeys(log_name(type(legal[place])) for place in places))


def _named(game: Game[Any, Any, Any], actor: int, said: str, due: Sequence[str]) -> Iterator[str]:
    """Yield kinds of action that the text names but that are impossible now. The rules then give the reason."""
    word = said.partition(" ")[0].lower()
    for name, kind in game.action_types.items():
        form = game.notation.get(name)
        is_named = bool(word) and word == (name if form is None else form.word)
        if is_named and name not in due and hasattr(kind, "seat") == (actor != CHANCE):
            yield name


def _hint(game: Game[Any, Any, Any], name: str) -> str:
    form = game.notation.get(name)
    return f"{form.hint} `{_pattern(game, name)}`" if form and form.hint else f"`{_pattern(game, name)}`"


def _pattern(game: Game[Any, Any, Any], name: str) -> str:
    form = game.notation.get(name)
    if form is None:
        return f"{name} key=value …"
    parts = [f"[{part.hint}]" if part.mark else part.hint for part in form.parts]
    return " ".join(filter(None, [form.word, *parts]))


def _written(part: Field, data: Mapping[str, Any]) -> str | None:
    value = data.get(part.key)
    if part.mark:
        return None if value in (None, part.absent) else f"{part.mark}{part.write(value)}"
    return part.write(value)


def _read(game: Game[Any, Any, Any], name: str, words: list[str]) -> dict[str, Any] | None:
    """Parse the words as this kind of action and return its data; `None` if the words do not match its form."""
    form = game.notation.get(name)
    try:
        return dict(_generic(name, words)) if form is None else dict(_by_form(form, words))
    except (ValueError, RecursionError):
        return None


def _seen(game: Game[Any, Any, Any], name: str, words: list[str], state: Any, actor: int) -> dict[str, Any] | None:
    """Parse words for what people see at the table as this kind of action; `None` if that is impossible."""
    form = game.notation.get(name)
    if form is None or form.seen is None or not words:
        return None
    try:
        return _read(game, name, form.seen(state, actor, words))
    except (ValueError, IndexError):
        return None


def _generic(name: str, words: list[str]) -> Iterator[tuple[str, Any]]:
    if not words or words[0].lower() != name:
        raise ValueError(name)
    for pair in words[1:]:
        key, _, value = pair.partition("=")
        yield key, json.loads(value)


def _by_form(form: Form, words: list[str]) -> list[tuple[str, Any]]:
    left = list(words)
    if form.word and (not left or left.pop(0).lower() != form.word):
        raise ValueError(form.word)
    found = list[tuple[str, Any]]()
    for part in form.parts:
        if part.mark and not (left and left[0].lower().startswith(part.mark)):
            found += [] if part.absent is None else [(part.key, part.absent)]
            continue
        if not left:
            raise ValueError(part.hint)
        found.append((part.key, part.read(left.pop(0)[len(part.mark) :])))
    if left:
        raise ValueError(left[0])
    return found
