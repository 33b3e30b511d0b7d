"""Cubes among the pictures of a page: to turn, or as layers where only these show what is marked."""

from pathlib import Path

import pytest

import sudoku_encode as se
from sudoku_encode.render.drawing import drawing
from sudoku_encode.render.picture import picture
from tests.helpers.browser import needs_chromium, opened

CUBE = se.read("1" + 63 * ".", board="4x4x4")
SOLUTION = se.solve(CUBE)


def test_cube_with_layers() -> None:
    """A cube is one to turn and has its layers for browsers without scripts."""
    text = str(se.draw(CUBE, "html", solution=SOLUTION))
    assert '<canvas id="cube"' in text
    assert all(f"x = {layer}" in text.partition("<noscript>")[2].partition("</noscript>")[0] for layer in range(4))


@pytest.mark.parametrize(
    "marked", [{"cells": ["x0y0z0"]}, {"units": ["row-x 1"]}, {"against": SOLUTION}, {"axis": "z"}]
)
def test_marked_layers(marked: dict[str, object]) -> None:
    """What only layers show is drawn on layers."""
    text = str(se.draw(CUBE, "html", **marked))  # type: ignore[arg-type]
    assert "<canvas" not in text
    assert "<svg" in text


@pytest.mark.slow
@needs_chromium
def test_several_cubes(tmp_path: Path) -> None:
    """Several cubes turn on one page."""
    path = tmp_path / "page.html"
    path.write_bytes(
        bytes(drawing([picture(CUBE), picture(se.read("1" + 15 * ".", board="4x4")), picture(CUBE)], "html"))
    )

    with opened(path) as page:
        assert page.locator("figure").count() == 1
        for number in range(2):
            frame = page.locator("iframe").nth(number)
            frame.scroll_into_view_if_needed()
            frame.content_frame.locator("canvas").focus()
            page.keyboard.press("x")
            assert frame.content_frame.locator("#cell").inner_text() == "x0y0z0"
