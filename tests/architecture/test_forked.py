"""A forked test process can import the packages of the test that requested it, and no others."""

import sys

import pytest

from tests import forked
from tests.toy.installing import TOY, installed

NAMES = "from himalaya_core.games import GAMES; print(*GAMES)"


@pytest.mark.slow("starts a process that imports everything")
def test_a_package_installed_for_one_test_is_gone_in_the_next() -> None:
    command = [sys.executable, "-c", NAMES]
    with installed(TOY):
        forked._forebear.cache_clear()  # as if a test with its own packages had made the first request
        assert "nim2" in forked.run(command, text=True).stdout.split()
    assert "nim2" not in forked.run(command, text=True).stdout.split()
