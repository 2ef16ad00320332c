"""Matches recorded over HTTP: entered as at a table by the rules alone, followed, taken back, and handed in."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from dashboards.app import create_app
from dashboards.http import drafts
from dashboards.http.access import Policy
from dashboards.http.logs import register_intake
from dashboards.replay.branch_document import write_action
from himalaya_core import notation
from himalaya_core.playing import play
from himalaya_core.replay import Replay
from ingest.opening import open_warehouse
from ingest.receive.receive import Intake
from ingest.warehouse import Warehouse
from tests.dashboards.described import conforms

PATH = "/api/records"
PLAYED: dict[str, tuple[list[str], dict[str, Any]]] = {
    "caravan": (["random", "greedy", "trader"], {"tokens": True, "first": 2}),
    "summit": (["random", "greedy"], {}),
    "climbers": (["random", "greedy"], {"first": 1}),
}
GAMES = sorted(PLAYED)
PEOPLE = ("Anna", "Ben", "Chris")
Post = Callable[..., Any]


@pytest.fixture(scope="module")
def replays() -> dict[str, Replay]:
    return {
        game: play(game, players, seed="at-a-table", options=options).replay
        for game, (players, options) in PLAYED.items()
    }


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path_factory.mktemp("drafts") / "w.duckdb") as opened:
        yield opened


def served(warehouse: Warehouse, policy: Policy | None = None) -> FlaskClient:
    app = create_app(warehouse)
    register_intake(app.server, warehouse, Intake(warehouse), policy or Policy())
    return app.server.test_client()


@pytest.fixture(scope="module")
def client(warehouse: Warehouse) -> Iterator[FlaskClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drafts, "MOVES", 1_000_000)
        patch.setattr(drafts, "CHANGES", 1_000_000)
        yield served(warehouse)


@pytest.fixture
def post(client: FlaskClient) -> Post:
    """Send something, and return the answer."""

    def sent(path: str, body: dict[str, Any], status: int = 200) -> Any:
        answer = client.post(f"{PATH}{path}", json=body)
        assert answer.status_code == status, answer.json
        return answer.json

    return sent


def at_table(game: str, **more: Any) -> dict[str, Any]:
    players, options = PLAYED[game]
    seats = [{"name": name} for name, _ in zip(PEOPLE, players, strict=False)]
    return {"game": game, "seats": seats, "options": options} | more


def texts_of(replay: Replay) -> list[tuple[str, dict[str, Any]]]:
    """Return what was entered in a match, as texts and as actions."""
    found = []
    for before, entry in zip(replay.states, replay.entries[1:], strict=False):
        if entry.action is not None:
            text = notation.write(replay.game, before, entry.action)
            found.append((text, write_action(replay.game, entry.action)))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_entered_as_it_is_written(
    client: FlaskClient, post: Post, replays: dict[str, Replay], game: str
) -> None:
    replay = replays[game]
    state = post("", at_table(game), 201)
    assert conforms(state, "Record")
    for text, action in texts_of(replay):
        said = {"action": action} if action["type"] == "build_opening" else {"text": text}
        state = post(f"/{state['id']}/actions", {"expects": state["changes"], **said})
    assert conforms(state, "Record")
    assert (state["over"], state["due"], state["turn"], state["choices"]) == (True, [], None, None)
    assert [each["text"] for each in state["entries"]] == [text for text, _ in texts_of(replay)]
    log = client.get(f"{PATH}/{state['id']}/log.jsonl").data
    again = Replay.read(log.splitlines(keepends=True))
    assert [each.event for each in again.entries[1:-1]] == [each.event for each in replay.entries[1:-1]]
    assert [info.player for info in again.header.seats] == list(PEOPLE[: len(again.header.seats)])
    assert again.header.luck is None
