"""The players of every game: legal and deterministic, and based only on their seat's view."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from himalaya_core.boards import shipped_board
from himalaya_core.caravan.events import TokenPlaced
from himalaya_core.caravan.pieces import ROUNDS, Token
from himalaya_core.caravan.state import State
from himalaya_core.game import CHANCE, Game
from himalaya_core.games import GAMES
from himalaya_core.log.codec import decode_line
from himalaya_core.match import Match, run
from himalaya_core.players import PLAYERS, NamedPlayer
from himalaya_core.players.caravan import planner
from himalaya_core.players.caravan.planner import Planner
from himalaya_core.players.named import UnknownPlayer, make_player
from himalaya_core.seed import Seed
from himalaya_core.tournament import plan as record
from tests.conformance.playing import ADVANCED, VARIANTS, Variant

GAME = GAMES["caravan"]
NAMES = sorted(PLAYERS["caravan"])
LESS = {"planner": "planner:samples=1", "rollout": "rollout:playouts=2:candidates=2:rival_plans=1"}
"""Settings that make look-ahead players fast."""
QUICK = [LESS.get(name, name) for name in NAMES]
AHEAD = tuple(LESS)
FIXED = sorted(set(NAMES) - {"random", "planner", "rollout"})
"""Players without random choices, which play the same with any seed."""
FEW = settings(max_examples=max(3, settings().max_examples // 32))
ON = st.fixed_dictionaries({option: st.booleans() for option in ADVANCED})
ADVANCED_GAME: dict[str, bool] = dict.fromkeys(ADVANCED, True)


class Watched:
    """A wrapper that records a player's views and checks its choices."""

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


def play(
    line_up: Sequence[str], seed: str, on: Mapping[str, bool] = MappingProxyType({})
) -> tuple[Match[Any, Any, Any], list[Watched]]:
    match: Match[Any, Any, Any] = Match(GAME, shipped_board("caravan"), {"players": len(line_up), **on})
    players = [Watched(GAME, make_player(GAME, name, f"{seed}|{seat}")) for seat, name in enumerate(line_up)]
    run(match, players, Seed(seed))
    return match, players


@pytest.mark.parametrize(
    "names", [[*FIXED, "random"], pytest.param(QUICK, marks=pytest.mark.slow("players that look ahead"))]
)
@FEW
@given(data=st.data(), seed=st.text("abc", max_size=4), on=ON)
def test_every_line_up_plays_a_legal_match(
    names: list[str], data: st.DataObject, seed: str, on: Mapping[str, bool]
) -> None:
    line_up = data.draw(st.lists(st.sampled_from(names), min_size=3, max_size=6))
    match, _ = play(line_up, seed, on)
    assert match.outcome is not None


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        pytest.param(
            name,
            seats,
            marks=pytest.mark.slow("searches at large tables") if name.startswith(AHEAD) and seats > 3 else (),
        )
        for number, name in enumerate(QUICK)
        for seats in ((3, 5) if number % 2 else (4, 6))
    ],
)
def test_a_player_can_play_against_itself(name: str, seats: int) -> None:
    """With two numbers of players each, one of them with an option; fast players cover all numbers."""
    assert play([name] * seats, "itself", {"tokens": seats == 3, "full_inventory": seats == 4})[0].is_over


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow("looks ahead") if name.startswith(AHEAD) else ()) for name in QUICK],
)
def test_the_same_seed_and_views_give_the_same_choices(name: str) -> None:
    _, (watched, *_) = play([name, "greedy", "random"], "again", ADVANCED_GAME)
    again = make_player(GAME, name, "again|0")
    assert [again.choose(view, 0) for view, _ in watched.chosen] == [action for _, action in watched.chosen]


@pytest.mark.parametrize("name", FIXED)
def test_a_strategy_depends_only_on_the_view(name: str) -> None:
    """Neither its seed nor earlier decisions change its choice."""
    _, (watched, *_) = play([name, "random", "random", "random"], "alone", ADVANCED_GAME)
    another = partial(make_player, GAME, name)
    for number, (view, action) in enumerate(reversed(watched.chosen)):
        assert another(str(number)).choose(view, 0) == action


REFUSED = {
    "rollout:speed=3": "player 'rollout': setting 'speed' is unknown; there are ",
    "rollout:playouts=many": "player 'rollout': setting playouts: expected a whole number, found 'many'",
    "rollout:playouts=1.5": "player 'rollout': setting playouts: expected a whole number, found '1.5'",
    "rollout:playouts": "player 'rollout': setting playouts: expected a whole number, found ''",
    "planner:token=cheap": "player 'planner': setting token: expected a number, found 'cheap'",
    "random:seed=1": "player 'random': setting 'seed' is unknown; there are none",
    "rollout:": "player 'rollout': setting '' is unknown",
    "rollout:candidates=0": "player 'rollout': setting candidates: expected at least 1, found 0",
    "rollout:horizon=-1": "player 'rollout': setting horizon: expected at least 0, found -1",
    "planner:token=nan": "player 'planner': setting token: expected at least 0, found nan",
    "zen:playouts=3": "player 'zen' is unknown",
    "greedy=mine": "player 'greedy=mine': =NAME at the end is for players from files; leave it out",
    "planner:token=2=mine": "player 'planner': =NAME at the end is for players from files; leave it out",
}


@pytest.mark.parametrize(("name", "message"), REFUSED.items(), ids=REFUSED)
def test_an_invalid_setting_is_reported(name: str, message: str) -> None:
    with pytest.raises(UnknownPlayer) as refused:
        make_player(GAME, name, "")
    assert str(refused.value).startswith(message)


def test_settings_are_recorded_in_the_params() -> None:
    player = make_player(GAME, "rollout:playouts=5:token=0.5", "")
    assert (player.name, player.params["playouts"], player.params["token"]) == ("rollout", 5, 0.5)
    others = set(player.params) - {"playouts", "token"}
    default = make_player(GAME, "rollout", "")
    assert all(player.params[key] == default.params[key] for key in others)


@pytest.mark.slow("plays out")
def test_the_choices_of_rollout_depend_on_seed_and_playouts() -> None:
    """The same seed gives the same choice; another seed or number of playouts sometimes gives another."""
    _, (watched, *_) = play(["rollout:playouts=5", "random", "random"], "seeds")
    plans = [(view, action) for view, action in watched.chosen if view.round and not view.step]
    for name, seed in (("rollout:playouts=5", "another"), ("rollout:playouts=20", "seeds|0")):
        again = make_player(GAME, name, seed)
        assert [again.choose(view, 0) for view, _ in plans] != [action for _, action in plans]


def test_planner_samples_the_plans_of_its_rivals() -> None:
    """Another seed changes the evaluation of plans, unless only the most probable plans are assumed."""
    views = planned("drawn")
    for samples, is_drawn in ((4, True), (1, False)):
        one, two = (Planner(seed, {"samples": samples}) for seed in ("one", "two"))
        assert ([one.ranked(view, 0) for view in views] != [two.ranked(view, 0) for view in views]) == is_drawn


def test_planner_chooses_any_of_the_best_plans() -> None:
    one, two = (Planner(seed, {"samples": 1}) for seed in ("one", "two"))
    otherwise = 0
    for view in planned("drawn"):
        ranked, chosen = one.ranked(view, 0), [player.plan(view, 0) for player in (one, two)]
        best = [plan for worth, plan in ranked if worth == ranked[0][0]]
        assert all(plan in best for plan in chosen)
        otherwise += chosen[0] != chosen[1]
    assert otherwise


def planned(seed: str) -> list[State]:
    """Return positions in which a planner chooses a plan."""
    _, (watched, *_) = play(["planner:samples=1", "trader", "greedy"], seed)
    return [view for view, _ in watched.chosen if view.round and not view.step]


@pytest.mark.slow("whole matches of a planner")
def test_planner_places_a_token_only_for_a_gain() -> None:
    """Over several matches it places all kinds; if tokens are very expensive, none before the last round."""
    placed = set()
    for number in range(2):
        match, _ = play(["planner:samples=1", "trader", "greedy"], f"tokens {number}", {"tokens": True})
        placed |= {event.token for event in match.events if isinstance(event, TokenPlaced)}
    assert placed == set(Token)
    match, _ = play(["planner:token=9999:samples=1", "trader", "greedy"], "tokens 0", {"tokens": True})
    late = [step for step in match.history if isinstance(step.event, TokenPlaced)]
    assert all(step.state.round == ROUNDS for step in late)


def test_random_depends_on_its_seed() -> None:
    one, two = (play(["random"] * 3, seed)[0].events[10:13] for seed in ("one", "two"))
    assert one != two


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_header_names_the_players(variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "run", lambda *_: None)  # plays no match: only the header is read
    pairing = record.Pairing("header", variant.line_up, "header")
    _, lines = record.play(variant.game, shipped_board(variant.name), variant.options, pairing)
    header = decode_line(lines.splitlines(keepends=True)[0]).event
    players = [make_player(variant.game, name, "") for name in variant.line_up]
    for info, player in zip(header.seats, players, strict=True):
        assert (info.player, info.version, info.params) == (player.name, player.version, dict(player.params))
        assert info.label == variant.game.seat_labels[info.seat]


def test_the_registry_uses_the_names_of_the_players() -> None:
    for game, names in PLAYERS.items():
        assert all(make_player(GAMES[game], name, "").name == name for name in names)


def test_an_unknown_player_is_reported() -> None:
    with pytest.raises(
        UnknownPlayer, match=r"^player 'zen' is unknown; caravan has random, greedy, pilgrim, envoy, tr"
    ):
        make_player(GAME, "zen", "")


@cache
def scores_of_policies() -> dict[str, list[Mapping[str, int]]]:
    """Return the scores of three players in twelve matches with each other, from each seat."""
    line_up = ["pilgrim", "envoy", "trader"]
    scores: dict[str, list[Mapping[str, int]]] = {player: [] for player in line_up}
    for number in range(12):
        seated = line_up[number % 3 :] + line_up[: number % 3]
        match, _ = play(seated, f"policy {number // 3}")
        assert match.outcome is not None
        for seat, player in enumerate(seated):
            scores[player].append(match.outcome.scores[seat])
    return scores


@pytest.mark.parametrize(
    ("name", "influence"), [("pilgrim", "religious"), ("envoy", "political"), ("trader", "economic")]
)
def test_a_policy_leads_in_the_influence_that_it_seeks(name: str, influence: str) -> None:
    totals = {player: sum(scores[influence] for scores in found) for player, found in scores_of_policies().items()}
    assert max(totals, key=totals.__getitem__) == name


class Clock:
    """A clock that advances by a second at each reading."""

    def __init__(self) -> None:
        self.seconds = 0

    def monotonic(self) -> int:
        self.seconds += 1
        return self.seconds


@pytest.mark.parametrize(("milliseconds", "samples"), [(500, 1), (1500, 2), (0, 8)])
def test_rollout_stops_sampling_when_its_time_is_up(
    monkeypatch: pytest.MonkeyPatch, milliseconds: int, samples: int
) -> None:
    played: list[str] = []
    monkeypatch.setattr(planner, "time", Clock())
    monkeypatch.setattr(planner, "play_on", lambda state, _rounds, _player, seed: played.append(seed.name) or state)
    match = Match(GAME, shipped_board("caravan"), {"players": 3})
    while match.actors[0] == CHANCE or match.state.round == 0:
        actor = match.actors[0]
        match.play(match.sample_chance(Seed("time")) if actor == CHANCE else match.legal_actions(actor)[0])
    player = make_player(GAME, f"rollout:playouts=16:candidates=2:milliseconds={milliseconds}", "seed")
    assert match.play(player.choose(match.state, match.actors[0]))
    assert len(set(played)) == samples
