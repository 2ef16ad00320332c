"""Arbitrary choices on arbitrary boards: the game's published referee accepts every resulting log."""

import importlib
import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from himalaya_core.boards import shipped_board
from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.state import evolve, initial
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import MoveBlock
from himalaya_core.game import CHANCE, Game
from himalaya_core.log.encoder import encode_match
from himalaya_core.match import Match
from himalaya_core.players.named import make_player
from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT
from himalaya_core.tournament.plan import Pairing, header
from tests.conformance.playing import AnyMatch, switches
from tests.core.climbers.structures import board as cuboid

EXAMPLES = {"caravan": 6, "summit": 8, "climbers": 4}
QUICK = settings.get_profile("default").max_examples
PLAYERS = {"caravan": ("greedy", "trader", "pilgrim"), "summit": ("greedy", "porter", "racer"), "climbers": ("greedy",)}
MOST_ACTIONS = 400
"""Maximum number of actions per example; a longer match is cut off there."""
SCARCE = {"salt": 9, "barley": 8, "tea": 6, "jade": 5, "gold": 4}


def scarce() -> tuple[Game[Any, Any, Any], Any]:
    """Return a caravan board with so few cubes that they run out."""
    document = {**shipped_board("caravan").document, "id": "scarce"}

    def start(options: Any, board: Any) -> Any:
        return evolve(initial(options, board), bag=tuple(SCARCE.values()))

    return replace(CARAVAN, initial=start), CARAVAN.parse_board(document)


def crowded() -> tuple[Game[Any, Any, Any], Any]:
    """Return a short summit route full of special fields."""
    document = json.loads(json.dumps(shipped_board("summit").document))
    document.update(id="crowded", summit=16, cave=9, high_camps=[6, 12], snow=[13, 15])
    document["slides"] = {
        "7": {"to": 6, "kind": "landslide"},
        "11": {"to": 8, "kind": "avalanche"},
        "14": {"to": 10, "kind": "avalanche"},
    }
    document["supply_by_players"] = {key: ["1/2", "3/4", "5/6"] for key in "2345"}
    return SUMMIT, SUMMIT.parse_board(document)


def neutral() -> tuple[Game[Any, Any, Any], Any]:
    """Return a climbers board that soon has many neutral steps."""
    document = json.loads(json.dumps(shipped_board("climbers").document))
    variants = {"1": {"tp": 0, "yr": 0, "pn": 12}, "4": {"tp": 5, "yr": 4, "pn": 0}}
    document.update(id="neutral", block_variants=variants, generator={"moves": 60})
    return CLIMBERS, CLIMBERS.parse_board(document)


BOXES = {
    "caravan": [(CARAVAN, shipped_board("caravan")), scarce()],
    "summit": [(SUMMIT, shipped_board("summit")), crowded()],
    "climbers": [(CLIMBERS, shipped_board("climbers")), (CLIMBERS, cuboid(16)), neutral()],
}
SIZES = {"caravan": (3, 4, 5, 6), "summit": (2, 3, 4, 5), "climbers": (2, 3, 4, 5)}


def choice(match: AnyMatch, seat: int, style: str, draws: random.Random) -> Any:
    """Return an action in a style: a named player's, the same as other seats, one that shifts climbers, or random."""
    if style in PLAYERS[match.game.name]:
        return make_player(match.game, style, "").choose(match.game.view(match.state, seat), seat)
    legal = match.legal_actions(seat)
    if style == "onto climbers" and isinstance(legal[0], MoveBlock):
        onto = [action for action in legal[::10] if isinstance(action, MoveBlock) and action.shifts]
        return draws.choice(onto or legal)
    if style == "alike":
        draws = random.Random(match.game.round_of(match.state))
    return legal[draws.randrange(len(legal))]


def play(match: AnyMatch, draws: random.Random) -> AnyMatch:
    """Continue a match until the end or the limit; a style of choosing is drawn for each decision."""
    seed = Seed(str(draws.random()))
    while match.actors and match.ply < MOST_ACTIONS:
        if CHANCE in match.actors:
            match.play(match.sample_chance(seed))
            continue
        style = draws.choice(("any", "alike", "onto climbers", *PLAYERS[match.game.name]))
        for seat in match.actors:
            match.play(choice(match, seat, style, draws))
    return match


def log_of(match: AnyMatch, players: int, options: dict[str, Any]) -> list[bytes]:
    """Return the log lines of a match; an unfinished match has only its events."""
    first = header(match.game, match.board, options, Pairing("any", ("random",) * players, "any"))
    lines = encode_match(match.game, "any", first, match.history, match.board.document)
    return lines.splitlines(keepends=True)[: None if match.is_over else -1]


@pytest.mark.parametrize("name", BOXES)
def test_the_referee_agrees_with_any_choice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    referee = importlib.import_module(f"tests.conformance.referees.{name}")

    @settings(max_examples=EXAMPLES[name] if settings().max_examples == QUICK else settings().max_examples)
    @given(
        box=st.sampled_from(BOXES[name]),
        players=st.sampled_from(SIZES[name]),
        on=st.sets(st.sampled_from(switches(name))) if switches(name) else st.just(set()),
        seed=st.integers(0, 2**32),
    )
    def agrees(box: tuple[Game[Any, Any, Any], Any], players: int, on: set[str], seed: int) -> None:
        game, board = box
        options = dict.fromkeys(sorted(on), True)
        match = play(Match(game, board, {"players": players, **options}), random.Random(seed))
        with monkeypatch.context() as patch:
            if board.id == "scarce":
                patch.setattr(referee, "RESOURCES", SCARCE)
            assert referee.first_departure(log_of(match, players, options), board.document) is None

    agrees()
