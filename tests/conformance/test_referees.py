"""Independent referees: they agree with the rules on every log, line by line."""

import importlib
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.boards import shipped_boards
from himalaya_core.files import read_lines
from himalaya_core.replay import Replay, ReplayError, matches
from himalaya_core.verification import judge
from tests.conformance.mutants import Mutant, mutants
from tests.conformance.playing import EVERY, READ_DIFFERENTLY, Variant, recorded
from tests.conformance.write_kit import CHANGED, EXPECTED, changed, option_sets, sizes, valid

GAMES = ("caravan", "summit", "climbers")


OF_THE_KIT = ["summit", *(pytest.param(game, marks=pytest.mark.slow("every game")) for game in ("caravan", "climbers"))]


@cache
def board(game: str, name: str) -> Mapping[str, Any]:
    document: Mapping[str, Any] = shipped_boards(game)[name].document
    return document


def by_the_referee(game: str, lines: Sequence[bytes]) -> int | None:
    """Return the line on which the referee of a game finds a divergence."""
    first = json.loads(lines[0])
    used = first.get("board") or board(game, first["data"]["board"]["id"])
    referee = importlib.import_module(f"tests.conformance.referees.{game}")
    found = referee.first_departure(lines, used)
    return None if found is None else int(found.line)


def by_the_rules(lines: Sequence[bytes]) -> int | None:
    try:
        found = judge(lines).departure
    except ReplayError as error:
        return error.line
    return None if found is None else found.line


def by_both(game: str, made: Sequence[Mutant]) -> list[tuple[str, int | None, int | None]]:
    """Return, for each mutant, the change, and the diverging lines according to the rules and to the referee."""
    return [(each.change, by_the_rules(each.lines), by_the_referee(game, each.lines)) for each in made]


@pytest.mark.parametrize("variant", [*EVERY, *READ_DIFFERENTLY], ids=str)
def test_the_referee_accepts_an_honest_match(variant: Variant) -> None:
    _, lines = recorded(variant, "logging")
    assert by_the_referee(variant.name, lines) is None
    assert by_the_referee(variant.name, lines[: len(lines) // 2]) is None


@pytest.mark.parametrize("number", [6, pytest.param(1000, marks=pytest.mark.soak("judges thousands of mutants"))])
@pytest.mark.parametrize(
    "variant",
    [*EVERY, *(pytest.param(variant, marks=pytest.mark.slow("other readings")) for variant in READ_DIFFERENTLY)],
    ids=str,
)
def test_referee_and_rules_blame_the_same_line_of_a_changed_log(variant: Variant, number: int) -> None:
    _, lines = recorded(variant, "logging")
    said = by_both(variant.name, list(mutants(lines, number, f"{variant}")))
    assert [answers for answers in said if answers[1] != answers[2]] == []
    assert sum(line is not None for _, line, _ in said) > number / 2


def logs(path: Path) -> list[list[bytes]]:
    return [lines for _, lines in matches(read_lines(path))]


@pytest.mark.parametrize("game", OF_THE_KIT)
def test_referee_and_rules_accept_the_valid_logs_of_the_kit(game: str) -> None:
    found = logs(valid(game))
    assert [by_the_referee(game, lines) for lines in found] == [None] * len(found)
    assert [by_the_rules(lines) for lines in found] == [None] * len(found)


@pytest.mark.parametrize("game", GAMES)
def test_the_kit_covers_all_player_counts_options_and_boards(game: str) -> None:
    headers = [Replay.read(lines[:1]).header for lines in logs(valid(game))]
    played = [{**header.options} for header in headers]
    assert all({"players": players, **on} in played for players in sizes(game) for on in option_sets(game))
    assert {header.board.id for header in headers} > set(shipped_boards(game))
    last = [json.loads(lines[-1]) for lines in logs(valid(game))]
    endings = {line["data"]["reason"] if line["type"] == "match_ended" else "none" for line in last}
    assert endings == {"finished", "abandoned", "none"}


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow("all logs of the kit"))])
@pytest.mark.parametrize("game", GAMES)
def test_changed_logs_of_the_kit_fail_at_the_listed_line(game: str, every: int) -> None:
    told = {match: said["line"] for match, said in json.loads(EXPECTED.read_text()).items() if game in match}
    found = {json.loads(lines[0])["match"]: lines for lines in logs(changed(game))}
    assert found.keys() == told.keys()
    assert len(told) == CHANGED
    for match in sorted(told)[::every]:
        assert by_the_rules(found[match]) == by_the_referee(game, found[match]) == told[match], match


def test_a_referee_runs_as_a_standalone_command(tmp_path: Path) -> None:
    """A referee needs only Python, and none of our packages."""
    good, bad = logs(valid("summit"))[0], logs(changed("summit"))[0]
    log = tmp_path / "two.jsonl"
    log.write_bytes(b"".join([*good, *bad]))
    document = tmp_path / "board.json"
    document.write_text(json.dumps(board("summit", "piatnik-reconstructed")))
    script = Path(__file__).with_name("referees") / "summit.py"
    words = [sys.executable, "-I", "-S", str(script), str(document), str(log)]
    answer = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    first, second = answer.stdout.splitlines()
    assert answer.returncode == 1
    assert "follows from the rules" in first
    assert second.startswith(f"{log}:{len(good) + (by_the_rules(bad) or 0)}: expected ")
