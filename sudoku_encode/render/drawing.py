"""A picture in some form, as text or bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sudoku_encode.errors import SudokuError, short
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.table import DRAWINGS, PLAIN, Details
from sudoku_encode.storage.files import bare_suffix, writing
from sudoku_encode.storage.outputs import file_name


@dataclass(frozen=True, repr=False)
class Drawing:
    """A picture in some form. A notebook shows it.

    Attributes:
        form: a key of DRAWINGS.
        content: text, or bytes if the form is not text.

    >>> import sudoku_encode as se
    >>> drawing = se.draw("1...............", board="4x4")
    >>> drawing.form, str(drawing)[:4]
    ('svg', '<svg')
    """

    form: str
    content: str | bytes

    def __repr__(self) -> str:
        """Return the form and the length on one short line."""
        unit = "bytes" if isinstance(self.content, bytes) else "characters"
        return f"Drawing({self.form!r}, {len(self.content):,} {unit})"

    def __str__(self) -> str:
        """Return the text; for bytes only the `repr`."""
        return self.content if isinstance(self.content, str) else repr(self)

    def __bytes__(self) -> bytes:
        """Return the content as a file contains it."""
        return self.content if isinstance(self.content, bytes) else self.content.encode()

    def save(self, path: str | Path) -> None:
        """Write it to a file, compressed if the name ends in .gz, .xz or .zst; `-` is standard output.

        Raises:
            SudokuError: it cannot be written, or the name belongs to another form, such as `a.png` for SVG.
        """
        suffix = bare_suffix(file_name(path))
        named = next((form.name for form in DRAWINGS.values() if form.suffix == suffix), self.form)
        if named != self.form:
            raise SudokuError(f"{path} is the name of a {named} file, but this is {self.form}")
        with writing(file_name(path)) as out:
            out(bytes(self))

    def _repr_svg_(self) -> str | None:
        return str(self) if self.form == "svg" else None

    def _repr_png_(self) -> bytes | None:
        return bytes(self) if self.form == "png" else None

    def _repr_html_(self) -> str | None:
        if self.form == "svg":
            return shown_as_html(self)
        if self.form != "html":
            return None
        from sudoku_encode.render.page import within

        return within(str(self), "drawing")


def drawing(pictures: Sequence[Picture], form: str, details: Details = PLAIN) -> Drawing:
    """Return pictures, several only if the form supports that, in a form, a key of DRAWINGS.

    Raises:
        SudokuError: there is no such form, it takes one picture only, it does not use one of the details, or a library
            is not installed.
    """
    row = DRAWINGS.get(form)
    if row is None:
        raise SudokuError(f"not a form of drawings: {short(str(form))!r}; there are {', '.join(DRAWINGS)}")
    if len(pictures) != 1 and not row.many:
        raise SudokuError(f"{form} is for one picture, not {len(pictures)}")
    for name, value in details._asdict().items():
        if name not in row.details and value != getattr(PLAIN, name):
            raise SudokuError(f"{form} does not use {name}")
    return Drawing(form, row.load()(pictures, details))
