"""Recording matches over HTTP in tests: a server, the entries of a match, and the people who enter it."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from dashboards.replay.branch_document import read_action, write_action
from dashboards.replay.session import Draft
from dashboards.web.policy import Policy
from himalaya_core import notation
from himalaya_core.api import play
from himalaya_core.replay import Replay
from ingest.inbox.receive import Intake
from ingest.people.drafts import Change, add_changes, changes_of, find_draft
from ingest.warehouse import Warehouse
from tests.dashboards.client import Answer, Client, everything

__all__ = ["GAMES", "PATH", "PEOPLE", "PLAYED", "Recorder", "entered_in", "replay_of", "served", "set_up"]

PATH: Final = "/api/records"
PLAYED: Final[dict[str, tuple[list[str], dict[str, Any]]]] = {
    "caravan": (["random", "greedy", "trader"], {"tokens": True, "first": 2}),
    "summit": (["random", "greedy"], {}),
    "climbers": (["random", "greedy"], {"first": 1}),
}
GAMES: Final = sorted(PLAYED)
PEOPLE: Final = ("Anna", "Ben", "Chris")
MOMENT: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@cache
def replay_of(game: str) -> Replay:
    """Return a match of a game, played by programs."""
    players, options = PLAYED[game]
    return play(game, players, seed="at-a-table", options=options).replay


@cache
def entered_in(game: str) -> Sequence[tuple[str, dict[str, Any]]]:
    """Return the entries of a game's match, each in notation and as an action."""
    replay = replay_of(game)
    return [
        (notation.write(replay.game, before, entry.action), write_action(replay.game, entry.action))
        for before, entry in zip(replay.states, replay.entries[1:], strict=False)
        if entry.action is not None
    ]


def set_up(game: str, **more: Any) -> dict[str, Any]:
    """Return the set-up of a game's match with a person in each seat."""
    players, options = PLAYED[game]
    return {"game": game, "seats": [{"name": name} for name in PEOPLE[: len(players)]], "options": options} | more


def served(warehouse: Warehouse, intake: Intake | None = None, policy: Policy | None = None) -> Client:
    """Return a client of a server, which acts as a browser."""
    return everything(warehouse, intake, policy or Policy(), has_pages=False)


def told_in(answer: Answer) -> list[tuple[str, str]]:
    """Return the headers of a response, except its request id."""
    return [(name, value) for name, value in answer.headers.items() if name.lower() != "x-request-id"]


class Recorder:
    """A browser that records or follows a match; `state` is the last state it received."""

    def __init__(self, client: Client, setup: dict[str, Any] | None = None, number: str = "") -> None:
        self.client = client
        self.number = number
        self.state: Any = None
        if setup is not None:
            self.state = self.post("", setup, 201)
            self.number = self.state["id"]
        else:
            self.look()

    def post(self, path: str, body: dict[str, Any], status: int = 200) -> Any:
        """Send a request, and return the response with the expected status."""
        place = f"{PATH}/{self.number}{path}" if self.number else f"{PATH}{path}"
        answer = self.client.post(place, json=body)
        assert answer.status_code == status, answer.json
        if status in {200, 201}:
            self.state = answer.json
        return answer.json

    def look(self, query: str = "") -> Any:
        """Request and return the current state of the match."""
        answer = self.get(query)
        assert answer.status_code == 200, answer.json
        self.state = answer.json
        return self.state

    def get(self, path: str = "") -> Answer:
        """Request an address of the match and return the response."""
        return self.client.get(f"{PATH}/{self.number}{path}")

    def enter(self, said: str | dict[str, Any], status: int = 200, query: str = "") -> Any:
        """Enter a text or action; return the match, or the reason for refusal."""
        body = {"text": said} if isinstance(said, str) else {"action": said}
        return self.post(f"/actions{query}", {"expects": self.state["changes"], **body}, status)

    def enter_all(self, game: str, start: int, end: int) -> None:
        """Enter a part of a game's match; building a tower is entered as an action."""
        for text, action in entered_in(game)[start:end]:
            self.enter(action if action["type"] == "build_opening" else text)

    def keep_all(self, game: str, start: int, end: int) -> None:
        """Add a part of the match directly to the warehouse, then request its state.

        This is faster: the response to each single entry contains the whole match.
        """
        warehouse = self.client.services.warehouse
        draft, now = Draft(find_draft(warehouse.app, self.number)), datetime.now(UTC)
        draft.follow(changes_of(warehouse.app, self.number))
        changes = [
            Change(draft.enter(read_action(draft.game, action), now), place, draft.is_over, "local", now)
            for place, (_, action) in enumerate(entered_in(game)[start:end], start + 1)
        ]
        add_changes(warehouse.app, self.number, len(draft.changes), changes)
        self.look()

    def undo(self, to: int, status: int = 200) -> Any:
        """Undo to a number of entries; return the match, or the reason for refusal."""
        return self.post("/undo", {"expects": self.state["changes"], "to": to}, status)

    def log(self) -> list[bytes]:
        """Return the lines of the match's log."""
        return self.get("/log.jsonl").data.splitlines(keepends=True)

    def told(self) -> bytes:
        """Return all responses about the match from every address, without id, names and times."""
        answers = [self.get(path) for path in ("", "?seat=0", "?seat=1", "?seat=2", "/log.jsonl", "/notation.txt")]
        listed = [each for each in self.client.get(PATH).json["records"] if each["id"] == self.number]  # type: ignore[index]
        parts = [part for each in answers for part in (each.data, repr(sorted(told_in(each))).encode())]
        text = b"\n".join([*parts, json.dumps(listed).encode()])
        for private in (self.number.encode(), self.number[:8].encode()):
            text = text.replace(private, b"ID")
        return re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z", b"AT", MOMENT.sub(b"AT", text))
