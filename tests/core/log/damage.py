"""Ways to damage the log of a match, and to recompute its digest afterwards."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from himalaya_core.log.encoder import LogEncoder
from himalaya_core.replay import Replay

Lines = list[bytes]


def at(kind: str, lines: Sequence[bytes], number: int = 0) -> int:
    """Return the index of the first line of a type; `number` selects a later one."""
    places = [place for place, line in enumerate(lines) if json.loads(line)["type"] == kind]
    return places[number]


def rewrite(lines: Sequence[bytes], place: int, **changes: Any) -> Lines:
    """Return the lines with keys of one line changed; `data__step=2` sets a nested key, `None` removes a key."""
    line = json.loads(lines[place])
    for path, value in changes.items():
        *keys, last = path.split("__")
        inner = line
        for key in keys:
            inner = inner[key]
        if value is None:
            inner.pop(last)
        else:
            inner[last] = value
    return [*lines[:place], json.dumps(line, separators=(",", ":")).encode() + b"\n", *lines[place + 1 :]]


def renumber(lines: Sequence[bytes]) -> Lines:
    """Return the lines with `seq` renumbered without gaps."""
    out = list(lines)
    for place in range(len(out)):
        out = rewrite(out, place, seq=place)
    return out


def resign(lines: Sequence[bytes]) -> Lines:
    """Return the lines with the correct digest in the last line."""
    return rewrite(lines, len(lines) - 1, data__lines_sha256=hashlib.sha256(b"".join(lines[:-1])).hexdigest())


def abandoned(lines: Sequence[bytes], most: int) -> Lines:
    """Return the match, abandoned after the last ply that ends within this many lines."""
    replay = Replay.read(lines)
    plies = [entry.ply for entry in replay.entries]
    size = max(size for size in range(1, most + 1) if plies[size] != plies[size - 1])
    encoder = LogEncoder(replay.game, replay.entries[0].match)
    encoder._digest.update(b"".join(lines[:size]))
    encoder._seq = size
    return [*lines[:size], encoder.end(plies[size - 1], replay.states[size - 1], None)]


Damage = Callable[[Lines], Lines]
