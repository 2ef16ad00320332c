"""Mutated logs of a match: one change each, all digests recomputed, so that only the rules can detect it.

A changed match may still be valid (another possible die, another label). These functions do not decide that.
"""

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.core.log.damage import Lines

__all__ = ["Mutant", "mutants", "signed"]

Entries = list[dict[str, Any]]
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Mutant:
    """A changed log, with a description of the change."""

    change: str
    lines: Lines


def mutants(lines: Sequence[bytes], number: int, seed: str) -> Iterator[Mutant]:
    """Yield mutated logs of a finished match, each named differently; the same seed gives the same mutants."""
    draw = random.Random(seed)
    entries = [json.loads(line) for line in lines]
    vocabulary = _vocabulary(entries)
    kinds = [kind for kind, weight in WEIGHTS.items() for _ in range(weight)]
    for nth in range(number):
        while True:
            copies: Entries = json.loads(json.dumps(entries))
            change = draw.choice(kinds)(copies, draw, vocabulary)
            if change and copies != entries:
                break
        yield Mutant(change, signed(copies, f"{entries[0]['match']}.{nth:04}"))


def signed(entries: Entries, match: str) -> Lines:
    """Return the lines of a log renamed and renumbered, with the right digest in the last line."""
    digest, lines = hashlib.sha256(), list[bytes]()
    for seq, entry in enumerate(entries):
        if isinstance(entry.get("data"), dict) and "lines_sha256" in entry["data"]:
            entry["data"]["lines_sha256"] = digest.hexdigest()
        line = (
            json.dumps({**entry, "match": match, "seq": seq}, separators=(",", ":"), ensure_ascii=False).encode()
            + b"\n"
        )
        digest.update(line)
        lines.append(line)
    return lines


# --- Change one value of a log


def _value(entries: Entries, draw: random.Random, vocabulary: "_Vocabulary") -> str:
    """Change one value of an event, an action or the envelope."""
    place = draw.randrange(len(entries))
    path = draw.choice([path for path in _paths(entries[place]) if _is_mutable(path)])
    return _change(entries, place, path, draw, vocabulary)


def _pair(entries: Entries, draw: random.Random, vocabulary: "_Vocabulary") -> str:
    """Change the same value in an action and its event."""
    places = [place for place, entry in enumerate(entries) if entry.get("action")]
    place = draw.choice(places)
    entry = entries[place]
    shared = [path for path in _paths(entry["data"]) if path and _at(entry["action"], path) == _at(entry["data"], path)]
    if not shared:
        return ""
    path = draw.choice(shared)
    said = _change(entries, place, ("data", *path), draw, vocabulary)
    _put(entry["action"], path, _at(entry["data"], path))
    return f"{said}, in its action too"


def _change(entries: Entries, place: int, path: Path, draw: random.Random, vocabulary: "_Vocabulary") -> str:
    before = _at(entries[place], path)
    after = _another(before, path, draw, vocabulary)
    _put(entries[place], path, after)
    where = ".".join(map(str, path))
    return f"line {place + 1}: {where} was {json.dumps(before)}, is {json.dumps(after)}"


def _another(value: Any, path: Path, draw: random.Random, vocabulary: "_Vocabulary") -> Any:
    """Return another plausible value for a key."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, list) and value:
        return draw.choice([value[:-1], [*value, draw.choice(value)], value[::-1], draw.sample(value, len(value))])
    if isinstance(value, dict) and value:
        left_out = draw.choice(list(value))
        return {key: inner for key, inner in value.items() if key != left_out}
    if isinstance(value, dict | list):
        return {"more": 1} if isinstance(value, dict) else [1]
    known = vocabulary[_name(path)]
    if isinstance(value, int) and (draw.random() < 0.6 or len(known) < 2):
        return value + draw.choice((-2, -1, 1, 1, 2))
    return draw.choice(known)


# --- Change whole events


def _dropped(entries: Entries, draw: random.Random, _: "_Vocabulary") -> str:
    place = draw.randrange(1, len(entries) - 1)
    return f"line {place + 1}, {entries.pop(place)['type']}, is gone"


def _doubled(entries: Entries, draw: random.Random, _: "_Vocabulary") -> str:
    place = draw.randrange(1, len(entries) - 1)
    entries.insert(place + 1, dict(entries[place]))
    return f"line {place + 1}, {entries[place]['type']}, stands twice"


def _swapped(entries: Entries, draw: random.Random, _: "_Vocabulary") -> str:
    place = draw.randrange(1, len(entries) - 2)
    entries[place : place + 2] = entries[place + 1], entries[place]
    return f"lines {place + 1} and {place + 2} have changed places"


def _without_ply(entries: Entries, draw: random.Random, _: "_Vocabulary") -> str:
    """Remove a whole decision with its consequences, and renumber the lines after it."""
    ply = draw.randint(1, entries[-1]["ply"])
    entries[:] = [entry for entry in entries if entry["ply"] != ply or entry["type"] == "match_ended"]
    for entry in entries:
        entry["ply"] -= entry["ply"] >= ply
    return f"ply {ply} is gone"


def _swapped_plies(entries: Entries, draw: random.Random, _: "_Vocabulary") -> str:
    """Swap two consecutive decisions, each with its consequences."""
    if entries[-1]["ply"] < 3:
        return ""
    ply = draw.randint(1, entries[-1]["ply"] - 2)
    start, middle, stop = (next(n for n, entry in enumerate(entries) if entry["ply"] == ply + k) for k in range(3))
    later = [{**entry, "ply": ply} for entry in entries[middle:stop]]
    earlier = [{**entry, "ply": ply + 1} for entry in entries[start:middle]]
    entries[start:stop] = [*later, *earlier]
    return f"plies {ply} and {ply + 1} have changed places"


def _other_seats(entries: Entries, draw: random.Random, _: "_Vocabulary") -> str:
    """Assign a whole decision to another seat."""
    seats = len(entries[0]["data"]["seats"])
    acting = [entry["ply"] for entry in entries if entry.get("seat") is not None and entry.get("action")]
    ply = draw.choice(acting)
    other = draw.randrange(1, seats)
    for entry in entries:
        if entry["ply"] == ply and entry.get("seat") is not None:
            entry["seat"] = (entry["seat"] + other) % seats
    return f"ply {ply} is that of another seat"


def _ending(entries: Entries, draw: random.Random, _: "_Vocabulary") -> str:
    """Change the winner or the final figures."""
    data = entries[-1]["data"]
    if draw.random() < 0.5:
        data["ranking"] = data["ranking"][::-1]
        return "the ranking is reversed"
    scores = data["scores"]
    one, other = draw.sample(range(len(scores)), 2)
    scores[one], scores[other] = scores[other], scores[one]
    return f"the scores of seats {one} and {other} are exchanged"


def _abandoned_midway(entries: Entries, draw: random.Random, _: "_Vocabulary") -> str:
    """End the match early: a last line marks it finished or abandoned, with the final position."""
    place = draw.randrange(1, len(entries) - 1)
    reason = draw.choice(("finished", "abandoned"))
    last = {**entries[-1], "ply": entries[place]["ply"], "round": entries[place]["round"]}
    last["data"] = {**last["data"], "reason": reason}
    if reason == "abandoned":
        last["data"] |= {"ranking": [], "scores": []}
    entries[place + 1 :] = [last]
    return f"{reason} after line {place + 1}"


Change = Callable[[Entries, random.Random, "_Vocabulary"], str]
WEIGHTS: dict[Change, int] = {
    _value: 8,
    _pair: 6,
    _dropped: 3,
    _doubled: 2,
    _swapped: 2,
    _without_ply: 3,
    _swapped_plies: 2,
    _other_seats: 2,
    _ending: 1,
    _abandoned_midway: 1,
}

# --- Find values by their keys

_Vocabulary = dict[str, list[Any]]


def _vocabulary(entries: Entries) -> _Vocabulary:
    """Return the scalar values of a match, grouped by key."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        for path in _paths(entry):
            value = _at(entry, path)
            if not isinstance(value, dict | list):
                found.setdefault(_name(path), {})[json.dumps(value)] = value
    return {name: list(values.values()) for name, values in found.items()}


def _name(path: Path) -> str:
    """Return the key of a value; in a list, that of the list."""
    return next((str(part) for part in reversed(path) if isinstance(part, str) and not part.isdigit()), "")


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all nested values, including lists and maps."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from _paths(part, (*path, key))


def _is_mutable(path: Path) -> bool:
    """Return whether a value may be changed; excludes line numbers and digests, and names of matches and players."""
    return path[0] not in ("match", "seq", "type") and path[-1] != "lines_sha256" and "board" not in path


def _at(value: Any, path: Path) -> Any:
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return _NOTHING
    return value


def _put(value: Any, path: Path, new: Any) -> None:
    for part in path[:-1]:
        value = value[part]
    value[path[-1]] = new


_NOTHING = object()
