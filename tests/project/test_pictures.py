"""The pictures of the documentation are those that the program draws now."""

import page_blocks
import page_pictures
import pytest

from sudoku_encode.puzzles.constraints.table import CONSTRAINTS

PAGES = [page.read_text(encoding="utf-8") for page in page_blocks.pages()]
# Drawn from measurements, by `scripts/bench docs`.
MEASURED = {"speed-peers.svg"}


@pytest.mark.parametrize("kind", [name for name, row in CONSTRAINTS.items() if row.picture])
def test_picture_of_kind(kind: str) -> None:
    """Each kind of constraint that is drawn has a current picture."""
    path = page_pictures.KINDS / f"{kind}.svg"
    assert path.read_text(encoding="utf-8") == page_pictures.of_kind(kind), "run scripts/docs --update"


def test_every_picture_is_made() -> None:
    """Every SVG is made by a command of a page that shows it, and all pictures together are small."""
    # The tests of the pages compare them.
    with_command = {name for page in PAGES for name in page_pictures.of_page(page)}
    assert {path.name for path in page_pictures.IMAGES.glob("*.svg")} == with_command | MEASURED
    assert {path.stem for path in page_pictures.KINDS.iterdir()} == set(page_pictures.EXAMPLES)
    sizes = [path.stat().st_size for path in page_pictures.IMAGES.rglob("*") if path.is_file()]
    assert max(sizes) < 120_000
    assert sum(sizes) < 1_200_000
