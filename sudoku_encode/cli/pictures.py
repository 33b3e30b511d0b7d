"""Where pictures go: the form that a name asks for, files of a folder, and no bytes on a terminal."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sudoku_encode.cli.candidates_text import in_colour
from sudoku_encode.cli.streams import has_lines
from sudoku_encode.errors import SudokuError
from sudoku_encode.render.table import DRAWINGS

if TYPE_CHECKING:
    from sudoku_encode.render.details import Details
    from sudoku_encode.render.picture import Picture

FORMS = "; ".join(f"{form.name}: {form.summary}" for form in DRAWINGS.values())


def form_of(to: str | None, output: str) -> str:
    """Return the form that is asked for, by its name or by the suffix of the output.

    Raises:
        SudokuError: the suffix is of another form, or of none.
    """
    from sudoku_encode.storage.files import bare_suffix
    from sudoku_encode.storage.outputs import is_folder

    if output == "-" or is_folder(output):
        return to or ("text" if output == "-" else "svg")
    suffix = bare_suffix(output)
    named = next((form.name for form in DRAWINGS.values() if form.suffix == suffix), None)
    if to is not None and named not in (None, to):
        raise SudokuError(f"{output} is the name of a {named} file, and --to says {to}")
    if (to or named) is None:
        known = ", ".join(f"{form.suffix} ({form.name})" for form in DRAWINGS.values())
        raise SudokuError(f"{output}: no form has the suffix {suffix or 'of this name'}; name one with --to: {known}")
    return str(to or named)


def refuse_terminal(form: str, output: str = "-") -> None:
    """Refuse to print a form that is no text where a person would see it.

    Raises:
        SudokuError: it is no text, and the output is a terminal.
    """
    if DRAWINGS[form].is_bytes and output == "-" and sys.stdout.isatty():
        raise SudokuError(f"{form} is no text: give -o FILE{DRAWINGS[form].suffix}, or send it to a file with >")


def for_terminal(details: "Details", ascii: bool, output: str = "-") -> "Details":
    """Return details with what the output can show: lines, and colours on a terminal."""
    return details._replace(ascii=ascii or not has_lines(), coloured=output == "-" and in_colour("auto"))


def put(picture: "Picture", form: str, many: bool) -> None:
    """Print a picture, one of several perhaps.

    Raises:
        SudokuError: as `drawing.drawing`, or it is one of many, and no text, which cannot be told apart.
    """
    from sudoku_encode.render.drawing import drawing

    if many and form != "svg":
        raise SudokuError(f"--to {form} is for one puzzle here, and there are many")
    drawing([picture], form).save("-")


def write(
    pictures: "Sequence[Picture]", form: str, output: str, details: "Details", inputs: Iterable[str] = ()
) -> None:
    """Write pictures to a file or, one a file with numbers that sort, to a folder.

    Args:
        pictures: what is drawn.
        form: a key of DRAWINGS.
        output: the name of a file or a folder, `-` for standard output.
        details: how it is drawn.
        inputs: names of files that are read, which are not overwritten.

    Raises:
        SudokuError: as `drawing.drawing`; several pictures for a form that takes one, or a file cannot be written.
    """
    from sudoku_encode.encoders.batch import numbered_name
    from sudoku_encode.render.drawing import drawing
    from sudoku_encode.storage import outputs

    if outputs.is_folder(output):
        folder = outputs.folder(output)
        total = len(pictures)
        paths = [folder / (numbered_name(number, total) + DRAWINGS[form].suffix) for number in range(1, total + 1)]
        outputs.refuse_inputs(inputs, *paths)
        for picture, path in zip(pictures, paths, strict=True):
            drawing([picture], form, details).save(path)
        return
    if len(pictures) > 1 and not DRAWINGS[form].many:
        raise SudokuError(f"there are many puzzles: give a folder to write each as {form} to, such as -o pictures/")
    drawing(pictures, form, details).save(output)
