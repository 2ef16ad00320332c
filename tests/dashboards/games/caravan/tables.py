"""Matches for replay tests: every number of players, every option, and both boards."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from himalaya_core.boards import shipped_boards
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay
from himalaya_core.tournament.plan import Pairing, play

OPTIONS: Final = ("tokens", "full_inventory", "village_cards")
BOARDS: Final = tuple(shipped_boards("caravan"))
LINE_UPS: Final = {
    3: ("greedy", "random", "trader"),
    4: ("random", "greedy", "trader", "random"),
    5: ("greedy", "random", "greedy", "random", "greedy"),
    6: ("random", "trader", "random", "greedy", "random", "greedy"),
}
TABLES: Final = (
    (3, (), BOARDS[0]),
    (3, OPTIONS, BOARDS[1]),
    (3, ("tokens",), BOARDS[0]),
    (4, (), BOARDS[1]),
    (4, OPTIONS, BOARDS[0]),
    (4, ("full_inventory",), BOARDS[1]),
    (5, (), BOARDS[0]),
    (5, OPTIONS, BOARDS[1]),
    (5, ("village_cards",), BOARDS[0]),
    (6, (), BOARDS[1]),
    (6, OPTIONS, BOARDS[0]),
)
"""Number of players, options and board of each match."""
SOME: Final = tuple(TABLES[place] for place in (1, 4, 6, 10))
"""Two tables for each number of players: without options and with all options."""


def table_name(table: tuple[int, Sequence[str], str]) -> str:
    """Return the test id of a table."""
    players, options, board = table
    return f"{players}-{'+'.join(options) or 'plain'}-{board}"


@cache
def lines_of(table: tuple[int, tuple[str, ...], str]) -> tuple[bytes, ...]:
    """Play a match for a table; return its log lines."""
    players, options, board = table
    pairing = Pairing(f"table-{players}", LINE_UPS[players], seed=table_name(table))
    chosen = dict.fromkeys(options, True)
    return tuple(play(GAMES["caravan"], shipped_boards("caravan")[board], chosen, pairing)[1].splitlines(keepends=True))


@cache
def replay_of(table: tuple[int, tuple[str, ...], str]) -> Replay:
    """Return the replay of a table's match."""
    return Replay.read(lines_of(table))


def events_of(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """Return the events of a log by parsing its JSON, without the core's reader."""
    return [json.loads(line) for line in lines]
