"""Whole tournaments verified by one process or several give the same verdicts in the same order."""

from pathlib import Path

import pytest
import zstandard

from himalaya_core.files import read_lines, write_log
from himalaya_core.tournament.runner import Plan, run_tournament
from himalaya_core.tournament.verify_files import MatchCheck, count_matches, verdicts

PLAN = Plan("cup", "caravan", ("random", "greedy", "random"), 6)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_tournament(PLAN, tmp_path_factory.mktemp("cup"), jobs=1)[0]


def changed(log: Path, path: Path, number: int, old: bytes, new: bytes) -> Path:
    """Rewrite a log with one line changed."""
    lines = list(read_lines(log))
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    with write_log(path) as file:
        file.writelines(lines)
    return path


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_sound_tournament_is_clean(log: Path, jobs: int) -> None:
    found = list(verdicts([log], None, jobs))
    assert len(found) == count_matches([log]) == 6
    assert {verdict.fault for verdict in found} == {None}
    assert sum(verdict.events for verdict in found) == len(list(read_lines(log)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_departure_is_reported_with_its_line(log: Path, tmp_path: Path, jobs: int) -> None:
    lines = list(read_lines(log))
    number = next(number for number, line in enumerate(lines, 1) if number > 900 and b'"type":"rested"' in line)
    other = changed(log, tmp_path / "cup.jsonl", number, b'"step":', b'"step":1')
    faults = [verdict.fault for verdict in verdicts([log, other], None, jobs) if verdict.fault]
    assert len(faults) == 1
    assert faults[0].startswith(f"{other}:{number}: ")


def test_an_unreadable_file_does_not_hide_the_next(log: Path, tmp_path: Path) -> None:
    broken = tmp_path / "a.jsonl.zst"
    broken.write_bytes(zstandard.compress(b"any text")[:-2])
    first, *rest = verdicts([broken, log], None, jobs=2)
    assert first == MatchCheck(0, 0, first.fault, is_damaged=True)
    assert str(first.fault).startswith(f"{broken}:1: file: expected a complete zstd file")
    assert len(rest) == 6
