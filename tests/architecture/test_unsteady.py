"""A failed browser test is repeated once, and the run reports that at the end; other tests are never repeated."""

import pytest

pytest_plugins = ["pytester"]
TESTS = """
import pytest

runs = {}

@pytest.fixture
def number(request):
    runs[request.node.name] = runs.get(request.node.name, 0) + 1
    return runs[request.node.name]

@pytest.mark.browser
def test_steady(number):
    assert number == 1

@pytest.mark.browser
def test_unsteady(number):
    assert number == 2

@pytest.mark.browser
def test_broken(number):
    assert number == 3

def test_elsewhere(number):
    assert number == 2
"""


def test_a_test_that_passed_on_retry_is_reported(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers = browser")
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_inprocess("-p", "tests.unsteady", "-p", "no:dash", "-p", "no:cacheprovider")
    done.assert_outcomes(passed=2, failed=2)
    heading, *told = [line for line in done.outlines if "unsteady" in line.lower()][-2:]
    assert heading.strip("= ") == "unsteady: failed once, then passed"
    assert told == ["test_a_test_that_passed_on_retry_is_reported.py::test_unsteady: call: assert 1 == 2"]
