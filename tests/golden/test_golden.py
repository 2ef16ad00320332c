"""Recorded matches are reproduced byte for byte, in this and in other processes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from himalaya_core.files import log_files, read_lines
from himalaya_core.games import GAMES
from himalaya_core.log.codec import MATCH_ENDED, MATCH_STARTED, decode_line
from himalaya_core.replay import matches
from himalaya_core.verification import DiceVerdict, judge
from tests.conformance.playing import VARIANTS, Variant, switches
from tests.golden.write import (
    DIGESTS,
    OPTION_DIGESTS,
    PLAYED,
    digest,
    log,
    name_of,
    random_digests,
    random_log,
    recorded_log,
)

HERE = Path(__file__).parent
SAMPLE = Path(__file__).parents[2] / "logs"
COUNTS = {"caravan": [3, 4, 5, 6], "summit": [2, 3, 4, 5], "climbers": [2, 3, 4, 5]}


def counts_of_players(game: str) -> list[int]:
    """Return all possible numbers of players of a game."""
    found = []
    for players in range(1, 9):
        try:
            GAMES[game].parse_options({"players": players})
        except ValueError:
            continue
        found.append(players)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_players_has_a_golden_log(game: str) -> None:
    """There is one log without options and one with all options for each."""
    counts = counts_of_players(game)
    assert counts == COUNTS[game]
    ends = ("", "-advanced") if switches(game) else ("",)
    recorded = {f"{game}-{count}{end}" for count in counts for end in ends}
    assert (
        {str(variant) for variant in VARIANTS if variant.name == game}
        == recorded
        == {path.stem for path in HERE.glob(f"{game}-*.jsonl")}
    )
    assert set(json.loads(OPTION_DIGESTS.read_text("utf-8"))) > recorded


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_recorded_match_is_reproduced(variant: Variant) -> None:
    recorded = recorded_log(variant).read_bytes().splitlines()
    played = random_log(variant).splitlines()
    first = next((n for n, (one, two) in enumerate(zip(recorded, played, strict=False)) if one != two), len(recorded))
    assert played[first : first + 1] == recorded[first : first + 1], f"line {first + 1} differs"
    assert played == recorded


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_recorded_match_follows_the_rules(variant: Variant) -> None:
    assert judge(recorded_log(variant).read_bytes().splitlines(keepends=True)).departure is None


def test_a_recorded_match_with_any_options_is_reproduced() -> None:
    assert random_digests() == json.loads(OPTION_DIGESTS.read_text("utf-8"))


def test_the_golden_logs_cover_every_event_type() -> None:
    for game in GAMES:
        logs = [recorded_log(variant).read_bytes() for variant in VARIANTS if variant.name == game]
        lines = [line for log in logs for line in log.splitlines()]
        types = {decode_line(line, GAMES[game]).type for line in lines}
        assert types == {*GAMES[game].event_types, MATCH_STARTED, MATCH_ENDED}


DEAR = {"caravan-3 planner", "caravan-3 rollout:playouts=5", "caravan-5-advanced planner", "climbers-3 search"}


def test_each_player_has_a_recorded_digest() -> None:
    assert [name_of(*played) for played in PLAYED] == list(json.loads(DIGESTS.read_text("utf-8")))


@pytest.mark.parametrize(
    ("variant", "player"),
    [
        pytest.param(
            *played,
            marks=pytest.mark.slow("players that look ahead for long") if " ".join(map(str, played)) in DEAR else (),
        )
        for played in PLAYED
    ],
    ids=str,
)
def test_a_player_that_chooses_differently_has_a_new_version(variant: Variant, player: str) -> None:
    """After an intended change: raise the player's version, then run `python -m tests.golden.write`."""
    assert digest(variant, player) == json.loads(DIGESTS.read_text("utf-8"))[name_of(variant, player)]


PLAY = """import sys
from tests.golden.write import VARIANTS, log
(variant,) = [variant for variant in VARIANTS if str(variant) == sys.argv[1]]
sys.stdout.buffer.write(log(variant, tuple(sys.argv[2:])))"""
LINE_UPS = {
    "caravan-3-advanced": ("random", "rollout:playouts=1:candidates=2", "balanced"),
    "summit-3": ("search:width=2", "porter", "random"),
}


@pytest.mark.slow("processes of their own")
@pytest.mark.parametrize(("variant", "line_up"), LINE_UPS.items(), ids=LINE_UPS)
def test_another_process_writes_the_same_bytes(variant: str, line_up: tuple[str, ...]) -> None:
    (here,) = (log(each, line_up) for each in VARIANTS if str(each) == variant)
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "20041"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PLAY, variant, *line_up]
    assert subprocess.run(command, env=environment, capture_output=True, check=True).stdout == here
    assert judge(here.splitlines(keepends=True)).departure is None


FEW = {"sample-three", "sample-summit-two", "sample-climbers-two"}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=() if path.name[:-15] in FEW else pytest.mark.slow("every log of the sample"))
        for path in log_files([SAMPLE])
    ],
    ids=lambda path: path.name,
)
def test_the_sample_follows_the_rules_and_its_seeds(path: Path) -> None:
    found = [judge(lines) for _, lines in matches(read_lines(path))]
    assert {(judgement.departure, judgement.dice) for judgement in found} == {(None, DiceVerdict.FOLLOWS)}
