"""One server of recordings for all recording tests."""

from collections.abc import Callable

import pytest

from tests.browser.conftest import Served


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., Served]) -> Served:
    return serve(tmp_path_factory.mktemp("records") / "records.duckdb")
