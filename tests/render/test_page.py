"""Pages of HTML that stand alone."""

import json
from pathlib import Path

import pytest

from sudoku_encode.render.page import page
from tests.helpers.browser import needs_chromium, opened


@needs_chromium
def test_a_page_has_its_data_whatever_is_in_it(tmp_path: Path) -> None:
    data = {"text": "</script><script>boom()</script> <!-- <script> & \u2028 é"}
    path = tmp_path / "page.html"
    path.write_text(page("a & <b>", "<p>text</p>", data=data), encoding="utf-8")

    with opened(path) as shown:
        assert shown.title() == "a & <b>"
        assert json.loads(shown.evaluate("document.getElementById('data').textContent")) == data


@needs_chromium
def test_a_page_cannot_reach_the_network(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page("title", '<img src="http://localhost:9/picture.png">'), encoding="utf-8")

    with pytest.raises(AssertionError, match="Content Security Policy"), opened(path) as shown:
        # What the page logged while it was loaded is told before this is answered.
        shown.evaluate("document.images[0].complete")
