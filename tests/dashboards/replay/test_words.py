"""Completing typed text to possible entries, without a browser."""

import json
from typing import Any

import pytest
import quickjs

from dashboards.boards.engine import LOADER, MODULES, defined, needed

WORDS = "record/words.js"
TEXT = "Move the yak caravan to village 12"


@pytest.fixture(scope="module")
def context() -> Any:
    made = quickjs.Context()
    made.eval(LOADER)
    for name in needed(WORDS):
        made.eval(defined(name, (MODULES / name).read_text("utf-8")))
    return made


@pytest.mark.parametrize(
    ("typed", "fits"),
    [
        ("", True),
        ("move the yak", True),
        ("mo ya vil", True),
        ("village 12", True),
        ("village 1", False),  # numbers must match completely
        ("yak move", False),  # words must be in order
        ("move the goat", False),
    ],
)
def test_a_choice_is_matched_by_its_word_beginnings_in_order(context: Any, typed: str, fits: bool) -> None:
    assert context.eval(f"$need({json.dumps(WORDS)}).fits({json.dumps(typed)}, {json.dumps({'text': TEXT})})") is fits
