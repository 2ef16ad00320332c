"""Play board games, write and read their event logs, and verify those logs.

    import himalaya_core as hm

    played = hm.play("caravan", ["trader", "pilgrim", "greedy", "random"], seed="monday", out="monday.jsonl")
    played.outcome.winners
    hm.verify("monday.jsonl")

The Python reference in docs/ describes every public name. Names are imported on first use: every command imports this
package, and most commands need only a few of the names.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from himalaya_core.renamed import install

if TYPE_CHECKING:
    from himalaya_core.api import PlayedMatch, play, read_log, verify
    from himalaya_core.boards import shipped_board, shipped_boards
    from himalaya_core.engine import fold, settle, step
    from himalaya_core.errors import BoardError, HimalayaError, OptionsError, RegistryError
    from himalaya_core.files import LogFileError, load_board
    from himalaya_core.game import CHANCE, DiceSource, Game, IllegalAction, Outcome
    from himalaya_core.games import GAMES
    from himalaya_core.match import Match, PlayerFailure, run
    from himalaya_core.players import PLAYERS, NamedPlayer
    from himalaya_core.players.named import UnknownPlayer
    from himalaya_core.replay import Replay, ReplayError
    from himalaya_core.seed import Seed
    from himalaya_core.tournament.plan import Plan, TournamentError, make_plan
    from himalaya_core.tournament.runner import run_tournament

__all__ = [
    "CHANCE",
    "GAMES",
    "PLAYERS",
    "BoardError",
    "DiceSource",
    "Game",
    "HimalayaError",
    "IllegalAction",
    "LogFileError",
    "Match",
    "NamedPlayer",
    "OptionsError",
    "Outcome",
    "Plan",
    "PlayedMatch",
    "PlayerFailure",
    "RegistryError",
    "Replay",
    "ReplayError",
    "Seed",
    "TournamentError",
    "UnknownPlayer",
    "fold",
    "load_board",
    "make_plan",
    "play",
    "read_log",
    "run",
    "run_tournament",
    "settle",
    "shipped_board",
    "shipped_boards",
    "step",
    "verify",
]

__version__ = "0.3.0"

install()

HOMES: Final = {
    "api": ("PlayedMatch", "play", "read_log", "verify"),
    "boards": ("shipped_board", "shipped_boards"),
    "engine": ("fold", "settle", "step"),
    "errors": ("BoardError", "HimalayaError", "OptionsError", "RegistryError"),
    "files": ("LogFileError", "load_board"),
    "game": ("CHANCE", "DiceSource", "Game", "IllegalAction", "Outcome"),
    "games": ("GAMES",),
    "match": ("Match", "PlayerFailure", "run"),
    "players": ("PLAYERS", "NamedPlayer"),
    "players.named": ("UnknownPlayer",),
    "replay": ("Replay", "ReplayError"),
    "seed": ("Seed",),
    "tournament.plan": ("Plan", "TournamentError", "make_plan"),
    "tournament.runner": ("run_tournament",),
}
"""Maps each public name to the module that defines it. A test compares this table with the imports above."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        for home, names in HOMES.items():
            if name in names:
                found = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
