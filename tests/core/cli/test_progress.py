"""Progress of a command: lines in a file or pipe, a progress bar on a terminal."""

import io
import sys
from contextlib import suppress

import pytest

from himalaya_core.cli import progress
from himalaya_core.cli.progress import progress_bar


def test_progress_without_a_terminal_is_one_line_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("loading", None) as show:
        show(0, 0)
        show(1_500_000, 3_000_000, "12 matches")
        assert capsys.readouterr().err == ""
    assert capsys.readouterr().err == "loading: 1.5 MB of 3.0 MB, 12 matches\n"


def test_progress_prints_a_line_after_each_pause_and_on_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock)
    with suppress(KeyboardInterrupt), progress_bar("matches", 20_000) as show:
        for done in range(0, 2_500, 100):
            clock += 1
            show(done)
        raise KeyboardInterrupt
    lines = [f"matches: {done} of 20,000\n" for done in ("900", "1,900", "2,400")]
    assert capsys.readouterr().err == "".join(lines)


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_prints_nothing_before_the_first_count_or_in_quiet_mode(
    quiet: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("matches", 20, quiet=quiet) as show:
        if quiet:
            show(3)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_is_a_bar_on_a_terminal(
    quiet: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress_bar("matches", 20, quiet=quiet) as show:
        show(3)
        show(20)
    assert "\u2501" in (said := capsys.readouterr().err)
    assert "20/20" in said


class Gone(io.StringIO):
    """A pipe whose reader has closed it."""

    def write(self, _: str) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize("stderr", [Gone(), None])
def test_work_continues_when_standard_error_is_closed(stderr: Gone | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    monkeypatch.setattr(sys, "stderr", stderr)
    done = 0
    with progress_bar("matches", 20) as show:
        for done in range(1, 21):
            show(done)
    assert done == 20
