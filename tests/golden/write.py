"""The recorded truths, and how to write them anew: `python -m tests.golden.write`, after a change that means to.

A match of random players changes only with the rules, the luck or the format; it is kept whole, to be read in a diff.
Of each line-up of the named players the digest is kept, by name and version: a strategy that chooses otherwise raises
its version.
"""

import hashlib
import json
from pathlib import Path

from himalaya_core.arena.record import Pairing, play
from himalaya_core.boards import shipped_board
from himalaya_core.games import GAMES
from himalaya_core.players import PLAYERS, make_player
from tests.conformance.playing import VARIANTS

HERE = Path(__file__).parent
DIGESTS = HERE / "players.json"
LUCK = "golden-3"
"""A luck with which random players meet every type of event and each pair of rewards."""
COUNTS = sorted({(variant.name, len(variant.line_up)) for variant in VARIANTS})


def log(game: str, players: tuple[str, ...]) -> bytes:
    """Return the log of a match between players, played now."""
    return play(GAMES[game], shipped_board(game), {}, Pairing("golden", players, LUCK))[1]


def recorded_log(game: str, count: int) -> Path:
    return HERE / f"{game}-{count}.jsonl"


def random_log(game: str, count: int) -> bytes:
    return log(game, ("random",) * count)


def digests() -> dict[str, str]:
    """Return the digest of a match of each player against itself, in each number of players."""
    found = {}
    for game, count in COUNTS:
        for name in PLAYERS[game]:
            version = make_player(GAMES[game], name, "").version
            found[f"{game}-{count} {name} {version}"] = hashlib.sha256(log(game, (name,) * count)).hexdigest()
    return found


def main() -> None:
    for game, count in COUNTS:
        recorded_log(game, count).write_bytes(random_log(game, count))
    DIGESTS.write_text(json.dumps(digests(), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
