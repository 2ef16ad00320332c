"""Other entries in the list of replays: studies open at their first chapter, branches next to their match."""

from collections.abc import Callable
from importlib import import_module

import pytest
from plotly.io.json import to_json_plotly

from dashboards.app import create_app
from dashboards.queries.reader import Reader
from ingest.people.studies import add_study, study_of
from ingest.warehouse import Warehouse

Told = Callable[[str], str]
STUDY = '{"title":"Weather","chapters":[{"title":"Storm","match":"one","ply":"12.2"}]}'


@pytest.fixture
def told(empty: Warehouse) -> Told:
    """Return the JSON content of an element of the page."""
    create_app(empty)  # a page can be imported only after an app is created
    page = import_module("dashboards.pages.replay")
    return lambda part: (
        str(to_json_plotly(getattr(page, part)(Reader(empty)))).replace("\\u0026", "&").replace("\\u002f", "/")
    )


def test_a_study_opens_at_its_first_chapter(empty: Warehouse, told: Told) -> None:
    assert "No study yet" in told("study_list")
    kept = add_study(empty.app, study_of(STUDY), "anna")
    said = told("study_list")
    assert f'"/replay?match=one&ply=12.2&study={kept.id}&chapter=1&panel=study"' in said
    assert '" (1 chapter, by anna)"' in said


def test_a_branch_opens_next_to_its_match(empty: Warehouse, told: Told) -> None:
    assert "No what-if is kept yet" in told("branch_list")
    with empty.app.writing() as connection:
        connection.execute(
            "INSERT INTO branches (id, match, document, title, kept_by, kept_at) "
            "VALUES ('ab12', 'one', '{}', 'Salt first', 'ben', '2026-01-01T00:00:00.000000+00:00')"
        )
    said = told("branch_list")
    assert '"/replay?match=one&branch=ab12"' in said
    assert '" (from one, kept by ben)"' in said
