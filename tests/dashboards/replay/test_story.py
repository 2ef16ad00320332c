"""The story of a match: each sentence states a fact of the log or a chance that the review has."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dashboards.boards.story import MOST_LINES, Line, plain_story, title_from
from dashboards.games.analytics import analytics_of
from dashboards.replay.reviews import review_document
from dashboards.replay.scenes import scene_of
from himalaya_core.replay import Replay
from himalaya_core.winprob.model import shipped
from himalaya_core.winprob.review import Review, names_in, participants, review

GOLDEN = Path(__file__).parents[2] / "golden"
NAMES = [f"caravan-{players}" for players in (3, 4, 5, 6)] + [
    f"{game}-{players}" for game in ("summit", "climbers") for players in (2, 5)
]


@cache
def lines_of(name: str) -> list[bytes]:
    return (GOLDEN / f"{name}.jsonl").read_bytes().splitlines(keepends=True)


@cache
def replay_of(name: str) -> Replay:
    return Replay.read(lines_of(name))


@cache
def reviewed(name: str) -> Review:
    replay = replay_of(name)
    model = shipped(replay.game)
    assert model is not None
    return review(model, replay, judges=False)


def story_of(name: str) -> Sequence[Line]:
    replay, found = replay_of(name), reviewed(name)
    return analytics_of(replay.game.name).story(replay, found.chances, found.all_moments)


def test_a_change_that_is_taken_back_in_its_round_is_no_turn() -> None:
    replay, found = replay_of("caravan-4"), reviewed("caravan-4")
    turn = max((each for each in found.all_moments if each.subject), key=lambda each: abs(each.change))
    for part, is_told in (0, True), (0.4, True), (0.6, False), (1, False), (3, False):
        taken = tuple(-part * amount for amount in turn.swing.amounts)
        back = replace(turn, subject="", swing=replace(turn.swing, seq=turn.swing.seq + 1, amounts=taken))
        lines = plain_story(replay, found.chances, [turn, back])
        assert any(turn.subject[1:] in line["text"] for line in lines) == is_told, part


def in_short(name: str) -> Sequence[Line]:
    """Return the story with the short name of each seat, as it is after its first mention."""
    replay, lines = replay_of(name), [*story_of(name)]
    for line in lines:
        text = line["text"]
        for short, who in zip(names_in(replay), participants(replay), strict=True):
            text = text.replace(who, short)
        line["text"] = f"{text[:1].upper()}{text[1:]}"
    return lines


def logged(name: str, kind: str) -> list[dict[str, Any]]:
    return [row for row in map(json.loads, lines_of(name)) if row["type"] == kind]


@pytest.mark.parametrize("name", NAMES)
def test_a_story_has_at_most_five_sentences_in_the_order_of_the_match(name: str) -> None:
    story = story_of(name)
    places = [line["at"] for line in story]
    assert 2 <= len(story) <= MOST_LINES
    assert places == sorted(places)
    assert places[-1] == len(replay_of(name).entries) - 1
    for line in story:
        assert line["text"].endswith(".")
        assert line["text"][0].isupper() or line["text"].startswith(tuple(participants(replay_of(name))))


@pytest.mark.parametrize("name", NAMES)
def test_sentences_on_chances_state_those_of_the_review(name: str) -> None:
    found, names = reviewed(name), names_in(replay_of(name))
    chances = {each.seq: each.chances for each in found.chances}
    changes = {(moment.swing.seq, moment.subject): moment for moment in found.all_moments}
    stated = 0
    for line in in_short(name):
        if chance := re.search(r"chance(?: of|:) (\d+)%\.$", line["text"]):
            assert int(chance[1]) == round(100 * chances[line["at"]][line["seat"]])
            assert names[line["seat"]].lower() in line["text"].lower()
        elif points := re.search(r"^(.*): ([+−]\d+) points?(?: for (.*))?\.$", line["text"]):
            moment = changes[line["at"], points[1]]
            assert int(points[2].replace("−", "-")) == round(100 * moment.change)
            assert points[3] in (None, names[moment.seat])
            stated += 1
    largest = max(abs(moment.change) for moment in found.all_moments if moment.subject)
    assert stated or largest < 0.005


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_is_introduced_as_in_the_standings_and_then_called_by_its_label(name: str) -> None:
    replay, text = replay_of(name), " ".join(line["text"] for line in story_of(name))
    seats = scene_of(replay, None)["seats"]
    for seat in seats:
        who = f"{seat['player']} ({seat['name']})"
        mentions = [found.start() for found in re.finditer(rf"(?i)\b{seat['name']}\b(?! on top)", text)]
        assert text.count(who) == bool(mentions)
        assert not mentions or text.index(who) + len(seat["player"]) + 2 == mentions[0]
    assert "climber " not in text.lower().replace("its climber ", "")


@pytest.mark.parametrize("name", NAMES[:4])
def test_a_caravan_story_tells_who_was_out_and_what_won(name: str) -> None:
    story, names = [line["text"] for line in in_short(name)], names_in(replay_of(name))
    (ended,), (scored,) = logged(name, "match_ended"), logged(name, "influence_scored")
    yaks, out = scored["data"]["economic"], logged(name, "eliminated")
    for row in out[-2:]:
        who, value = names[row["seat"]], row["data"]["value"]
        (said,) = [text for text in story if re.match(rf"{who}\b.* was out: ", text)]
        assert f"least {row['data']['influence']} influence ({value}" in said
        richest = yaks[row["seat"]] == max(yaks) > sorted(yaks)[-2]
        assert ("richest with" in said) == richest
    (winner,) = ended["data"]["ranking"][0]
    assert f"{names[winner]} won" in story[-1]
    if " on economy" in story[-1]:
        rivals = [yaks[seat] for seat in range(len(names)) if seat not in [winner, *(row["seat"] for row in out)]]
        assert f"{yaks[winner]} yaks to {max(rivals)} of " in story[-1]


def test_a_summit_story_tells_of_bad_weather_and_of_dice_given_up() -> None:
    texts = {name: [line["text"] for line in story_of(name)] for name in ("summit-2", "summit-5")}
    for name, story in texts.items():
        assert ("Bad weather ended the ascent." in story) == bool(logged(name, "bad_weather"))
        given = Counter(row["seat"] for row in logged(name, "forfeited"))
        if said := [text for text in story if " had given up " in text]:
            assert f" {max(given.values())} d" in said[0]
        assert " won: " in story[-1]


def test_a_climbers_story_tells_of_the_last_climb() -> None:
    for name in ("climbers-2", "climbers-5"):
        last = logged(name, "level_reached")[-1]
        (line,) = [line for line in story_of(name) if "made the last climb" in line["text"]]
        assert (line["at"], line["seat"]) == (last["seq"], last["seat"])
        assert line["text"].endswith(f", to level {last['data']['level']}.")


def test_a_match_without_chances_has_a_story_of_its_end_and_an_unfinished_one_none() -> None:
    replay = replay_of("caravan-4")
    assert len(analytics_of("caravan").story(replay, (), ())) == 3
    (result,) = plain_story(replay, (), ())
    winner = participants(replay)[json.loads(lines_of("caravan-4")[-1])["data"]["ranking"][0][0]]
    assert result == {"at": len(replay.entries) - 1, "seat": result["seat"], "text": f"{winner} won."}
    half = Replay.read(lines_of("caravan-4")[:200])
    assert all(line["at"] < 200 for line in review_document(half, None)["story"])
    assert analytics_of("caravan").story(half, (), ()) == []


@pytest.mark.parametrize(
    ("moment", "turned", "title"),
    [
        ("Round 7, Tamang's plan (ice, trade): +37 points for Sherpa", True, "Tamang's plan turned it in round 7"),
        (
            "Round 8, Sherpa's plan (stone, trade): −19 points. Expected when chosen: −21",
            False,
            "Sherpa's plan in round 8: −19 points",
        ),
        (
            "Round 7, Tamang's plan (ice): +1 point for Sherpa. Expected when chosen: −3 for Tamang",
            False,
            "Tamang's plan in round 7: +1 point for Sherpa",
        ),
        ("Round 3, dice (an order in village 20): −2 points for Sherpa", True, "Dice turned it in round 3"),
        ("Round 3, dice: no change for Sherpa", False, "Dice in round 3: no change for Sherpa"),
        (
            "Blue moved its climber from field 5 to 11 with a 6: −30 points for amber",
            True,
            "Blue moved its climber from field 5 to 11 with a 6",
        ),
        (
            "Turn 3, red moved half cube 0 from level 2 to the table, pink on top: +21 points for pink",
            False,
            "Red moved half cube 0 from level 2 to the table in turn 3",
        ),
        ("Turn 11, red did nothing in its turn: +13 points", True, "Red did nothing in turn 11"),
        ("Sherpa: +1 point in all. Round 7, Sherpa's plan (ice): −4 points", True, ""),
    ],
)
def test_a_title_names_what_turned_a_match_or_its_effect(moment: str, turned: bool, title: str) -> None:
    assert title_from(moment, turned=turned) == title
