"""Reviews in the replay: over HTTP, with board positions, and without secrets."""

import gzip
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from dashboards.games.analytics import analytics_of
from dashboards.replay import reviews
from dashboards.replay.reviews import review_document
from dashboards.replay.scenes import ViewError, scene_of
from himalaya_core.files import read_lines
from himalaya_core.game import CHANCE
from himalaya_core.replay import Replay, ReplayError, matches
from himalaya_core.winprob import review as reviewing
from himalaya_core.winprob.key_moments import Evaluation, GameReview, Kind, Swing
from himalaya_core.winprob.model import shipped
from himalaya_core.winprob.review import Review, as_document, review
from tests.dashboards.client import Client
from tests.dashboards.web.standing_in import stand_in

SAMPLE: Final = Path(__file__).parents[3] / "logs" / "sample"
PLAN: Final = {"type": "commit_plan", "plan": ["soil", "trade", "ice", "rest", "stone", "trade"]}
GAMES: Final = ("sample-four", "sample-summit-three", "sample-climbers-three")


@cache
def lines_of(name: str) -> tuple[bytes, ...]:
    """The first match of a sample tournament."""
    _, lines = next(iter(matches(read_lines(SAMPLE / f"{name}-0001.jsonl.zst"))))
    return tuple(lines)


@cache
def replay_of(name: str) -> Replay:
    return Replay.read(lines_of(name))


class Shelf:
    """Replaces the warehouse: matches of each game; caravan's ends at its first secret plans."""

    def match_lines(self, match: str) -> list[bytes] | None:
        if match == "secret":
            return list(lines_of("sample-four")[: revealed_at(replay_of("sample-four"))])
        return list(lines_of(match)) if match in GAMES else None

    def quarantined_lines(self, _match: str, _most: int) -> list[object]:
        return []

    def is_live(self, match: str) -> bool:
        return match == "secret"


def revealed_at(replay: Replay) -> int:
    return next(at for at, entry in enumerate(replay.entries) if type(entry.event).__name__ == "PlansRevealed")


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    reviews._packed.cache_clear()
    return stand_in(monkeypatch, Shelf())


@pytest.mark.slow("reviews matches")
@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_sent_with_its_review(client: Client, name: str) -> None:
    answer = client.get(f"/api/replay/{name}/review", headers={"Accept-Encoding": "gzip"})
    sent = json.loads(gzip.decompress(answer.data))
    model = shipped(replay_of(name).game)
    assert model is not None
    expected = json.loads(json.dumps(as_document(review(model, replay_of(name)))))
    assert sent["chances"] == expected["chances"]
    assert [each["text"] for each in sent["moments"]] == [each["text"] for each in expected["moments"]]
    assert sent["moments"]
    assert scene_of(replay_of(name), None).get("review") == {"causes": bool(expected["split"])}
    again = {"Accept-Encoding": "gzip", "If-None-Match": answer.headers["ETag"]}
    assert client.get(f"/api/replay/{name}/review", headers=again).status_code == 304


def test_concurrent_viewers_share_one_review(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    model = shipped(replay_of("sample-summit-three").game)
    assert model is not None
    made = iter([Review(model, "made once")])
    monkeypatch.setattr(reviews, "review", lambda *_: next(made))
    answers = [client.get(f"/api/replay/sample-summit-three/review{view}") for view in ("", "?view=1", "?view=3")]
    assert [answer.json["not_valued"] for answer in answers] == ["made once"] * 3


@pytest.mark.parametrize("path", ["nobody/review", "sample-four/review?view=5"])
def test_a_match_that_cannot_be_reviewed_is_refused(client: Client, path: str) -> None:
    assert client.get(f"/api/replay/{path}").status_code == (404 if "nobody" in path else 400)


def test_the_view_of_a_missing_seat_is_refused() -> None:
    with pytest.raises(ViewError):
        review_document(replay_of("sample-four"), "5")


def known_and_secret(replay: Replay, _value: object) -> list[Evaluation]:
    """Evaluations of two plans: one that is revealed at the end of the log, and one that is still secret."""
    end = len(replay.entries)
    return [
        Evaluation(at, shown, 1, 0, 0.3, 0.2, 0.4, PLAN, f"shown with {shown}")
        for at, shown in ((end - 2, end - 1), (end - 1, end))
    ]


def two_swings(replay: Replay, _value: object) -> list[Swing]:
    end = len(replay.entries)
    amounts = (-0.3, 0.3, 0.0, 0.0)
    return [
        Swing(end - 3, end - 2, 1, 0, Kind.PLAN, amounts),
        Swing(end - 2, end - 1, 1, 0, Kind.PLAN, amounts),
        Swing(end - 2, end, 1, 0, Kind.PLAN, amounts),
    ]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the review of every game by a fake that also evaluates unrevealed plans."""
    record = GameReview(
        judgements=known_and_secret, swings=two_swings, words=lambda _replay, swing: f"Until {swing.seq}, it"
    )
    monkeypatch.setattr(reviewing, "review_of", lambda _game: record)
    reviews._packed.cache_clear()


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("query", ["", "?view=1", "?view=2"])
def test_a_review_reveals_no_hidden_plan(client: Client, query: str) -> None:
    end = len(Shelf().match_lines("secret") or ())
    text = client.get(f"/api/replay/secret/review{query}").text
    sent = json.loads(text)
    assert [each["shown"] for each in sent["judgements"]] == [end - 1]
    assert [each["seq"] for each in sent["moments"]] == [end - 2, end - 1]
    assert [each["alternative"] and each["alternative"]["words"] for each in sent["moments"]] == [
        f"shown with {end - 1}",
        None,
    ]
    assert f"shown with {end}" not in text
    assert f"Until {end}" not in text


@pytest.mark.parametrize("query", ["", "?view=1", "?view=3"])
def test_the_review_of_an_unfinished_match_contains_no_plan(client: Client, query: str) -> None:
    text = client.get(f"/api/replay/secret/review{query}").text
    planned = [
        entry.event for entry in replay_of("sample-four").entries if type(entry.event).__name__ == "PlanCommitted"
    ]
    assert len(planned) >= 4
    for event in planned[:4]:
        assert ", ".join(event.plan) not in text
        assert json.dumps(list(event.plan), separators=(",", ":")) not in text


@pytest.mark.usefixtures("judged")
def test_a_better_plan_leads_over_its_villages_and_roads() -> None:
    replay = replay_of("sample-four")
    told = review_document(replay, None)["judgements"][0]
    state, board = replay.states[told["seq"] - 1], replay.board
    names = scene_of(replay, None)["names"]
    village, way = state.caravans[0], [state.caravans[0]]
    for act in PLAN["plan"]:
        village = board.neighbours[village].get(act, village)
        way.append(village)
    assert [f"n{number}" for number in dict.fromkeys(way)] == [each for each in told["on"] if each[0] == "n"]
    assert len([each for each in told["on"] if each[0] == "l"]) >= 1
    assert set(told["on"]) <= set(names)


@pytest.mark.parametrize("name", ["sample-summit-three", "sample-climbers-three"])
def test_an_alternative_touches_what_the_same_decision_touched(name: str) -> None:
    replay = replay_of(name)
    scene = scene_of(replay, None)
    find = analytics_of(replay.game.name).alternative_targets
    lines = [json.loads(line) for line in lines_of(name)]
    touched = 0
    for at, entry in enumerate(replay.entries):
        if entry.action is None or entry.seat in (None, CHANCE):
            continue
        on = find(replay, Evaluation(at, at, entry.round, entry.seat, 0.1, 0.1, 0.1, lines[at]["action"], ""))
        assert set(on) <= set(scene["names"])
        told = next(each for each in reversed(scene["moments"]) if each["at"] <= at)
        touched += bool(on)
        assert not on or set(on) & set(told.get("on", ()))
    assert touched > 10


def test_a_game_without_a_model_says_so() -> None:
    replay = replay_of("sample-four")
    bare = replace(replay, game=replace(replay.game, features=None))
    told = review_document(bare, None)
    assert told["not_valued"] == "there is no model of Himalaya (Tilsit 2004)"
    assert "review" not in scene_of(bare, None)


def test_a_match_has_no_review_if_reviewing_raises_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(*_: object) -> None:
        raise KeyError("village")

    monkeypatch.setattr(reviews, "review", odd)
    with pytest.raises(ReplayError, match="cannot be reviewed"):
        review_document(replay_of("sample-four"), None)
