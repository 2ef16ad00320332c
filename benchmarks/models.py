"""Trains the models that ship: plays training and held-out matches, trains, and reports the quality of each model."""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from himalaya_core.boards import boards_of
from himalaya_core.files import log_files, write_log
from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.seed import Seed
from himalaya_core.tournament.plan import Pairing, play
from himalaya_core.winprob.fit import sampled
from himalaya_core.winprob.train import faults, trained, write_model
from measure import CACHE, ROOT, report

MATCHES: Final = {"train": 800, "held-out": 1_000}
IN_A_FILE: Final = 25
SEATS: Final = {"caravan": (3, 4, 4, 4, 5, 6), "summit": (2, 3, 4, 4, 5), "climbers": (2, 3, 4, 4, 5)}
"""Possible numbers of seats, drawn for each match."""
PLAYERS: Final = {
    "caravan": ("random", "planner", *("greedy", "pilgrim", "envoy", "trader", "balanced") * 3),
    "summit": ("random", "search", *("greedy", "porter", "racer") * 2),
    "climbers": ("random", "blocker", *("greedy",) * 5),
}
"""Players drawn for each seat; strong but slow ones are less frequent."""


def main() -> None:
    """Train the models of the named games, or of all games; existing logs are reused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(PLAYERS))
    parser.add_argument("--logs", type=Path, default=CACHE / "models")
    options = parser.parse_args()
    for game in options.games:
        logs = options.logs / game
        for start in range(0, max(MATCHES.values()), IN_A_FILE):
            for part, matches in MATCHES.items():
                play_file(GAMES[game], f"{game}-{part}", range(start, min(start + IN_A_FILE, matches)), logs)
        train(GAMES[game], f"{game}-held-out", logs)


def train(game: Game[Any, Any, Any], held_out: str, logs: Path) -> None:
    """Fit the model of a game, write it to its package, and report its quality."""
    assert game.features is not None, "only games with features are played"
    assert game.features.package is not None, "a model that ships has a place"
    found = [match for match in sampled(game, log_files([logs])) if match is not None]
    model = trained(game, found, held_out)
    write_model(model, ROOT.joinpath(*game.features.package.split("."), "model.json"))
    quality = model.document["quality"]
    report("models", game=game.name, model=model.name, **quality, falls_short=faults(quality))


def play_file(game: Game[Any, Any, Any], tournament: str, numbers: range, folder: Path) -> None:
    """Play missing matches of a file, each with its own line-up, options, board and seed."""
    if numbers:
        path = folder / f"{tournament}-{numbers[0]:06d}.jsonl.zst"
        if not path.exists():
            with write_log(path) as file:
                for log in _played(game, tournament, numbers):
                    file.write(log)
            print(path, file=sys.stderr)


def _played(game: Game[Any, Any, Any], tournament: str, numbers: range) -> Iterator[bytes]:
    boards = sorted(boards_of(game).values(), key=lambda board: board.id != game.default_board)
    for number in numbers:
        seed = f"{tournament}/{number}"
        dice = Seed(seed).dice("line-up", 0, 0)
        seats = SEATS[game.name][dice.below(len(SEATS[game.name]))]
        entrants = PLAYERS[game.name]
        players = tuple(entrants[dice.below(len(entrants))] for _ in range(seats))
        board = boards[0] if dice.below(10) < 7 else boards[-1]
        pairing = Pairing(f"{tournament}.{number:06d}", players, seed, tournament, number)
        yield play(game, board, _options(game, seats, dice), pairing)[1]


def _options(game: Game[Any, Any, Any], seats: int, dice: Any) -> Mapping[str, Any]:
    """Return random options: each addition is on in a quarter of all matches; alternative readings are never on."""
    on = [option for option in game.options if not option.reading and dice.below(4) == 0]
    return {option.name: dice.below(seats) if option.number else True for option in on}


if __name__ == "__main__":
    main()
