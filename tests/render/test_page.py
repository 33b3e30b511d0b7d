"""Pages of HTML that stand alone."""

import json
from pathlib import Path

import pytest

from sudoku_encode.render.page import page
from tests.helpers.browser import needs_chromium, opened


@pytest.mark.slow
@needs_chromium
def test_data_kept(tmp_path: Path) -> None:
    """A page has its data whatever is in it."""
    data = {"text": "</script><script>boom()</script> <!-- <script> & \u2028 é"}
    path = tmp_path / "page.html"
    path.write_text(page("a & <b>", "<p>text</p>", data=data), encoding="utf-8")

    with opened(path) as shown:
        assert shown.title() == "a & <b>"
        assert json.loads(shown.evaluate("document.getElementById('data').textContent")) == data


@pytest.mark.slow
@needs_chromium
def test_no_network(tmp_path: Path) -> None:
    """A page cannot reach the network."""
    path = tmp_path / "page.html"
    path.write_text(page("title", '<img src="http://localhost:9/picture.png">'), encoding="utf-8")

    with pytest.raises(AssertionError, match="Content Security Policy"), opened(path) as shown:
        # What the page logged while it was loaded is told before this is answered.
        shown.evaluate("document.images[0].complete")
