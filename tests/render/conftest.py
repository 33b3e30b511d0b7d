"""Fixtures of the tests of pictures and pages."""

from collections.abc import Iterator

import pytest

from tests.helpers import browser


@pytest.fixture(scope="module", autouse=True)
def one_browser() -> Iterator[None]:
    """Share a browser among the tests of a module that a worker runs one after the other."""
    with browser.shared():
        yield
