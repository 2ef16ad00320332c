"""Matches with the same seed: of the same game, board and options, most similar first."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dashboards.replay.origin import MOST
from himalaya_core.boards import shipped_board, shipped_boards
from himalaya_core.caravan import CARAVAN
from himalaya_core.tournament.plan import Pairing, play
from ingest.pipeline import Request, take_in
from ingest.warehouse import Warehouse
from tests.dashboards.client import everything
from tests.ingest.helping import FOUR, THREE, log

OTHERS = ("greedy", "pilgrim", "trader", "random")
Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(empty: Warehouse, tmp_path: Path) -> Ask:
    """Load logs, and return the matches with the same seed as the match `asked`."""

    def siblings(*logs: tuple[bytes, ...]) -> dict[str, Any]:
        path = tmp_path / "logs.jsonl"
        path.write_bytes(b"".join(line for lines in (log("asked", luck="monday")[:50], *logs) for line in lines))
        take_in(empty, Request((path,), jobs=0), lambda _: None)
        answer: dict[str, Any] = everything(empty).get("/api/replay/asked/same-luck").json
        return answer

    return siblings


def on_another_board(match: str) -> tuple[bytes, ...]:
    boards = shipped_boards("caravan").values()
    other = next(board for board in boards if board != shipped_board("caravan"))
    return tuple(play(CARAVAN, other, {}, Pairing(match, FOUR, "monday"))[1].splitlines(keepends=True))[:50]


def names(found: dict[str, Any]) -> list[str]:
    return [sibling["match"] for sibling in found["matches"]]


@pytest.mark.slow("another match of the same luck")
def test_the_most_alike_come_first_and_the_latest_of_those(ask: Ask) -> None:
    logs = (log("same-cast", FOUR, "monday"), log("again", FOUR, "monday"), log("two-alike", OTHERS, "monday"))
    found = ask(*(lines[:50] for lines in logs))
    assert names(found) == ["again", "same-cast", "two-alike"]
    assert [sibling["alike"] for sibling in found["matches"]] == [4, 4, 2]
    assert found["total"] == 3


def test_a_sibling_names_its_players_and_winners(ask: Ask) -> None:
    lines = log("other", OTHERS, "monday")
    ended = json.loads(lines[-1])["data"]
    (sibling,) = ask(lines)["matches"]
    assert sibling["line_up"] == ", ".join(OTHERS)
    assert sibling["winner"] == ", ".join(OTHERS[seat] for seat in sorted(ended["ranking"][0]))
    assert (sibling["status"], sibling["events"]) == ("finished", len(lines))


@pytest.mark.slow("another match of the same luck")
def test_a_match_on_another_seed_is_no_sibling(ask: Ask) -> None:
    strangers = (
        on_another_board("another-board"),
        log("other-luck", luck="tuesday")[:50],
        log("fewer-seats", THREE, "monday")[:50],
        log("another-option", luck="monday", options=("tokens",))[:50],
        tuple(line.replace(b'"luck":"monday"', b'"luck":null') for line in log("no-luck", luck="monday")[:50]),
    )
    assert ask(*strangers) == {"matches": [], "total": 0}


def test_equivalent_options_are_equal(ask: Ask) -> None:
    first, *rest = log("x", OTHERS, "monday")
    header = json.loads(first)
    header["data"]["options"] = {"tokens": False, **header["data"]["options"]}
    lines = (json.dumps(header).encode() + b"\n", *rest[:50])
    assert names(ask(lines)) == ["x"]


def test_only_the_first_of_many_siblings_are_sent(ask: Ask) -> None:
    lines = log("x", FOUR, "monday")[:3]
    many = [
        tuple(line.replace(b'"match":"x"', b'"match":"x%d"' % number) for line in lines) for number in range(MOST + 2)
    ]
    found = ask(*many)
    assert (len(found["matches"]), found["total"]) == (MOST, MOST + 2)
    assert names(found)[0] == f"x{MOST + 1}"
