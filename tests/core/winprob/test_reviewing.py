"""Reviews: changes of win probability that add up to the outcome, and key moments among them."""

from functools import partial

import pytest

from himalaya_core.game import CHANCE
from himalaya_core.replay import Replay
from himalaya_core.winprob import review as reviewing
from himalaya_core.winprob.key_moments import (
    Cause,
    Evaluation,
    GameReview,
    Kind,
    Swing,
    by_turn,
    interval,
    review_of,
    rounded,
)
from himalaya_core.winprob.model import chances, shipped
from himalaya_core.winprob.review import MOST_MOMENTS, as_document, further_changes, key_moments, review, split_of
from tests.core.winprob.replays import sample, value_of


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("sample-summit-two", 0),
        *(
            pytest.param(name, 0, marks=pytest.mark.slow("further games"))
            for name in ("sample-four", "sample-climbers-two")
        ),
        *(
            pytest.param(name, 3, marks=pytest.mark.soak("more matches"))
            for name in ("sample-four", "sample-summit-three", "sample-climbers-two")
        ),
    ],
)
def test_swings_of_a_match_sum_to_its_outcome(name: str, number: int) -> None:
    replay = sample(name, number)
    model = shipped(replay.game)
    assert model is not None
    found = review(model, replay)
    swings = review_of(replay.game.name).swings(replay, partial(chances, model))
    outcome = replay.game.outcome(replay.states[-1])
    assert outcome is not None
    for seat, part in enumerate(outcome.shares):
        told = found.chances[0].chances[seat] + sum(swing.amounts[seat] for swing in swings)
        assert told == pytest.approx(part, abs=1e-9)
        assert sum(share.amount for share in split_of(swings) if share.seat == seat) == pytest.approx(
            part - found.chances[0].chances[seat], abs=1e-9
        )
    costs = [(judged.low, judged.high) for judged in found.judgements]
    assert all(-1 <= low <= high <= 1 for low, high in costs)
    for swing in swings:
        assert sum(swing.amounts) == pytest.approx(0, abs=1e-9)
        assert swing.since < swing.seq


def test_key_moments_are_the_largest_caused_swings_above_the_model_error() -> None:
    replay = sample("sample-four")
    sizes = [0.30, 0.01, 0.25, 0.40, 0.10, 0.11, 0.12, 0.13]
    swings = [
        Swing(at, at + 1, 1, at % 4, Kind.MOVE, (size, -size, 0.0, 0.0)) for at, size in enumerate(sizes[:3], start=1)
    ]
    swings.append(Swing(4, 5, 1, CHANCE, Kind.DRIFT, (0.4, -0.4, 0.0, 0.0)))
    swings += [Swing(at, at + 1, 2, CHANCE, Kind.DICE, (size, -size, 0.0, 0.0)) for at, size in enumerate(sizes[4:], 5)]
    better = [Evaluation(2, 2, 1, 1, 0.05, 0.01, 0.09, {"type": "rest"}, "rest")]
    found = key_moments(replay, swings, better, 0.012)
    assert [round(moment.swing.size, 2) for moment in found] == [0.30, 0.25, 0.10, 0.11, 0.12, 0.13][:MOST_MOMENTS]
    assert [moment.cause for moment in found[:3]] == [Cause.RIVAL_MOVE, Cause.RIVAL_MOVE, Cause.DICE]
    assert found[0].alternative == better[0]
    first = replay.header.seats[0].label
    assert found[0].text.endswith(f": +30 points for {first}")
    assert not key_moments(replay, swings, better, 0.5)


@pytest.mark.parametrize(
    ("amount", "cost", "said"),
    [
        (-0.02, 0.24, ": −2 points. Expected when chosen: −24"),
        (0.01, 0.24, ": +1 point. Expected when chosen: −24"),
        (0.001, 0.24, ": no change. Expected when chosen: −24"),
        (-0.3, 0.24, ": −30 points"),
        (0.3, 0.24, ": +30 points. Expected when chosen: −24"),
        (0.30496, 0.24, ": +31 points. Expected when chosen: −24"),  # 0.305 in the document, shown as +31 next to it
    ],
)
def test_a_decision_counts_with_its_cost_as_judged_at_the_time(amount: float, cost: float, said: str) -> None:
    """A bad decision that luck rescued is listed for its own seat; the text names both."""
    other = Swing(2, 4, 1, CHANCE, Kind.DICE, (0.1, -0.1, 0.0, 0.0))
    bad = Swing(1, 9, 1, 2, Kind.MOVE, (-amount / 2, 0.0, amount, -amount / 2), cost)
    replay = sample("sample-four")
    found = key_moments(replay, [other, bad], (), 0.2)
    assert [(moment.swing, moment.seat, moment.cause) for moment in found] == [(bad, 2, Cause.OWN_MOVE)]
    assert found[0].text.endswith(said)
    assert not key_moments(replay, [other, bad], (), 0.35)


def test_a_swing_that_rounds_to_no_change_is_no_key_moment() -> None:
    small, seen = (
        Swing(1, 9, number, 2, Kind.MOVE, (-amount, 0.0, amount, 0.0)) for number, amount in enumerate((0.004, 0.006))
    )
    assert [moment.swing for moment in key_moments(sample("sample-four"), [small, seen], (), 0.0001)] == [seen]


def test_gain_and_loss_of_a_seat_in_one_round_are_one_net_moment() -> None:
    replay = sample("sample-four")
    market = Swing(1, 9, 3, 2, Kind.MOVE, (-0.2, -0.11, 0.31, 0.0))
    plan = Swing(4, 9, 3, 2, Kind.MOVE, (0.1, 0.17, -0.27, 0.0), 0.02)
    later = Swing(9, 12, 4, 2, Kind.MOVE, (0.1, 0.1, -0.2, 0.0))
    better = [Evaluation(5, 9, 3, 2, 0.05, 0.01, 0.09, {"type": "rest"}, "rest")]
    first, second = key_moments(replay, [market, plan, later], better, 0.01)
    who = replay.header.seats[2].label
    assert (first.seat, first.swing.since, first.swing.seq, first.swing.by) == (2, 1, 9, 2)
    assert (round(first.change, 2), first.swing.cost, first.alternative) == (0.04, 0.02, better[0])
    for part in (f"{who}: +4 points in all. ", ": +31 points. ", ": −27 points"):
        assert part in first.text
    assert second.swing == later
    assert [moment.swing for moment in key_moments(replay, [market, plan, later], (), 0.05)] == [later]


def test_a_moment_names_the_alternative_to_its_costliest_decision() -> None:
    swing = Swing(1, 9, 1, 2, Kind.MOVE, (0.2, 0.0, -0.2, 0.0))
    better = [
        Evaluation(at, at, 1, seat, cost, cost, cost, {"type": "rest"}, "rest")
        for at, seat, cost in [(2, 2, 0.05), (4, 2, 0.11), (5, 2, 0.02), (6, 1, 0.3), (10, 2, 0.4)]
    ]
    (moment,) = key_moments(sample("sample-four"), [swing], better, 0.01)
    assert moment.alternative == better[1]


def test_a_visible_change_is_listed_with_its_cause_unless_a_key_moment_begins_there() -> None:
    replay = sample("sample-four")
    model = shipped(replay.game)
    assert model is not None
    found = review(model, replay, judges=False)
    least, stops = 2 * model.largest_error, {moment.swing.since for moment in found.all_moments}
    for step in by_turn(replay, partial(chances, model)):
        assert step.size < least or step.since in stops or (step.by == CHANCE and step.size >= least)
    texts = {(moment.swing.seq, moment.cause): moment.text for moment in found.changes}
    taking = next(text for text in texts.values() if "took region 7" in text)
    assert taking == "Round 10, Sherpa's delivery in village 17 (took region 7): +43 points"


@pytest.mark.parametrize(
    ("name", "number", "seq", "said"),
    [
        ("sample-climbers-three", 1, 97, "60% for pink"),
        pytest.param("sample-four", 3, 465, "48% for Tamang", marks=pytest.mark.slow("caravan's causes")),
    ],
)
def test_no_move_is_credited_with_an_estimate_that_becomes_certain(name: str, number: int, seq: int, said: str) -> None:
    """The trade of sample-four is worth nothing: the result is the same if it is declined."""
    replay = sample(name, number)
    model = shipped(replay.game)
    assert model is not None
    found = review(model, replay, judges=False)
    settled = [moment for moment in found.changes if moment.text.startswith("Settled: ")]
    assert [(moment.swing.seq, moment.swing.by, moment.cause, moment.subject) for moment in settled] == [
        (seq, CHANCE, Cause.DRIFT, "")
    ]
    assert settled[0].text == f"Settled: nothing can change the result from here; the model had expected {said}"
    assert max(moment.swing.seq for moment in found.moments) < seq


def test_a_last_throw_that_decides_a_match_keeps_its_credit() -> None:
    replay = sample("sample-summit-three", 1)
    last = review_of("summit").swings(replay, value_of(replay))[-1]
    assert (last.seq, last.kind) == (len(replay.entries) - 1, Kind.DICE)


def test_a_change_has_no_cause_unless_decisions_or_dice_explain_half_of_it() -> None:
    replay = sample("sample-four")
    step = Swing(40, 41, 2, 0, Kind.MOVE, (0.2, -0.2, 0.0, 0.0))
    for caused, cause in ((0.04, Cause.DRIFT), (0.12, Cause.OWN_MOVE), (-0.3, Cause.DRIFT)):
        plan = Swing(36, 60, 2, 0, Kind.PLAN, (caused, -caused, 0.0, 0.0))
        drift = Swing(36, 60, 2, CHANCE, Kind.DRIFT, (0.5, -0.5, 0.0, 0.0))
        (change,) = further_changes(replay, [plan, drift], [step], [])
        assert change.cause is cause
    (known,) = key_moments(replay, [step], (), 0.1)
    assert not further_changes(replay, [step], [step], [known])


def test_moments_are_ranked_by_size_in_the_document() -> None:
    replay = sample("sample-summit-two")
    model = shipped(replay.game)
    assert model is not None
    document = as_document(review(model, replay, judges=False))
    rows = sorted([*document["moments"], *document["changes"]], key=lambda row: row["rank"])
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    sizes = [max(abs(row["swing"]), row["cost"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    assert len(document["moments"]) == MOST_MOMENTS < len(rows)


@pytest.mark.slow("reviews a match twice")
def test_a_review_covers_an_unfinished_match_up_to_its_last_event() -> None:
    replay = sample("sample-summit-three")
    model = shipped(replay.game)
    assert model is not None
    found = as_document(review(model, sample("sample-summit-three", first=60)))
    assert found["chances"][-1]["seq"] == 59
    assert all(moment["seq"] < 60 for moment in found["moments"])
    whole = as_document(review(model, replay))["chances"]
    assert found["chances"][:-1] == whole[: len(found["chances"]) - 1]


def test_an_interval_ends_at_what_the_chance_of_the_decision_allows() -> None:
    assert interval([1.0] * 7 + [0.2], 0.0) == (0.9, pytest.approx(0.6635), 1.0)
    assert interval([0.9] * 7 + [0.4], 0.1) == (0.8375, pytest.approx(0.6897, abs=1e-4), 0.9)
    assert interval([0.3], 0.2) == (0.3, 0.3, 0.3)


@pytest.mark.parametrize(
    ("chances", "shown"),
    [
        ((1.0, 0.0), (1.0, 0.0)),
        ((1 / 3, 1 / 3, 1 / 3), (0.3334, 0.3333, 0.3333)),
        ((0.12345, 0.12345, 0.7531), (0.1235, 0.1234, 0.7531)),
        ((1 / 6,) * 6, (0.1667, 0.1667, 0.1667, 0.1667, 0.1666, 0.1666)),
        ((0.99999, 0.00001), (1.0, 0.0)),
    ],
)
def test_rounded_chances_still_sum_to_one(chances: tuple[float, ...], shown: tuple[float, ...]) -> None:
    assert rounded(chances) == shown


def test_a_review_without_judgements_computes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def judgements(replay: Replay, _value: object) -> list[Evaluation]:
        asked.append(replay.entries[0].match)
        return []

    monkeypatch.setattr(reviewing, "review_of", lambda _: GameReview(judgements=judgements))
    replay = sample("sample-summit-three")
    model = shipped(replay.game)
    assert model is not None
    without = review(model, replay, judges=False)
    assert (asked, without.judgements) == ([], ())
    assert review(model, replay).moments == without.moments
    assert asked == ["sample-summit-three.000000"]
