"""The recorded truths, and how to write them again: `python -m tests.golden.write`, after a change that means to.

A match of random players changes only with the rules, the seed or the format; with each number of players it is kept
whole, to be read in a diff, without and with all options; of every other set of options and each reading of the rules
its digest is kept.
Digests are kept of the named players, by name and version: a strategy that chooses differently raises its version.
"""

import hashlib
import json
from itertools import combinations
from pathlib import Path

from himalaya_core.boards import shipped_board
from himalaya_core.players import PLAYERS
from himalaya_core.players.named import make_player
from himalaya_core.tournament.plan import Pairing, play
from tests.conformance.playing import READ_DIFFERENTLY, VARIANTS, Variant, switches

HERE = Path(__file__).parent
DIGESTS = HERE / "players.json"
OPTION_DIGESTS = HERE / "options.json"
SEEDS = {"caravan": "golden-3", "summit": "golden-27", "climbers": "golden-3"}
"""Seeds with which random players meet every type of event, in caravan each pair of rewards too."""
ADVANCED_SEED = "golden-10"
"""The same with all options: storms crossed and not, markets, each reward of an inventory."""
WHERE = {"caravan-3", "caravan-4", "caravan-5-advanced", "summit-2", "summit-4", "climbers-3"}
AMONG_RANDOM = {"caravan-4", "caravan-5-advanced", "summit-4", "climbers-3"}
"""Cases in which they play among random players: looking ahead takes long if there is most to choose."""
SETTINGS = {"rollout": "rollout:playouts=5"}
LITTLE_SEARCH = "search:width=2:takes=1:first=2:deep=1:replies=1"
"""Searches climbers a tenth as long."""
PLAYED = [
    *(
        (variant, SETTINGS.get(name, name))
        for variant in VARIANTS
        if str(variant) in WHERE
        for name in PLAYERS[variant.name]
    ),
    *((variant, LITTLE_SEARCH) for variant in VARIANTS if str(variant) == "climbers-3"),
]
"""The matches in which named players are compared with what they chose before."""


def log(variant: Variant, players: tuple[str, ...]) -> bytes:
    """Return the log of a match between players, played now."""
    board, seed = shipped_board(variant.name), ADVANCED_SEED if variant.on else SEEDS[variant.name]
    return play(variant.game, board, variant.options, Pairing("golden", players, seed))[1]


def recorded_log(variant: Variant) -> Path:
    return HERE / f"{variant}.jsonl"


def random_log(variant: Variant) -> bytes:
    return log(variant, ("random",) * len(variant.line_up))


def random_digests() -> dict[str, str]:
    """Return the digest of a random match with each number of players, each set of options and each reading."""
    line_ups = {(variant.name, len(variant.line_up)): ("random",) * len(variant.line_up) for variant in VARIANTS}
    variants = [
        Variant(game, line_up, on)
        for (game, _), line_up in line_ups.items()
        for size in range(len(switches(game)) + 1)
        for on in combinations(switches(game), size)
    ]
    variants += READ_DIFFERENTLY
    return {str(variant): hashlib.sha256(random_log(variant)).hexdigest() for variant in variants}


def name_of(variant: Variant, player: str) -> str:
    """Return the name under which the digest of a match is kept."""
    return f"{variant} {player} {make_player(variant.game, player, '').version}"


def digest(variant: Variant, player: str) -> str:
    """Return the digest of a match of a player, against itself or among random players."""
    others = "random" if str(variant) in AMONG_RANDOM else player
    return hashlib.sha256(log(variant, (player, *(others,) * (len(variant.line_up) - 1)))).hexdigest()


def main() -> None:
    for variant in VARIANTS:
        recorded_log(variant).write_bytes(random_log(variant))
    OPTION_DIGESTS.write_text(json.dumps(random_digests(), indent=2) + "\n", encoding="utf-8")
    digests = {name_of(*played): digest(*played) for played in PLAYED}
    DIGESTS.write_text(json.dumps(digests, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
