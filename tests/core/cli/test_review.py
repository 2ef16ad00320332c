"""`himalaya train` and `himalaya review`: a model fitted to sample logs, and its review of a match."""

import json
import re
from pathlib import Path

import pytest

from himalaya_core.games import GAMES
from himalaya_core.winprob.model import shipped
from tests.core.cli.commands import Command
from tests.once import once

SAMPLE = Path(__file__).parents[3] / "logs" / "sample"
LOGS = [str(path) for path in sorted(SAMPLE.glob("sample-summit-*.zst"))]
TWO = str(SAMPLE / "sample-summit-two-0001.jsonl.zst")


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def model(himalaya: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    def train(folder: Path) -> None:
        out = str(folder / "model.json")
        answer = himalaya("train", "summit", *LOGS, "--hold-out", "sample-summit-two", "--out", out)
        assert answer.code == 0, answer.err
        assert "fitted to 36 matches" in answer.out
        assert "checked on 20 of sample-summit-two" in answer.out

    return once(tmp_path_factory, "summit-model", train) / "model.json"


def test_a_review_names_its_model_and_has_chances_for_each_seat(himalaya: Command, model: Path) -> None:
    arguments = ("review", TWO, "--match", "sample-summit-two.000003", "--model", str(model))
    found = json.loads(himalaya(*arguments, "--format", "json").out)
    assert (found["match"], found["game"], found["not_valued"]) == ("sample-summit-two.000003", "summit", None)
    assert found["model"]["name"] == f"summit-{found['model']['sha256'][:12]}"
    assert len(found["model"]["reliability"]) == 10
    seqs = [each["seq"] for each in found["chances"]]
    assert seqs == sorted(set(seqs))
    assert sorted(found["chances"][-1]["chances"]) == [0.0, 1.0]


@pytest.mark.slow("plays out")
def test_the_last_rounds_are_played_out_on_request(himalaya: Command) -> None:
    arguments = ("review", TWO, "--match", "sample-summit-two.000003", "--playouts", "3")
    assert "played out 3 times by its players, standard error at most" in himalaya(*arguments).out


@pytest.mark.slow("the same in JSON")
def test_playout_results_are_in_the_json(himalaya: Command) -> None:
    arguments = ("review", TWO, "--match", "sample-summit-two.000003", "--playouts", "3")
    found = json.loads(himalaya(*arguments, "--format", "json").out)
    played, model = found["played_out"], found["chances"]
    assert played["samples"] == 3
    assert played["chances"][-1] == model[-1]
    assert {each["seq"] for each in played["chances"]} < {each["seq"] for each in model}


@pytest.mark.slow("plays out")
def test_a_better_decision_not_played_out_for_lack_of_time_is_a_guess(himalaya: Command) -> None:
    arguments = ("review", TWO, "--match", "sample-summit-two.000003")
    text = himalaya(*arguments).out
    assert "The model's guess, not confirmed: +2 points." in text
    assert "100" in text
    assert "not what perfect play would give" in text
    found = json.loads(himalaya(*arguments, "--confirm", "--seconds", "1", "--format", "json").out)
    ships = shipped(GAMES["summit"])
    assert ships is not None
    assert found["model"]["sha256"] == ships.sha256
    better = [each["alternative"] for each in found["moments"] if each["alternative"]]
    texts = [each["confirmation"]["text"] for each in better if "confirmation" in each]
    assert len(texts) == 3
    assert all(text.startswith("The model's guess, not confirmed: +") for text in texts)
    assert all("s of processor time" in text for text in texts)
    assert "--seconds limits --confirm" in himalaya(*arguments, "--seconds", "1").err


def test_a_file_that_is_not_a_model_is_reported(himalaya: Command, tmp_path: Path) -> None:
    arguments = ("review", TWO, "--match", "sample-summit-two.000003")
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"format": 1, "game": "caravan"}', encoding="utf-8")
    refused = himalaya(*arguments, "--model", str(wrong))
    assert (refused.code, refused.err) == (2, f"himalaya: {wrong}: model.game: expected summit, found caravan\n")


def test_a_match_outside_the_checked_kinds_is_not_valued(himalaya: Command, model: Path) -> None:
    three = str(SAMPLE / "sample-summit-three-0001.jsonl.zst")
    arguments = ("review", three, "--match", "sample-summit-three.000000", "--model", str(model))
    assert himalaya(*arguments).out == "not valued: 3 players were not checked\n"
    found = json.loads(himalaya(*arguments, "--format", "json").out)
    assert (found["not_valued"], found["chances"]) == ("3 players were not checked", [])


def test_logs_unsuitable_for_training_are_reported(himalaya: Command, tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "model.json"))
    other = himalaya("train", "climbers", TWO, "--hold-out", "a", *out)
    assert other.err == f"himalaya: {TWO}:1: data.game: expected climbers, found summit\n"
    unknown = himalaya("train", "summit", TWO, "--hold-out", "sample-sumit-two", *out)
    assert (
        "no match of the tournament 'sample-sumit-two' is in these logs; did you mean 'sample-summit-two'?"
        in unknown.err
    )
    few = himalaya("train", "summit", TWO, "--hold-out", "sample-summit-two", *out)
    assert "expected at least 10 finished matches for training, found 0" in few.err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow("a whole match of caravan is reviewed twice")
def test_key_moments_of_a_caravan_match_name_the_responsible_seat(himalaya: Command) -> None:
    arguments = ("review", str(SAMPLE / "sample-three-0001.jsonl.zst"), "--match", "sample-three.000000")
    found = json.loads(himalaya(*arguments, "--format", "json").out)
    plan = next(moment for moment in found["moments"] if moment["cause"] in ("own plan", "a rival's plan"))
    assert re.match(rf"(\w+: .* in all\. )?Round {plan['round']}, \S+'s plan \(", plan["text"])
    assert {share for row in found["split"] for share in row["causes"]} > {"drift", "dice", "own plan", "a trade"}
    assert len(found["judgements"]) == 36
    assert plan["text"] in himalaya(*arguments).out
