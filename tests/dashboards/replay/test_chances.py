"""Win probabilities over HTTP: from the warehouse, or computed from the log."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from dashboards.queries.reader import Reader
from dashboards.queries.reviews import values_of
from dashboards.replay import reviews
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import course, rounded
from himalaya_core.winprob.model import Model, shipped
from ingest.load.reviews import review_waiting
from ingest.opening import open_warehouse
from ingest.pipeline import Request, take_in
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.core.log.damage import resign, rewrite
from tests.dashboards.client import everything
from tests.dashboards.conftest import DATABASE
from tests.dashboards.described import conforms
from tests.ingest.helping import THREE, climbers_log, log, summit_log, write
from tests.once import once

PAIR = ("greedy", "random")
PLAYED = {"caravan": log("of.caravan", THREE), "summit": summit_log("of.summit", PAIR)}
PLAYED |= {"climbers": climbers_log("of.climbers", PAIR)}
LIVE = summit_log("live", PAIR)[:40]
BAD = (*summit_log("bad", PAIR)[:50], b"{}\n")
OLD_RULES = tuple(resign(rewrite(summit_log("old", PAIR), 0, data__rules_version="0.1")))

Ask = Callable[..., Any]


def take_matches_in(folder: Path) -> None:
    with open_warehouse(folder / DATABASE) as warehouse:
        for name, logs in (("a", (*PLAYED.values(), LIVE, OLD_RULES)), ("bad", (BAD,))):
            take_in(warehouse, Request((write(folder / f"{name}.jsonl", *logs),), jobs=0), lambda _: None)


@pytest.fixture
def warehouse(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """A separate database with unreviewed matches."""
    made = once(tmp_path_factory, "chances", take_matches_in)
    with open_warehouse(copied(made / DATABASE, tmp_path)) as opened:
        yield opened


def review_matches(folder: Path) -> None:
    take_matches_in(folder)
    with open_warehouse(folder / DATABASE) as warehouse:
        review_waiting(warehouse, {}, lambda _: None)


@pytest.fixture
def reviewed(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """A separate database with reviewed matches."""
    made = once(tmp_path_factory, "reviewed-chances", review_matches)
    with open_warehouse(copied(made / DATABASE, tmp_path / "reviewed.duckdb")) as opened:
        yield opened


def asking(warehouse: Warehouse) -> Ask:
    """Return a function that requests the win probabilities of a match."""
    client = everything(warehouse)
    return lambda match, query="", **headers: client.get(f"/api/replay/{match}/chances{query}", headers=headers)


@pytest.fixture
def ask(warehouse: Warehouse) -> Ask:
    return asking(warehouse)


def counted(lines: tuple[bytes, ...]) -> dict[str, Any]:
    """Return the expected response for a log to which a model applies."""
    replay = Replay.read(lines)
    model = shipped(replay.game)
    assert model is not None
    told = {"name": model.name, "sha256": model.sha256, "calibration_error": model.calibration_error}
    found = [{"seq": each.seq, "chances": list(rounded(each.chances))} for each in course(model, replay)]
    return {"model": told, "not_valued": None, "chances": found}


def no_log(*_: object) -> None:
    raise AssertionError("the log is not needed")


def test_stored_chances_are_those_computed_from_the_log(
    ask: Ask, reviewed: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {game: counted(lines) for game, lines in PLAYED.items()}
    assert {game: ask(f"of.{game}").json for game in PLAYED} == expected
    monkeypatch.setattr(reviews, "_counted", no_log)
    ask_reviewed = asking(reviewed)
    for query in ("", "?view=1"):
        assert {game: ask_reviewed(f"of.{game}", query).json for game in PLAYED} == expected


def test_chances_of_another_model_are_not_used(reviewed: Warehouse) -> None:
    with reviewed.writing() as connection:
        connection.execute("UPDATE dim_reviews SET model = 'earlier'; UPDATE fct_values SET chance = 0")
    assert asking(reviewed)("of.summit").json == counted(PLAYED["summit"])


@pytest.mark.parametrize(("match", "lines"), [("live", LIVE), ("bad", BAD[:-1])])
def test_a_match_that_is_not_reviewed_is_valued_as_far_as_it_goes(
    match: str, lines: tuple[bytes, ...], reviewed: Warehouse
) -> None:
    assert values_of(Reader(reviewed), match) is None
    found = asking(reviewed)(match).json
    assert found == counted(lines)
    assert found["chances"][-1]["seq"] == len(lines) - 1


def test_the_reason_for_missing_chances_is_shown(ask: Ask, reviewed: Warehouse) -> None:
    found = ask("old").json
    version = GAMES["summit"].rules_version
    assert found["not_valued"] == f"rules version 0.1 was not checked, only {version}"
    assert found["chances"] == []
    with reviewed.writing() as connection:
        connection.execute("UPDATE dim_reviews SET not_valued = 'for a reason'; DELETE FROM fct_values")
    told = asking(reviewed)("of.summit").json
    assert (told["not_valued"], told["chances"]) == ("for a reason", [])


def test_a_game_without_a_model_says_so(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "shipped", lambda _: None)
    found = ask("of.summit").json
    assert found == {"model": None, "not_valued": "there is no model of Himalaya (Piatnik 1998)", "chances": []}


def test_a_failing_model_is_reported_without_a_crash(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def short(game: Any) -> Model | None:
        model = shipped(game)
        return model and replace(model, first=())

    monkeypatch.setattr(reviews, "shipped", short)
    assert ask("of.summit").json["not_valued"] == "valuing it fails (ValueError)"
    assert "a match of summit cannot be valued" in caplog.text


def test_cached_chances_are_not_sent_again(ask: Ask, reviewed: Warehouse) -> None:
    tag = ask("of.summit").headers["ETag"]
    assert asking(reviewed)("of.summit", **{"If-None-Match": tag}).status_code == 304


def test_a_match_that_is_not_there(ask: Ask) -> None:
    answer = ask("nobody")
    assert (answer.status_code, answer.json["message"]) == (404, "There is no match nobody in this database.")


def test_the_answer_is_as_described(ask: Ask) -> None:
    for match in ("of.summit", "old"):
        assert conforms(ask(match).json, "Chances")
    with pytest.raises(jsonschema_rs.ValidationError):
        conforms({"model": None, "chances": []}, "Chances")
