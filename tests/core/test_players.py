"""The players of every game: legal, deterministic, and seeing no more than their seat may."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from himalaya_core.boards import shipped_board
from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.log import decode_line
from himalaya_core.luck import KeyedLuck
from himalaya_core.match import Match, run
from himalaya_core.players import PLAYERS, NamedPlayer, UnknownPlayer, make_player
from tests.conformance.playing import VARIANTS, Variant, recorded

GAME = GAMES["caravan"]
NAMES = sorted(PLAYERS["caravan"])
FEW = settings(max_examples=max(12, settings().max_examples // 8))
LINE_UPS = st.lists(st.sampled_from(NAMES), min_size=3, max_size=4)


class Watched:
    """A player whose views and choices are checked, and written down."""

    def __init__(self, game: Game[Any, Any, Any], player: NamedPlayer) -> None:
        self.game = game
        self.player = player
        self.chosen: list[tuple[Any, Any]] = []

    def choose(self, view: Any, seat: int, /) -> Any:
        assert view == self.game.view(view, seat)
        if not view.step:
            assert not any(plan for other, plan in enumerate(view.plans) if other != seat)
        action = self.player.choose(view, seat)
        assert action in self.game.legal_actions(view, seat)
        self.chosen.append((view, action))
        return action


def play(line_up: Sequence[str], luck: str) -> tuple[Match[Any, Any, Any], list[Watched]]:
    match: Match[Any, Any, Any] = Match(GAME, shipped_board("caravan"), {"players": len(line_up)})
    players = [Watched(GAME, make_player(GAME, name, f"{luck}|{seat}")) for seat, name in enumerate(line_up)]
    run(match, players, KeyedLuck(luck))
    return match, players


@FEW
@given(line_up=LINE_UPS, luck=st.text("abc", max_size=4))
def test_any_line_up_plays_a_legal_match(line_up: list[str], luck: str) -> None:
    match, _ = play(line_up, luck)
    assert match.outcome is not None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seats", [3, 4])
def test_a_player_plays_against_itself(name: str, seats: int) -> None:
    assert play([name] * seats, "itself")[0].is_over


@pytest.mark.parametrize("name", NAMES)
def test_a_player_chooses_the_same_from_the_same_seed_and_views(name: str) -> None:
    _, (watched, *_) = play([name, "greedy", "random"], "again")
    again = make_player(GAME, name, "again|0")
    assert [again.choose(view, 0) for view, _ in watched.chosen] == [action for _, action in watched.chosen]


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"random"}))
def test_a_strategy_depends_on_the_view_alone(name: str) -> None:
    """Neither on its seed nor on what it was asked before."""
    _, (watched, *_) = play([name, "random", "random", "random"], "alone")
    another = partial(make_player, GAME, name)
    for number, (view, action) in enumerate(reversed(watched.chosen)):
        assert another(str(number)).choose(view, 0) == action


def test_random_depends_on_its_seed() -> None:
    one, two = (play(["random"] * 3, luck)[0].events[10:13] for luck in ("one", "two"))
    assert one != two


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_header_says_who_played(variant: Variant) -> None:
    header = decode_line(recorded(variant, "header")[1][0]).event
    players = [make_player(variant.game, name, "") for name in variant.line_up]
    for info, player in zip(header.seats, players, strict=True):
        assert (info.player, info.version, info.params) == (player.name, player.version, dict(player.params))
        assert info.label == variant.game.seat_labels[info.seat]


def test_a_name_in_the_registry_is_the_player_s_own() -> None:
    for game, names in PLAYERS.items():
        assert all(make_player(GAMES[game], name, "").name == name for name in names)


def test_an_unknown_player_is_named() -> None:
    with pytest.raises(
        UnknownPlayer, match=r"^player 'zen' is unknown; caravan has random, greedy, pilgrim, envoy, tr"
    ):
        make_player(GAME, "zen", "")


@pytest.mark.parametrize(
    ("name", "influence"), [("pilgrim", "religious"), ("envoy", "political"), ("trader", "economic")]
)
def test_a_policy_leads_the_influence_it_seeks(name: str, influence: str) -> None:
    """Over twelve matches among the three, each from each seat."""
    line_up = ["pilgrim", "envoy", "trader"]
    totals = dict.fromkeys(line_up, 0)
    for number in range(12):
        seated = line_up[number % 3 :] + line_up[: number % 3]
        match, _ = play(seated, f"policy {number // 3}")
        assert match.outcome is not None
        for seat, player in enumerate(seated):
            totals[player] += match.outcome.scores[seat][influence]
    assert max(totals, key=totals.__getitem__) == name
