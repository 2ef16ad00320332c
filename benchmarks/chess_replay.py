"""python-chess for comparison: replays random games from PGN, checks each move, and prints actions per second.

Runs in its own environment with python-chess and none of our packages: `python chess_replay.py GAMES`. Prints JSON.
"""

import io
import json
import random
import statistics
import sys
import time

import chess  # pyright: ignore[reportMissingImports]  # only there in the peer's environment
import chess.pgn  # pyright: ignore[reportMissingImports]

RUNS = 5


def played(rng: random.Random) -> str:
    """Return a game of random moves as PGN."""
    board = chess.Board()
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return str(chess.pgn.Game.from_board(board))


def replayed(text: str) -> int:
    """Replay a game and return its number of moves; an illegal move raises an error."""
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    board = game.board()
    moves = 0
    for move in game.mainline_moves():
        board.push(move)
        moves += 1
    return moves


def rate(texts: list[str]) -> float:
    """Return the moves replayed per second of processor time."""
    start = time.process_time()
    moves = sum(map(replayed, texts))
    return moves / (time.process_time() - start)


def main() -> None:
    """Play and replay games, and print the median of the runs."""
    rng = random.Random(5)
    texts = [played(rng) for _ in range(int(sys.argv[1]))]
    rate(texts[: max(1, len(texts) // 5)])
    print(
        json.dumps(
            {
                "peer": f"python-chess {chess.__version__}",
                "actions_per_s": statistics.median(rate(texts) for _ in range(RUNS)),
            }
        )
    )


if __name__ == "__main__":
    main()
