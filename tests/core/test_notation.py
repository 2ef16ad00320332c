"""Notation of actions: each one chosen in a match is written and read back unchanged."""

import re
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.api import play
from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import Collect, CommitPlan, Deliver, RollOrder, RollResources
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import MoveBlock, Shift
from himalaya_core.climbers.blocks import Cell, Colour
from himalaya_core.game import CHANCE, IllegalAction
from himalaya_core.games import GAMES
from himalaya_core.notation import NotationError, expected, offers, read, write
from himalaya_core.replay import Replay
from himalaya_core.summit.pieces import Piece

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "notation.md"
EVENTS = {"commit_plan": "plan_committed", "roll_resources": "refill_rolled", "place_caravan": "caravan_placed"}
EVERY = {
    "caravan": (["random", "greedy", "trader"], {"tokens": True, "full_inventory": True, "village_cards": True}),
    "summit": (["random", "greedy", "racer"], {}),
    "climbers": (["random", "greedy"], {}),
}


@pytest.mark.parametrize("number", [pytest.param(0, marks=pytest.mark.slow("more matches")), 1])
@pytest.mark.parametrize("game", EVERY)
def test_written_actions_are_read_back(game: str, number: int) -> None:
    players, options = EVERY[game]
    replay: Replay = play(game, players, seed=f"written-{number}", options=options if number else {}).replay
    for before, entry in zip(replay.states, replay.entries[1:], strict=False):
        if entry.action is not None:
            text = write(GAMES[game], before, entry.action)
            assert read(GAMES[game], before, text) == entry.action, text
            assert read(GAMES[game], before, f"  {text.upper()} ") == entry.action, text
            assert not {";", "#"} & set(text), "in a file these part entries and begin remarks"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("17 barley tea 5", "17 barley tea 5"),
        ("17 tea barley 5", "17 barley tea 5"),
        ("17 ssb 4", "17 salt salt barley 4"),
        ("17 2 SALT barley 4", "17 salt salt barley 4"),
        ("17 o3", None),
    ],
)
def test_a_disc_is_written_as_its_goods_and_yaks(text: str, written: str | None) -> None:
    replay = play("caravan", ["greedy"] * 3, seed="faces").replay
    before = replay.states[next(at for at, each in enumerate(replay.entries) if type(each.action) is RollOrder) - 1]
    action = read(CARAVAN, before, text)
    assert read(CARAVAN, before, write(CARAVAN, before, action)) == action
    assert written in (None, write(CARAVAN, before, action))
    assert ("barley tea 5", "1 in the bag") in offers(CARAVAN, before)
    with pytest.raises(NotationError, match="such as 17 barley tea 5"):
        read(CARAVAN, before, "17 tea 99")
    with pytest.raises(NotationError):
        read(CARAVAN, before, "17 999999999 salt 4")


def test_goods_actions_and_rewards_may_be_words() -> None:
    replay = play("caravan", ["greedy"] * 3, seed="words").replay
    pairs = [(b, e.action) for b, e in zip(replay.states, replay.entries[1:], strict=False) if e.action is not None]
    spelt = {"s": "salt", "b": "barley", "t": "tea", "j": "jade", "g": "gold"}
    acts = {"s": "soil", "t": "stone", "i": "ice", "x": "trade", "r": "rest"}
    for before, action in pairs:
        match write(CARAVAN, before, action).split(), action:
            case [die, cubes], RollResources():
                assert read(CARAVAN, before, " ".join([die, *(spelt[each] for each in cubes)])) == action
            case [*_, plan], CommitPlan():
                assert read(CARAVAN, before, " ".join(acts[each] for each in plan), action.seat) == action
            case ["take", cube], Collect():
                assert read(CARAVAN, before, f"take {spelt[cube]}") == action
            case ["deliver", rewards, *more], Deliver():
                said = ({"y": "yaks", "o": "offering", "d": "delegations"}[each] for each in rewards)
                assert read(CARAVAN, before, " ".join(["deliver", *said, *more])) == action


@pytest.mark.parametrize("game", ["summit", "climbers"])
def test_pawns_and_blocks_may_be_written_as_where_they_are(game: str) -> None:
    replay = play(game, ["greedy", "random"], seed="where").replay
    checked = 0
    for before, entry in zip(replay.states, replay.entries[1:], strict=False):
        action: Any = entry.action
        if action is None:
            continue
        words = write(replay.game, before, action).split()
        if words[:1] == ["die"] and words[2] != "C":
            seat = action.seat
            words[2] = str(before.at(seat, Piece(words[2])))
            if words[-1].startswith("with:S"):
                words[-1] = f"with:{words[-1].count('S')}"
        elif words[:1] == ["disc"]:
            del words[1]
        elif words[:1] == ["block"]:
            pose = before.poses[int(words[1])]
            words[1] = f"{pose.x},{pose.y}"
        else:
            continue
        checked += 1
        assert read(replay.game, before, " ".join(words)) == entry.action
    assert checked > 3


def test_a_block_move_that_shifts_two_climbers_is_one_entry() -> None:
    replay = play("climbers", ["random", "greedy"], seed="shifts").replay
    before = replay.states[next(at for at, entry in enumerate(replay.entries) if entry.type == "block_moved") - 1]
    shifts = (Shift(0, Cell(1, 2)), Shift(1, Cell(3, 4)))
    action = MoveBlock(before.acting, 4, 1, 1, 1, 2, Colour.PURPLE, shifts)
    text = write(CLIMBERS, before, action)
    assert text == "block 4 1 1 1 2 purple shift:1>1,2+2>3,4"
    assert read(CLIMBERS, before, text) == action


@pytest.mark.parametrize(
    "text", ["tower 1@" + "1," * 400, "tower 0@1,2,3:1x1x1:\ud800", "tower 0@1,2,3:1x1:red", "tower 0@1,2,3"]
)
def test_text_with_invalid_json_is_refused_like_any_other(text: str) -> None:
    with pytest.raises(NotationError, match="expected what fell: how all blocks lie"):
        read(CLIMBERS, play("climbers", ["random", "greedy"], seed="shifts").replay.states[0], text)


def test_every_kind_of_action_has_a_form_and_a_hint() -> None:
    for game in EVERY:
        assert GAMES[game].notation.keys() == GAMES[game].action_types.keys()
        assert all(form.hint for form in GAMES[game].notation.values())


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("commit_plan", "1: stxxq", r"expected seat 1.*six letters of s soil, t stone.*found '1: stxxq'"),
        ("commit_plan", "6: stxxii", r"expected seat 1, 2, 3 \(begin with the seat"),
        ("roll_resources", "9", "expected what fell: the die and the cubes drawn"),
        ("place_caravan", "", "a village for the caravan `VILLAGE`"),
    ],
)
def test_text_that_is_not_an_action_is_refused_with_the_expected_form(kind: str, text: str, said: str) -> None:
    replay = play("caravan", ["random"] * 3, seed="refused").replay
    at = next(at for at, entry in enumerate(replay.entries) if entry.type == EVENTS[kind]) - 1
    with pytest.raises(NotationError, match=said):
        read(CARAVAN, replay.states[at], text)


def test_the_prompt_names_the_seat_to_choose_and_the_notation() -> None:
    replay = play("caravan", ["random"] * 3, seed="refused").replay
    assert expected(CARAVAN, replay.states[-1]) == "nothing more: the match is over"
    with pytest.raises(NotationError, match="the match is over"):
        read(CARAVAN, replay.states[-1], "no")
    first = replay.states[0]
    assert CHANCE in CARAVAN.actors(first)
    assert expected(CARAVAN, first) == "what fell: the die and the cubes drawn (s b t j g) `DIE CUBES`"


def test_text_without_a_seat_counts_for_the_given_seat_and_is_quoted_as_typed() -> None:
    replay = play("caravan", ["greedy"] * 3, seed="seat").replay
    planning = next(before for before in replay.states if len(replay.game.actors(before)) == 3)
    assert read(replay.game, planning, "rrrrrr", 2).seat == 2
    assert read(replay.game, planning, "1: rrrrrr", 2).seat == 0
    with pytest.raises(NotationError, match=r"^expected seat 3: six letters .*; found 'zzzz'$"):
        read(replay.game, planning, "zzzz", 2)


def test_an_action_that_is_not_due_is_refused_with_the_reason_of_the_rules() -> None:
    replay = play("summit", ["random", "random"], seed="refused").replay
    at = next(at for at, entry in enumerate(replay.entries) if entry.type == "die_taken")
    before = replay.states[at - 1]
    with pytest.raises(IllegalAction, match="a die is forfeited only if none moves a pawn"):
        replay.game.decide(before, read(replay.game, before, f"forfeit {before.pool[0]}"))


@pytest.mark.parametrize("name", GAMES)
def test_the_page_shows_every_form(name: str) -> None:
    section = PAGE.read_text("utf-8").partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    shown = [code.split() for code in re.findall(r"`([^`]+)`", section)]
    for form in GAMES[name].notation.values():
        words = [word for entry in shown if entry[0] == form.word or not form.word for word in entry]
        assert words, form.hint
        for part in form.parts:
            assert not part.mark or any(word.startswith(part.mark) for word in words), part.mark
