"""The pictures of the documentation are those that the program draws now."""

import shlex
from pathlib import Path

import page_blocks
import page_pictures
import pytest

from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from tests.helpers.command import Command

DRAWN = {
    page: pictures
    for page in page_blocks.pages()
    if (pictures := page_pictures.of_page(page.read_text(encoding="utf-8")))
}


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in DRAWN])
def test_pictures_of_page(page: Path, run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of a page make the pictures that it shows."""
    # `scripts/docs --update PAGE` makes them anew.
    folder = tmp_path / "page"
    folder.mkdir()
    page_blocks.prepare(page, folder)
    monkeypatch.chdir(folder)
    for name, command in DRAWN[page].items():
        arguments, printed, _ = command.replace("\\\n", "").partition(" > ")
        ran = run(*shlex.split(arguments)[1:])
        assert ran.status == 0, ran.err
        drawn = ran.out if printed else (folder / name).read_text(encoding="utf-8")
        assert drawn == (page_pictures.IMAGES / name).read_text(encoding="utf-8"), name


@pytest.mark.parametrize("kind", [name for name, row in CONSTRAINTS.items() if row.picture])
def test_picture_of_kind(kind: str) -> None:
    """Each kind of constraint that is drawn has a current picture."""
    path = page_pictures.KINDS / f"{kind}.svg"
    assert path.read_text(encoding="utf-8") == page_pictures.of_kind(kind), "run scripts/docs --update"


def test_every_picture_is_made() -> None:
    """Every SVG is made by a command of a page that shows it, and all pictures together are small."""
    with_command = {name for pictures in DRAWN.values() for name in pictures}
    assert {path.name for path in page_pictures.IMAGES.glob("*.svg")} == with_command
    assert {path.stem for path in page_pictures.KINDS.iterdir()} == set(page_pictures.EXAMPLES)
    sizes = [path.stat().st_size for path in page_pictures.IMAGES.rglob("*") if path.is_file()]
    assert max(sizes) < 120_000
    assert sum(sizes) < 1_200_000
