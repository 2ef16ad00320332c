"""Synthetic matches with known win probabilities, with which fitted and measured values are compared."""

from array import array
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from himalaya_core.game import Features, Outcome
from himalaya_core.games import GAMES
from himalaya_core.log.codec import BoardReference, Header, SeatInfo
from himalaya_core.winprob.fit import Position, Sampled

SEATS = 4
WEIGHTS = ((0.4, 2.0), (-1.0, 0.5), (0.0, 0.0))
"""Weights of three features, each at the beginning and at the end of a match."""
NAMES = {"strength": "Helps, and ever more.", "debt": "Hurts at first.", "noise": "Says nothing."}


def _unused(_state: Any) -> Any:
    raise AssertionError("the positions are made up")


GAME = replace(
    GAMES["summit"],
    features=Features[Any](NAMES, _unused, _unused, lambda _state: Outcome(((0,),), (), ())),
)


def made(count: int, tournament: str, seed: int, positions: int = 4) -> list[Sampled]:
    """Return matches of four seats; each winner is drawn by the win probabilities of the match's last position."""
    random = np.random.default_rng(seed)
    return [_match(random, f"{tournament}.{number}", tournament, positions) for number in range(count)]


def _match(random: np.random.Generator, name: str, tournament: str, positions: int) -> Sampled:
    """Make a match with constant features at one point of time, so that each position has known win probabilities."""
    late, rows = random.random(), random.normal(size=(SEATS, len(NAMES)))
    first, last = (np.array(column) for column in zip(*WEIGHTS, strict=True))
    sums = rows @ (first + (last - first) * late)
    chances = np.exp(sums) / np.exp(sums).sum()
    winner = int(random.choice(SEATS, p=chances))
    ahead = int(np.argmax(rows[:, 0]))
    place = Position(int(late * 10), float(late), ((ahead,), tuple(seat for seat in range(SEATS) if seat != ahead)))
    won = tuple(float(seat == winner) for seat in range(SEATS))
    header = Header(
        1,
        "summit",
        "1",
        {"players": SEATS},
        BoardReference("plain", "0" * 64),
        tuple(SeatInfo(seat, "drawn", "1", {}, "") for seat in range(SEATS)),
        tournament,
        None,
        f"{name}/luck",
    )
    digest = sha256(name.encode()).hexdigest()
    return Sampled(name, header, digest, won, [place] * positions, array("d", rows.ravel()) * positions)
