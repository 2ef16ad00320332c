"""Rewrites the golden matches: `python -m tests.golden.write`, after an intended change.

A match of random players changes only with the rules, the random numbers or the format. For each number of players the
whole log is stored, without and with all options, so that changes are readable in a diff. For every other set of
options and each alternative reading of the rules, a digest is stored.

For named players, digests are stored by name and version: a player that chooses differently needs a new version.
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
"""Seeds with which random players cause every type of event; in caravan also each pair of rewards."""
ADVANCED_SEED = "golden-10"
"""The same with all options: crossed and uncrossed storms, markets, and each inventory reward."""
WHERE = {"caravan-3", "caravan-4", "caravan-5-advanced", "summit-2", "summit-4", "climbers-3"}
AMONG_RANDOM = {"caravan-4", "caravan-5-advanced", "summit-4", "climbers-3"}
"""Matches with many choices, in which a named player sits among random players, as looking ahead takes long."""
SETTINGS = {"rollout": "rollout:playouts=5"}
LITTLE_SEARCH = "search:width=2:takes=1:first=2:deep=1:replies=1"
"""A search that takes a tenth of the usual time."""
PLAYED = [
    *(
        (variant, SETTINGS.get(name, name))
        for variant in VARIANTS
        if str(variant) in WHERE
        for name in PLAYERS[variant.name]
    ),
    *((variant, LITTLE_SEARCH) for variant in VARIANTS if str(variant) == "climbers-3"),
]
"""Matches in which each named player's choices are compared with the stored digest."""


def log(variant: Variant, players: tuple[str, ...]) -> bytes:
    """Play a match between players and return its log."""
    board, seed = shipped_board(variant.name), ADVANCED_SEED if variant.on else SEEDS[variant.name]
    return play(variant.game, board, variant.options, Pairing("golden", players, seed))[1]


def recorded_log(variant: Variant) -> Path:
    return HERE / f"{variant}.jsonl"


def random_log(variant: Variant) -> bytes:
    return log(variant, ("random",) * len(variant.line_up))


def random_digests() -> dict[str, str]:
    """Return the digests of random matches: each number of players, each set of options, each alternative reading."""
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
    """Return the key under which the digest of a match is stored."""
    return f"{variant} {player} {make_player(variant.game, player, '').version}"


def digest(variant: Variant, player: str) -> str:
    """Play a match with a player, against itself or among random players, and return its digest."""
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
