"""Signing in: redirects from a page and back to it, works by keyboard and without scripts, and has the app's style."""

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ingest.opening import open_warehouse
from ingest.people.tokens import create_token
from tests.browser.conftest import Served
from tests.browser.serving import HIMALAYA
from tests.forked import Popen


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Start a server that requires signing in; yield it with the secret of a token."""
    database = tmp_path_factory.mktemp("closed") / "w.duckdb"
    with open_warehouse(database) as warehouse:
        secret = create_token(warehouse.app, "mary")
    command = [*HIMALAYA, "serve", "--db", str(database), "--host", "0.0.0.0", "--port", "0"]
    with Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r":(\d+)", server.stdout.readline())
        assert found is not None
        yield f"http://127.0.0.1:{found[1]}", secret
        server.terminate()
        server.wait(timeout=60)


@pytest.fixture(scope="module")
def served(closed: tuple[str, str]) -> Served:
    return Served(closed[0], Path())


@pytest.mark.slow("a server of its own")
def test_a_user_signs_in_views_a_page_and_signs_out(
    page: Page, closed: tuple[str, str], refusals: list[str], axe: Callable[..., list[str]]
) -> None:
    page.goto(f"{closed[0]}/glossary")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    expect(page.get_by_label("Token")).to_be_focused()
    assert axe(page) == []
    refusals.append("status of 401")
    page.keyboard.type("himalaya_no")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("does not know that token")
    assert axe(page) == []
    page.get_by_label("Token").fill(closed[1])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    assert page.url == f"{closed[0]}/glossary"
    header = page.locator(".header")
    expect(header).to_contain_text("mary")
    assert axe(page, ".header") == []
    header.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.goto(f"{closed[0]}/matches")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


@pytest.mark.slow("a session that ended meanwhile")
def test_a_user_signed_out_meanwhile_returns_to_the_requested_page(
    page: Page, closed: tuple[str, str], refusals: list[str]
) -> None:
    page.goto(f"{closed[0]}/glossary")
    page.get_by_label("Token").fill(closed[1])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    refusals.append("status of 401")
    page.context.request.post(f"{closed[0]}/sign-out")
    page.get_by_role("link", name="Imports").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    assert page.url == f"{closed[0]}/sign-in?next=%2Fintake"


@pytest.mark.slow("colours of the system")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_sign_in_needs_no_script_and_has_the_colours_of_the_system(
    browser: Browser, closed: tuple[str, str], theme: str
) -> None:
    context = browser.new_context(java_script_enabled=False, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{closed[0]}/sign-in")
    card = page.locator(".sign-in")
    expect(card).to_have_css("background-color", "rgb(27, 29, 39)" if theme == "dark" else "rgb(255, 255, 255)")
    page.get_by_label("Token").fill(closed[1])
    page.get_by_role("button", name="Sign in").click()
    page.goto(f"{closed[0]}/sign-in")
    expect(card).to_contain_text("signed in as mary")
    context.close()
