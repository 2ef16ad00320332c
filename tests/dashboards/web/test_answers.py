"""Every route of the API answers as recorded."""

import json
import re

import pytest

from tests.dashboards.described import whole_document
from tests.dashboards.web.answers import FILE, answers, steps


def test_every_route_is_requested() -> None:
    routes = [
        (method.upper(), re.compile(re.sub(r"\\{\w+\\}", "[^/?]+", re.escape(path))))
        for path, each in whole_document()["paths"].items()
        for method in each
    ]
    requests = [(method, address.partition("?")[0]) for _, method, address, *_ in steps()]
    assert not [
        (wanted, path.pattern)
        for wanted, path in routes
        if not any(method == wanted and path.fullmatch(address) for method, address in requests)
    ]


@pytest.mark.slow("a server of its own, asked everything")
def test_every_route_answers_as_it_did() -> None:
    """To change a response, run `python -m tests.dashboards.web.answers` and review the diff."""
    before = {each["name"]: each for each in map(json.loads, FILE.read_text("utf-8").splitlines())}
    assert {each["name"]: each for each in answers()} == before
